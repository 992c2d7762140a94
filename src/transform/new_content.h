// For the steps that put other content in the place of a body.
#pragma once

#include <string_view>

#include "base/io.h"
#include "http/message.h"

namespace rehead::transform {

/// A text as content. It outlives the message.
class TextSource final : public ByteSource {
 public:
  void start(std::string_view text) { rest_ = text; }
  Result<Piece> pull() override;

 private:
  std::string_view rest_;
};

/// Takes out what does not hold for other content: Content-Encoding, ETag, digests, Trailer and the
/// trailers; the notes on codings are cleared. Lengths are the sink's.
void forget_content(http::Message& message);

}  // namespace rehead::transform
