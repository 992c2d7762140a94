// The inverse of WireBody: the content of a body whose bytes on the wire were read ahead. Chunk
// lines come off (RFC 9112 7.1), and what stands behind the content. Trailers are not loaded: they
// were when the bytes were read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "codec/chunked.h"
#include "http/body.h"

namespace rehead::format {

class WireContent final : public http::Filter {
 public:
  explicit WireContent(const http::Policy& policy) : reader_(policy) {}

  /// What attach() gets are chunks.
  void expect_chunks() { size_ = nullptr; }
  /// What attach() gets begins with `size` bytes of content; they are counted when they are pulled.
  void expect_front(const std::uint64_t& size) { size_ = &size; }
  void attach(ByteSource& upstream) override;
  Result<Piece> pull() override;

 private:
  Result<Piece> front();

  codec::ChunkReader reader_;
  const std::uint64_t* size_ = nullptr;
  ByteSource* upstream_ = nullptr;
  std::uint64_t given_ = 0;  // of the front
  std::string_view rest_;    // not read yet; views the piece pulled last, or line_
  std::string line_;         // a line that was cut between two pieces, and what came with its end
};

}  // namespace rehead::format
