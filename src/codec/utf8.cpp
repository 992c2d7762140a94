// Bytes in, a verdict out. RFC 3629 section 4 (the table of well-formed sequences):
//   00..7F | C2..DF tail | E0 A0..BF tail | E1..EC 2tail | ED 80..9F tail | EE..EF 2tail
//   F0 90..BF 2tail | F1..F3 3tail | F4 80..8F 2tail           tail = 80..BF
#include "codec/utf8.h"

#include <cstdint>
#include <cstring>

namespace rehead::codec {
namespace {

/// Where the ASCII bytes that begin at `at` end.
std::size_t ascii_end(std::string_view bytes, std::size_t at) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  while (bytes.size() - at >= 16) {
    std::uint64_t words[2];
    std::memcpy(words, bytes.data() + at, sizeof words);
    if (((words[0] | words[1]) & kHighBits) != 0) break;
    at += sizeof words;
  }
  while (at < bytes.size() && static_cast<unsigned char>(bytes[at]) < 0x80) ++at;
  return at;
}

}  // namespace

bool is_ascii(std::string_view bytes) { return ascii_end(bytes, 0) == bytes.size(); }

bool Utf8Check::start(unsigned char lead) {
  low_ = 0x80;
  high_ = 0xBF;
  if (lead < 0xC2 || lead > 0xF4) return false;
  if (lead < 0xE0) {
    need_ = 1;
  } else if (lead < 0xF0) {
    need_ = 2;
    if (lead == 0xE0) low_ = 0xA0;
    if (lead == 0xED) high_ = 0x9F;
  } else {
    need_ = 3;
    if (lead == 0xF0) low_ = 0x90;
    if (lead == 0xF4) high_ = 0x8F;
  }
  return true;
}

bool Utf8Check::feed(std::string_view bytes) {
  std::size_t at = 0;
  while (good_ && at < bytes.size()) {
    if (need_ == 0) {
      at = ascii_end(bytes, at);
      if (at == bytes.size()) break;
      good_ = start(static_cast<unsigned char>(bytes[at++]));
    } else {
      const auto byte = static_cast<unsigned char>(bytes[at++]);
      good_ = byte >= low_ && byte <= high_;
      low_ = 0x80;
      high_ = 0xBF;
      --need_;
    }
  }
  return good_;
}

}  // namespace rehead::codec
