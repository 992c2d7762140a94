// A body for tests: bytes cut into pieces, with idle in between and an error at the end if wanted.
// Each piece stands in a heap block of its own size, which dies at the next pull, so that a
// sanitizer sees what reads beyond it or after it.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "base/io.h"

namespace rehead::test {

class Pieces final : public ByteSource {
 public:
  /// Pieces of `step` bytes.
  explicit Pieces(std::string bytes, std::size_t step = SIZE_MAX)
      : bytes_(std::move(bytes)), step_(step) {}

  /// Pieces of random sizes up to `step`, with idle before about every third.
  Pieces&& random(unsigned seed) {
    random_.emplace(seed);
    return std::move(*this);
  }
  /// Idle before every piece and before the end.
  Pieces&& live() {
    live_ = true;
    return std::move(*this);
  }
  /// The end is this error.
  Pieces&& broken(Error error) {
    error_ = std::move(error);
    return std::move(*this);
  }

  Result<Piece> pull() override {
    piece_.reset();
    const bool pause = live_ || (random_ && (*random_)() % 3 == 0);
    if (pause && !paused_) {
      paused_ = true;
      return Piece{Piece::Kind::idle};
    }
    paused_ = false;
    if (at_ == bytes_.size()) {
      if (error_) return tl::unexpected<Error>(*error_);
      return Piece{};
    }
    std::size_t size = std::min(step_, bytes_.size() - at_);
    if (random_) size = 1 + (*random_)() % size;
    piece_ = std::make_unique<char[]>(size);
    std::copy_n(bytes_.data() + at_, size, piece_.get());
    at_ += size;
    return Piece{Piece::Kind::bytes, {piece_.get(), size}};
  }

 private:
  std::string bytes_;
  std::size_t step_;
  std::size_t at_ = 0;
  std::optional<std::mt19937> random_;
  bool live_ = false;
  bool paused_ = false;
  std::optional<Error> error_;
  std::unique_ptr<char[]> piece_;
};

/// What a body gave until its end or an error.
struct Drained {
  std::string bytes;
  std::optional<Error> error = {};
  std::vector<std::string> events = {};  // what came between two idle pieces, empty ones left out
};

inline Drained drain(ByteSource& source) {
  Drained all;
  std::string event;
  const auto close = [&] {
    if (!event.empty()) all.events.push_back(std::exchange(event, {}));
  };
  while (true) {
    auto piece = source.pull();
    if (!piece) {
      all.error = piece.error();
      close();
      return all;
    }
    if (piece->kind == Piece::Kind::end) {
      close();
      return all;
    }
    if (piece->kind == Piece::Kind::idle) close();
    event += piece->bytes;
    all.bytes += piece->bytes;
  }
}

/// Keeps what was reported.
class Log final : public Diagnostics {
 public:
  void report(const Finding& finding) override {
    if (finding.level == Level::warning) warnings.emplace_back(finding.id);
    if (finding.level == Level::note) notes.emplace_back(finding.id);
    texts.push_back(finding.what);
  }
  std::vector<std::string> warnings;  // ids
  std::vector<std::string> notes;     // ids
  std::vector<std::string> texts;
};

/// Text-like content of `size` bytes: words of a few letters, so that it compresses to about a
/// third.
inline std::string words(std::size_t size, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::string text;
  text.reserve(size + 16);
  while (text.size() < size) {
    const auto word = static_cast<unsigned>(random() % 1000);
    for (unsigned i = 0; i < 3 + word % 7; ++i)
      text += static_cast<char>('a' + word * (i + 3) % 26);
    text += word % 17 == 0 ? '\n' : ' ';
  }
  text.resize(size);
  return text;
}

}  // namespace rehead::test
