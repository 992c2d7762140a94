// Where exchanges go.
#pragma once

#include "http/exchange.h"

namespace rehead::format {

class Sink {
 public:
  virtual ~Sink() = default;
  /// Takes the exchange and reads its bodies, as far as it writes them, to the end.
  virtual Status write(http::Exchange& exchange) = 0;
  /// After the last exchange: closes what is open (a JSON document). Does not flush the output.
  virtual Status finish() { return {}; }
};

}  // namespace rehead::format
