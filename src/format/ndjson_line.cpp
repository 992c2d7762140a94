#include "format/ndjson_line.h"

namespace rehead::format {
namespace {

bool is_untouched(const http::Message* message) {
  if (message == nullptr) return true;
  return !message->headers.changed() && !message->trailers.changed() &&
         message->delivery == http::Delivery();
}

}  // namespace

NdjsonLine::Half::Half(const http::Message* message) {
  if (message == nullptr) return;
  start = message->start;
  touched = message->body != nullptr && message->body->touched();
}

void NdjsonLine::start(std::string_view text, const http::Exchange& exchange) {
  text_ = text;
  url_ = exchange.url;
  request_ = Half(exchange.request);
  response_ = Half(exchange.response);
}

bool NdjsonLine::fits(const http::Exchange& exchange) const {
  return url_ == exchange.url && request_ == Half(exchange.request) &&
         response_ == Half(exchange.response) && is_untouched(exchange.request) &&
         is_untouched(exchange.response);
}

std::unique_ptr<http::AsRead> NdjsonLine::keep() const {
  auto copy = std::make_unique<NdjsonLine>();
  Arena& arena = copy->arena_;
  copy->text_ = arena.keep(text_);
  copy->url_ = arena.keep(url_);
  copy->request_ = request_;
  copy->response_ = response_;
  for (Half* half : {&copy->request_, &copy->response_}) half->start = half->start.kept_in(arena);
  return copy;
}

}  // namespace rehead::format
