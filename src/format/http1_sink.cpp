#include "format/http1_sink.h"

#include <array>
#include <charconv>
#include <string>
#include <utility>

#include "base/spool.h"
#include "format/head_writer.h"
#include "format/wire_fit.h"
#include "http/field_value.h"
#include "http/framing.h"

namespace rehead::format {
namespace {

using http::Delivery;
using Way = http::Plan::Way;

constexpr std::size_t kChunk = std::size_t{16} << 10;

/// Content in chunks of one size (RFC 9112 7.1); the last chunk is written by finish().
class ChunkWriter {
 public:
  ChunkWriter(ByteSink& output, std::string& buffer, std::size_t size)
      : output_(&output), buffer_(&buffer), size_(size) {
    buffer_->clear();
  }
  Status write(std::string_view content) {
    while (!content.empty()) {
      if (buffer_->empty() && content.size() >= size_) {
        if (auto done = chunk(content.substr(0, size_)); !done) return done;
        content.remove_prefix(size_);
        continue;
      }
      const std::string_view part = content.substr(0, size_ - buffer_->size());
      *buffer_ += part;
      content.remove_prefix(part.size());
      if (buffer_->size() == size_) {
        if (auto done = flush(); !done) return done;
      }
    }
    return {};
  }
  /// What is held becomes a chunk.
  Status flush() {
    if (buffer_->empty()) return {};
    auto done = chunk(*buffer_);
    buffer_->clear();
    return done;
  }

 private:
  Status chunk(std::string_view data) {
    std::array<char, 20> line;
    char* end = std::to_chars(line.data(), line.data() + 16, data.size(), 16).ptr;
    *end++ = '\r';
    *end++ = '\n';
    for (const std::string_view part :
         {std::string_view(line.data(), static_cast<std::size_t>(end - line.data())), data,
          std::string_view("\r\n")}) {
      if (auto done = output_->write(part); !done) return done;
    }
    return {};
  }

  ByteSink* output_;
  std::string* buffer_;
  std::size_t size_;
};

class Http1Sink final : public Sink {
 public:
  explicit Http1Sink(const SinkSetup& setup) : setup_(setup) {}

  Status write(http::Exchange& exchange) override {
    left_out_ = true;
    return exchange.for_each([&](http::Message& message) -> Status {
      const bool wanted = setup_.selection.covers(exchange, message.kind);
      if (!wanted || !fit_entry_line(exchange, message)) return {};
      if (!fit_entry_fields(exchange, message)) ++not_recorded_;
      last_ = message.notes.number;
      answer(message);
      auto done = write(message);
      if (done && message.notes.number == behind_number_) done = setup_.output->write(behind_);
      if (!done || setup_.parts == nullptr) return done;
      return setup_.parts->end();
    });
  }
  bool left_out() const override { return left_out_; }
  /// What stands behind a message that was left out goes with it, behind one that waits it waits.
  Status pass(const http::Exchange& passage) override {
    if (passage.separators.empty()) return {};
    if (passage.number == last_) return setup_.output->write(passage.separators);
    behind_ = passage.separators;
    behind_number_ = passage.number;
    return {};
  }
  Status end_input(std::string_view) override {
    const std::uint64_t bodies = std::exchange(not_recorded_, 0);
    if (bodies == 0) return {};
    setup_.log->report({.level = Level::note,
                        .id = "no-text",
                        .what = bodies == 1 ? "1 body was not recorded, it is left empty"
                                            : std::to_string(bodies) +
                                                  " bodies were not recorded, they are left empty",
                        .always = true});
    return {};
  }
  bool wants_end() const override { return setup_.policy->in_place; }

 private:
  void answer(http::Message& message);
  Status write(http::Message& message);
  Result<http::Plan> hold(http::Message& message, const http::Plan& plan);
  Status head(http::Message& message);
  Status copy(ByteSource& from);
  Status chunks(ByteSource& from, http::Message& message);

