// The format table, and how an input tells its format.
#include "format/formats.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>

#include "base/ascii.h"
#include "codec/content_coding.h"
#include "format/body_sink.h"
#include "format/curl_sink.h"
#include "format/har.h"
#include "format/har_mistaken.h"
#include "format/headers_sink.h"
#include "format/http1_sink.h"
#include "format/http1_source.h"
#include "format/ndjson.h"

namespace rehead::format {
namespace {

constexpr std::array kAll = std::to_array<FormatInfo>({
    {.name = "http",
     .summary = "raw HTTP messages, as curl -i prints them",
     .make_source = make_http1_source,
     .make_sink = make_http1_sink},
    {.name = "har",
     .summary = "HTTP Archive 1.2, entry by entry",
     .make_source = make_har_source,
     .make_sink = make_har_sink,
     .entries = true},
    {.name = "ndjson",
     .summary = "a JSON object per message or entry, one a line",
     .make_source = make_ndjson_source,
     .make_sink = make_ndjson_sink},
    {.name = "headers",
     .summary = "heads alone, as the chain left them",
     .make_source = nullptr,
     .make_sink = make_headers_sink},
    {.name = "body",
     .summary = "bodies alone, chunks off; a content coding stays (inflate)",
     .make_source = nullptr,
     .make_sink = make_body_sink,
     .single = true},
    {.name = "curl",
     .summary = "a curl command per request, one a line",
     .make_source = nullptr,
     .make_sink = make_curl_sink,
     .side = http::Side::request},
});

/// The format of a text that begins with `start`, whole if `at_end`; nothing: more is needed to
/// tell. Raw HTTP unless it is JSON; of objects the first key tells.
std::optional<std::string_view> recognise(std::string_view start, bool at_end) {
  constexpr std::string_view kBom = "\xEF\xBB\xBF";
  constexpr std::size_t kEnough = 4096;  // no key of ours stands behind more than this
  if (!at_end && kBom.starts_with(start)) return std::nullopt;
  if (start.starts_with(kBom)) start.remove_prefix(kBom.size());
  const std::size_t first = start.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) {
    if (at_end || start.size() > kEnough) return "http";
    return std::nullopt;
  }
  if (start[first] != '{' && start[first] != '[') return is_wrapped_json(start.substr(first)) ? "har" : "http";
  if (start.size() < first + 2 && !at_end) return std::nullopt;
  if (start[first] == '[' || is_wrapped_json(start.substr(first))) return "har";
  const std::size_t key = start.find('"', first);
  const bool whole = key != std::string_view::npos && start.find('"', key + 1) != start.npos;
  if (!whole && !at_end && start.size() <= kEnough) return std::nullopt;
  return begins_ndjson(start) ? "ndjson" : "har";
}

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
  bool ended() const { return ended_; }
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
  int descriptor() const override {
    return given_ == peeked_.size() && !ended_ ? rest_->descriptor() : -1;
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
  if (opened.gzip) {
    peeked = std::make_unique<PeekedReader>(codec::make_gunzip_reader(std::move(peeked)));
  }
  std::optional<std::string_view> name = from == "auto" ? std::nullopt : std::optional(from);
  for (std::size_t size = 1; !name; ++size) {
    start = peeked->peek(size);
    if (!start) return fail(std::move(start.error()));
    size = start->size();
    opened.empty = size == 0;
    name = recognise(*start, peeked->ended());
  }
  setup.reader = std::move(peeked);
  opened.format = find(*name);
  if (opened.format == nullptr || opened.format->make_source == nullptr) {
    return fail({Errc::usage, "format", "cannot read the format " + std::string(*name)});
  }
  opened.source = opened.format->make_source(std::move(setup));
  return opened;
}

}  // namespace rehead::format
