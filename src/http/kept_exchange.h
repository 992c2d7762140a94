// An exchange that outlives its turn: an explicit copy of messages and bodies. It leaves as the one
// it was made from would have left, and steps and sinks treat it alike.
#pragma once

#include "base/spool.h"
#include "http/exchange.h"
#include "http/held_body.h"

namespace rehead::http {

/// A copy of one message; made anew for every message that is kept.
class KeptMessage {
 public:
  /// Reads the body of `from` to its end, `memory` bytes of it held in memory. If it breaks off, so
  /// does the copy's.
  Message* keep(Message& from, std::size_t memory);

 private:
  /// The content of a body whose coded bytes are kept beside it.
  class Content final : public Filter {
   public:
    void attach(ByteSource&) override { spool.rewind(); }
    Result<Piece> pull() override { return spool.pull(); }
    Spool spool;
  };
  /// The sizes the body had, read or recorded.
  struct Sizes final : Measure {
    std::optional<std::uint64_t> measure() override { return size; }
    std::optional<std::uint64_t> told() override { return recorded; }
    std::optional<std::uint64_t> size, recorded;
  };
  void keep_body(Body& from, std::size_t memory);

  Message message_;
  Body body_;
  HeldBody held_;
  Content content_;
  Sizes sizes_;
};

class KeptExchange {
 public:
  void keep(Exchange& from, std::size_t memory);
  /// The copy made last.
  Exchange& exchange() { return exchange_; }

 private:
  KeptMessage request_;
  KeptMessage response_;
  Arena arena_;
  std::unique_ptr<AsRead> as_read_;
  Exchange exchange_;
};

}  // namespace rehead::http
