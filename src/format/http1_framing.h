// Where does a body end (RFC 9112 6.3)? Decided from the bytes behind the head. Whether the body is
// coded as labelled is decided in http1_coding.h. `curl -i` keeps the head of the
// wire over a body it has decoded, so the labels alone are no answer. All look-ahead is bounded;
// how the input was cut into reads plays no part.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "codec/judge.h"
#include "http/framing.h"
#include "http/head_scanner.h"
#include "http/message.h"
#include "http/policy.h"

namespace rehead::format {

class FramingDecision {
 public:
  /// What the stream has shown so far.
  struct Stream {
    std::string_view request_method;  // of the request right before this response, or empty
    bool requests = false;            // there was a request in the stream
    std::string_view head = {};       // of the message, as it stands in the input
  };

  FramingDecision(const http::Policy& policy, codec::Judge& judge)
      : policy_(&policy), judge_(&judge) {}

  /// For the message whose head was just read. Sets message.framing, declared and the label notes
  /// once decided; message.codings are what the label says, until the content is judged.
  void start(http::Message& message, const Stream& stream);
  /// Looks at `window`, the bytes behind the head. True: decided. False: `needed()` bytes from the
  /// window's start are wanted (or the end). Errors carry no place.
  Result<bool> decide(std::string_view window, bool at_end);
  std::size_t needed() const { return needed_; }

  // What the source has to know besides the message's notes:
  bool lf_chunks() const { return lf_chunks_; }          // chunk lines end in bare LF
  bool peel_trailers() const { return peel_trailers_; }  // announced trailers are glued to the body
  bool may_split() const { return may_split_; }          // the body ends where a head begins
  bool judged() const { return judged_; }                // the content coding is settled
  std::string_view boundary() const { return boundary_; }  // of a multipart type; see OpenBody

  /// Once the content is judged: what the sink would mend with a warning, for --strict, and where
  /// bytes of a file would go.
  Status check_claims() const;

 private:
  Result<bool> decide_framing(std::string_view window, bool at_end);
  Result<bool> by_chunks(std::string_view window, bool at_end);
  Result<bool> by_length(std::string_view window, bool at_end);
  Result<bool> by_coding(std::string_view window, bool at_end);
  bool by_length_before_head(std::string_view window, std::size_t size, bool at_end);
  struct Spot {
    std::uint64_t byte;
    std::optional<std::uint64_t> line;
  };
  Spot spot(std::string_view name) const;
  tl::unexpected<Error> refused(std::string_view id, std::string what, std::string_view name,
                                std::string hint = {}) const;
  void tell(std::string_view id, std::string what, std::string_view name) const;
  bool is(http::Framing framing);
  bool more(std::size_t size);
  http::HeadScanner::Answer head_at(http::HeadScanner& scanner, std::string_view window,
                                    std::size_t at, bool at_end);
  enum class Chunks : std::uint8_t { wire, no, more };
  Result<Chunks> first_chunk(std::string_view window, bool at_end);
  Result<Chunks> whole_lf_stream(std::string_view window, bool at_end);
  http::HeadScanner::Answer boundary(std::string_view window, std::size_t at, bool at_end);
  bool is_h2c() const;

  const http::Policy* policy_;
  codec::Judge* judge_;
  http::Message* message_ = nullptr;
  Stream stream_;
  http::TransferCodings transfer_;
  std::optional<std::uint64_t> length_;
  std::optional<Error> length_error_;
  http::HeadScanner at_body_;
  http::HeadScanner at_boundary_;
  std::size_t needed_ = 0;
  std::string_view boundary_;   // of a multipart type, else empty
  bool saved_message_ = false;  // message/http, application/http: a head inside is content
  bool by_curl_ = false;        // curl --compressed may have decoded it
  std::size_t look_ahead_ = 0;  // into coded content
  bool judged_ = false;
  bool lf_chunks_ = false;
  bool peel_trailers_ = false;
  bool may_split_ = false;
};

}  // namespace rehead::format
