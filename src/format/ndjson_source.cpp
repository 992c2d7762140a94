// Lines in, exchanges out; the schema stands in ndjson.h. Blank lines, CRLF and a BOM are accepted,
// and an object spread over lines by a pretty-printer: from a line `{` to the next that begins with
// `}`.
//
// A line that cannot be read is reported with its number and byte offset; reading goes on behind
// it.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/arena.h"
#include "codec/json.h"
#include "codec/json_check.h"
#include "format/ndjson.h"
#include "format/ndjson_line.h"
#include "format/ndjson_message.h"

namespace rehead::format {
namespace {

namespace json = codec::json;
using json::Kind;

constexpr std::string_view kBlanks = " \t\r\n";  // RFC 8259 2

tl::unexpected<Error> syntax(std::string what, const json::Value& at) {
  return fail({.code = Errc::syntax, .id = "ndjson", .what = std::move(what), .byte = at.offset});
}

class NdjsonSource final : public Source {
 public:
  explicit NdjsonSource(SourceSetup setup)
      : setup_(std::move(setup)),
        input_(std::move(setup_.reader), setup_.output),
        readers_(setup_) {}
  Result<http::Exchange*> next() override;

 private:
  struct Members {
    std::uint64_t entry, message;
    std::string_view kind = {};
    std::optional<json::Value> request = {}, response = {};
  };
  Result<bool> next_text();
  Result<std::size_t> line_end(std::size_t begin);
  Status read(std::string_view text);
  Status member(json::Cursor& cursor, const json::Member& member, Members& members);
  Status half(json::Cursor& cursor, const json::Value& object, http::Kind kind,
              std::uint64_t number);
  void report(Error error, std::string_view text);

