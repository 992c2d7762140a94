// A body put back on the wire, where only its content is known: what Body::coded() gives for
// messages that did not come from raw HTTP.
#pragma once

#include <string>
#include <string_view>

#include "base/io.h"
#include "http/message.h"
#include "http/policy.h"

namespace rehead::format {

/// Framing::chunked: chunks of kChunk bytes, the last one with the trailers (RFC 9112 7.1).
/// Any other: the content; for HTTP/2 and 3 with Framing::close then the announced trailers as curl
/// prints them, `name: value` lines.
class WireBody final : public ByteSource {
 public:
  explicit WireBody(const http::Policy& policy) : policy_(&policy) {}

  /// `content` and `message`, whose framing is settled, outlive the pulls.
  void start(ByteSource& content, const http::Message& message);
  Result<Piece> pull() override;

 private:
  Status end();

  static constexpr std::size_t kChunk = std::size_t{16} << 10;
  const http::Policy* policy_;
  ByteSource* content_ = nullptr;
  const http::Message* message_ = nullptr;
  std::string_view rest_;  // of the piece pulled last
  std::string out_;
  bool ended_ = false;
};

}  // namespace rehead::format
