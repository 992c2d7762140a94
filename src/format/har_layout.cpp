#include "format/har_layout.h"

#include <algorithm>

#include "codec/json.h"

namespace rehead::format {
namespace {

namespace json = codec::json;

constexpr std::size_t kAnyDepth = 100'000;  // the splitter has held the depth against its limit

json::Value root_at(HarSpan span, json::Kind kind) {
  return {.offset = span.begin, .depth = 0, .kind = kind};
}

HarSpan span_of(json::Cursor& cursor, const json::Value& value) {
  const auto raw = cursor.raw(value);
  return {value.offset, value.offset + (raw ? raw->size() : 0)};
}

}  // namespace

std::vector<HarPart> members_of(std::string_view entry, HarSpan object, Arena& arena) {
  std::vector<HarPart> parts;
  if (!object.in(entry).starts_with('{')) return parts;
  json::Cursor cursor(entry.substr(0, object.end), kAnyDepth, arena);
  const auto walked = cursor.for_each_member(
      root_at(object, json::Kind::object), [&](const json::Member& member) -> Status {
        parts.push_back({member.key, member.key_offset, span_of(cursor, member.value)});
        return {};
      });
  if (!walked) parts.clear();
  return parts;
}

std::vector<HarSpan> elements_of(std::string_view entry, HarSpan array, Arena& arena) {
  std::vector<HarSpan> elements;
  if (!array.in(entry).starts_with('[')) return elements;
  json::Cursor cursor(entry.substr(0, array.end), kAnyDepth, arena);
  const auto walked = cursor.for_each_element(root_at(array, json::Kind::array),
                                              [&](const json::Value& value) -> Status {
                                                elements.push_back(span_of(cursor, value));
                                                return {};
                                              });
  if (!walked) elements.clear();
  return elements;
}

const HarPart* find_part(std::span<const HarPart> parts, std::string_view key) {
  const HarPart* found = nullptr;
  for (const HarPart& part : parts) {
    if (part.key == key) found = &part;
  }
  return found;
}

std::string_view string_of(std::string_view entry, std::span<const HarPart> parts,
                           std::string_view key, Arena& arena) {
  const HarPart* part = find_part(parts, key);
  if (part == nullptr || entry[part->value.begin] != '"') return {};
  json::Cursor cursor(entry.substr(0, part->value.end), kAnyDepth, arena);
  return cursor.string(root_at(part->value, json::Kind::string)).value_or(std::string_view());
}

std::string_view text_at(std::string_view entry, HarSpan value, Arena& arena) {
  const std::string_view raw = value.in(entry);
  if (raw.empty() || raw == "null" || raw[0] == '{' || raw[0] == '[') return {};
  if (raw[0] != '"') return raw;
  if (raw.find('\\') == std::string_view::npos) return raw.substr(1, raw.size() - 2);
  json::Cursor cursor(entry.substr(0, value.end), kAnyDepth, arena);
  return cursor.string(root_at(value, json::Kind::string)).value_or(std::string_view());
}

std::vector<std::string_view> values_of(std::string_view entry, HarSpan value, Arena& arena) {
  std::vector<std::string_view> values;
  const auto add = [&](HarSpan span) {
    std::string_view rest = text_at(entry, span, arena);
    while (true) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      values.push_back(rest.substr(0, end));
      if (end == rest.size()) return;
      rest.remove_prefix(end + 1);
    }
  };
  if (!value.in(entry).starts_with('[')) {
    add(value);
  } else {
    for (const HarSpan element : elements_of(entry, value, arena)) add(element);
  }
  if (values.empty()) values.emplace_back();
  return values;
}

std::optional<HarLayout> layout_of(std::string_view entry, HarSpan array,
                                   std::span<const HarSpan> elements, Arena& arena) {
  if (elements.empty()) return std::nullopt;
  const auto between = [&](std::size_t from, std::size_t to) {
    return entry.substr(from, to - from);
  };
  HarLayout layout;
  layout.lead = between(array.begin + 1, elements[0].begin);
  layout.between = elements.size() > 1 ? between(elements[0].end, elements[1].begin)
                                       : arena.join({",", layout.lead});
  layout.trail = between(elements.back().end, array.end - 1);
  HarPart first, second, last;
  std::size_t number = 0;
  if (elements[0].in(entry).starts_with('{')) {
    json::Cursor cursor(entry.substr(0, elements[0].end), kAnyDepth, arena);
    const auto walked = cursor.for_each_member(
        root_at(elements[0], json::Kind::object), [&](const json::Member& member) -> Status {
          last = {member.key, member.key_offset, span_of(cursor, member.value)};
          if (number == 0) first = last;
          if (++number == 2) second = last;
          return {};
        });
    if (!walked) number = 0;
  }
  if (number == 0) return layout;
  layout.open = between(elements[0].begin + 1, first.begin);
  const std::size_t key_end = entry.rfind('"', first.value.begin - 1);
  layout.colon = between(key_end + 1, first.value.begin);
  layout.comma = number > 1 ? between(first.value.end, second.begin)
                            : arena.join({",", layout.colon.substr(1)});
  layout.close = between(last.value.end, elements[0].end - 1);
  layout.value_first = first.key == "value";
  // What is put in many times over is no place for a megabyte of blanks.
  constexpr std::size_t kLongest = 256;
  const HarLayout plain;
  for (const auto part : {&HarLayout::between, &HarLayout::open, &HarLayout::colon,
                          &HarLayout::comma, &HarLayout::close}) {
    if ((layout.*part).size() > kLongest) layout.*part = plain.*part;
  }
  return layout;
}

void append_object(std::string& out, const HarLayout& layout,
                   std::initializer_list<HarMemberText> members) {
  append_object(out, layout, std::span(members.begin(), members.size()));
}

void append_object(std::string& out, const HarLayout& layout,
                   std::span<const HarMemberText> members) {
  out += '{';
  bool first = true;
  const auto member = [&](const HarMemberText& text) {
    out += std::exchange(first, false) ? layout.open : layout.comma;
    out += '"';
    out += text.first;
    out += '"';
    out += layout.colon;
    out += text.second;
  };
  const bool swap = layout.value_first && members.size() >= 2;
  if (swap) member(members[1]);
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (!swap || i != 1) member(members[i]);
  }
  out += layout.close;
  out += '}';
}

HarArray::HarArray(std::string& out, std::string_view entry, HarSpan array,
                   std::span<const HarSpan> elements, const HarLayout& layout)
    : out_(out), entry_(entry), array_(array), elements_(elements), layout_(layout) {
  out_ += '[';
}

void HarArray::keep(std::size_t index) {
  begin(index);
  out_ += elements_[index].in(entry_);
}

void HarArray::begin(std::optional<std::size_t> index) {
  if (empty_) {
    out_ += index == 0U ? entry_.substr(array_.begin + 1, elements_[0].begin - array_.begin - 1)
                        : layout_.lead;
  } else if (index && last_ && *index == *last_ + 1) {
    out_ += entry_.substr(elements_[*last_].end, elements_[*index].begin - elements_[*last_].end);
  } else {
    out_ += layout_.between;
  }
  empty_ = false;
  last_ = index;
}

void HarArray::end() {
  if (!empty_) out_ += layout_.trail;
  out_ += ']';
}

}  // namespace rehead::format
