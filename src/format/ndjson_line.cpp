#include "format/ndjson_line.h"

namespace rehead::format {
namespace {

bool is_untouched(const http::Message* message) {
  if (message == nullptr) return true;
  return !message->headers.changed() && !message->trailers.changed() &&
         (message->body == nullptr || !message->body->touched()) &&
         message->delivery == http::Delivery();
}

http::StartLine start_of(const http::Message* message) {
  return message == nullptr ? http::StartLine() : message->start;
}

}  // namespace

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
  copy->request_ = request_.kept_in(arena);
  copy->response_ = response_.kept_in(arena);
  return copy;
}

}  // namespace rehead::format
