// How far a run has come, as one line on stderr that is drawn anew: files, bytes, speed, time left.
// Diagnostics go through here, so that they never stand in the middle of it.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

#include "base/io.h"
#include "pipeline/job.h"

namespace rehead {

class Progress final : public ByteSink {
 public:
  using Clock = std::chrono::steady_clock;

  /// What there is to do. `bytes`: as stored; 0: not known.
  struct Work {
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
  };
  /// `err` is stderr, `columns` gives its width, which may change; at first nothing is drawn for `patience`.
  Progress(ByteSink& err, Work work, std::size_t (*columns)(), Clock::duration patience)
      : err_(err), work_(work), columns_(columns), next_(Clock::now() + patience) {}

  /// Any thread may tell what it has done.
  void read(std::uint64_t bytes);
  void file_done();
  /// Takes the line away.
  void finish();

  // Diagnostics.
  Status write(std::string_view bytes) override;
  Status flush() override { return err_.flush(); }

 private:
  void draw();
  void erase();

  std::mutex mutex_;
  ByteSink& err_;
  Work work_;
  std::size_t (*columns_)();
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_;
  std::uint64_t files_ = 0, bytes_ = 0;
  bool drawn_ = false;
};

/// The line after `seconds`.
std::string progress_text(Progress::Work work, Progress::Work done, double seconds);

/// True if it is wanted: always, or where stderr is a terminal and messages go to no terminal.
bool wants_progress(const Job& job);
/// Of stderr, else COLUMNS, else 80.
std::size_t terminal_columns();
/// What the files of a job amount to.
Progress::Work work_of(const std::vector<std::string>& files);

}  // namespace rehead
