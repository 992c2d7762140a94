// Grammars that field values share: comma lists (RFC 9110 5.6.1), parameters (5.6.6), weights
// (12.4.2), media types (8.3.1), entity tags (8.8.3). Views in, views out; nothing is decoded.
// Cookies are not lists: see cookie.h.
#pragma once

#include <string_view>

#include "base/arena.h"
#include "base/ascii.h"
#include "base/result.h"
#include "http/header_map.h"

namespace rehead::http {

/// Takes the text up to the next `separator` that stands in no quoted string off the front of
/// `rest`; blanks around it are trimmed. False once nothing is left.
bool next_part(std::string_view& rest, char separator, std::string_view& part);

/// Calls visit(std::string_view) for each item of a comma list: trimmed, empty ones left out.
template <typename Visit>
void for_each_item(std::string_view list, Visit visit) {
  std::string_view item;
  while (next_part(list, ',', item)) {
    if (!item.empty()) visit(item);
  }
}
/// The same over all fields of that name.
template <typename Visit>
void for_each_item(const HeaderMap& headers, std::string_view name, Visit visit) {
  headers.for_each(name, [&](const Field& field) { for_each_item(field.value(), visit); });
}

/// An item or value without its parameters: `text/html` of `text/html; charset=utf-8`.
inline std::string_view without_parameters(std::string_view item REHEAD_LIFETIMEBOUND) {
  return ascii::trim(item.substr(0, item.find(';')));
}
/// The media type of a Content-Type value, as spelt, without parameters; may be empty.
inline std::string_view media_type(std::string_view value REHEAD_LIFETIMEBOUND) {
  return without_parameters(value);
}
/// The media type of the message: of the first Content-Type field, empty if there is none.
std::string_view media_type(const HeaderMap& headers REHEAD_LIFETIMEBOUND);

/// The boundary parameter of a multipart Content-Type (RFC 2046 5.1.1), else empty.
std::string_view multipart_boundary(const HeaderMap& headers REHEAD_LIFETIMEBOUND);
std::string_view multipart_boundary(std::string_view content_type REHEAD_LIFETIMEBOUND);

/// True if an item of the list is `token`, in any case, parameters aside.
bool contains_token(std::string_view list, std::string_view token);
/// The same over all fields of that name.
bool contains_token(const HeaderMap& headers, std::string_view name, std::string_view token);

/// The weight of an item in thousandths: 1000 without `q`, 0 if `q` is no weight.
unsigned quality(std::string_view item);

/// How far a request accepts a content coding and uncoded content, in thousandths; 0: not at all
/// (RFC 9110 12.5.3). Without Accept-Encoding it is taken to know no codings.
struct Acceptance {
  unsigned coding = 0;
  unsigned identity = 1000;
};
Acceptance acceptance(const HeaderMap& request, std::string_view coding);

/// Puts `item` behind the last one of a list field; all its lines become one. The new value is kept
/// in `arena`.
Status append_to_list(HeaderMap& headers, Arena& arena, std::string_view name,
                      std::string_view item);
/// The same, but no change if the item is there already, in any case, or if `*` is (Vary).
Status add_to_list(HeaderMap& headers, Arena& arena, std::string_view name, std::string_view item);

/// True for a well-formed entity tag, quotes included; W/ marks a weak one.
bool is_entity_tag(std::string_view value);

/// True for types whose body has no end that is worth waiting for: event streams and the like. They
/// are never held.
bool is_live_type(std::string_view media_type);

}  // namespace rehead::http
