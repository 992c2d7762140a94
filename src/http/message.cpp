#include "http/message.h"

namespace rehead::http {

void Message::clear() {
  headers.clear();
  trailers.clear();
  arena.reset();
  start = {};
  notes = {};
  delivery = {};
  blank_line = {};
  body = nullptr;
}

}  // namespace rehead::http
