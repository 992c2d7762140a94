#include "format/ndjson_line.h"

namespace rehead::format {
namespace {

bool is_untouched(const http::Message* message) {
  if (message == nullptr) return true;
  const http::Delivery& delivery = message->delivery;
  return !message->headers.changed() && !message->trailers.changed() &&
         (message->body == nullptr || !message->body->touched()) &&
         delivery.framing == http::Delivery::Framing::as_found &&
         delivery.trailers == http::Delivery::Trailers::keep && !delivery.discarded;
}

}  // namespace

NdjsonLine::Start NdjsonLine::start_of(const http::Message* message) {
  if (message == nullptr) return {};
  return {message->version, message->method, message->target, message->reason, message->status};
}

void NdjsonLine::start(std::string_view text, const http::Exchange& exchange) {
  text_ = text;
  url_ = exchange.url;
  request_ = start_of(exchange.request);
  response_ = start_of(exchange.response);
}

bool NdjsonLine::fits(const http::Exchange& exchange) const {
  return url_ == exchange.url && request_ == start_of(exchange.request) &&
         response_ == start_of(exchange.response) && is_untouched(exchange.request) &&
         is_untouched(exchange.response);
}

std::unique_ptr<http::AsRead> NdjsonLine::keep() const {
  auto copy = std::make_unique<NdjsonLine>();
  Arena& arena = copy->arena_;
  copy->text_ = arena.keep(text_);
  copy->url_ = arena.keep(url_);
  const auto kept = [&](const Start& start) {
    return Start{arena.keep(start.version), arena.keep(start.method), arena.keep(start.target),
                 arena.keep(start.reason), start.status};
  };
  copy->request_ = kept(request_);
  copy->response_ = kept(response_);
  return copy;
}

}  // namespace rehead::format
