// What framing leaves of a raw body, on its way to the steps: transfer codings that the bytes show
// come off, then the judge says which content codings are there. Looks at the first KiB of content
// at the most, and only where a coding is named.
#pragma once

#include <string>

#include "base/io.h"
#include "codec/content_coding.h"
#include "codec/judge.h"
#include "format/wire_content.h"
#include "http/body.h"
#include "http/held_body.h"
#include "http/message.h"
#include "http/policy.h"

namespace rehead::format {

/// The content of coded bytes that were read ahead.
class Unframe final : public http::Filter {
 public:
  explicit Unframe(const http::Policy& policy) : wire(policy), decoder(policy) {}
  void attach(ByteSource& upstream) override {
    wire.attach(upstream);
    if (decoded) decoder.attach(wire);
  }
  Result<Piece> pull() override { return decoded ? decoder.pull() : wire.pull(); }

  WireContent wire;
  codec::Decoder decoder;
  bool decoded = false;  // there are transfer codings beneath the framing
};

class CodingDecision {
 public:
  CodingDecision(const http::Policy& policy, codec::Judge& judge)
      : policy_(&policy), judge_(&judge) {}

  /// Settles the notes of a message whose body was started with `unframe`, from the bytes.
  /// `judged`: its content coding is settled.
  Status settle(http::Message& message, Unframe& unframe, Input& input, bool judged);

 private:
  void undo_transfer_codings(http::Message& message, Unframe& unframe);
  Status judge_front(http::Message& message, Input& input);

  const http::Policy* policy_;
  codec::Judge* judge_;
  http::HeldBody transfer_start_, content_start_;
  std::string start_;
};

}  // namespace rehead::format
