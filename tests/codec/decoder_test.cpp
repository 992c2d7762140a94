#include <brotli/encode.h>
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
using test::Drained;
using test::Log;
using test::Pieces;
using test::words;

constexpr std::array kAll = {Coding::gzip, Coding::deflate, Coding::br, Coding::zstd};
constexpr std::size_t kMiB = std::size_t{1} << 20;
using Codings = std::vector<Coding>;
using Ids = std::vector<std::string>;

std::string encode(Coding coding, const std::string& content) {
  Pieces upstream(content);
  Encoder encoder(coding, {});
  encoder.use(false);
  encoder.attach(upstream);
  return drain(encoder).bytes;
}

/// Deflate blocks without a wrapper.
std::string raw_deflate(const std::string& content, int level = 6) {
  z_stream stream{};
  REQUIRE(::deflateInit2(&stream, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string coded(content.size() + 1000, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(coded.data());
  stream.avail_out = static_cast<uInt>(coded.size());
  REQUIRE(::deflate(&stream, Z_FINISH) == Z_STREAM_END);
  coded.resize(stream.total_out);
  ::deflateEnd(&stream);
  return coded;
}

struct Bench {
  http::Policy policy;
  Log log;
  Decoder decoder{policy};

  Drained decode(const Codings& codings, Pieces&& pieces) {
    log = {};
    REQUIRE(decoder.use(codings, log));
    decoder.attach(pieces);
    return drain(decoder);
  }
  Drained decode(Coding coding, Pieces&& pieces) {
    return decode(Codings{coding}, std::move(pieces));
  }
  /// The id of the error, or nothing.
  std::string failure(const Codings& codings, Pieces&& pieces) {
    const Drained all = decode(codings, std::move(pieces));
    return all.error ? std::string(all.error->id) : "";
  }
};

TEST_CASE("decoder: gives back what was coded, at all sizes and cuts") {
  Bench bench;
  for (const Coding coding : kAll) {
    for (const std::size_t size :
         {std::size_t{1}, std::size_t{2}, std::size_t{5000}, std::size_t{65'536},
          std::size_t{65'537}, kMiB - 1, kMiB, kMiB + 1, 2 * kMiB}) {
      const std::string content = words(size);
      const std::string coded = encode(coding, content);
      CAPTURE(token_of(coding), size);
      CHECK((bench.decode(coding, Pieces(coded)).bytes == content));
      CHECK((bench.decode(coding, Pieces(coded, 100'000).random(3)).bytes == content));
      CHECK((bench.decode(coding, Pieces(coded, 1000).live()).bytes == content));
      CHECK(bench.log.texts.empty());
    }
  }
}

TEST_CASE("decoder: every split of a small body gives the same") {
  Bench bench;
  const std::string content = words(120) + std::string(500, 'x');
  for (const Coding coding : kAll) {
    const std::string coded = encode(coding, content);
    for (std::size_t step = 1; step <= coded.size(); ++step) {
      const Drained all = bench.decode(coding, Pieces(coded, step).live());
      CAPTURE(token_of(coding), step);
      CHECK_FALSE(all.error);
      CHECK((all.bytes == content));
    }
  }
}

TEST_CASE("decoder: bytes that are not what a coding makes are passed on with a warning") {
  Bench bench;
  for (const Coding coding : {Coding::gzip, Coding::zstd}) {
    // Some begin like the magic.
    for (const std::string& content : {std::string("<html>"), std::string("\x1f\x8c and more"),
                                       std::string("(text)"), words(100'000)}) {
      for (const std::size_t step : {std::size_t{1}, std::size_t{1'000'000}}) {
        const Drained alone = bench.decode(coding, Pieces(content, step).live());
        CHECK_FALSE(alone.error);
        CHECK((alone.bytes == content));
        CHECK(bench.log.warnings == Ids{"coding-false"});
        const Drained inner =
            bench.decode({coding, Coding::br}, Pieces(encode(Coding::br, content), step).live());
        CHECK_FALSE(inner.error);
        CHECK((inner.bytes == content));
        CHECK(bench.log.warnings == Ids{"coding-false"});
      }
    }
  }
  bench.policy.strictness = http::Strictness::strict;
  CHECK(bench.failure({Coding::gzip}, Pieces("<html>")) == "coding-false");
}

TEST_CASE("decoder: an empty body is empty content") {
  Bench bench;
  for (const Coding coding : kAll) {
    const Drained all = bench.decode(coding, Pieces(""));
    CHECK_FALSE(all.error);
    CHECK(all.bytes.empty());
  }
  CHECK_FALSE(bench.decode(Codings{}, Pieces("as it is")).error);
  CHECK(bench.decode(Codings{}, Pieces("as it is")).bytes == "as it is");
}

TEST_CASE("decoder: codings are undone from the right") {
  Bench bench;
  const std::string content = words(50'000);
  for (const Coding inner : kAll) {
    for (const Coding outer : kAll) {
      const std::string coded = encode(outer, encode(inner, content));
      CHECK((bench.decode({inner, outer}, Pieces(coded, 777)).bytes == content));
    }
  }
  std::string coded = content;
  Codings five;
  for (int i = 0; i < 5; ++i) {
    five.push_back(kAll[static_cast<std::size_t>(i) % 4]);
    coded = encode(five.back(), coded);
  }
  CHECK((bench.decode(five, Pieces(coded)).bytes == content));
}

TEST_CASE("decoder: more than five codings are refused") {
  Bench bench;
  auto done = bench.decoder.use(Codings(6, Coding::gzip), bench.log);
  REQUIRE_FALSE(done);
  CHECK(done.error().code == Errc::limit);
  CHECK(done.error().id == "codings");
}

TEST_CASE("decoder: several members are one content") {
  Bench bench;
  for (const Coding coding : {Coding::gzip, Coding::zstd}) {
    const std::string one = encode(coding, "first "), two = encode(coding, words(100'000));
    const std::string both = one + two;
    for (const std::size_t step : {std::size_t{1}, std::size_t{7}, both.size()}) {
      const Drained all = bench.decode(coding, Pieces(both, step));
      CHECK_FALSE(all.error);
      CHECK((all.bytes == "first " + words(100'000)));
      CHECK(bench.log.texts.empty());
    }
  }
  std::string many;
  for (int i = 0; i < 20'000; ++i) many += encode(Coding::gzip, "x");
  CHECK((bench.decode(Coding::gzip, Pieces(many)).bytes == std::string(20'000, 'x')));
}

TEST_CASE("decoder: skippable zstd frames are skipped, the first one too") {
  Bench bench;
  const std::string skip("\x5a\x2a\x4d\x18\x03\0\0\0abc", 11);
  const std::string frame = encode(Coding::zstd, "content");
  for (const std::size_t step : {1U, 100U}) {
    CHECK(bench.decode(Coding::zstd, Pieces(skip + frame + skip + frame, step)).bytes ==
          "contentcontent");
    CHECK(bench.log.texts.empty());
  }
}

TEST_CASE("decoder: zero bytes behind a member are padding, also before a further one") {
  Bench bench;
  for (const Coding coding : kAll) {
    const std::string coded = encode(coding, words(1000));
    for (const std::size_t padding : {1U, 3U, 511U, 40'000U}) {
      const std::string padded = coded + std::string(padding, '\0');
      for (const std::size_t step : {1U, 1'000'000U}) {
        const Drained all = bench.decode(coding, Pieces(padded, step));
        CHECK_FALSE(all.error);
        CHECK((all.bytes == words(1000)));
        CHECK(bench.log.texts.empty());
      }
    }
  }
  const std::string member = encode(Coding::gzip, "x");
  CHECK(bench.decode(Coding::gzip, Pieces(member + std::string(100, '\0') + member)).bytes == "xx");
}

TEST_CASE("decoder: other bytes behind the last member are dropped with one warning") {
  Bench bench;
  for (const Coding coding : kAll) {
    const std::string coded = encode(coding, words(1000));
    for (const std::string& junk : {std::string("\n"), std::string("\x1f"), std::string("\x28\xb5"),
                                    std::string("\0\0junk", 6), std::string(50'000, 'j')}) {
      for (const std::size_t step : {1U, 1'000'000U}) {
        const Drained all = bench.decode(coding, Pieces(coded + junk, step));
        CAPTURE(token_of(coding), junk.size(), step);
        CHECK_FALSE(all.error);
        CHECK((all.bytes == words(1000)));
        CHECK(bench.log.warnings == Ids{"coding-junk"});
      }
    }
  }
  bench.decode(Coding::gzip, Pieces(encode(Coding::gzip, "x") + "12345"));
  CHECK(bench.log.texts.at(0) == "5 bytes behind the gzip data dropped");
}

TEST_CASE("decoder: a body cut anywhere is an error, or kept as far as it came with --lenient") {
  Bench strict, lenient;
  lenient.policy.strictness = http::Strictness::lenient;
  const std::string content = words(3000);
  for (const Coding coding : kAll) {
    const std::string coded = encode(coding, content);
    for (std::size_t size = 1; size < coded.size(); ++size) {
      CAPTURE(token_of(coding), size, coded.size());
      const Drained all = strict.decode(coding, Pieces(coded.substr(0, size), 1 + size % 100));
      REQUIRE(all.error);
      CHECK(all.error->code == Errc::transform);
      CHECK(all.error->id == "coding-cut");
      const Drained kept = lenient.decode(coding, Pieces(coded.substr(0, size)));
      CHECK_FALSE(kept.error);
      CHECK(lenient.log.warnings == Ids{"coding-cut"});
      CHECK(content.starts_with(kept.bytes));
      CHECK((kept.bytes == all.bytes));
    }
  }
}

TEST_CASE("decoder: what the body itself lacks is told as the body's error") {
  Bench bench;
  for (const Coding coding : kAll) {
    const std::string coded = encode(coding, words(5000));
    Pieces cut(coded.substr(0, coded.size() - 5), 100);
    cut.broken({Errc::syntax, "cut", "cut"});
    CHECK(bench.failure({coding}, std::move(cut)) == "cut");
    Pieces behind(coded + "x", 100);
    behind.broken({Errc::syntax, "cut", "cut"});
    const Drained all = bench.decode(coding, std::move(behind));
    CHECK(all.error->id == "cut");
    CHECK((all.bytes == words(5000)));
  }
}

TEST_CASE("decoder: a broken body is an error, or kept as far as it came with --lenient") {
  Bench strict, lenient;
  lenient.policy.strictness = http::Strictness::lenient;
  for (const Coding coding : kAll) {
    std::string coded = encode(coding, words(400'000));
    for (std::size_t i = coded.size() / 2; i < coded.size() / 2 + 40; ++i) coded[i] = '\xA5';
    CAPTURE(token_of(coding));
    const Drained all = strict.decode(coding, Pieces(coded, 30'000));
    REQUIRE(all.error);
    CHECK(all.error->code == Errc::transform);
    CHECK(all.error->id == "coding-broken");
    CHECK((strict.decode(coding, Pieces(coded, 1)).bytes == all.bytes));
    const Drained kept = lenient.decode(coding, Pieces(coded));
    CHECK_FALSE(kept.error);
    CHECK(lenient.log.warnings == Ids{"coding-broken"});
    CHECK(kept.bytes.size() > 50'000);
  }
}

TEST_CASE("decoder: a wrong checksum is an error") {
  Bench bench;
  for (const Coding coding : {Coding::gzip, Coding::deflate}) {
    for (const std::size_t size : {100U, 500'000U}) {
      std::string coded = encode(coding, words(size));
      coded[coded.size() - (coding == Coding::gzip ? 8 : 4)] ^= 1;
      CHECK(bench.failure({coding}, Pieces(coded)) == "coding-broken");
    }
  }
}

TEST_CASE("decoder: deflate is read with and without the zlib wrapper") {
  Bench bench;
  for (const std::size_t size : {0U, 1U, 2U, 100U, 70'000U, 2'000'000U}) {
    const std::string content = words(size);
    for (const int level : {0, 1, 9}) {
      const std::string raw = raw_deflate(content, level);
      for (const std::size_t step : {std::size_t{1}, std::size_t{50'000}}) {
        if (step == 1 && size > 100'000) continue;
        const Drained all = bench.decode(Coding::deflate, Pieces(raw, step).live());
        CAPTURE(size, level, step);
        CHECK_FALSE(all.error);
        CHECK((all.bytes == content));
      }
    }
  }
}

TEST_CASE("decoder: bare deflate blocks that look like a zlib head are still read") {
  // A stored block whose padding bits are set: 08 1d passes as CMF and FLG.
  const std::string raw = std::string("\x08\x1d\x00\xe2\xff", 5) + std::string(29, 'a') +
                          std::string("\x01\x00\x00\xff\xff", 5);
  Bench bench;
  for (const std::size_t step : {1U, 2U, 100U}) {
    const Drained all = bench.decode(Coding::deflate, Pieces(raw, step));
    CHECK_FALSE(all.error);
    CHECK(all.bytes == std::string(29, 'a'));
  }
}

TEST_CASE("decoder: deflate that is neither form is an error") {
  Bench bench;
  CHECK(bench.failure({Coding::deflate}, Pieces("this is plain text, is it not?")) != "");
  CHECK(bench.failure({Coding::deflate}, Pieces("\x78\x9c this is no deflate")) == "coding-broken");
}

TEST_CASE("decoder: one layer of deflate never meets the ratio limit") {
  Bench bench;
  const std::string zeros(20 * kMiB, '\0');
  for (const Coding coding : {Coding::gzip, Coding::deflate}) {
    CHECK(bench.failure({coding}, Pieces(encode(coding, zeros), 3000)) == "");
  }
}

TEST_CASE("decoder: a bomb of two layers is refused after the first MiB") {
  Bench bench;
  const std::string inner = encode(Coding::gzip, std::string(40 * kMiB, '\0'));
  const std::string bomb = encode(Coding::gzip, inner);
  REQUIRE(bomb.size() < 1000);
  for (const std::size_t step : {std::size_t{1}, std::size_t{100}, bomb.size()}) {
    const Drained all = bench.decode({Coding::gzip, Coding::gzip}, Pieces(bomb, step));
    REQUIRE(all.error);
    CHECK(all.error->code == Errc::limit);
    CHECK(all.error->id == "content-ratio");
    CHECK(all.bytes.size() <= 2 * kMiB);
  }
}

TEST_CASE("decoder: a bomb in the middle of a chain that comes to nothing is refused") {
  // The outer layer unfolds to a great many empty members.
  const std::string empty("\x1f\x8b\x08\0\0\0\0\0\0\xff\x03\0\0\0\0\0\0\0\0\0", 20);
  std::string members;
  for (int i = 0; i < 300'000; ++i) members += empty;
  const std::string bomb = encode(Coding::br, members);
  Bench bench;
  bench.policy.limits.max_body = kMiB;
  CHECK(bench.failure({Coding::gzip, Coding::br}, Pieces(bomb)) == "content-size");
}

TEST_CASE("decoder: br and zstd are bounded by the size alone") {
  Bench bench;
  for (const Coding coding : {Coding::br, Coding::zstd}) {
    const std::string much = encode(coding, std::string(20 * kMiB, '\0'));
    CHECK(bench.failure({coding}, Pieces(much)) == "");
  }
  bench.policy.limits.max_body = 10 * kMiB;
  for (const Coding coding : {Coding::br, Coding::zstd}) {
    const std::string bomb = encode(coding, std::string(20 * kMiB, '\0'));
    CHECK(bench.failure({coding}, Pieces(bomb)) == "content-size");
  }
}

TEST_CASE("decoder: the cap on decoded content is exact and does not depend on the cut") {
  Bench bench;
  bench.policy.limits.max_body = 1'000'000;
  for (const Coding coding : kAll) {
    CHECK(bench.failure({coding}, Pieces(encode(coding, words(1'000'000)))) == "");
    const std::string over = encode(coding, words(1'000'001));
    const Drained all = bench.decode(coding, Pieces(over));
    REQUIRE(all.error);
    CHECK(all.error->code == Errc::limit);
    CHECK(all.error->id == "content-size");
    CHECK(all.bytes.size() <= 1'000'000);
    CHECK((bench.decode(coding, Pieces(over, 5)).bytes == all.bytes));
  }
}

std::string zstd_with_window(const std::string& content, int log) {
  ZSTD_CCtx* context = ::ZSTD_createCCtx();
  ::ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, log);
  std::string coded(::ZSTD_compressBound(content.size()), '\0');
  ZSTD_inBuffer in{content.data(), content.size(), 0};
  ZSTD_outBuffer out{coded.data(), coded.size(), 0};
  ::ZSTD_compressStream2(context, &out, &in,
                         ZSTD_e_continue);  // size unknown: the window is written
  while (::ZSTD_compressStream2(context, &out, &in, ZSTD_e_end) != 0) {
  }
  ::ZSTD_freeCCtx(context);
  coded.resize(out.pos);
  return coded;
}

std::string brotli_with_window(const std::string& content, std::uint32_t bits) {
  BrotliEncoderState* state = ::BrotliEncoderCreateInstance(nullptr, nullptr, nullptr);
  ::BrotliEncoderSetParameter(state, BROTLI_PARAM_QUALITY, 5);
  ::BrotliEncoderSetParameter(state, BROTLI_PARAM_LARGE_WINDOW, bits > 24 ? 1 : 0);
  ::BrotliEncoderSetParameter(state, BROTLI_PARAM_LGWIN, bits);
  std::string coded(content.size() + 1000, '\0');
  std::size_t in_left = content.size(), out_left = coded.size();
  const auto* in = reinterpret_cast<const std::uint8_t*>(content.data());
  auto* out = reinterpret_cast<std::uint8_t*>(coded.data());
  ::BrotliEncoderCompressStream(state, BROTLI_OPERATION_FINISH, &in_left, &in, &out_left, &out,
                                nullptr);
  CHECK(::BrotliEncoderIsFinished(state) == BROTLI_TRUE);
  ::BrotliEncoderDestroyInstance(state);
  coded.resize(coded.size() - out_left);
  return coded;
}

TEST_CASE("decoder: windows are limited to 8 MiB for zstd and 16 MiB for br") {
  Bench bench;
  const std::string content = words(300'000);
  CHECK((bench.decode(Coding::zstd, Pieces(zstd_with_window(content, 23))).bytes == content));
  CHECK((bench.decode(Coding::br, Pieces(brotli_with_window(content, 24))).bytes == content));
  for (const std::size_t step : {std::size_t{1}, std::size_t{1'000'000}}) {
    for (const Coding coding : {Coding::zstd, Coding::br}) {
      const std::string coded =
          coding == Coding::zstd ? zstd_with_window(content, 24) : brotli_with_window(content, 25);
      const Drained all = bench.decode(coding, Pieces(coded, step));
      CAPTURE(token_of(coding), step, all.bytes.size());
      REQUIRE(all.error);
      CHECK(all.error->code == Errc::limit);
      CHECK(all.error->id == "coding-window");
    }
  }
}

TEST_CASE("decoder: any bytes at all give content or an error, the same for every cut") {
  std::mt19937 random(11);
  Bench bench;
  for (int round = 0; round < 2000; ++round) {
    const Coding coding = kAll[random() % 4];
    std::string bytes = encode(coding, words(random() % 300, static_cast<unsigned>(random())));
    for (unsigned i = 0; i < 1 + random() % 4 && !bytes.empty(); ++i) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    const Drained whole = bench.decode(coding, Pieces(bytes));
    const Drained cut = bench.decode(coding, Pieces(bytes, 1));
    CHECK((whole.bytes == cut.bytes));
    CHECK(whole.error.has_value() == cut.error.has_value());
    if (whole.error && cut.error) CHECK(whole.error->what == cut.error->what);
  }
}

TEST_CASE("content_coding: tokens in any case, x-gzip too") {
  for (const Coding coding : kAll) CHECK(coding_of(token_of(coding)) == coding);
  CHECK(coding_of("GZip") == Coding::gzip);
  CHECK(coding_of("X-GZIP") == Coding::gzip);
  for (const char* other : {"", "identity", "compress", "gzip2", "brotli"}) {
    CHECK(coding_of(other) == Coding::other);
  }
  CHECK(token_of(Coding::other).empty());
}

TEST_CASE("content_coding: magic shows, is refuted, or needs more bytes") {
  CHECK(magic(Coding::gzip, "\x1f\x8b", false) == Magic::shown);
  CHECK(magic(Coding::gzip, "\x1f", false) == Magic::more);
  CHECK(magic(Coding::gzip, "\x1f", true) == Magic::shown);
  CHECK(magic(Coding::gzip, "", false) == Magic::more);
  CHECK(magic(Coding::gzip, "", true) == Magic::none);
  CHECK(magic(Coding::gzip, "<html", false) == Magic::refuted);
  CHECK(magic(Coding::gzip, "\x1f\x8c", false) == Magic::refuted);
  CHECK(magic(Coding::zstd, "\x28\xb5\x2f\xfd", false) == Magic::shown);
  CHECK(magic(Coding::zstd, "\x28\xb5\x2f", false) == Magic::more);
  CHECK(magic(Coding::zstd, "\x28\xb5\x2f", true) == Magic::shown);
  CHECK(magic(Coding::zstd, "\x5f\x2a\x4d\x18", false) == Magic::shown);
  CHECK(magic(Coding::zstd, "Plain", false) == Magic::refuted);
  CHECK(magic(Coding::br, "anything", false) == Magic::none);
  CHECK(magic(Coding::deflate, "", true) == Magic::none);
}

}  // namespace
}  // namespace rehead::codec
