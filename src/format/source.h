// Where exchanges come from: one at a time, in the order of the input.
#pragma once

#include "http/exchange.h"

namespace rehead::format {

class Source {
 public:
  virtual ~Source() = default;
  /// The next exchange, or null at the end. It and all its views are good until the next call,
  /// which skips what was left unread of its bodies. After an Error the source is finished: what it
  /// could step over (one bad HAR entry) it reports as a finding instead and goes on.
  virtual Result<http::Exchange*> next() = 0;
};

}  // namespace rehead::format
