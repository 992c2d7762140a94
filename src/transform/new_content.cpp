#include "transform/new_content.h"

namespace rehead::transform {

void forget_content(http::Message& message) {
  // Digests: RFC 9530 2 and 3, RFC 3230 4.3.2, RFC 1864.
  for (const std::string_view name : {"Content-Encoding", "ETag", "Content-Digest", "Repr-Digest",
                                      "Digest", "Content-MD5", "Trailer"}) {
    message.headers.remove(name);
  }
  message.notes.codings.clear();
  message.notes.coding_label_false = false;
  message.delivery.trailers = http::Delivery::Trailers::drop;
}

}  // namespace rehead::transform
