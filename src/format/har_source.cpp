// A HAR document -> an exchange an entry; what stands around the entries as passages. An entry that
// cannot be read is reported and passed on as it is.
#include "base/arena.h"
#include "codec/json_check.h"
#include "format/har.h"
#include "format/har_entry.h"
#include "format/har_message.h"
#include "format/har_splitter.h"

namespace rehead::format {
namespace {

namespace json = codec::json;
using json::Kind;

class HarSource final : public Source {
 public:
  explicit HarSource(SourceSetup setup)
      : setup_(std::move(setup)),
        input_(std::move(setup_.reader), setup_.output),
        splitter_(input_, setup_.policy->limits, setup_.policy->strict()),
        readers_(setup_) {
    for (const http::Kind kind : {http::Kind::request, http::Kind::response}) {
      entry_.bodies[kind] = &readers_[kind].content();
    }
  }

  Result<http::Exchange*> next() override;

 private:
  Status read();
  Status member(json::Cursor& cursor, const json::Member& member);
  void report(Error error, std::uint64_t offset);

  SourceSetup setup_;
  Input input_;
  HarSplitter splitter_;
  Arena arena_;  // strings of the entry whose escapes had to be undone
  json::Layout layout_;  // of the entry before
  HarEntry entry_;
  http::PerHalf<HarMessage> readers_;
  http::Exchange exchange_;
  Half reading_ = Half::none;
  bool is_entry_ = false;  // there is a request or a response, be it null
  std::uint64_t number_ = 0;
};

Result<http::Exchange*> HarSource::next() {
  auto piece = splitter_.next();
  if (!piece) {
    if (splitter_.in_entries()) piece.error().message = number_ + 1;
    return fail(std::move(piece.error()));
  }
  if (piece->kind == HarPiece::Kind::none) return nullptr;
  entry_.piece = *piece;
  entry_.gathered = false;
  exchange_ = {.file = setup_.file, .as_read = &entry_, .passage = true};
  if (piece->kind == HarPiece::Kind::member && setup_.policy->strict()) {
    auto fine = json::check(piece->value, setup_.policy->limits.max_depth);
    if (!fine)
      report(std::move(fine.error()), piece->offset + piece->bytes.size() - piece->value.size());
  }
  if (piece->kind != HarPiece::Kind::entry) return &exchange_;
  exchange_.number = ++number_;
  if (auto done = read(); !done) {
    report(std::move(done.error()), entry_.piece.offset);
    exchange_.request = exchange_.response = nullptr;
  } else {
    exchange_.passage = false;
  }
  return &exchange_;
}

Status HarSource::read() {
  const std::string_view text = entry_.piece.bytes;
  arena_.reset();
  reading_ = Half::none;
  is_entry_ = false;
  entry_.clear();
  if (setup_.policy->strict()) {
    if (auto fine = json::check(text, setup_.policy->limits.max_depth); !fine) return fine;
  }
  json::Cursor cursor(text, setup_.policy->limits.max_depth, arena_);
  cursor.know(splitter_.containers());
  auto root = cursor.root();
  if (!root) return fail(std::move(root.error()));
  if (root->kind != Kind::object) {
    return fail({.code = Errc::syntax,
                 .id = "har-entry",
                 .what = "the entry is " + std::string(json::describe(root->kind)) +
                         ", an object is needed",
                 .byte = 0});
  }
  auto walked = cursor.for_each_member(*root, [&](const json::Member& each) -> Status {
    if (auto done = member(cursor, each); !done) return done;
    auto raw = cursor.raw(each.value);
    if (!raw) return fail(std::move(raw.error()));
    const std::size_t begin = each.value.offset;
    entry_.members.push_back({each.key, each.key_offset, {begin, begin + raw->size()}});
    return {};
  }, &layout_);
  if (!walked) return walked;
  // Without a log around it only an entry's own members tell that it is one.
  if (!is_entry_ && splitter_.in_array()) {
    return fail({.code = Errc::syntax,
                 .id = "har-entry",
                 .what = "no entry: an object without \"request\" and \"response\"",
                 .byte = 0});
  }
  for (const http::Message* const message : {exchange_.request, exchange_.response}) {
    if (message != nullptr) readers_[*message].settle(exchange_, text, entry_.sides[*message]);
  }
  if (exchange_.request != nullptr) exchange_.url = entry_.url = readers_[*exchange_.request].url();
  return {};
}

Status HarSource::member(json::Cursor& cursor, const json::Member& member) {
  const json::Value& value = member.value;
  const bool request = member.key == "request";
  if (request || member.key == "response") {
    const http::Kind kind = request ? http::Kind::request : http::Kind::response;
    http::Message*& place = request ? exchange_.request : exchange_.response;
    HarSide& side = entry_.sides[kind];
    side.clear();
    is_entry_ = true;
    place = nullptr;
    if (value.kind == Kind::null) return {};
    place = &readers_[kind].message();
    reading_ = request ? Half::request : Half::response;
    auto done = readers_[kind].read(cursor, value, kind, entry_.piece.offset, number_, side);
    if (done) reading_ = Half::none;
    return done;
  }
  if (member.key == "startedDateTime" && value.kind == Kind::string) {
    auto text = cursor.string(value);
    if (!text) return fail(std::move(text.error()));
    exchange_.time = *text;
  }
  if (member.key == "time" && value.kind == Kind::number) {
    auto raw = cursor.raw(value);
    if (!raw) return fail(std::move(raw.error()));
    exchange_.ms = *raw;
  }
  return {};
}

/// `offset`: of the text whose bytes the error counts.
void HarSource::report(Error error, std::uint64_t offset) {
  setup_.log->report({.level = Level::error,
                      .code = error.code,
                      .id = error.id,
                      .what = std::move(error.what),
                      .hint = std::move(error.hint),
                      .byte = offset + error.byte.value_or(0),
                      .message = exchange_.number,
                      .half = reading_});
}

}  // namespace

std::unique_ptr<Source> make_har_source(SourceSetup setup) {
  return std::make_unique<HarSource>(std::move(setup));
}

}  // namespace rehead::format
