#include "transform/recode.h"

#include <array>

#include "http/field_value.h"

namespace rehead::transform {
namespace {

Status mend_tag(http::Message& message, TagRule rule) {
  http::HeaderMap& headers = message.headers;
  const http::Field* tag = headers.find("ETag");
  if (tag == nullptr || rule == TagRule::keep) return {};
  const std::string_view value = tag->value();
  // A malformed tag cannot be weakened.
  if (rule == TagRule::drop || !http::is_entity_tag(value)) {
    headers.remove("ETag");
    return {};
  }
  if (value.starts_with("W/")) return {};
  return headers.set(tag->name(), message.arena.join({"W/", value}));
}

}  // namespace

Status mend_recoded(http::Message& message, TagRule rule) {
  // RFC 9530 2 and 3, RFC 3230 4.3.2, RFC 1864: all of them over coded bytes.
  constexpr std::array<std::string_view, 4> kDigests = {"Content-Digest", "Repr-Digest", "Digest",
                                                        "Content-MD5"};
  for (const std::string_view digest : kDigests) {
    message.headers.remove(digest);
    if (http::contains_token(message.headers, "Trailer", digest)) {
      message.headers.remove("Trailer");
      message.delivery.trailers = http::Delivery::Trailers::drop;
    }
  }
  message.headers.remove("Accept-Ranges");
  return mend_tag(message, rule);
}

}  // namespace rehead::transform
