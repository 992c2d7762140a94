// The short way from child to child: names without escapes, values whose end is known or near. It
// judges nothing: what it does not take is left where it stands, for the general way (json.cpp).
#include <algorithm>
#include <cstring>

#include "base/ascii.h"
#include "codec/json.h"
#include "codec/json_block.h"

namespace rehead::codec::json {

const JsonScan::Container* Cursor::find_container(std::size_t open) const {
  const auto found = std::ranges::lower_bound(containers_, open, {}, &JsonScan::Container::open);
  return found != containers_.end() && found->open == open ? &*found : nullptr;
}

/// One past the value; 0 if that takes the general way.
std::size_t Cursor::usual_end(const Value& value) {
  if (value.offset == known_begin_) return known_end_;
  if (value.kind == Kind::string) return find_string_end(value.offset);
  const auto* known = find_container(value.offset);
  return known != nullptr ? known->close + 1 : 0;
}

/// Where the next child begins; `begin`: behind the one before, or the bracket.
inline Cursor::Step Cursor::usual_place(Walk& walk, char close, std::size_t begin,
                                        std::size_t& at) {
  at = past_blanks(begin);
  if (at >= text_.size()) return Step::unusual;
  if (text_[at] == close) {
    known_begin_ = walk.container.offset;
    known_end_ = at + 1;
    return Step::end;
  }
  if (!walk.started) return Step::found;
  if (text_[at] != ',') return Step::unusual;
  at = past_blanks(at + 1);
  return Step::found;
}

inline bool Cursor::usual_value(std::size_t at, std::uint32_t depth, Value& value) {
  if (at >= text_.size()) return false;
  const char first = text_[at];
  value = {at, depth, first == '{' ? Kind::object : first == '[' ? Kind::array : Kind::string};
  if (value.kind != Kind::string) return true;
  std::size_t end = 0;
  if (first == '"') {
    end = find_string_end(at);
    if (end == 0) return false;
  } else {
    // A whole number; other words are judged the general way.
    std::size_t digit = at + std::size_t{first == '-'};
    const std::size_t start = digit;
    while (digit < text_.size() && ascii::is_digit(text_[digit])) ++digit;
    const bool zero = digit > start && text_[start] == '0';
    if (digit == start || digit == text_.size() || (zero && digit != start + 1)) return false;
    const char behind = text_[digit];
    if (behind != ',' && behind != '}' && behind != ']' && !is_json_blank(behind)) return false;
    value.kind = Kind::number;
    end = digit;
  }
  known_begin_ = at;
  known_end_ = end;
  return true;
}

/// The member behind `begin`, if it begins as `lead` says.
inline bool Cursor::member_again(const Walk& walk, std::size_t begin, Layout::Lead& lead,
                                 Member& member) {
  if (lead.size == 0 || text_.size() - begin < Layout::kLongest) return false;
  if (!same_bytes(lead.text.data(), text_.data() + begin, lead.size)) return false;
  if (!usual_value(begin + lead.size, walk.container.depth + 1, member.value)) return false;
  member.key_offset = begin + lead.key - 1;
  member.key = {text_.data() + begin + lead.key, lead.key_size};
  member.note = &lead.note;
  return true;
}

Cursor::Step Cursor::usual_member(Walk& walk, Member& member, Layout* layout) {
  const std::size_t begin = walk.started ? usual_end(walk.current) : walk.container.offset + 1;
  if (begin == 0) return Step::unusual;
  Layout::Lead* lead = nullptr;
  if (layout != nullptr && member.place < layout->leads_.size()) {
    lead = &layout->leads_[member.place];
  }
  if (lead == nullptr || !member_again(walk, begin, *lead, member)) {
    std::size_t at = 0;
    if (const Step step = usual_place(walk, '}', begin, at); step != Step::found) return step;
    if (at >= text_.size() || text_[at] != '"') return Step::unusual;
    const std::size_t key_end = find_string_end(at);
    if (key_end == 0 || plain_ != at) return Step::unusual;
    const std::size_t colon = past_blanks(key_end);
    if (colon >= text_.size() || text_[colon] != ':') return Step::unusual;
    const std::size_t value = past_blanks(colon + 1);
    if (!usual_value(value, walk.container.depth + 1, member.value)) return Step::unusual;
    member.key = {text_.data() + at + 1, key_end - at - 2};
    member.key_offset = at;
    member.note = nullptr;
    if (lead != nullptr && value - begin <= Layout::kLongest) {
      std::memcpy(lead->text.data(), text_.data() + begin, value - begin);
      lead->size = static_cast<std::uint8_t>(value - begin);
      lead->key = static_cast<std::uint8_t>(at + 1 - begin);
      lead->key_size = static_cast<std::uint8_t>(member.key.size());
      lead->note = 0;
      member.note = &lead->note;
    }
  }
  walk.started = true;
  walk.current = member.value;
  return Step::found;
}

Cursor::Step Cursor::usual_element(Walk& walk) {
  const std::size_t begin = walk.started ? usual_end(walk.current) : walk.container.offset + 1;
  if (begin == 0) return Step::unusual;
  std::size_t at = 0;
  if (const Step step = usual_place(walk, ']', begin, at); step != Step::found) return step;
  Value value;
  if (!usual_value(at, walk.container.depth + 1, value)) return Step::unusual;
  walk.started = true;
  walk.current = value;
  return Step::found;
}

}  // namespace rehead::codec::json
