#include "transform/reframe.h"

#include "http/framing.h"
#include "transform/transform.h"

namespace rehead::transform {

bool is_chunked(const http::Message& message) {
  return message.body != nullptr &&
         (message.notes.framing == http::Framing::chunked || message.notes.transfer_label_false ||
          message.delivery.framing == http::Delivery::Framing::chunked);
}

bool frame_by_length(http::Message& message, const http::Exchange& exchange) {
  if (message.body == nullptr) return false;
  const http::TransferCodings codings = http::transfer_codings(message.headers);
  if (message.notes.framing == http::Framing::chunked && !codings.foreign.empty()) {
    report(message, exchange,
           {.id = "foreign-coding",
            .what = "transfer coding " + ascii::quoted(codings.foreign) +
                    " is not known, chunks kept"});
    return false;
  }
  message.delivery.framing = http::Delivery::Framing::length;
  message.headers.remove("Transfer-Encoding");
  message.headers.remove("Trailer");
  return true;
}

}  // namespace rehead::transform
