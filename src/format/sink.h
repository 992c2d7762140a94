// Where exchanges go.
#pragma once

#include "http/exchange.h"

namespace rehead::format {

/// Is told what the bytes are that a sink of raw HTTP writes next.
class Parts {
 public:
  virtual ~Parts() = default;
  virtual Status head(const http::Message& message) = 0;
  virtual Status body(const http::Message& message) = 0;
  /// The message is written.
  virtual Status end() = 0;
};

class Sink {
 public:
  virtual ~Sink() = default;
  /// Takes the exchange and reads its bodies, as far as it writes them, to the end.
  virtual Status write(http::Exchange& exchange) = 0;
  /// True if nothing of the exchange that write() took last was written.
  virtual bool left_out() const { return false; }
  /// Takes a passage of the input (Exchange::passage): what stands around the entries of a HAR.
  virtual Status pass(const http::Exchange&) { return {}; }
  /// True if the input must be read to its end even though no exchange is wanted any more.
  virtual bool wants_rest() const { return false; }
  /// True if what stands right behind a message counts, also behind the last one that is wanted.
  virtual bool wants_end() const { return false; }
  /// After the last exchange of an input, whose name is given.
  virtual Status end_input(std::string_view) { return {}; }
  /// An input could not be read to its end, which was reported.
  virtual void input_broke_off() {}
  /// After the last exchange of all: closes what is open (a JSON document). Does not flush the
  /// output.
  virtual Status finish() { return {}; }
};

}  // namespace rehead::format
