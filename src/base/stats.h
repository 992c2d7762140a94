// What --stats counts. Shared by all that work at the same time.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace rehead {

struct Stats {
  using Clock = std::chrono::steady_clock;
  using Count = std::atomic<std::uint64_t>;

  Count files = 0;
  Count messages = 0;        // entries of a HAR, too
  Count header_maps = 0;     // heads loaded, and copies of them
  Count bytes_in = 0;        // as stored, gzip not undone
  Count bytes_out = 0;       // as stored
  Count bodies_decoded = 0;  // content codings taken off
  // Nanoseconds by stage. Bodies are pulled, so reading and decoding them counts as writing.
  Count reading = 0;
  Count steps = 0;
  Count writing = 0;
  Clock::time_point start = Clock::now();
};

/// Adds the time while it lives to `stage`; null: no clock is looked at.
class StageTimer {
 public:
  explicit StageTimer(Stats::Count* stage) : stage_(stage) {
    if (stage_ != nullptr) start_ = Stats::Clock::now();
  }
  ~StageTimer() {
    if (stage_ == nullptr) return;
    const auto spent = std::chrono::nanoseconds(Stats::Clock::now() - start_).count();
    *stage_ += static_cast<std::uint64_t>(spent);
  }
  StageTimer(const StageTimer&) = delete;
  StageTimer& operator=(const StageTimer&) = delete;

 private:
  Stats::Count* stage_;
  Stats::Clock::time_point start_;
};

}  // namespace rehead
