// What a HAR says twice is kept in step: what a field mirrors follows it, whether or not the other
// side is there. Lists (cookies[], queryString[]) are matched with what they were made from, so that
// elements whose cookie or parameter did not change stay byte for byte, with all their members.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "format/har_entry.h"
#include "format/har_layout.h"
#include "http/cookie.h"
#include "http/header_map.h"

namespace rehead::format {

/// A field and what says the same beside it.
struct HarMirror {
  enum class How : std::uint8_t { cookies, text, length };
  http::Kind kind;
  std::string_view field;
  How how;
  HarMember member;             // of the request or response
  std::string_view inside = {};  // the member of that one, if it is an object
};
inline constexpr HarMirror kHarMirrors[] = {
    {http::Kind::response, "Set-Cookie", HarMirror::How::cookies, HarMember::cookies},
    {http::Kind::request, "Cookie", HarMirror::How::cookies, HarMember::cookies},
    {http::Kind::response, "Location", HarMirror::How::text, HarMember::redirect_url},
    {http::Kind::response, "Content-Type", HarMirror::How::text, HarMember::content, "mimeType"},
    {http::Kind::request, "Content-Type", HarMirror::How::text, HarMember::post_data, "mimeType"},
    {http::Kind::response, "Content-Length", HarMirror::How::length, HarMember::body_size},
    {http::Kind::request, "Content-Length", HarMirror::How::length, HarMember::body_size},
};

/// Loads what only a mirror holds of the fields of `message`, a half of `entry`.
void load_mirrored(const HarEntry& entry, const http::Message& message, HarMirrored& into);

/// A cookie or parameter, as the other place has it.
struct HarPair {
  std::string_view text;  // all of it: equal texts say the same
  std::string_view name;
  std::string_view value;
  http::SetCookie cookie = {};       // response cookies
  std::size_t element = SIZE_MAX;    // of the list that is certain to be this pair
};

/// Set-Cookie fields of a response, Cookie fields of a request.
std::vector<HarPair> cookies_in(const http::HeaderMap& headers, http::Kind kind);
/// The same of the headers as they were read.
std::vector<HarPair> cookies_read(std::string_view entry, const HarSide& side, http::Kind kind,
                                  Arena& arena);
/// The cookie of one field.
std::optional<HarPair> cookie_of(std::string_view value, http::Kind kind);
/// An element of cookies[] as the value of a field.
std::string_view cookie_text(std::string_view entry, HarSpan element, http::Kind kind,
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
