// Coders are kept over the messages of a run.
#include <array>
#include <catch2/catch.hpp>

#include "codec/content_coding.h"
#include "support/allocations.h"
#include "support/pieces.h"

namespace rehead::codec {
namespace {

using http::Coding;

/// One piece, then the end; allocates nothing.
class OnePiece final : public ByteSource {
 public:
  explicit OnePiece(std::string_view bytes) : bytes_(bytes) {}
  Result<Piece> pull() override {
    if (bytes_.empty()) return Piece{};
    return Piece{Piece::Kind::bytes, std::exchange(bytes_, {})};
  }

 private:
  std::string_view bytes_;
};

std::size_t pull_all(ByteSource& source) {
  std::size_t size = 0;
  while (true) {
    auto piece = source.pull();
    if (!piece) return SIZE_MAX;
    if (piece->kind == Piece::Kind::end) return size;
    size += piece->bytes.size();
  }
}

TEST_CASE("content_coding: coders take no memory for a message like those before it") {
  const http::Policy policy;
  test::Log log;
  for (const Coding coding : {Coding::gzip, Coding::deflate, Coding::br, Coding::zstd}) {
    for (const std::size_t size :
         {std::size_t{2000}, std::size_t{200'000}, std::size_t{1'500'000}}) {
      // What br takes for a long stream is more than is kept.
      if (coding == Coding::br && size > 1'000'000) continue;
      const std::string content = test::words(size);
      test::Pieces pieces(content);
      Encoder encoder(coding, {});
      encoder.use(false);
      encoder.attach(pieces);
      const std::string coded = test::drain(encoder).bytes;
      Decoder decoder(policy);
      std::uint64_t before = 0;
      for (int message = 0; message < 6; ++message) {
        if (message == 4) before = test::allocations();
        OnePiece plain(content), packed(coded);
        encoder.use(false);
        encoder.attach(plain);
        const std::size_t coded_size = pull_all(encoder);
        const bool used = decoder.use(std::span(&coding, 1), log).has_value();
        decoder.attach(packed);
        const std::size_t content_size = pull_all(decoder);
        if (!used || coded_size != coded.size() || content_size != size) FAIL("wrong bytes");
      }
      const std::uint64_t taken = test::allocations() - before;
      CAPTURE(token_of(coding), size);
      CHECK(taken == 0);
    }
  }
}

}  // namespace
}  // namespace rehead::codec
