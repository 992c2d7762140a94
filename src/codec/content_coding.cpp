// The magic of the content codings (RFC 9110 8.4.1), their levels, their coders.
#include "codec/content_coding.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "codec/coder.h"

namespace rehead::codec {
namespace {

using http::Coding;

bool is_byte(char c, unsigned value) { return static_cast<unsigned char>(c) == value; }

/// RFC 8878 3.1.1 and 3.1.2: a frame, or a skippable one, which may come first.
bool zstd_byte(std::string_view start, std::size_t at) {
  constexpr std::array<unsigned, 4> kFrame = {0x28, 0xB5, 0x2F, 0xFD};
  constexpr std::array<unsigned, 4> kSkippable = {0x50, 0x2A, 0x4D, 0x18};
  const bool skippable = (static_cast<unsigned char>(start[0]) & 0xF0U) == kSkippable[0];
  if (!skippable) return is_byte(start[at], kFrame[at]);
  return at == 0 || is_byte(start[at], kSkippable[at]);
}

}  // namespace

LevelRange levels(Coding coding) {
  switch (coding) {
    case Coding::br:
      return {0, 11};
    case Coding::zstd:
      return {1, 19};  // higher ones need windows over 8 MiB (RFC 9659)
    default:
      return {1, 9};
  }
}

Magic magic(Coding coding, std::string_view start, bool at_end) {
  if (coding != Coding::gzip && coding != Coding::zstd) return Magic::none;
  const std::size_t needed = coding == Coding::gzip ? 2 : 4;
  for (std::size_t i = 0; i < std::min(start.size(), needed); ++i) {
    const bool fits =
        coding == Coding::zstd ? zstd_byte(start, i) : is_byte(start[i], i == 0 ? 0x1F : 0x8B);
    if (!fits) return Magic::refuted;
  }
  if (start.size() >= needed) return Magic::shown;
  if (!at_end) return Magic::more;
  return start.empty() ? Magic::none : Magic::shown;
}

std::unique_ptr<Coder> make_coder(Coding coding, int level) {
  switch (coding) {
    case Coding::br:
      return make_brotli_coder(level);
    case Coding::zstd:
      return make_zstd_coder(level);
    default:
      return make_zlib_coder(coding == Coding::gzip, level);
  }
}

std::unique_ptr<Coder> make_decoder(Coding coding) {
  switch (coding) {
    case Coding::br:
      return make_brotli_decoder();
    case Coding::zstd:
      return make_zstd_decoder();
    default:
      return make_zlib_decoder(coding == Coding::gzip);
  }
}

}  // namespace rehead::codec
