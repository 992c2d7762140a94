#include "pipeline/progress.h"

#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "base/ascii.h"

namespace rehead {
namespace {

constexpr std::chrono::milliseconds kPause{100};  // between two drawings

std::string two_digits(std::uint64_t number) {
  return (number < 10 ? "0" : "") + std::to_string(number);
}

/// 7 s, 3:07, 2:03:07
std::string time_text(std::uint64_t seconds) {
  if (seconds < 60) return std::to_string(seconds) + " s";
  const std::uint64_t minutes = seconds / 60;
  const std::string end = ":" + two_digits(seconds % 60);
  if (minutes < 60) return std::to_string(minutes) + end;
  return std::to_string(minutes / 60) + ":" + two_digits(minutes % 60) + end;
}

std::uint64_t megabytes(double bytes) { return static_cast<std::uint64_t>(bytes / 1e6); }

}  // namespace

std::string progress_text(Progress::Work work, Progress::Work done, double seconds) {
  const auto bytes = static_cast<double>(done.bytes);
  const double speed = seconds > 0 ? bytes / seconds : 0;
  std::string text = "rehead: " + std::to_string(done.files) + "/" + std::to_string(work.files) +
                     " files, " + std::to_string(megabytes(bytes));
  if (work.bytes != 0) text += " of " + std::to_string(megabytes(static_cast<double>(work.bytes)));
  text += " MB, " + std::to_string(megabytes(speed)) + " MB/s";
  if (work.bytes >= done.bytes && speed > 0) {
    const double left = static_cast<double>(work.bytes - done.bytes) / speed;
    text += ", " + time_text(static_cast<std::uint64_t>(left + 0.999)) + " left";
  }
  return text;
}

void Progress::read(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  bytes_ += bytes;
  if (Clock::now() >= next_) draw();
}

void Progress::file_done() {
  const std::lock_guard lock(mutex_);
  ++files_;
}

void Progress::draw() {
  const std::chrono::duration<double> spent = Clock::now() - start_;
  std::string line = progress_text(work_, {files_, bytes_}, spent.count());
  const std::size_t columns = columns_();
  if (columns > 0 && line.size() >= columns) line.resize(columns - 1);
  // There is nobody to tell that stderr cannot be written.
  static_cast<void>(err_.write("\r" + line + "\x1b[K") && err_.flush());
  drawn_ = true;
  next_ = Clock::now() + kPause;
}

void Progress::erase() {
  if (drawn_) static_cast<void>(err_.write("\r\x1b[K"));
  drawn_ = false;
}

void Progress::finish() {
  const std::lock_guard lock(mutex_);
  erase();
  static_cast<void>(err_.flush());
}

Status Progress::write(std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  erase();
  return err_.write(bytes);
}

bool wants_progress(const Job& job) {
  if (job.progress != When::automatic) return job.progress == When::always;
  const char* kind = std::getenv("TERM");
  const bool dumb = kind != nullptr && std::string_view(kind) == "dumb";
  if (::isatty(STDERR_FILENO) != 1 || dumb) return false;
  if (job.in_place || job.check || !job.output_dir.empty()) return true;
  if (!(job.output.empty() || job.output == "-")) return true;
  // What reads a pipe may be a pager on the same terminal.
  struct stat out {};
  return ::isatty(STDOUT_FILENO) != 1 && ::fstat(STDOUT_FILENO, &out) == 0 &&
         !S_ISFIFO(out.st_mode) && !S_ISSOCK(out.st_mode);
}

std::size_t terminal_columns() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0) return size.ws_col;
  const char* columns = std::getenv("COLUMNS");
  const auto number = columns == nullptr ? std::nullopt : ascii::decimal(columns, 10'000);
  return number && *number > 1 ? static_cast<std::size_t>(*number) : 80;
}

Progress::Work work_of(const std::vector<std::string>& files) {
  Progress::Work work{.files = files.size()};
  for (const std::string& file : files) {
    struct stat status {};
    const int found = file == "-" ? ::fstat(STDIN_FILENO, &status) : ::stat(file.c_str(), &status);
    if (found != 0) continue;
    if (!S_ISREG(status.st_mode)) return {.files = files.size()};
    work.bytes += static_cast<std::uint64_t>(status.st_size);
  }
  return work;
}

}  // namespace rehead
