#include "format/har_mirror.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/ascii.h"
#include "codec/json.h"
#include "codec/json_writer.h"
#include "format/har_time.h"
#include "http/url.h"

namespace rehead::format {
namespace {

constexpr std::size_t kNone = SIZE_MAX;

/// The cookies of one field value.
void add_cookies(std::vector<HarPair>& pairs, std::string_view value, http::Kind kind) {
  while (!value.empty()) {
    if (kind == http::Kind::response) {
      const http::SetCookie cookie = http::parse_set_cookie(http::take_set_cookie(value));
      if (!cookie.blank()) pairs.push_back({cookie.text, cookie.name, cookie.value, cookie});
    } else {
      const http::CookiePart part = http::take_cookie_part(value);
      const std::string_view text = ascii::trim(part.text);
      if (!text.empty()) pairs.push_back({text, part.name, part.value});
    }
  }
}

std::string_view field_of(http::Kind kind) {
  return kind == http::Kind::response ? "Set-Cookie" : "Cookie";
}

/// %XX and + undone.
std::string_view decoded(std::string_view text, Arena& arena) {
  if (text.find_first_of("%+") == std::string_view::npos) return text;
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool hex = text[i] == '%' && i + 2 < text.size() && ascii::is(text[i + 1], ascii::kHex) &&
                     ascii::is(text[i + 2], ascii::kHex);
    if (hex) {
      out += static_cast<char>(ascii::hex_value(text[i + 1]) << 4 | ascii::hex_value(text[i + 2]));
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return arena.keep(out);
}

/// Indices by a text, handed out in order, each once.
class Pool {
 public:
  void add(std::string_view key, std::size_t index) { slots_[key].indices.push_back(index); }
  std::size_t take(std::string_view key) {
    const auto found = slots_.find(key);
    if (found == slots_.end()) return kNone;
    Slot& slot = found->second;
    return slot.taken == slot.indices.size() ? kNone : slot.indices[slot.taken++];
  }

 private:
  struct Slot {
    std::vector<std::size_t> indices;
    std::size_t taken = 0;
  };
  std::map<std::string_view, Slot> slots_;
};

/// For each of `after`, which of `before` it is: the one of equal text, else of equal name.
std::vector<std::size_t> successors(const std::vector<HarPair>& before,
                                    const std::vector<HarPair>& after) {
  Pool by_text, by_name;
  for (std::size_t i = 0; i < before.size(); ++i) by_text.add(before[i].text, i);
  std::vector<std::size_t> origin(after.size());
  std::vector<bool> used(before.size(), false);
  for (std::size_t i = 0; i < after.size(); ++i) {
    origin[i] = by_text.take(after[i].text);
    if (origin[i] != kNone) used[origin[i]] = true;
  }
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!used[i]) by_name.add(before[i].name, i);
  }
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (origin[i] == kNone) origin[i] = by_name.take(after[i].name);
  }
  return origin;
}

using Told = std::pair<std::string_view, std::string>;  // member, its value as JSON

std::string_view find_told(const std::vector<Told>& told, std::string_view key) {
  const auto found = std::ranges::find(told, key, &Told::first);
  return found == told.end() ? std::string_view() : std::string_view(found->second);
}

/// An element whose cookie or parameter changed from `before` to `after`: members that tell of what
/// did not change stay, and so does whatever else it has.
void append_changed(std::string& out, std::string_view entry, HarSpan element,
                    const HarPair& before, const HarPair& after, const HarLayout& layout,
                    Arena& arena) {
  constexpr std::string_view kFlags[] = {"httpOnly", "secure"};
  const std::vector<Told> was = members_of(before);
  const std::vector<Told> is = members_of(after);
  const std::vector<HarPart> parts = members_of(entry, element, arena);
  std::vector<HarMemberText> members;
  for (const HarPart& part : parts) {
    const std::string_view old = find_told(was, part.key);
    const std::string_view now = find_told(is, part.key);
    const bool flag = std::ranges::find(kFlags, part.key) != std::end(kFlags);
    if (old == now) {
      members.emplace_back(part.key, part.value.in(entry));
    } else if (!now.empty()) {
      members.emplace_back(part.key, now);
    } else if (flag) {
      members.emplace_back(part.key, "false");
    }
  }
  for (const auto& [key, text] : is) {
    if (find_part(parts, key) == nullptr && find_told(was, key) != text) {
      members.emplace_back(key, text);
    }
  }
  HarLayout as_it_was = layout;
  as_it_was.value_first = false;  // the members stand in the order of the element
  append_object(out, as_it_was, members);
}

}  // namespace

