// A text in, values out. RFC 8259 2: a value is an object, array, string, number or one of three
// words, with blanks (SP, HTAB, LF, CR) around each of the six marks  { } [ ] : ,
//
// Places are offsets into the text. next_place() moves from one child to the next: over the child
// (its end is known if it was walked or asked for, else it is skipped), then over the comma.
#include "codec/json.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/ascii.h"
#include "codec/json_check.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace rehead::codec::json {
namespace {

constexpr bool is_json_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
constexpr bool ends_word(char c) {
  return is_json_blank(c) || std::string_view(",:\"{}[]").find(c) != std::string_view::npos;
}

tl::unexpected<Error> syntax(std::string what, std::size_t at) {
  return fail({.code = Errc::syntax, .id = "json", .what = std::move(what), .byte = at});
}

tl::unexpected<Error> bad_escape(std::size_t at) {
  return syntax("an escape that JSON does not know", at);
}
tl::unexpected<Error> mistaken(const Value& value, Kind wanted) {
  return syntax(std::string(describe(value.kind)) + " stands where " +
                    std::string(describe(wanted)) + " is needed",
                value.offset);
}
tl::unexpected<Error> too_deep(std::size_t limit, std::size_t at) {
  return fail({.code = Errc::limit,
               .id = "json-depth",
               .what = "JSON is nested deeper than " + std::to_string(limit),
               .byte = at});
}

/// The first quote or backslash at or after `at`, or the end of the text.
std::size_t find_quote_or_backslash(std::string_view text, std::size_t at) {
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  while (text.size() - at >= 16) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at));
    const int hits = _mm_movemask_epi8(
        _mm_or_si128(_mm_cmpeq_epi8(block, quote), _mm_cmpeq_epi8(block, backslash)));
    if (hits != 0) {
      return at + static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(hits)));
    }
    at += 16;
  }
#endif
  while (at < text.size() && text[at] != '"' && text[at] != '\\') ++at;
  return at;
}

/// Four hex digits at the start of `text`, or -1.
int code_unit(std::string_view text) {
  if (text.size() < 4) return -1;
  unsigned unit = 0;
  for (const char c : text.substr(0, 4)) {
    if (!ascii::is(c, ascii::kHex)) return -1;
    unit = unit * 16 + ascii::hex_value(c);
  }
  return static_cast<int>(unit);
}

std::size_t put_utf8(char* out, unsigned code) {
  const auto put = [&](std::size_t i, unsigned bits) { out[i] = static_cast<char>(bits); };
  if (code < 0x80) {
    put(0, code);
    return 1;
  }
  if (code < 0x800) {
    put(0, 0xC0 | code >> 6);
    put(1, 0x80 | (code & 0x3F));
    return 2;
  }
  if (code < 0x10000) {
    put(0, 0xE0 | code >> 12);
    put(1, 0x80 | (code >> 6 & 0x3F));
    put(2, 0x80 | (code & 0x3F));
    return 3;
  }
  put(0, 0xF0 | code >> 18);
  put(1, 0x80 | (code >> 12 & 0x3F));
  put(2, 0x80 | (code >> 6 & 0x3F));
  put(3, 0x80 | (code & 0x3F));
  return 4;
}

/// Undoes the escape at the start of `rest` (a backslash): at most 4 bytes into `out`. How many; 0
/// if it is none that JSON knows. Takes it, and the second half of a surrogate pair, off `rest`.
std::size_t unescape(std::string_view& rest, char* out) {
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
  if (rest.size() < 2) return 0;
  if (rest[1] != 'u') {
    const std::size_t letter = kLetters.find(rest[1]);
    if (letter == std::string_view::npos) return 0;
    *out = kMeant[letter];
    rest.remove_prefix(2);
    return 1;
  }
  const int first = code_unit(rest.substr(2));
  if (first < 0) return 0;
  rest.remove_prefix(6);
  auto code = static_cast<unsigned>(first);
  if (code >= 0xD800 && code < 0xDC00 && rest.starts_with("\\u")) {
    const int second = code_unit(rest.substr(2));
    if (second >= 0xDC00 && second < 0xE000) {
      code = 0x10000 + ((code - 0xD800) << 10) + (static_cast<unsigned>(second) - 0xDC00);
      rest.remove_prefix(6);
    }
  }
  return put_utf8(out, code);
}

/// Takes the bytes before the next backslash off `rest`.
std::string_view take_plain(std::string_view& rest) {
  const std::string_view plain = rest.substr(0, rest.find('\\'));
  rest.remove_prefix(plain.size());
  return plain;
}

}  // namespace

std::string_view describe(Kind kind) {
  switch (kind) {
    case Kind::object:
      return "an object";
    case Kind::array:
      return "an array";
    case Kind::string:
      return "a string";
    case Kind::number:
      return "a number";
    case Kind::boolean:
      return "true or false";
    case Kind::null:
      return "null";
    case Kind::other:
      break;
  }
  return "a bare word";
}

std::size_t Cursor::past_blanks(std::size_t at) const {
  while (at < text_.size() && is_json_blank(text_[at])) ++at;
  return at;
}

