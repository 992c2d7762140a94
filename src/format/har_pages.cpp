#include "format/har_pages.h"

#include <algorithm>

#include "codec/json_writer.h"
#include "format/har_layout.h"

namespace rehead::format {

bool HarPages::add(std::string_view array) {
  const std::size_t before = pages_.size();
  Arena arena;
  for (const HarSpan element : elements_of(array, {0, array.size()}, arena)) {
    const std::string_view text = element.in(array);
    const auto parts = members_of(array, element, arena);
    const std::string_view id = string_of(array, parts, "id", arena);
    const auto [begin, end] = by_id_.equal_range(id);
    const auto same = std::find_if(begin, end, [&](const auto& known) {
      const Page& page = pages_[known.second];
      return page.document < document_ && page.text == text;
    });
    if (same != end && !now_.contains(id)) {
      now_.emplace(id, pages_[same->second].id);
      continue;
    }
    Page page{document_, std::string(id), std::string(text), std::string(text)};
    if (!id.empty()) {
      const HarSpan spelt = find_part(parts, "id")->value;
      page.id = give_id(id);
      std::string json;
      codec::JsonWriter(json).text(page.id);
      if (page.id != id) {
        page.made.replace(spelt.begin - element.begin, spelt.end - spelt.begin, json);
      }
      by_id_.emplace(id, pages_.size());
    }
    pages_.push_back(std::move(page));
  }
  return pages_.size() != before;
}

/// The id that a page of this document gets instead of `id`.
std::string_view HarPages::give_id(std::string_view id) {
  if (const auto known = now_.find(id); known != now_.end()) return known->second;
  std::string made(id);
  const std::string suffix = '-' + std::to_string(document_);
  while (used_.contains(made)) made += suffix;
  used_.insert(made);
  return now_.emplace(id, std::move(made)).first->second;
}

/// An id is taken once it was seen, also where its page is still to come.
std::string_view HarPages::id_of(std::string_view id) {
  return id.empty() ? id : give_id(id);
}

std::string HarPages::elements(bool all) const {
  std::string out;
  codec::JsonWriter json(out);
  for (const Page& page : pages_) {
    if (all || page.document > 1) json.raw(page.made);
  }
  return out;
}

}  // namespace rehead::format
