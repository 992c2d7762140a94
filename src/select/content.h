// The content of a message for whoever has to know it before it is written: its size, and its bytes
// without content coding. The body is read ahead and held; it leaves as if nobody had looked.
#pragma once

#include <optional>
#include <string>

#include "codec/content_coding.h"
#include "http/held_body.h"
#include "http/message.h"
#include "http/policy.h"

namespace rehead::select {

class Content {
 public:
  explicit Content(const http::Policy& policy) : policy_(&policy), decoder_(policy) {}

  /// Before another message, or once a step may have touched the body.
  void forget() { held_ = decoded_ = false; }
  /// Bytes of content as they would leave now, codings included; 0 where there is no body by status
  /// or method, nothing where it was withheld.
  Result<std::optional<std::uint64_t>> size_of(http::Message& message);
  /// The content with all codings that are known taken off, at most Limits::max_body of it. Good
  /// until the next message.
  Result<std::string_view> decoded(http::Message& message);

 private:
  Status hold(http::Message& message);

  const http::Policy* policy_;
  http::HeldBody body_;
  codec::Decoder decoder_;
  std::string text_;
  bool held_ = false;
  bool decoded_ = false;
};

}  // namespace rehead::select
