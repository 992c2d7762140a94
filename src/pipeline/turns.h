// Work on several files at once whose results come out in the order of the files. Each file has its
// turn: until then what it writes is held back, up to a limit at which it waits.
//
// The files are begun in their order, so the one whose turn it is is always being worked on, and
// waiting comes to an end.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <limits>
#include <mutex>
#include <string>

#include "base/io.h"

namespace rehead {

class Turns {
 public:
  bool is_on(std::size_t index);
  /// Waits until it is the turn of `index`, or all is called off.
  void wait_for(std::size_t index);
  /// The file whose turn it is has had it.
  void pass_on();
  /// Nothing is wanted any more of what comes behind the turn that is on.
  void call_off();
  /// True if nothing is wanted of `index` any more.
  bool is_off(std::size_t index);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t now_ = 0;
  std::size_t last_ = std::numeric_limits<std::size_t>::max();
};

/// What one file writes into an output that all share.
class TurnSink final : public ByteSink {
 public:
  /// `hold`: bytes held back before it waits.
  TurnSink(Turns& turns, std::size_t index, ByteSink& shared, std::size_t hold)
      : turns_(turns), index_(index), shared_(shared), hold_(hold) {}
  /// An Error of the pipe once nothing is wanted any more.
  Status write(std::string_view bytes) override;
  Status flush() override;
  /// Everything held back goes out; it must be the turn.
  Status release();

 private:
  Turns& turns_;
  std::size_t index_;
  ByteSink& shared_;
  std::size_t hold_;
  std::string held_;
  bool released_ = false;
};

}  // namespace rehead