  SinkSetup setup_;
  bool left_out_ = false;           // nothing of the exchange was written
  std::uint64_t not_recorded_ = 0;  // bodies of this input
  std::uint64_t last_ = 0;          // number of the message written last
  std::string behind_;              // what stands behind a message that is not written yet
  std::uint64_t behind_number_ = 0;
  enum class Asked : std::uint8_t { content, head, tunnel } asked_ = Asked::content;
  Spool spool_;
  std::string chunk_;
};

/// RFC 9112 6.3: whoever reads the request that was written before takes its answer to have no
/// body.
void Http1Sink::answer(http::Message& message) {
  if (message.kind == http::Kind::request) {
    asked_ = message.start.method() == "HEAD"      ? Asked::head
             : message.start.method() == "CONNECT" ? Asked::tunnel
                                                   : Asked::content;
    return;
  }
  if (message.interim()) return;
  const Asked asked = std::exchange(asked_, Asked::content);
  const bool tunnel = asked == Asked::tunnel && message.start.status() / 100 == 2;
  if (message.body == nullptr || (asked != Asked::head && !tunnel)) return;
  if (message.body->size().value_or(1) != 0) {
    message.log->report({.level = message.notes.recorded ? Level::note : Level::warning,
                         .id = "body-unasked",
                         .what = std::string("the body left out: it would stand behind a ") +
                                 (tunnel ? "CONNECT" : "HEAD"),
                         .message = message.notes.number});
  }
  message.body = nullptr;
  message.notes.framing = tunnel ? http::Framing::none : http::Framing::withheld;
}

Status Http1Sink::write(http::Message& message) {
  auto there = fit_start_line(message, *setup_.policy);
  if (!there) return fail(std::move(there.error()));
  if (!*there) return {};
  left_out_ = false;
  if (auto fine = http::leave_out_body(message, *setup_.policy); !fine) return fine;
  auto plan = http::settle(message, *setup_.policy);
  ByteSource* content = nullptr;
  if (message.body != nullptr) {
    const bool as_found = plan && plan->way == Way::as_found;
    content = as_found ? &message.body->coded() : &message.body->content();
  }
  if (plan && plan->way == Way::hold) {
    spool_.start(*content, setup_.policy->limits.hold);
    content = &spool_;
    plan = hold(message, *plan);
  }
  if (!plan) return fail(std::move(plan.error()));
  if (auto done = head(message); !done) return done;
  switch (plan->way) {
    case Way::head:
    case Way::hold:
      return {};
    case Way::chunked:
      return chunks(*content, message);
    default:
      return copy(*content);
  }
}

/// Learns the size and settles the framing by it. A body that fails while it is held is written
/// without any claim that it is complete, and the Error comes again at its end.
Result<http::Plan> Http1Sink::hold(http::Message& message, const http::Plan& plan) {
  http::Held held;
  auto ended = spool_.hold();
  held.too_long = ended && !*ended && plan.in_chunks;
  held.broken = !ended || (!*ended && !held.too_long && !spool_.hold_all());
  if (!held.broken && !held.too_long) held.size = spool_.size();
  return http::settle(message, *setup_.policy, held);
}

Status Http1Sink::head(http::Message& message) {
  if (setup_.parts == nullptr) return write_head(message, *setup_.policy, *setup_.output);
  if (auto done = setup_.parts->head(message); !done) return done;
  if (auto done = write_head(message, *setup_.policy, *setup_.output); !done) return done;
  return setup_.parts->body(message);
}

Status Http1Sink::copy(ByteSource& from) {
  while (true) {
    from.move_to(*setup_.output);
    auto piece = from.pull();
    if (!piece) return fail(std::move(piece.error()));
    if (piece->kind == Piece::Kind::end) return {};
    auto done = piece->kind == Piece::Kind::idle ? setup_.output->flush()
                                                 : setup_.output->write(piece->bytes);
    if (!done) return done;
  }
}

Status Http1Sink::chunks(ByteSource& from, http::Message& message) {
  const std::uint64_t asked = message.delivery.chunk_size;
  ChunkWriter writer(*setup_.output, chunk_, asked == 0 ? kChunk : static_cast<std::size_t>(asked));
  const bool live =
      http::is_live_type(http::media_type(message.headers)) || setup_.policy->limits.hold == 0;
  while (true) {
    auto piece = from.pull();
    if (!piece) {
      if (auto done = writer.flush(); !done) return done;
      return fail(std::move(piece.error()));
    }
    if (piece->kind == Piece::Kind::end) break;
    if (piece->kind == Piece::Kind::bytes) {
      if (auto done = writer.write(piece->bytes); !done) return done;
    } else if (live) {
      if (auto done = writer.flush(); !done) return done;
      if (auto done = setup_.output->flush(); !done) return done;
    }
  }
  if (auto done = writer.flush(); !done) return done;
  if (auto done = setup_.output->write("0\r\n"); !done) return done;
  if (message.delivery.trailers == Delivery::Trailers::keep) {
    auto done = write_trailers(message, *setup_.policy, *setup_.output);
    if (!done) return done;
  }
  return setup_.output->write("\r\n");
}

}  // namespace

std::unique_ptr<Sink> make_http1_sink(const SinkSetup& setup) {
  return std::make_unique<Http1Sink>(setup);
}

}  // namespace rehead::format
