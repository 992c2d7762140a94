// Does the content carry the coding its labels name (spec section 4, content coding)? In: the
// window at the start of the body. What is seen goes onto the message as notes. RFC 9110 8.4.
#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "codec/chunked.h"
#include "codec/content_coding.h"
#include "format/http1_framing.h"

namespace rehead::format {

using http::Coding;
using http::Framing;

/// Whether the look-ahead can be the beginning of `size` coded bytes.
bool FramingDecision::decodes(std::string_view window, std::size_t size) const {
  class Start final : public ByteSource {
   public:
    explicit Start(std::string_view bytes) : bytes_(bytes) {}
    Result<Piece> pull() override {
      if (bytes_.empty()) return fail({Errc::syntax, "look-ahead", "no more to look at"});
      return Piece{Piece::Kind::bytes, std::exchange(bytes_, {})};
    }

   private:
    std::string_view bytes_;
  };
  class Silence final : public Diagnostics {
    void report(const Finding&) override {}
  };
  Start start(window.substr(0, std::min(size, policy_->limits.look_ahead)));
  Silence silence;
  codec::Decoder decoder(*policy_);
  [[maybe_unused]] const auto one = decoder.use(std::span(&*outermost_, 1), silence);
  decoder.attach(start);
  while (true) {
    const auto piece = decoder.pull();
    if (!piece) return piece.error().id == "look-ahead" && !decoder.past_end();
    if (piece->kind == Piece::Kind::end) return false;
  }
}

bool FramingDecision::decide_coding(std::string_view window, bool at_end) {
  http::Message& message = *message_;
  const bool has_content =
      message.notes.framing == Framing::length || message.notes.framing == Framing::chunked ||
      message.notes.framing == Framing::close || message.notes.framing == Framing::decoded;
  if (!has_content || (!outermost_ && !transfer_.inner)) return true;
  std::array<char, 4> start{};
  std::size_t size = 0;
  bool all = at_end;  // `start` holds all the content there is
  if (message.notes.framing == Framing::chunked) {
    codec::ChunkReader reader(*policy_);
    reader.start(lf_chunks_);
    for (std::size_t at = 0; size < start.size();) {
      auto part = reader.next(window.substr(std::min(at, window.size())));
      if (!part || !*part) {  // broken: the body will say so
        if (part && !at_end) return more(window.size() + 1);
        break;
      }
      if (reader.ended()) {
        all = true;
        break;
      }
      at += (*part)->bytes.size();
      if ((*part)->kind != codec::ChunkReader::Kind::data) continue;
      const std::string_view data = (*part)->bytes.substr(0, start.size() - size);
      std::ranges::copy(data, start.data() + size);
      size += data.size();
    }
  } else {
    std::string_view content = window.substr(0, start.size());
    if (message.notes.framing == Framing::length && message.notes.declared <= content.size()) {
      content = content.substr(0, static_cast<std::size_t>(message.notes.declared));
      all = true;
    }
    std::ranges::copy(content, start.data());
    size = content.size();
  }
  if (all && size == 0) return true;  // an empty body proves nothing
  const std::string_view content(start.data(), size);
  if (transfer_.inner) {
    const codec::Magic magic = codec::magic(*transfer_.inner, content, all);
    if (magic == codec::Magic::more) return more(window.size() + 1);
    const bool zlib =
        size >= 2 && (start[0] & 0x0F) == 8 &&
        (static_cast<unsigned char>(start[0]) * 256U + static_cast<unsigned char>(start[1])) % 31 ==
            0;
    if (magic == codec::Magic::shown || (*transfer_.inner == Coding::deflate && zlib)) {
      transfer_coding_ = transfer_.inner;
      return true;
    }
  }
  if (!outermost_) return true;
  const codec::Magic magic = codec::magic(*outermost_, content, all);
  if (magic == codec::Magic::more) return more(window.size() + 1);
  if (magic == codec::Magic::refuted) message.notes.coding_label_false = true;
  if (message.notes.coding_label_false) message.notes.codings.clear();
  return true;
}

}  // namespace rehead::format
