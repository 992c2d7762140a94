#include "transform/reframe.h"

#include <algorithm>
#include <array>

#include "http/field_value.h"
#include "transform/transform.h"

namespace rehead::transform {
namespace {

/// A transfer coding that is still on the content: what the source cannot undo (RFC 9112 7).
std::string_view foreign_coding(const http::Message& message) {
  // gzip and deflate are undone where the bytes show them; where not, their label was false.
  constexpr std::array<std::string_view, 5> kUndone = {"chunked", "identity", "gzip", "x-gzip",
                                                       "deflate"};
  std::string_view foreign;
  if (message.framing != http::Framing::chunked) return foreign;
  http::for_each_item(message.headers, "Transfer-Encoding", [&](std::string_view item) {
    const auto is_item = [&](std::string_view known) {
      return ascii::equal(known, http::without_parameters(item));
    };
    if (std::ranges::none_of(kUndone, is_item)) foreign = item;
  });
  return foreign;
}

}  // namespace

bool is_chunked(const http::Message& message) {
  return message.body != nullptr &&
         (message.framing == http::Framing::chunked || message.transfer_label_false ||
          message.delivery.framing == http::Delivery::Framing::chunked);
}

bool frame_by_length(http::Message& message, const http::Exchange& exchange) {
  if (message.body == nullptr) return false;
  if (const std::string_view foreign = foreign_coding(message); !foreign.empty()) {
    report(message, exchange,
           {.id = "foreign-coding",
            .what = "transfer coding " + ascii::quoted(foreign) + " is not known, chunks kept"});
    return false;
  }
  message.delivery.framing = http::Delivery::Framing::length;
  message.headers.remove("Transfer-Encoding");
  message.headers.remove("Trailer");
  return true;
}

}  // namespace rehead::transform
