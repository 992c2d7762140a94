#include "format/har_mirror.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/ascii.h"
#include "codec/json.h"
#include "codec/json_writer.h"
#include "http/date.h"
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
  for (const HarHeader& header : side.headers) {
    if (!ascii::equal(text_at(entry, header.name, arena), field_of(kind))) continue;
    for (const std::string_view value : values_of(entry, header.value, arena)) {
      add_cookies(pairs, value, kind);
    }
  }
  return pairs;
}

std::optional<HarPair> cookie_of(std::string_view value, http::Kind kind) {
  std::vector<HarPair> pairs;
  add_cookies(pairs, value, kind);
  return pairs.empty() ? std::nullopt : std::optional(pairs.front());
}

std::string_view cookie_text(std::string_view entry, HarSpan element, http::Kind kind,
                             Arena& arena) {
  const auto parts = members_of(entry, element, arena);
  const auto text = [&](std::string_view key) { return string_of(entry, parts, key, arena); };
  std::string out(text("name"));
  (out += '=') += text("value");
  if (kind == http::Kind::request) return arena.keep(out);
  constexpr std::pair<std::string_view, std::string_view> kAttributes[] = {
      {"path", "Path"}, {"domain", "Domain"}, {"sameSite", "SameSite"}};
  for (const auto& [key, name] : kAttributes) {
    if (!text(key).empty()) ((((out += "; ") += name) += '=') += text(key));
  }
  for (const auto& [key, name] : {std::pair{"httpOnly", "HttpOnly"}, {"secure", "Secure"}}) {
    const HarPart* flag = find_part(parts, key);
    if (flag != nullptr && flag->value.in(entry) == "true") (out += "; ") += name;
  }
  return arena.keep(out);
}

namespace {

/// For each of `before`, the element of the list that stands for it: by name, in order.
std::vector<std::size_t> match_elements(std::string_view entry,
                                        const std::vector<HarSpan>& elements,
                                        const std::vector<HarPair>& before, Arena& arena) {
  Pool by_name;
  std::vector<bool> certain(elements.size(), false);
  for (const HarPair& pair : before) {
    if (pair.element < elements.size()) certain[pair.element] = true;
  }
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (certain[i]) continue;
    by_name.add(string_of(entry, members_of(entry, elements[i], arena), "name", arena), i);
  }
  std::vector<std::size_t> found(before.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    found[i] = before[i].element != kNone ? before[i].element : by_name.take(before[i].name);
  }
  return found;
}

/// Cookies of the list that no header has.
void load_cookies(const HarEntry& entry, const HarSide& side, std::size_t row, HarMirrored& into) {
  Arena& arena = into.message.arena;
  const std::string_view text = entry.piece.bytes;
  const http::Kind kind = kHarMirrors[row].kind;
  const auto elements = elements_of(text, side[HarMember::cookies], arena);
  if (elements.empty()) return;
  std::vector<bool> known(elements.size(), false);
  const auto before = cookies_read(text, side, kind, arena);
  for (const std::size_t element : match_elements(text, elements, before, arena)) {
    if (element != kNone) known[element] = true;
  }
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (known[i]) continue;
    const std::string_view value = cookie_text(text, elements[i], kind, arena);
    into.load(kHarMirrors[row].field, value, {row, i});
  }
}

}  // namespace

void load_mirrored(const HarEntry& entry, const http::Message& message, HarMirrored& into) {
  const HarSide& side = entry.sides[message];
  const std::string_view text = entry.piece.bytes;
  into.loaded = true;
  into.message.clear();
  into.message.kind = message.kind;
  into.message.notes.number = message.notes.number;
  into.message.log = message.log;
  Arena& arena = into.message.arena;
  const auto has_header = [&](std::string_view field) {
    return std::ranges::any_of(side.headers, [&](const HarHeader& header) {
      return ascii::equal(text_at(text, header.name, arena), field);
    });
  };
  for (std::size_t row = 0; row < std::size(kHarMirrors); ++row) {
    const HarMirror& mirror = kHarMirrors[row];
    if (mirror.kind != message.kind) continue;
    if (mirror.how == HarMirror::How::cookies) load_cookies(entry, side, row, into);
    if (mirror.how != HarMirror::How::text || has_header(mirror.field)) continue;
    const HarSpan span = side[mirror.member];
    const std::string_view value =
        mirror.inside.empty()
            ? text_at(text, span, arena)
            : string_of(text, members_of(text, span, arena), mirror.inside, arena);
    if (!value.empty()) into.load(mirror.field, value, {row, 0});
  }
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
    if (const auto iso = http::iso_time(*expires)) text("expires", *iso);
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
  const std::vector<std::size_t> element_of = match_elements(entry, elements, before, arena);
  std::vector<std::pair<const HarPair*, const HarPair*>> changes(elements.size());
  std::vector<bool> mirrors(elements.size(), false), stays(elements.size(), false);
  for (const std::size_t element : element_of) {
    if (element != kNone) mirrors[element] = true;
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
