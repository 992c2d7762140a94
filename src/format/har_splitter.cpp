// The splitter reads forward only: each piece is looked at once, in the window, and handed out when
// its last byte is known.
#include "format/har_splitter.h"

#include <algorithm>

#include "base/arena.h"
#include "base/ascii.h"
#include "codec/json.h"
#include "format/har_mistaken.h"

namespace rehead::format {
namespace {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
/// True if a member name, as spelt between its quotes, means `name`.
bool means(std::string_view spelt, std::string_view name) {
  if (spelt.find('\\') == std::string_view::npos) return spelt == name;
  const std::string quoted = '"' + std::string(spelt) + '"';
  Arena arena;
  codec::json::Cursor cursor(quoted, 1, arena);
  const auto text = cursor.string({.kind = codec::json::Kind::string});
  return text && *text == name;
}

}  // namespace

Result<HarPiece> HarSplitter::next() {
  input_.skip(handed_);
  handed_ = 0;
  if (in_member_) return part_of_member(Kind::more, 0);
  if (level_ != Level::outside) {
    auto blanks = long_blanks();
    if (!blanks || blanks->kind == Kind::blanks) return blanks;
  }
  switch (level_) {
    case Level::outside:
      return outside();
    case Level::document:
    case Level::log:
      return member();
    case Level::entries:
      break;
  }
  return element();
}

std::string_view HarSplitter::closers() const {
  switch (level_) {
    case Level::outside:
      return {};
    case Level::document:
      return "}";
    case Level::log:
      return "}}";
    case Level::entries:
      break;
  }
  return in_array_ ? "]" : "]}}";
}

Result<HarPiece> HarSplitter::outside() {
  constexpr std::string_view kBom = "\xEF\xBB\xBF";
  std::size_t at = 0;
  while (true) {
    auto more = have(at);
    if (!more) return fail(std::move(more.error()));
    if (!*more) return piece(at == 0 ? Kind::none : Kind::rest, 0, at);
    const char c = input_.window()[at];
    if (is_blank(c) || (c == '\0' && after_document_)) {
      ++at;
      if (at == kPart && after_document_) return piece(Kind::rest, 0, at);
    } else if (c == kBom.front()) {
      if (auto all = have(at + kBom.size() - 1); !all) return fail(std::move(all.error()));
      if (!input_.window().substr(at).starts_with(kBom)) return no_har(at);
      at += kBom.size();
    } else if (c == '{' || c == '[') {
      if (auto next = have(at + 1); !next) return fail(std::move(next.error()));
      const std::string_view rest = input_.window().substr(at + 1);
      if (rest.starts_with('\0')) return no_har(at);  // UTF-16
      return c == '{' ? object_outside(at) : array_outside(at);
    } else {
      return no_har(at);
    }
  }
}

Result<HarPiece> HarSplitter::object_outside(std::size_t at) {
  auto entry = is_entry(at);
  if (!entry) return fail(std::move(entry.error()));
  if (*entry) {
    after_document_ = true;
    return whole_entry(at);
  }
  entries_seen_ = false;
  in_array_ = false;
  return enter(Kind::document, Level::document, at, at + 1);
}

Result<HarPiece> HarSplitter::array_outside(std::size_t at) {
  auto first = past_blanks(at + 1);
  if (!first) return fail(std::move(first.error()));
  const char c = input_.window()[*first];
  if (c != '{' && c != ']') return no_har(at);
  in_array_ = true;
  return enter(Kind::entries, Level::entries, at, at + 1);
}

/// Whether the object at `at` is an entry rather than a HAR document, by its first telling member.
Result<bool> HarSplitter::is_entry(std::size_t at) {
  const std::size_t limit = at + limits_.look_ahead;
  auto place = past_blanks(at + 1);
  while (place) {
    if (input_.window()[*place] != '"') {
      return input_.window()[*place] == '}' ? Result<bool>(no_har(at))
                                            : broken("a member name in quotes is missing", *place);
    }
    auto key_end = string_end(*place, limit);
    if (!key_end) return fail(std::move(key_end.error()));
    if (*key_end == kBeyond) return false;
    const std::string_view key = input_.window().substr(*place + 1, *key_end - *place - 2);
    if (means(key, "log")) return false;
    if (means(key, "request") || means(key, "response")) return true;
    auto value = past_colon(*key_end);
    if (!value) return fail(std::move(value.error()));
    auto end = value_end(*value, limit);
    if (!end) return fail(std::move(end.error()));
    if (*end == kBeyond) return false;
    place = past_blanks(*end);
    if (!place) break;
    if (input_.window()[*place] == ',') {
      place = past_blanks(*place + 1);
    } else if (input_.window()[*place] != '}') {
      return broken("a comma or } is missing", *place);
    }
  }
  return fail(std::move(place.error()));
}

Result<HarPiece> HarSplitter::member() {
  auto at = next_place('}');
  if (!at) return fail(std::move(at.error()));
  const char first = input_.window()[*at];
  if (first == '}') {
    if (level_ == Level::log) return leave(Kind::end, Level::document, *at);
    if (!entries_seen_) return broken("no \"log\" with \"entries\" in this document", *at);
    return leave(Kind::end, Level::outside, *at);
  }
  if (first != '"') return broken("a member name in quotes is missing", *at);
  auto key_end = string_end(*at, limits_.max_entry);
  if (!key_end) return fail(std::move(key_end.error()));
  auto value = past_colon(*key_end);
  if (!value) return fail(std::move(value.error()));
  const std::string_view key = input_.window().substr(*at + 1, *key_end - *at - 2);
  const bool telling = means(key, level_ == Level::log ? "entries" : "log");
  const char opens = input_.window()[*value];
  if (telling && opens == '{' && level_ == Level::document) {
    return enter(Kind::log, Level::log, *at, *value + 1);
  }
  if (telling && opens == '[' && level_ == Level::log) {
    return enter(Kind::entries, Level::entries, *at, *value + 1);
  }
  if (telling && opens != 'n') {  // null counts as missing
    return broken(ascii::quoted(key) + " is " + described(*value) + ", " +
                      (level_ == Level::log ? "an array" : "an object") + " is needed",
                  *value);
  }
  const std::size_t key_size = *key_end - *at - 2;
  begin_value(*value, false);
  auto made = part_of_member(Kind::member, *at);
  if (made) made->key = made->bytes.substr(1, key_size);
  return made;
}

/// A member, begun at `lead`, as far as it was read: its end, or so much that more of it would be a
/// burden.
Result<HarPiece> HarSplitter::part_of_member(Kind kind, std::size_t lead) {
  first_ = false;
  const std::size_t begin = value_.begin();
  while (true) {
    auto ends = value_ends();
    if (!ends) return fail(std::move(ends.error()));
    if (*ends || (!whole_members_ && value_.seen() >= kPart)) {
      in_member_ = !*ends;
      HarPiece made = piece(kind, lead, value_.seen());
      made.value = input_.window().substr(begin, value_.seen() - begin);
      made.complete = *ends;
      value_.forget();
      return made;
    }
    if (auto more = need(input_.window().size()); !more) return fail(std::move(more.error()));
  }
}

/// Blanks before the next piece, and its comma among them, if they are many: they are handed out
/// before their end is known.
Result<HarPiece> HarSplitter::long_blanks() {
  bool comma = comma_ || first_;
  for (std::size_t at = 0; at < kPart; ++at) {
    auto c = need(at);
    if (!c) return fail(std::move(c.error()));
    const bool is_comma = *c == ',' && !comma;
    if (!is_blank(*c) && !is_comma) return HarPiece{};
    comma = comma || is_comma;
  }
  comma_ = comma && !first_;
  return piece(Kind::blanks, kPart, kPart);
}

Result<HarPiece> HarSplitter::element() {
  auto at = next_place(']');
  if (!at) return fail(std::move(at.error()));
  if (input_.window()[*at] == ']') {
    return leave(Kind::entries_end, in_array_ ? Level::outside : Level::log, *at);
  }
  return whole_entry(*at);
}

Result<HarPiece> HarSplitter::whole_entry(std::size_t at) {
  auto end = value_end(at, at + limits_.max_entry, true);
  if (!end) return fail(std::move(end.error()));
  if (*end == kBeyond) {
    return fail({.code = Errc::limit,
                 .id = "har-entry",
                 .what = "an entry larger than " + std::to_string(limits_.max_entry) + " bytes",
                 .hint = "--max-entry SIZE allows more",
                 .byte = input_.offset() + at});
  }
  first_ = false;
  return piece(Kind::entry, at, *end);
}

HarPiece HarSplitter::piece(Kind kind, std::size_t lead, std::size_t end) {
  handed_ = end;
  if (kind != Kind::blanks) comma_ = false;
  return {.kind = kind,
          .level = level_,
          .lead = input_.window().substr(0, lead),
          .bytes = input_.window().substr(lead, end - lead),
          .key = {},
          .value = {},
          .offset = input_.offset() + lead};
}

HarPiece HarSplitter::enter(Kind kind, Level inner, std::size_t lead, std::size_t end) {
  const HarPiece made = piece(kind, lead, end);
  level_ = inner;
  first_ = true;
  entries_seen_ |= inner == Level::entries;
  after_document_ = true;
  return made;
}

HarPiece HarSplitter::leave(Kind kind, Level outer, std::size_t lead) {
  level_ = outer;
  first_ = false;
  return piece(kind, lead, lead + 1);
}

Result<bool> HarSplitter::have(std::size_t at) {
  while (input_.window().size() <= at) {
    if (input_.at_end()) return false;
    if (auto done = input_.fill(); !done) return fail(std::move(done.error()));
  }
  return true;
}

Result<char> HarSplitter::need(std::size_t at) {
  auto more = have(at);
  if (!more) return fail(std::move(more.error()));
  if (!*more) return cut();
  return input_.window()[at];
}

/// Where the next byte that is not white space stands.
Result<std::size_t> HarSplitter::past_blanks(std::size_t at) {
  for (const std::size_t from = at; at - from <= limits_.hold; ++at) {
    auto c = need(at);
    if (!c) return fail(std::move(c.error()));
    if (!is_blank(*c)) return at;
  }
  return fail({.code = Errc::limit,
               .id = "har-blanks",
               .what = "more than " + std::to_string(limits_.hold) +
                       " bytes of white space in one place",
               .hint = "raise it with --hold",
               .byte = input_.offset() + at});
}

/// Where the next member or element begins, or the bracket that ends them.
Result<std::size_t> HarSplitter::next_place(char close) {
  auto at = past_blanks(0);
  if (!at || (input_.window()[*at] == close && !comma_) || first_) return at;
  if (!comma_) {
    if (input_.window()[*at] != ',') {
      return broken(std::string("a comma or ") + close + " is missing", *at);
    }
    at = past_blanks(*at + 1);
  }
  if (at && input_.window()[*at] == close) return broken("nothing stands behind a comma", *at);
  return at;
}

Result<std::size_t> HarSplitter::past_colon(std::size_t at) {
  auto colon = past_blanks(at);
  if (!colon) return colon;
  if (input_.window()[*colon] != ':') {
    return broken("the colon after a member name is missing", *colon);
  }
  return past_blanks(*colon + 1);
}

/// One past the end of the value at `at`; kBeyond if that lies beyond `limit`.
Result<std::size_t> HarSplitter::value_end(std::size_t at, std::uint64_t limit, bool remember) {
  begin_value(at, remember);
  while (true) {
    auto ends = value_ends();
    if (!ends) return fail(std::move(ends.error()));
    if (value_.seen() > limit) return kBeyond;
    if (*ends) return value_.seen();
    if (auto more = need(input_.window().size()); !more) return fail(std::move(more.error()));
  }
}

void HarSplitter::begin_value(std::size_t at, bool remember) {
  value_.start(input_.window(), at, std::max(limits_.max_depth, depth() + 1) - depth(), remember);
}

/// Looks at the rest of the window. True if the value ends in it.
Result<bool> HarSplitter::value_ends() {
  auto ends = value_.advance(input_.window());
  if (ends) return ends;
  Error error = std::move(ends.error());
  error.byte = input_.offset() + error.byte.value_or(0);
  if (error.code == Errc::limit) {
    error.what = "JSON is nested deeper than " + std::to_string(limits_.max_depth);
  }
  return fail(std::move(error));
}

/// Containers around what stands at level_.
std::size_t HarSplitter::depth() const {
  if (in_array_ && level_ == Level::entries) return 1;
  return static_cast<std::size_t>(level_);
}

std::string HarSplitter::described(std::size_t at) const {
  using codec::json::Kind;
  switch (input_.window()[at]) {
    case '{':
      return std::string(describe(Kind::object));
    case '[':
      return std::string(describe(Kind::array));
    case '"':
      return std::string(describe(Kind::string));
    default:
      return "a bare word";
  }
}

tl::unexpected<Error> HarSplitter::broken(std::string what, std::size_t at) const {
  return fail({.code = Errc::syntax,
               .id = "har-json",
               .what = std::move(what),
               .byte = input_.offset() + at});
}

tl::unexpected<Error> HarSplitter::cut() const {
  return fail({.code = Errc::syntax,
               .id = "har-cut",
               .what = "the input ends inside the document",
               .byte = input_.offset() + input_.window().size()});
}

/// What stands at `at` is no HAR document: says what it looks like.
tl::unexpected<Error> HarSplitter::no_har(std::size_t at) {
  constexpr std::size_t kEnough = 256;
  if (auto more = have(at + kEnough); !more) return fail(std::move(more.error()));
  Error error = mistaken_for_har(input_.window().substr(at, kEnough), after_document_);
  error.byte = input_.offset() + at;
  return fail(std::move(error));
}

}  // namespace rehead::format