Result<Value> Cursor::root() { return value_at(past_blanks(0), 0); }

Status Cursor::finish() {
  auto value = root();
  if (!value) return fail(std::move(value.error()));
  auto end = end_of(*value);
  if (!end) return fail(std::move(end.error()));
  const std::size_t rest = past_blanks(*end);
  if (rest != text_.size()) return syntax("something follows the JSON value", rest);
  return {};
}

Result<Value> Cursor::value_at(std::size_t at, std::uint32_t depth) {
  if (at >= text_.size()) return syntax("the JSON text ends where a value should stand", at);
  const char first = text_[at];
  if (first == '{') return Value{at, depth, Kind::object};
  if (first == '[') return Value{at, depth, Kind::array};
  if (first == '"') return Value{at, depth, Kind::string};
  std::size_t end = at;
  while (end < text_.size() && !ends_word(text_[end])) ++end;
  const std::string_view word = text_.substr(at, end - at);
  if (word.empty()) return syntax("a JSON value is missing", at);
  known_begin_ = at;
  known_end_ = end;
  if (word == "null") return Value{at, depth, Kind::null};
  if (word == "true" || word == "false") return Value{at, depth, Kind::boolean};
  return Value{at, depth, is_number(word) ? Kind::number : Kind::other};
}

Result<Cursor::Walk> Cursor::enter(const Value& value, Kind wanted) const {
  if (value.kind != wanted) return mistaken(value, wanted);
  if (value.depth >= max_depth_) return too_deep(max_depth_, value.offset);
  return Walk{.container = value, .current = {}};
}

/// Where the next child begins; the end of the text's offsets (npos) after the last.
Result<std::size_t> Cursor::next_place(Walk& walk, char close) {
  const bool first = !walk.started;
  walk.started = true;
  std::size_t at = walk.container.offset + 1;
  if (!first) {
    auto end = end_of(walk.current);
    if (!end) return end;
    at = *end;
  }
  at = past_blanks(at);
  if (at < text_.size() && text_[at] == close) {
    known_begin_ = walk.container.offset;
    known_end_ = at + 1;
    return std::string_view::npos;
  }
  if (first) return at;
  if (at < text_.size() && text_[at] == ',') return past_blanks(at + 1);
  if (at >= text_.size()) {
    return syntax("the JSON text ends inside " + std::string(describe(walk.container.kind)), at);
  }
  return syntax(std::string("a comma or ") + close + " is missing", at);
}

Result<bool> Cursor::next_member(Walk& walk, Member& member) {
  auto at = next_place(walk, '}');
  if (!at) return fail(std::move(at.error()));
  if (*at == std::string_view::npos) return false;
  if (*at >= text_.size()) return syntax("the JSON text ends inside an object", *at);
  if (text_[*at] != '"') return syntax("a member name in quotes is missing", *at);
  auto end = string_end(*at);
  if (!end) return fail(std::move(end.error()));
  auto key = decode(text_.substr(*at, *end - *at), *at);
  if (!key) return fail(std::move(key.error()));
  const std::size_t colon = past_blanks(*end);
  if (colon >= text_.size() || text_[colon] != ':') {
    return syntax("the colon after a member name is missing", colon);
  }
  auto value = value_at(past_blanks(colon + 1), walk.container.depth + 1);
  if (!value) return fail(std::move(value.error()));
  walk.current = *value;
  member = {.key = *key, .key_offset = *at, .value = *value};
  return true;
}

Result<bool> Cursor::next_element(Walk& walk) {
  auto at = next_place(walk, ']');
  if (!at) return fail(std::move(at.error()));
  if (*at == std::string_view::npos) return false;
  auto value = value_at(*at, walk.container.depth + 1);
  if (!value) return fail(std::move(value.error()));
  walk.current = *value;
  return true;
}

Result<std::size_t> Cursor::end_of(const Value& value) {
  if (value.offset == known_begin_) return known_end_;
  Result<std::size_t> end = value.offset;
  if (value.kind == Kind::string) {
    end = string_end(value.offset);
  } else if (value.kind == Kind::object || value.kind == Kind::array) {
    end = container_end(value);
  } else {
    while (*end < text_.size() && !ends_word(text_[*end])) ++*end;
  }
  if (end) {
    known_begin_ = value.offset;
    known_end_ = *end;
  }
  return end;
}

Result<std::size_t> Cursor::container_end(const Value& value) {
  const auto known =
      std::ranges::lower_bound(containers_, value.offset, {}, &JsonScan::Container::open);
  if (known != containers_.end() && known->open == value.offset) return known->close + 1;
  open_.clear();
  for (std::size_t at = value.offset; at < text_.size(); ++at) {
    const char c = text_[at];
    if (c == '"') {
      auto end = string_end(at);
      if (!end) return end;
      at = *end - 1;
    } else if (c == '{' || c == '[') {
      if (value.depth + open_.size() >= max_depth_) return too_deep(max_depth_, at);
      open_ += c == '{' ? '}' : ']';
    } else if (c == '}' || c == ']') {
      if (open_.back() != c) {
        return syntax(std::string(1, c) + " stands where " + open_.back() + " is needed", at);
      }
      open_.pop_back();
      if (open_.empty()) return at + 1;
    }
  }
  return syntax("the JSON text ends inside " + std::string(describe(value.kind)), text_.size());
}

