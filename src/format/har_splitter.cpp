// The splitter reads forward only: each piece is looked at once, in the window, and handed out when
// its last byte is known.
#include "format/har_splitter.h"

#include <algorithm>

#include "base/arena.h"
#include "base/ascii.h"
#include "codec/json.h"

namespace rehead::format {
namespace {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
constexpr bool ends_word(char c) {
  return is_blank(c) || std::string_view(",:\"{}[]").find(c) != std::string_view::npos;
}

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
  constexpr std::size_t kManyNuls = std::size_t{64} << 10;  // handed on before their end is known
  constexpr std::string_view kBom = "\xEF\xBB\xBF";
  std::size_t at = 0;
  while (true) {
    auto more = have(at);
    if (!more) return fail(std::move(more.error()));
    if (!*more) return piece(at == 0 ? Kind::none : Kind::rest, 0, at);
    const char c = input_.window()[at];
    if (is_blank(c) || (c == '\0' && after_document_)) {
      ++at;
      if (at == kManyNuls && after_document_ && c == '\0') return piece(Kind::rest, 0, at);
    } else if (c == kBom.front()) {
      if (auto all = have(at + kBom.size() - 1); !all) return fail(std::move(all.error()));
      if (!input_.window().substr(at).starts_with(kBom)) return no_har(at);
      at += kBom.size();
    } else if (c == '{') {
      return object_outside(at);
    } else if (c == '[') {
      return array_outside(at);
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
    return whole(Kind::entry, at, at);
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
  auto made = whole(Kind::member, *at, *value);
  if (!made) return made;
  made->key = made->bytes.substr(1, *key_end - *at - 2);
  made->value = made->bytes.substr(*value - *at);
  return made;
}

Result<HarPiece> HarSplitter::element() {
  auto at = next_place(']');
  if (!at) return fail(std::move(at.error()));
  if (input_.window()[*at] == ']') {
    return leave(Kind::entries_end, in_array_ ? Level::outside : Level::log, *at);
  }
  return whole(Kind::entry, *at, *at);
}

/// A piece from `lead` to the end of the value at `value`, which is limited as an entry is.
Result<HarPiece> HarSplitter::whole(Kind kind, std::size_t lead, std::size_t value) {
  auto end = value_end(value, value + limits_.max_entry, kind == Kind::entry);
  if (!end) return fail(std::move(end.error()));
  if (*end == kBeyond) {
    return fail({.code = Errc::limit,
                 .id = "har-entry",
                 .what = std::string(kind == Kind::entry ? "an entry" : "a member") +
                         " larger than " + std::to_string(limits_.max_entry) + " bytes",
                 .hint = "--max-entry SIZE allows more",
                 .byte = input_.offset() + value});
  }
  first_ = false;
  return piece(kind, lead, *end);
}

HarPiece HarSplitter::piece(Kind kind, std::size_t lead, std::size_t end) {
  handed_ = end;
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
  for (const std::size_t from = at; at - from <= kMaxLead; ++at) {
    auto c = need(at);
    if (!c) return fail(std::move(c.error()));
    if (!is_blank(*c)) return at;
  }
  return fail({.code = Errc::limit,
               .id = "har-blanks",
               .what = "more than " + std::to_string(kMaxLead) + " bytes of white space",
               .byte = input_.offset() + at});
}

/// Where the next member or element begins, or the bracket that ends them.
Result<std::size_t> HarSplitter::next_place(char close) {
  auto at = past_blanks(0);
  if (!at || input_.window()[*at] == close || first_) return at;
  if (input_.window()[*at] != ',') {
    return broken(std::string("a comma or ") + close + " is missing", *at);
  }
  at = past_blanks(*at + 1);
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
  const char first = input_.window()[at];
  if (first == '{' || first == '[') return container_end(at, limit, remember);
  if (first == '"') return string_end(at, limit);
  for (std::size_t end = at; end <= limit; ++end) {
    auto c = need(end);
    if (!c) return fail(std::move(c.error()));
    if (!ends_word(*c)) continue;
    if (end == at) return broken("a value is missing", at);
    return end;
  }
  return kBeyond;
}

Result<std::size_t> HarSplitter::container_end(std::size_t at, std::uint64_t limit, bool remember) {
  using State = codec::JsonScan::State;
  scan_.start(std::max(limits_.max_depth, depth() + 1) - depth(), remember);
  while (true) {
    const State state = scan_.advance(input_.window().substr(at));
    const std::size_t end = at + scan_.position();
    if (state == State::mismatch) {
      return broken(std::string(1, input_.window()[end]) + " closes a bracket of another kind",
                    end);
    }
    if (state == State::too_deep) {
      return fail({.code = Errc::limit,
                   .id = "json-depth",
                   .what = "JSON is nested deeper than " + std::to_string(limits_.max_depth),
                   .byte = input_.offset() + end});
    }
    if (end > limit) return kBeyond;
    if (state == State::complete) return end;
    if (auto more = need(end); !more) return fail(std::move(more.error()));
  }
}

Result<std::size_t> HarSplitter::string_end(std::size_t at, std::uint64_t limit) {
  for (std::size_t end = at + 1; end < limit; ++end) {
    auto c = need(end);
    if (!c) return fail(std::move(c.error()));
    if (*c == '"') return end + 1;
    if (*c == '\\') ++end;
  }
  return kBeyond;
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
  const std::string_view text = input_.window().substr(at, kEnough);
  Error error = {.code = Errc::syntax,
                 .id = "har-none",
                 .what = "no HAR: begins " + ascii::quoted(text.substr(0, 20)),
                 .byte = input_.offset() + at};
  const std::size_t name = std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz"
                                                           "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                           "0123456789_$.[]"),
                                    text.size());
  if (after_document_) {
    error.what =
        "something that is no HAR follows the document: " + ascii::quoted(text.substr(0, 20));
  } else if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF") ||
             (text.size() > 1 && (text[0] == '\0' || text[1] == '\0'))) {
    error.what = "UTF-16, not UTF-8";
    error.hint = "iconv -f UTF-16 -t UTF-8 FILE";
  } else if (name > 0 && text.substr(name).starts_with('(')) {
    error.what = "JSONP, not JSON: a call of " + ascii::quoted(text.substr(0, name)) +
                 " stands around the document";
    error.hint = "take it off: sed -e '1s/^[^(]*(//' -e '$s/);* *$//' FILE";
  } else if (text.starts_with('{')) {
    error.what = "no HAR: an object without \"log\", \"request\" and \"response\"";
    error.hint = "a body alone? curl prints the head, too, with -i";
  } else if (text.starts_with('[')) {
    error.what = "no HAR: an array whose first element is no object";
  }
  return fail(std::move(error));
}

}  // namespace rehead::format
