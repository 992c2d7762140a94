// What is written, held against what was read: the first difference decides whether there is
// anything to do. In: old bytes from a reader, new bytes by write(). Out: from the first difference
// on, the new bytes.
#pragma once

#include <array>
#include <functional>
#include <memory>

#include "base/io.h"

namespace rehead {

class Comparison final : public ByteSink {
 public:
  /// Called once, at the first difference, with the number of bytes that were equal before it.
  /// Gives the sink that takes all bytes behind them, or null where nobody wants them.
  using Differ = std::function<Result<ByteSink*>(std::uint64_t equal)>;

  explicit Comparison(Differ differ) : differ_(std::move(differ)) {}
  /// The old bytes; before the first write().
  void against(std::unique_ptr<Reader> old) { old_ = std::move(old); }

  Status write(std::string_view bytes) override;
  Status flush() override;
  /// After the last write(): tells whether anything differed.
  Result<bool> finish();
  /// LF written so far.
  std::uint64_t lines() const { return lines_; }
  void count_lines() { counting_ = true; }

 private:
  Status refill();
  Status differ();

  Differ differ_;
  std::unique_ptr<Reader> old_;
  std::array<char, std::size_t{64} << 10> block_;
  std::string_view window_;  // old bytes not compared yet
  std::uint64_t equal_ = 0;
  bool same_ = true;
  bool counting_ = false;
  std::uint64_t lines_ = 0;
  ByteSink* to_ = nullptr;
  Status state_;
};

}  // namespace rehead
