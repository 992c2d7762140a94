// What a HAR says twice is kept in step: cookies[] beside Set-Cookie and Cookie, queryString[]
// beside the URL. Each list is matched with the headers it was made from, so that elements whose
// cookie or parameter did not change stay byte for byte, with all their members.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "format/har_entry.h"
#include "format/har_layout.h"
#include "http/cookie.h"
#include "http/header_map.h"

namespace rehead::format {

/// A cookie or parameter, as the other place has it.
struct HarPair {
  std::string_view text;  // all of it: equal texts say the same
  std::string_view name;
  std::string_view value;
  http::SetCookie cookie = {};  // response cookies
};

/// Set-Cookie fields of a response, Cookie fields of a request.
std::vector<HarPair> cookies_in(const http::HeaderMap& headers, http::Kind kind);
/// The same of the headers as they were read.
std::vector<HarPair> cookies_read(std::string_view entry, const HarSide& side, http::Kind kind,
                                  Arena& arena);
/// Query parameters of a URL, decoded.
std::vector<HarPair> query_of(std::string_view url, Arena& arena);

/// Writes the list `array` anew, which was made from `before` and is to say `after`. A list that
/// was left empty beside something stays so. `fallback` is the layout where the list has none.
void append_mirror(std::string& out, std::string_view entry, HarSpan array,
                   const std::vector<HarPair>& before, const std::vector<HarPair>& after,
                   const HarLayout& fallback, Arena& arena);

/// The members of the object that stands for a cookie or parameter, values as JSON.
std::vector<std::pair<std::string_view, std::string>> members_of(const HarPair& pair);

}  // namespace rehead::format
