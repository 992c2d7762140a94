// The content of a message for whoever has to know it before it is written: its size, and its bytes
// without content coding. The body is read ahead and held; it leaves as if nobody had looked.
#pragma once

#include <optional>
#include <string>

#include "codec/content_coding.h"
#include "http/exchange.h"
#include "http/held_body.h"
#include "http/message.h"
#include "http/policy.h"

namespace rehead::codec {

class Content {
 public:
  explicit Content(const http::Policy& policy) : policy_(&policy), decoder_(policy) {}

  /// Before another exchange, or once a step may have touched the body.
  void forget() {
    halves_.for_each([](Half& half) { half.held = half.decoded = false; });
  }
  /// Makes the framing fields say how the messages would leave now, where a step changed that. The
  /// body is read ahead if its size has to be known for it.
  Status settle(http::Exchange& exchange);
  /// Bytes of content as they would leave now, codings included; 0 where there is no body by status
  /// or method, nothing where it was withheld.
  Result<std::optional<std::uint64_t>> size_of(http::Message& message);
  /// The content with all codings that are known taken off, at most Limits::max_body of it. Good
  /// until the next exchange.
  Result<std::string_view> decoded(http::Message& message);

 private:
  struct Half {
    http::HeldBody body;
    std::string text;
    bool held = false;
    bool decoded = false;
  };
  Status hold(http::Message& message);
  Status settle(http::Message& message);

  const http::Policy* policy_;
  codec::Decoder decoder_;
  http::PerHalf<Half> halves_;
};

}  // namespace rehead::codec
