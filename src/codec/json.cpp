// A text in, values out. RFC 8259 2: a value is an object, array, string, number or one of three
// words, with blanks (SP, HTAB, LF, CR) around each of the six marks  { } [ ] : ,
//
// Places are offsets into the text. next_place() moves from one child to the next: over the child
// (its end is known if it was walked or asked for, else it is skipped), then over the comma.
#include "codec/json.h"

#include "base/ascii.h"
#include "codec/json_check.h"

namespace rehead::codec::json {
namespace {

constexpr bool ends_word(char c) {
  return is_json_blank(c) || std::string_view(",:\"{}[]").find(c) != std::string_view::npos;
}

tl::unexpected<Error> syntax(std::string what, std::size_t at) {
  return fail({.code = Errc::syntax, .id = "json", .what = std::move(what), .byte = at});
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
  member.key = *key;
  member.key_offset = *at;
  member.note = nullptr;
  member.value = *value;
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
  if (const auto* known = find_container(value.offset)) return known->close + 1;
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

Result<std::string_view> Cursor::skipped(const Value& value) {
  auto end = end_of(value);
  if (!end) return fail(std::move(end.error()));
  return text_.substr(value.offset, *end - value.offset);
}

Result<std::string_view> Cursor::quoted(const Value& value) {
  if (value.kind != Kind::string) return mistaken(value, Kind::string);
  return raw(value);
}

Result<std::string_view> Cursor::decoded(const Value& value) {
  auto text = quoted(value);
  if (!text) return text;
  return decode(*text, value.offset);
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

}  // namespace rehead::codec::json
