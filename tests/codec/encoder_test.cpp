#include <brotli/decode.h>
#include <libdeflate.h>
#include <zlib.h>
#include <zstd.h>

#include <array>
#include <catch2/catch.hpp>

#include "codec/content_coding.h"
#include "support/pieces.h"

namespace rehead::codec {
namespace {

using http::Coding;
using test::drain;
using test::Pieces;
using test::words;

constexpr std::array kAll = {Coding::gzip, Coding::deflate, Coding::br, Coding::zstd};
constexpr std::size_t kMiB = std::size_t{1} << 20;

std::string encode(Encoder& encoder, Pieces&& pieces, bool live = false) {
  encoder.use(live);
  encoder.attach(pieces);
  const auto all = drain(encoder);
  REQUIRE_FALSE(all.error);
  return all.bytes;
}

std::string encode(Coding coding, const std::string& content, std::optional<int> level = {}) {
  Encoder encoder(coding, level);
  return encode(encoder, Pieces(content));
}

/// By the libraries' own one-call functions; one byte more than `size` so that longer content
/// shows.
std::string judge(Coding coding, const std::string& coded, std::size_t size) {
  std::string content(size + 1, '\0');
  std::size_t got = SIZE_MAX;
  if (coding == Coding::br) {
    got = content.size();
    auto* to = reinterpret_cast<std::uint8_t*>(content.data());
    const auto* from = reinterpret_cast<const std::uint8_t*>(coded.data());
    if (::BrotliDecoderDecompress(coded.size(), from, &got, to) != BROTLI_DECODER_RESULT_SUCCESS) {
      return "broken";
    }
  } else if (coding == Coding::zstd) {
    got = ::ZSTD_decompress(content.data(), content.size(), coded.data(), coded.size());
    if (::ZSTD_isError(got) != 0) return "broken";
  } else if (coding == Coding::deflate) {
    uLongf room = content.size();
    uLong taken = coded.size();
    if (::uncompress2(reinterpret_cast<Bytef*>(content.data()), &room,
                      reinterpret_cast<const Bytef*>(coded.data()), &taken) != Z_OK ||
        taken != coded.size()) {
      return "broken";
    }
    got = room;
  } else {
    libdeflate_decompressor* decompressor = ::libdeflate_alloc_decompressor();
    const auto result = ::libdeflate_gzip_decompress(decompressor, coded.data(), coded.size(),
                                                     content.data(), content.size(), &got);
    ::libdeflate_free_decompressor(decompressor);
    if (result != LIBDEFLATE_SUCCESS) return "broken";
  }
  content.resize(got);
  return content;
}

TEST_CASE("encoder: what is coded is the content, at sizes around every border") {
  for (const Coding coding : kAll) {
    Encoder encoder(coding, {});
    for (const std::size_t size : {std::size_t{1}, std::size_t{2}, std::size_t{1000},
                                   std::size_t{65'535}, std::size_t{65'536}, std::size_t{65'537},
                                   kMiB - 1, kMiB, kMiB + 1, kMiB + 65'536, 3 * kMiB}) {
      const std::string content = words(size);
      const std::string coded = encode(encoder, Pieces(content, 100'000));
      CAPTURE(token_of(coding), size, coded.size());
      CHECK((judge(coding, coded, size) == content));
      CHECK(coded.size() < 100 + size);
    }
  }
}

TEST_CASE("encoder: no content gives no bytes") {
  for (const Coding coding : kAll) {
    Encoder encoder(coding, {});
    CHECK(encode(encoder, Pieces("")).empty());
    CHECK(encode(encoder, Pieces("").live()).empty());
    CHECK(encode(encoder, Pieces("").live(), true).empty());
  }
}

TEST_CASE("encoder: content that does not compress finds room") {
  std::mt19937 random(5);
  std::string noise(kMiB + 65'536, '\0');
  for (char& c : noise) c = static_cast<char>(random());
  for (const Coding coding : kAll) {
    for (const std::size_t size : {std::size_t{1}, std::size_t{50'000}, kMiB, noise.size()}) {
      const std::string content = noise.substr(0, size);
      CHECK((judge(coding, encode(coding, content), size) == content));
    }
  }
}

TEST_CASE("encoder: every level codes, lowest and highest too") {
  const std::string content = words(30'000);
  for (const Coding coding : kAll) {
    for (int level = levels(coding).lowest; level <= levels(coding).highest; ++level) {
      CAPTURE(token_of(coding), level);
      CHECK((judge(coding, encode(coding, content, level), content.size()) == content));
    }
  }
}

TEST_CASE("encoder: the bytes do not depend on how the content came, nor on earlier messages") {
  for (const Coding coding : kAll) {
    Encoder encoder(coding, {});
    for (const std::size_t size : {std::size_t{300}, std::size_t{70'000}, kMiB + 200'000}) {
      const std::string content = words(size, static_cast<unsigned>(size));
      const std::string whole = encode(coding, content);
      CAPTURE(token_of(coding), size);
      for (unsigned seed = 0; seed < 4; ++seed) {
        const bool same = encode(encoder, Pieces(content, 1 + 40'000 * seed).random(seed)) == whole;
        CHECK(same);
      }
      if (size > 100'000) continue;
      const bool same = encode(encoder, Pieces(content, 4000).live()) == whole;
      CHECK(same);
    }
  }
}

TEST_CASE("encoder: a gzip head names no time and no system") {
  for (const std::size_t size : {std::size_t{10}, 2 * kMiB}) {
    CHECK(encode(Coding::gzip, words(size)).substr(0, 10) ==
          std::string("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10));
  }
}

TEST_CASE("encoder: deflate wears the zlib wrapper") {
  for (const std::size_t size : {std::size_t{10}, 2 * kMiB}) {
    const std::string coded = encode(Coding::deflate, words(size));
    CHECK(coded[0] == '\x78');
    CHECK((static_cast<unsigned char>(coded[0]) * 256 + static_cast<unsigned char>(coded[1])) %
              31 ==
          0);
  }
}

TEST_CASE("encoder: a live body can be decoded up to every idle") {
  const http::Policy policy;
  test::Log log;
  for (const Coding coding : kAll) {
    std::string content;
    for (int event = 0; event < 50; ++event) {
      content += "data: event number " + std::to_string(event + 100) + "\n\n";
    }
    const std::size_t step = content.size() / 50;
    Pieces upstream(content, step);
    upstream.live();
    Encoder encoder(coding, {});
    encoder.use(true);
    encoder.attach(upstream);
    Decoder decoder(policy);
    REQUIRE(decoder.use(std::span(&coding, 1), log));
    decoder.attach(encoder);
    const auto all = drain(decoder);
    CAPTURE(token_of(coding));
    CHECK_FALSE(all.error);
    CHECK(all.bytes == content);
    REQUIRE(all.events.size() == 50);
    CHECK(all.events[7] == content.substr(7 * step, step));
  }
}

TEST_CASE("encoder: idle without anything new flushes nothing") {
  Pieces quiet("one event", 100);
  quiet.live();
  Encoder encoder(Coding::gzip, {});
  encoder.use(true);
  encoder.attach(quiet);
  // Head, the event and a sync flush; after the idle before the end only the final block.
  CHECK(drain(encoder).events.size() == 2);
}

TEST_CASE("encoder: an error of the body comes after all that can be decoded") {
  http::Policy lenient;
  lenient.strictness = http::Strictness::lenient;
  test::Log log;
  for (const Coding coding : kAll) {
    for (const std::size_t size : {std::size_t{0}, std::size_t{100}, 2 * kMiB}) {
      Pieces cut(words(size), 50'000);
      cut.broken({Errc::syntax, "cut", "cut"});
      Encoder encoder(coding, {});
      encoder.use(false);
      encoder.attach(cut);
      const auto all = drain(encoder);
      REQUIRE(all.error);
      CHECK(all.error->id == "cut");
      Decoder decoder(lenient);
      Pieces coded(all.bytes);
      REQUIRE(decoder.use(std::span(&coding, 1), log));
      decoder.attach(coded);
      CHECK((test::drain(decoder).bytes == words(size)));
      CHECK(log.warnings.size() == (size == 0 ? 0U : 1U));  // it ends early
      log = {};
    }
  }
}

}  // namespace
}  // namespace rehead::codec