  SourceSetup setup_;
  Input input_;
  Arena arena_;  // texts of the current exchange
  codec::JsonScan scan_;
  json::Layout layout_;  // of the line before
  http::PerHalf<NdjsonMessage> readers_;
  http::Exchange exchange_;
  NdjsonLine line_;
  std::size_t size_ = 0;      // of the current text, which is the first of the window
  std::uint64_t number_ = 0;  // texts so far
};

/// The offset behind the line that begins at `begin` of the window; `begin` at the end of input.
Result<std::size_t> NdjsonSource::line_end(std::size_t begin) {
  std::size_t searched = begin;
  while (true) {
    const std::size_t found = input_.window().find('\n', searched);
    if (found != std::string_view::npos) return found + 1;
    searched = input_.window().size();
    if (input_.at_end()) return searched;
    if (searched > setup_.policy->limits.max_entry) {
      return fail({.code = Errc::limit,
                   .id = "entry-size",
                   .what = "a line of more than " +
                           std::to_string(setup_.policy->limits.max_entry) + " bytes",
                   .hint = "raise it with --max-entry",
                   .byte = input_.offset(),
                   .line = input_.line()});
    }
    if (auto done = input_.fill(); !done) return fail(std::move(done.error()));
  }
}

/// Puts the next text at the start of the window; false at the end of input.
Result<bool> NdjsonSource::next_text() {
  input_.consume(std::exchange(size_, 0));
  while (true) {
    auto end = line_end(0);
    if (!end) return fail(std::move(end.error()));
    if (*end == 0) return false;
    const std::string_view line = input_.window().substr(0, *end);
    if (input_.offset() == 0 && line.starts_with("\xEF\xBB\xBF")) {
      input_.consume(3);
      continue;
    }
    const std::size_t last = line.find_last_not_of(kBlanks);
    if (last == std::string_view::npos) {
      input_.consume(line.size());
      continue;
    }
    size_ = line.size();
    bool open = line.substr(0, last + 1) == "{";
    while (open) {
      end = line_end(size_);
      if (!end) return fail(std::move(end.error()));
      open = *end != size_ && input_.window()[size_] != '}';
      size_ = *end;
    }
    return true;
  }
}

Result<http::Exchange*> NdjsonSource::next() {
  while (true) {
    auto more = next_text();
    if (!more) return fail(std::move(more.error()));
    if (!*more) return nullptr;
    ++number_;
    const std::string_view window = input_.window().substr(0, size_);
    const std::string_view text = window.substr(0, window.find_last_not_of(kBlanks) + 1);
    auto done = read(text);
    if (done) {
      const auto mended = [&](const http::Message* half) {
        return half != nullptr && readers_[*half].mended();
      };
      line_.start(text, exchange_);
      if (!mended(exchange_.request) && !mended(exchange_.response)) exchange_.as_read = &line_;
      return &exchange_;
    }
    report(std::move(done.error()), text);
  }
}

void NdjsonSource::report(Error error, std::string_view text) {
  const std::uint64_t within = error.byte.value_or(0);
  setup_.log->report({.level = Level::error,
                      .code = error.code,
                      .id = error.id,
                      .what = std::move(error.what),
                      .hint = std::move(error.hint),
                      .byte = input_.offset() + within,
                      .line = *input_.line() + count(text.substr(0, within), '\n'),
                      .message = number_});
}

Status NdjsonSource::read(std::string_view text) {
  arena_.reset();
  exchange_ = {.file = setup_.file};
  const std::size_t max_depth = setup_.policy->limits.max_depth;
  if (setup_.policy->strict()) {
    if (auto done = json::check(text, max_depth); !done) return done;
  }
  json::Cursor cursor(text, max_depth, arena_);
  auto root = cursor.root();
  if (!root) return fail(std::move(root.error()));
  if (root->kind == Kind::object && root->offset == 0) {
    scan_.start(max_depth, true);
    if (scan_.advance(text) == codec::JsonScan::State::complete) cursor.know(scan_.containers());
  }
  Members members{.entry = number_, .message = number_};
  auto done = cursor.for_each_member(
      *root, [&](const json::Member& each) -> Status { return member(cursor, each, members); },
      &layout_);
  if (!done) return done;
  if (auto ended = cursor.finish(); !ended) return ended;

  if (members.kind == "request") {
    return half(cursor, *root, http::Kind::request, members.message);
  }
  if (members.kind == "response") {
    return half(cursor, *root, http::Kind::response, members.message);
  }
  if (members.kind != "exchange") {
    return syntax("\"kind\" is none of request, response, exchange", *root);
  }
  exchange_.number = std::max<std::uint64_t>(members.entry, 1);
  if (!members.request && !members.response) {
    return syntax("an exchange without request and response", *root);
  }
  if (members.request) {
    done = half(cursor, *members.request, http::Kind::request, exchange_.number);
    if (!done) return done;
  }
  if (!members.response) return {};
  return half(cursor, *members.response, http::Kind::response, exchange_.number);
}

/// A member of the line itself; those of its message are read by NdjsonMessage.
Status NdjsonSource::member(json::Cursor& cursor, const json::Member& member, Members& members) {
  const std::string_view key = member.key;
  const json::Value& value = member.value;
  if (value.kind == Kind::null) return {};
  if (key == "entry" || key == "message") {
    auto number = read_number(cursor, member, INT64_MAX);
    if (!number) return fail(std::move(number.error()));
    (key == "entry" ? members.entry : members.message) = *number;
    return {};
  }
  if (key == "ms") {
    auto raw = cursor.raw(value);
    if (!raw) return fail(std::move(raw.error()));
    exchange_.ms = *raw;
    return {};
  }
  if (key == "request") members.request = value;
  if (key == "response") members.response = value;
  std::string_view* const part = key == "kind"   ? &members.kind
                                 : key == "file" ? &exchange_.file
                                 : key == "time" ? &exchange_.time
                                 : key == "url"  ? &exchange_.url
                                                 : nullptr;
  if (part == nullptr) return {};
  auto text = read_text(cursor, member);
  if (!text) return fail(std::move(text.error()));
  *part = *text;
  return {};
}

Status NdjsonSource::half(json::Cursor& cursor, const json::Value& object, http::Kind kind,
                          std::uint64_t number) {
  NdjsonMessage& reader = readers_[kind];
  if (auto done = reader.read(cursor, object, kind, number, !exchange_.alone()); !done) return done;
  http::Message& message = reader.message();
  message.notes.offset = input_.offset() + object.offset;
  (kind == http::Kind::request ? exchange_.request : exchange_.response) = &message;
  return {};
}

}  // namespace

std::unique_ptr<Source> make_ndjson_source(SourceSetup setup) {
  return std::make_unique<NdjsonSource>(std::move(setup));
}

bool begins_ndjson(std::string_view start) {
  if (start.starts_with("\xEF\xBB\xBF")) start.remove_prefix(3);
  const auto skip = [&] {
    start.remove_prefix(std::min(start.find_first_not_of(kBlanks), start.size()));
  };
  skip();
  if (!start.starts_with('{')) return false;
  start.remove_prefix(1);
  skip();
  // "kind" is the first of ours; the others are first once keys were sorted. No HAR begins so.
  constexpr std::string_view kFirst[] = {"\"kind\"", "\"body\"", "\"body64\"", "\"entry\"",
                                         "\"file\""};
  return std::ranges::any_of(kFirst, [&](std::string_view key) { return start.starts_with(key); });
}

}  // namespace rehead::format
