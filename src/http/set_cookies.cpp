#include "http/set_cookies.h"

#include <algorithm>

namespace rehead::http {
namespace {

constexpr std::string_view kUnwritable("\r\n\0", 3);

}  // namespace

void SetCookies::load(const HeaderMap& headers) {
  entries_.clear();
  headers.for_each("Set-Cookie", [&](const Field& field) {
    const std::size_t start = entries_.size();
    bool writable = true;
    std::string_view rest = field.value();
    do {
      const std::string_view text = take_set_cookie(rest);
      writable = writable && text.find_first_of(kUnwritable) == text.npos;
      entries_.push_back({&field, parse_set_cookie(text)});
    } while (!rest.empty());
    if (!writable) entries_.resize(start);
  });
}

std::size_t SetCookies::drop_blank() {
  std::size_t dropped = 0;
  for (Entry& entry : entries_) {
    if (entry.gone || !entry.cookie.blank()) continue;
    entry.gone = true;
    ++dropped;
  }
  return dropped;
}

void SetCookies::drop_repeated() {
  order_.clear();
  for (Entry& entry : entries_) {
    if (!entry.gone) order_.push_back({key_of(entry.cookie), &entry});
  }
  // Not stable_sort, which allocates.
  std::ranges::sort(order_, [](const Keyed& a, const Keyed& b) {
    if (key_before(a.key, b.key)) return true;
    return !key_before(b.key, a.key) && a.entry < b.entry;
  });
  for (std::size_t first = 0; first < order_.size();) {
    std::size_t next = first + 1;
    while (next < order_.size() && !key_before(order_[first].key, order_[next].key)) {
      order_[next++].entry->gone = true;
    }
    Entry& kept = *order_[first].entry;
    const SetCookie& last = order_[next - 1].entry->cookie;
    if (kept.cookie.text != last.text) {
      kept.cookie = last;
      kept.changed = true;
    }
    first = next;
  }
}

Status SetCookies::store(HeaderMap& headers, bool split) {
  values_.clear();
  values_.reserve(entries_.size());  // the spans below stay good
  replacements_.clear();
  for (std::size_t first = 0; first < entries_.size();) {
    const Field* const field = entries_[first].field;
    const std::size_t start = values_.size();
    bool touched = false;
    std::size_t next = first;
    for (; next < entries_.size() && entries_[next].field == field; ++next) {
      const Entry& entry = entries_[next];
      touched = touched || entry.changed || entry.gone;
      if (!entry.gone) values_.push_back(entry.cookie.text);
    }
    if (touched || (split && (next - first > 1 || field->has(Field::joined)))) {
      replacements_.push_back(
          {field, field->name(), std::span(values_).subspan(start, values_.size() - start)});
    }
    first = next;
  }
  return headers.replace(replacements_);
}

Finding blank_cookies(std::size_t count) {
  return {.level = Level::note,
          .id = "blank-cookies",
          .what = std::to_string(count) + " blank Set-Cookie value" + (count == 1 ? "" : "s") +
                  " dropped"};
}

}  // namespace rehead::http
