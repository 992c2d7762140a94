#include "pipeline/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "pipeline/split_output.h"

namespace rehead {

Output::Output() = default;

Result<std::unique_ptr<Output>> Output::open(const std::string& name) {
  if (!NameTemplate::has_places(name)) return open_file(name);
  auto places = NameTemplate::parse(name);
  if (!places) return fail(std::move(places.error()));
  std::unique_ptr<Output> output(new Output);
  output->name_ = name;
  output->split_ = std::make_unique<SplitOutput>(std::move(*places));
  return output;
}

Result<std::unique_ptr<Output>> Output::open_part(const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code failed_to;
  const fs::path folder = fs::path(name).parent_path();
  if (!folder.empty()) fs::create_directories(folder, failed_to);
  if (failed_to) {
    return system_error("open-output", "cannot make its folder", failed_to.value());
  }
  auto output = open_file(name);
  if (output) (*output)->file_.hasten();
  return output;
}

Result<std::unique_ptr<Output>> Output::open_file(const std::string& name) {
  std::unique_ptr<Output> output(new Output);
  struct stat status {};
  if (name.empty() || name == "-") {
    output->name_ = "<stdout>";
    output->fd_ = STDOUT_FILENO;
    // prepare_process() puts a descriptor that cannot be written where there was none.
    if ((::fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE) == O_RDONLY) {
      return fail({Errc::io, "output-closed", "standard output is closed"});
    }
  } else if (output->name_ = name; ::stat(name.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    output->fd_ = ::open(name.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (output->fd_ < 0) return system_error("open-output", "cannot write", errno);
  } else if (auto done = output->file_.open(name); !done) {
    return fail(std::move(done.error()));
  }
  output->begin_writing();
  return output;
}

void Output::begin_writing() {
  plain_.emplace(file_.begun() ? file_.fd() : fd_);
  if (name_.ends_with(".gz")) gzip_ = std::make_unique<codec::GzipSink>(*plain_);
}

ByteSink& Output::sink() {
  if (split_) return *split_;
  return gzip_ ? static_cast<ByteSink&>(*gzip_) : *plain_;
}

bool Output::replaces() const { return split_ ? split_->replaces() : file_.begun(); }

std::uint64_t Output::written() const {
  return split_ ? split_->written() : written_ + (plain_ ? plain_->written() : 0);
}

/// What is held leaves the program.
Status Output::finish_writing() {
  if (gzip_) {
    if (auto done = gzip_->finish(); !done) return done;
  }
  return plain_->flush();
}

Status Output::commit() {
  if (split_) return split_->commit();
  if (!plain_) {
    if (auto done = resume(); !done) return done;
  }
  if (auto done = finish_writing(); !done) return done;
  if (file_.begun()) return file_.commit();
  // Some file systems tell only here that there was no room.
  const int closed = ::close(fd_);
  fd_ = -1;
  if (closed != 0 && errno != EINTR) return system_error("write", "cannot write", errno);
  return {};
}

Status Output::park() {
  if (auto done = finish_writing(); !done) return done;
  written_ += plain_->written();
  gzip_.reset();
  plain_.reset();
  return file_.park();
}

/// Of gzip another member follows (RFC 1952 2.2).
Status Output::resume() {
  if (auto done = file_.resume(); !done) return done;
  begin_writing();
  return {};
}

Output::~Output() {
  if (fd_ >= 0 && fd_ != STDOUT_FILENO) ::close(fd_);
}

}  // namespace rehead
