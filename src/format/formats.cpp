// The format table, and how an input tells its format.
#include "format/formats.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "codec/content_coding.h"
#include "format/http1_sink.h"
#include "format/http1_source.h"

namespace rehead::format {
namespace {

constexpr std::array<FormatInfo, 1> kAll = {{
    {.name = "http",
     .summary = "raw HTTP messages, as curl -i prints them",
     .make_source = make_http1_source,
     .make_sink = make_http1_sink},
}};

/// Gives back what was looked at, then the rest.
class PeekedReader final : public Reader {
 public:
  explicit PeekedReader(std::unique_ptr<Reader> rest) : rest_(std::move(rest)) {}

  /// The first bytes, at least `size` of them unless the input is shorter.
  Result<std::string_view> peek(std::size_t size) {
    while (!ended_ && peeked_.size() < size) {
      std::array<char, 4096> block;
      auto got = rest_->read(block);
      if (!got) return fail(std::move(got.error()));
      ended_ = *got == 0;
      peeked_.append(block.data(), *got);
    }
    return peeked_;
  }
  Result<std::size_t> read(std::span<char> into) override {
    if (given_ == peeked_.size()) return ended_ ? Result<std::size_t>(0) : rest_->read(into);
    const std::size_t size = std::min(into.size(), peeked_.size() - given_);
    std::memcpy(into.data(), peeked_.data() + given_, size);
    given_ += size;
    return size;
  }
  bool would_block() override {
    return given_ == peeked_.size() && !ended_ && rest_->would_block();
  }

 private:
  std::unique_ptr<Reader> rest_;
  std::string peeked_;
  std::size_t given_ = 0;
  bool ended_ = false;
};

}  // namespace

std::span<const FormatInfo> all() { return kAll; }

const FormatInfo* find(std::string_view name) {
  const auto found = std::ranges::find(kAll, name, &FormatInfo::name);
  return found == kAll.end() ? nullptr : &*found;
}

Result<Opened> open(SourceSetup setup, std::string_view from) {
  Opened opened;
  auto peeked = std::make_unique<PeekedReader>(std::move(setup.reader));
  auto start = peeked->peek(2);
  if (!start) return fail(std::move(start.error()));
  opened.gzip = start->starts_with("\x1f\x8b");
  setup.reader = std::move(peeked);
  if (opened.gzip) setup.reader = codec::make_gunzip_reader(std::move(setup.reader));
  opened.format = find(from == "auto" ? "http" : from);
  opened.source = opened.format->make_source(std::move(setup));
  return opened;
}

}  // namespace rehead::format
