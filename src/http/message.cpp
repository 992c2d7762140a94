#include "http/message.h"

namespace rehead::http {

void Message::clear() {
  headers.clear();
  trailers.clear();
  arena.reset();
  number = 0;
  offset = 0;
  line = 0;
  start_line = version = method = target = reason = blank_line = {};
  status = 0;
  lines_dropped = 0;
  head_complete = true;
  lf_head = false;
  body = nullptr;
  framing = Framing::none;
  declared = 0;
  codings.clear();
  coding_label_false = transfer_label_false = length_label_false = recorded = false;
  delivery = {};
}

}  // namespace rehead::http
