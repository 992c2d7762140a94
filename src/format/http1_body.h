// The bodies of raw messages, pulled from the source's input.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/io.h"
#include "codec/chunked.h"
#include "http/head_scanner.h"
#include "http/message.h"
#include "http/policy.h"

namespace rehead::format {

/// What the bodies share: the input, and waiting for it. In a live pipe an idle piece is given out
/// once before a read that would wait.
class InputBody : public ByteSource {
 public:
  InputBody(Input& input, const http::Policy& policy) : input_(&input), policy_(&policy) {}
  /// True once the body has given an Error: the input behind it has no known framing.
  bool failed() const { return failed_; }
  /// True if the input stands at the start of a line.
  bool at_line_start() const { return last_ == '\n'; }
  /// What is left is read by nobody: where bodies are not judged, a short one is a warning.
  void skip() { skipped_ = true; }

 protected:
  void begin() {
    failed_ = told_idle_ = skipped_ = false;
    last_ = '\n';
  }
  /// Consumes `size` bytes of the window and gives them out.
  Piece take(std::size_t size) {
    const std::string_view bytes = input_->window().substr(0, size);
    consume(size);
    return {Piece::Kind::bytes, bytes};
  }
  void consume(std::size_t size) {
    if (size != 0) last_ = input_->window()[size - 1];
    input_->consume(size);
  }
  /// Gets more into the window. True: there may be more; false: give out an idle piece first.
  Result<bool> wait();
  /// The error for an input that ends too early, or the end where nobody judges the body.
  Result<Piece> cut(http::Message& message, std::string what, std::string hint = {});
  /// `error` with the message and the place where the input stands.
  tl::unexpected<Error> broken(const http::Message& message, Error error);

  Input* input_;
  const http::Policy* policy_;

 private:
  bool failed_ = false;
  bool told_idle_ = false;
  bool skipped_ = false;
  char last_ = '\n';  // the last byte consumed
};

/// The way out where a body does not fit its length.
std::string edited_hint(const http::Policy& policy);

/// For a body that its source says is chunked and that does not read as chunks.
inline constexpr std::string_view kCurlHint =
    "if curl took the chunks off and these bytes are the body: --framing curl";

/// Loads a trailer line into message.trailers, copied into the message's arena. False: it is one
/// that would frame the message, it is told of and left out.
bool load_trailer(http::Message& message, std::string_view line);

/// Content-Length bytes.
class LengthBody final : public InputBody {
 public:
  using InputBody::InputBody;
  void start(http::Message& message, std::uint64_t size) {
    begin();
    message_ = &message;
    left_ = size;
    large_ = size >= kLarge;
    if (large_ && !policy_->in_place) input_->stop_counting_lines();
  }
  Result<Piece> pull() override;
  void move_to(ByteSink& sink) override;

 private:
  // Nobody counts lines behind so many bytes of a body, and they need not come into memory.
  static constexpr std::uint64_t kLarge = std::uint64_t{64} << 10;
  static constexpr std::uint64_t kWorthMoving = std::uint64_t{16} << 10;
  http::Message* message_ = nullptr;
  std::uint64_t left_ = 0;
  bool large_ = false;
};

/// Chunks on the wire. As a ByteSource it gives the content; coded() gives the bytes as they came.
/// Trailers go into message.trailers.
class ChunkedBody final : public InputBody {
 public:
  ChunkedBody(Input& input, const http::Policy& policy)
      : InputBody(input, policy), reader_(policy), coded_(*this) {}
  /// `lf`: its lines end in bare LF; coded() then writes CRLF instead unless `keep_lf`.
  void start(http::Message& message, bool lf, bool keep_lf);
  Result<Piece> pull() override { return pull(false); }
  ByteSource& coded() { return coded_; }

 private:
  class Coded final : public ByteSource {
   public:
    explicit Coded(ChunkedBody& body) : body_(&body) {}
    Result<Piece> pull() override { return body_->pull(true); }

   private:
    ChunkedBody* body_;
  };
  Result<Piece> pull(bool coded);
  Result<bool> keep_trailer(std::string_view line);
  bool respell(const codec::ChunkReader::Part& part, bool left_out);
  tl::unexpected<Error> broken_chunks(Error error);

  codec::ChunkReader reader_;
  Coded coded_;
  http::Message* message_ = nullptr;
  bool rewrite_ends_ = false;
  std::string line_;  // a line that does not leave as it came
  bool line_waits_ = false;
};

/// To the next head or the end. With announced trailers, the lines `name: value CRLF` that curl
/// prints behind the body are peeled off its tail (a window of Limits::look_ahead) into
/// message.trailers; coded() gives them, too.
class OpenBody final : public InputBody {
 public:
  OpenBody(Input& input, const http::Policy& policy) : InputBody(input, policy), coded_(*this) {}
  struct Rules {
    bool may_split = false;  // a head ends it
    bool requests = false;   // a request line begins a head, too
    bool lf = false;         // the lines of such a head end in bare LF, else in CRLF
    bool peel = false;
    /// Of a multipart body: no head ends it before its closing delimiter (RFC 2046 5.1.1), but at
    /// its start.
    std::string_view boundary = {};
  };
  void start(http::Message& message, const Rules& rules);
  Result<Piece> pull() override { return pull(false); }
  ByteSource& coded() { return coded_; }
  /// Bytes of content given out so far.
  const std::uint64_t& content_size() const REHEAD_LIFETIMEBOUND { return content_size_; }

 private:
  class Coded final : public ByteSource {
   public:
    explicit Coded(OpenBody& body) : body_(&body) {}
    Result<Piece> pull() override { return body_->pull(true); }

   private:
    OpenBody* body_;
  };
  Result<Piece> pull(bool coded);
  void search();
  bool search_start(std::string_view window);
  bool search_closing(std::string_view window);
  http::HeadScanner::Answer try_head(std::string_view window, std::size_t at);
  std::size_t request_line_start(std::string_view window, std::size_t at) const;
  bool is_announced(std::string_view name) const;
  std::size_t trailer_in(std::string_view line) const;
  std::size_t peel(std::string_view tail);
  Piece give(std::size_t size);

  Coded coded_;
  http::Message* message_ = nullptr;
  Rules rules_;
  std::string closing_;                      // of a multipart body: the delimiter still to come
  std::vector<std::string_view> announced_;  // by Trailer, as it came: a step may take the field out
  http::HeadScanner scanner_;
  // Offsets in the window:
  std::size_t safe_ = 0;          // bytes before it are body
  std::size_t searched_ = 0;      // the mark of a head does not stand before it
  std::size_t stopped_ = 0;       // see HeadScanner::stopped(), of an earlier candidate
  std::size_t floor_ = 0;         // no head begins before it
  std::size_t candidate_at_ = 0;  // where scanner_ is at work, if candidate_
  std::uint64_t content_size_ = 0;
  std::size_t trailer_size_ = 0;  // bytes of peeled trailers behind the content
  bool at_floor_ = false;  // the window begins at what was the floor
  bool candidate_ = false;
  bool at_body_start_ = true;  // nothing was given out: a head here is read tolerantly
  bool ended_ = false;         // the body ends at safe_
};

}  // namespace rehead::format
