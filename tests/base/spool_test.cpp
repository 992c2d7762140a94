#include "base/spool.h"

#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <string>

namespace rehead {
namespace {

/// Gives `total` bytes in pieces of `step`, idle before each one, then the end or an error.
class Upstream final : public ByteSource {
 public:
  Upstream(std::uint64_t total, std::size_t step, bool broken = false)
      : left_(total), block_(step, '\0'), broken_(broken) {}
  Result<Piece> pull() override {
    ++pulls;
    idle_ = !idle_;
    if (idle_) return Piece{Piece::Kind::idle};
    if (left_ == 0) {
      if (broken_) return fail({Errc::syntax, "cut", "cut"});
      return Piece{};
    }
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(left_, block_.size()));
    left_ -= size;
    for (std::size_t i = 0; i < size; ++i) block_[i] = byte_at(given_ + i);
    given_ += size;
    return Piece{Piece::Kind::bytes, std::string_view(block_).substr(0, size)};
  }
  static char byte_at(std::uint64_t at) { return static_cast<char>(at * 2654435761U >> 13); }
  int pulls = 0;

 private:
  std::uint64_t left_;
  std::string block_;
  std::uint64_t given_ = 0;
  bool broken_;
  bool idle_ = false;
};

/// Pulls to the end; true if the bytes are those of Upstream, `total` of them.
bool gives(Spool& spool, std::uint64_t total, std::string_view error = {}) {
  std::uint64_t at = 0;
  while (true) {
    auto piece = spool.pull();
    if (!piece) return piece.error().id == error && at == total;
    if (piece->kind == Piece::Kind::end) return error.empty() && at == total;
    for (const char c : piece->bytes) {
      if (c != Upstream::byte_at(at++)) return false;
    }
  }
}

std::uint64_t resident_peak() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) << 10;
}

TEST_CASE("spool: what fits is held whole, and its size is known") {
  Spool spool;
  for (const std::uint64_t size : {0U, 1U, 65'535U, 65'536U, 65'537U, 100'000U}) {
    Upstream upstream(size, 1000);
    spool.start(upstream, 100'000);
    CHECK(spool.hold().value());
    CHECK(spool.size() == size);
    const int pulls = upstream.pulls;
    CHECK(gives(spool, size));
    CHECK(upstream.pulls == pulls);
  }
}

TEST_CASE("spool: one byte more than the limit is not held on, and nothing is lost") {
  Spool spool;
  Upstream upstream(500'001, 1000);
  spool.start(upstream, 100'000);
  CHECK_FALSE(spool.hold().value());
  CHECK(spool.size() == 101'000);
  CHECK(gives(spool, 500'001));
}

TEST_CASE("spool: beyond the limit a temporary file takes the rest") {
  Spool spool;
  for (const std::size_t memory : {0U, 1U, 65'536U, 1'000'000U}) {
    for (const bool asked : {false, true}) {
      Upstream upstream(1'000'000, 777);
      spool.start(upstream, memory);
      if (asked) CHECK(spool.hold().value() == (memory == 1'000'000));
      REQUIRE(spool.hold_all());
      CHECK(spool.size() == 1'000'000);
      CHECK(gives(spool, 1'000'000));
      CHECK(spool.pull()->kind == Piece::Kind::end);
    }
  }
}

TEST_CASE("spool: what is held can be pulled again, from wherever the last pull stood") {
  Spool spool;
  for (const std::size_t memory : {0U, 65'536U, 100'000U, 1'000'000U}) {
    for (const bool broken : {false, true}) {
      Upstream upstream(200'000, 777, broken);
      spool.start(upstream, memory);
      CHECK(spool.hold_all().has_value() != broken);
      for (int i = 0; i < 3; ++i) {
        REQUIRE(spool.pull());
        spool.rewind();
        CHECK(gives(spool, 200'000, broken ? "cut" : ""));
        spool.rewind();
      }
    }
  }
}

TEST_CASE("spool: what is pulled while it records is given again") {
  Spool spool;
  for (const std::uint64_t pulled : {0U, 1U, 150'000U, 200'000U}) {
    Upstream upstream(200'000, 1000);
    spool.start(upstream, SIZE_MAX);
    spool.record();
    while (spool.size() < pulled) REQUIRE(spool.pull());
    spool.rewind();
    CHECK(gives(spool, 200'000));
    CHECK(spool.size() < pulled + 1000);
  }
}

TEST_CASE("spool: recording ends where there is no room, and nothing is lost by it") {
  Spool spool;
  Upstream upstream(200'000, 1000);
  spool.start(upstream, 50'000);
  spool.record();
  CHECK(gives(spool, 200'000));
  CHECK_FALSE(spool.recording());
  CHECK(spool.size() < 52'000);
}

TEST_CASE("spool: an error of the upstream comes after what was held") {
  Spool spool;
  for (const std::size_t memory : {100U, 100'000U}) {
    Upstream upstream(50'000, 100, true);
    spool.start(upstream, memory);
    CHECK(spool.hold_all().error().id == "cut");
    CHECK(spool.size() == 50'000);
    CHECK(gives(spool, 50'000, "cut"));
  }
}

TEST_CASE("spool: a spool that was not read to its end starts anew") {
  Spool spool;
  Upstream first(300'000, 1000);
  spool.start(first, 1000);
  REQUIRE(spool.hold_all());
  REQUIRE(spool.pull());
  Upstream second(10, 3);
  spool.start(second, 1000);
  CHECK(spool.hold().value());
  CHECK(gives(spool, 10));
}

TEST_CASE("spool: a folder that cannot hold the temporary file is an io error") {
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before != nullptr ? before : "";
  ::setenv("TMPDIR", "/nonexistent-rehead", 1);
  Spool spool;
  Upstream upstream(1000, 10);
  spool.start(upstream, 100);
  auto done = spool.hold_all();
  kept.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", kept.c_str(), 1);
  REQUIRE_FALSE(done);
  CHECK(done.error().code == Errc::io);
}

TEST_CASE("spool: a long body does not stay in memory") {
  constexpr std::uint64_t kLong = std::uint64_t{64} << 20;
  constexpr std::size_t kMemory = std::size_t{8} << 20;
  const std::uint64_t before = resident_peak();
  Spool spool;
  Upstream upstream(kLong, std::size_t{128} << 10);
  spool.start(upstream, kMemory);
  REQUIRE(spool.hold_all());
  CHECK(gives(spool, kLong));
  CHECK(resident_peak() - before < std::uint64_t{16} << 20);
}

}  // namespace
}  // namespace rehead