std::vector<HarPair> cookies_in(const http::HeaderMap& headers, http::Kind kind) {
  std::vector<HarPair> pairs;
  headers.for_each(field_of(kind),
                   [&](const http::Field& field) { add_cookies(pairs, field.value(), kind); });
  return pairs;
}

std::vector<HarPair> cookies_read(std::string_view entry, const HarSide& side, http::Kind kind,
                                  Arena& arena) {
  std::vector<HarPair> pairs;
  codec::json::Cursor cursor(entry, 1, arena);
  const auto decode = [&](HarSpan span) {
    if (!span.in(entry).starts_with('"')) return std::string_view();
    return cursor.string({.offset = span.begin, .kind = codec::json::Kind::string})
        .value_or(std::string_view());
  };
  for (const HarHeader& header : side.headers) {
    if (!ascii::equal(decode(header.name), field_of(kind))) continue;
    std::string_view value = decode(header.value);
    while (!value.empty()) {  // as the message was loaded: an LF parts values
      const std::size_t end = std::min(value.find('\n'), value.size());
      add_cookies(pairs, value.substr(0, end), kind);
      value.remove_prefix(std::min(end + 1, value.size()));
    }
  }
  return pairs;
}

std::vector<HarPair> query_of(std::string_view url, Arena& arena) {
  std::vector<HarPair> pairs;
  std::string_view rest = http::split_url(url).query;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view text = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (text.empty()) continue;
    const std::size_t equals = std::min(text.find('='), text.size());
    pairs.push_back({text, decoded(text.substr(0, equals), arena),
                     decoded(text.substr(std::min(equals + 1, text.size())), arena)});
  }
  return pairs;
}

std::vector<Told> members_of(const HarPair& pair) {
  std::vector<Told> told;
  const auto text = [&](std::string_view key, std::string_view value) {
    codec::JsonWriter(told.emplace_back(key, std::string()).second).text(value);
  };
  text("name", pair.name);
  text("value", pair.value);
  const http::SetCookie& cookie = pair.cookie;
  if (const auto path = cookie.attribute("Path")) text("path", *path);
  if (const auto domain = cookie.attribute("Domain")) text("domain", *domain);
  if (const auto expires = cookie.attribute("Expires")) {
    if (const auto iso = iso_time(*expires)) text("expires", *iso);
  }
  if (cookie.attribute("HttpOnly")) told.emplace_back("httpOnly", "true");
  if (cookie.attribute("Secure")) told.emplace_back("secure", "true");
  if (const auto site = cookie.attribute("SameSite")) text("sameSite", *site);
  return told;
}

void append_mirror(std::string& out, std::string_view entry, HarSpan array,
                   const std::vector<HarPair>& before, const std::vector<HarPair>& after,
                   const HarLayout& fallback, Arena& arena) {
  const std::vector<HarSpan> elements = elements_of(entry, array, arena);
  if (elements.empty() && !before.empty()) {  // its producer never fills it
    out += array.in(entry);
    return;
  }
  // Elements belong to the pairs before by name, in order.
  Pool by_name;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    by_name.add(string_of(entry, members_of(entry, elements[i], arena), "name", arena), i);
  }
  std::vector<std::size_t> element_of(before.size());
  std::vector<std::pair<const HarPair*, const HarPair*>> changes(elements.size());
  std::vector<bool> mirrors(elements.size(), false), stays(elements.size(), false);
  for (std::size_t i = 0; i < before.size(); ++i) {
    element_of[i] = by_name.take(before[i].name);
    if (element_of[i] != kNone) mirrors[element_of[i]] = true;
  }
  const std::vector<std::size_t> origin = successors(before, after);
  std::vector<const HarPair*> added;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const std::size_t element = origin[i] == kNone ? kNone : element_of[origin[i]];
    if (element == kNone) {
      if (origin[i] == kNone) added.push_back(&after[i]);
    } else if (after[i].text == before[origin[i]].text) {
      stays[element] = true;
    } else {
      changes[element] = {&before[origin[i]], &after[i]};
    }
  }
  const HarLayout layout = layout_of(entry, array, elements, arena).value_or(fallback);
  HarArray writer(out, entry, array, elements, layout);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const auto& [was, is] = changes[i];
    if (is != nullptr) {
      writer.begin(i);
      append_changed(out, entry, elements[i], *was, *is, layout, arena);
    } else if (stays[i] || !mirrors[i]) {
      writer.keep(i);
    }
  }
  for (const HarPair* pair : added) {
    writer.begin();
    const std::vector<Told> told = members_of(*pair);
    append_object(out, layout, std::vector<HarMemberText>(told.begin(), told.end()));
  }
  writer.end();
}

}  // namespace rehead::format