Result<std::optional<Value>> Cursor::find(const Value& object, std::string_view key) {
  auto walk = enter(object, Kind::object);
  if (!walk) return fail(std::move(walk.error()));
  Member member;
  while (true) {
    auto more = next_member(*walk, member);
    if (!more) return fail(std::move(more.error()));
    if (!*more) return std::nullopt;
    if (member.key == key) return member.value;
  }
}

Result<std::size_t> Cursor::string_end(std::size_t at) {
  plain_ = at;
  for (++at; (at = find_quote_or_backslash(text_, at)) < text_.size(); at += 2) {
    if (text_[at] == '"') return at + 1;
    plain_ = SIZE_MAX;
    if (at + 1 == text_.size()) break;
  }
  return syntax("the JSON text ends inside a string", text_.size());
}

Result<std::string_view> Cursor::raw(const Value& value) {
  auto end = end_of(value);
  if (!end) return fail(std::move(end.error()));
  return text_.substr(value.offset, *end - value.offset);
}

Result<std::string_view> Cursor::quoted(const Value& value) {
  if (value.kind != Kind::string) return mistaken(value, Kind::string);
  return raw(value);
}

Result<std::string_view> Cursor::string(const Value& value) {
  auto text = quoted(value);
  if (!text) return text;
  return decode(*text, value.offset);
}

Result<std::string_view> Cursor::decode(std::string_view quoted, std::size_t offset) {
  std::string_view rest = quoted.substr(1, quoted.size() - 2);
  if (offset == plain_ || rest.find('\\') == std::string_view::npos) return rest;
  // An escape is never shorter than what it stands for.
  const std::span<char> room = arena_->allocate(rest.size());
  std::size_t size = 0;
  while (!rest.empty()) {
    const std::string_view plain = take_plain(rest);
    std::copy(plain.begin(), plain.end(), room.begin() + static_cast<std::ptrdiff_t>(size));
    size += plain.size();
    if (rest.empty()) break;
    const std::size_t put = unescape(rest, room.data() + size);
    if (put == 0) return bad_escape(offset + quoted.size() - 1 - rest.size());
    size += put;
  }
  return std::string_view(room.data(), size);
}

Result<std::string_view> Cursor::latin1(const Value& value) {
  auto text = string(value);
  if (!text) return text;
  const std::span<char> bytes = arena_->allocate(text->size());
  std::size_t size = 0;
  for (std::size_t i = 0; i < text->size(); ++i) {
    auto byte = static_cast<unsigned char>((*text)[i]);
    if (byte >= 0x80) {
      // U+0080 to U+00FF: C2 or C3, then one byte.
      if ((byte != 0xC2 && byte != 0xC3) || ++i == text->size()) {
        return syntax("a character that stands for no byte", value.offset);
      }
      const auto low = static_cast<unsigned char>((*text)[i]);
      byte = static_cast<unsigned char>((byte & 3U) << 6 | (low & 0x3FU));
    }
    bytes[size++] = static_cast<char>(byte);
  }
  return std::string_view(bytes.data(), size);
}

Result<std::uint64_t> Cursor::string_size(const Value& value) {
  auto text = quoted(value);
  if (!text) return fail(std::move(text.error()));
  std::string_view rest = text->substr(1, text->size() - 2);
  std::uint64_t size = 0;
  std::array<char, 4> unused;
  while (!rest.empty()) {
    size += take_plain(rest).size();
    if (rest.empty()) break;
    const std::size_t put = unescape(rest, unused.data());
    if (put == 0) return bad_escape(value.offset + text->size() - 1 - rest.size());
    size += put;
  }
  return size;
}

Result<Piece> StringSource::pull() {
  constexpr std::size_t kWorthAView = 256;  // a shorter plain run is copied beside its neighbours
  if (rest_.empty()) return Piece{};
  std::size_t size = 0;
  while (!rest_.empty()) {
    if (rest_.front() != '\\') {
      std::string_view after = rest_;
      const std::string_view plain = take_plain(after);
      if (size == 0 && (plain.size() >= kWorthAView || after.empty())) {
        rest_ = after;
        return Piece{Piece::Kind::bytes, plain};
      }
      if (plain.size() >= kWorthAView || plain.size() > buffer_.size() - size) break;
      std::memcpy(buffer_.data() + size, plain.data(), plain.size());
      size += plain.size();
      rest_ = after;
    } else {
      if (buffer_.size() - size < 4) break;
      const std::size_t put = unescape(rest_, buffer_.data() + size);
      if (put == 0) return bad_escape(0);
      size += put;
    }
  }
  return Piece{Piece::Kind::bytes, {buffer_.data(), size}};
}

}  // namespace rehead::codec::json
