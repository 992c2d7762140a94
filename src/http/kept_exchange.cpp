#include "http/kept_exchange.h"

namespace rehead::http {

void KeptMessage::keep_body(Body& from, std::size_t memory) {
  const bool touched = from.touched();
  const bool framed = from.framed();
  sizes_.recorded = from.told_size();
  // A body that breaks off says so again when the copy is read.
  [[maybe_unused]] auto held = held_.hold(from, memory);
  Spool& bytes = held_.bytes();
  if (framed) {
    content_.spool.start(from.content(), memory);
    held = content_.spool.hold_all();
    bytes.rewind();
    body_.start(bytes, content_, from.size(), &content_);
  } else {
    sizes_.size = from.size();
    body_.start(bytes, sizes_);
  }
  if (touched) body_.replace(bytes, from.size());
}

Message* KeptMessage::keep(Message& from, std::size_t memory) {
  message_.clear();
  if (from.body != nullptr) {
    keep_body(*from.body, memory);
    message_.body = &body_;
  }
  message_.kind = from.kind;
  message_.start = from.start.kept_in(message_.arena);
  message_.notes = from.notes;
  message_.delivery = from.delivery;
  message_.headers.assign(from.headers);
  message_.trailers.assign(from.trailers);
  message_.blank_line = message_.keep(from.blank_line);
  message_.log = from.log;
  return &message_;
}

void KeptExchange::keep(Exchange& from, std::size_t memory) {
  arena_.reset();
  exchange_ = from;
  exchange_.time = arena_.keep(from.time);
  exchange_.ms = arena_.keep(from.ms);
  exchange_.url = arena_.keep(from.url);
  as_read_ = from.as_read != nullptr ? from.as_read->keep() : nullptr;
  exchange_.as_read = as_read_.get();
  if (from.request != nullptr) exchange_.request = request_.keep(*from.request, memory);
  if (from.response != nullptr) exchange_.response = response_.keep(*from.response, memory);
}

}  // namespace rehead::http
