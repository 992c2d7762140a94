#include "pipeline/turns.h"

namespace rehead {

bool Turns::is_on(std::size_t index) {
  const std::lock_guard lock(mutex_);
  return now_ == index && index <= last_;
}

void Turns::wait_for(std::size_t index) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return now_ == index || index > last_; });
}

void Turns::pass_on() {
  const std::lock_guard lock(mutex_);
  ++now_;
  changed_.notify_all();
}

void Turns::call_off() {
  const std::lock_guard lock(mutex_);
  last_ = now_;
  changed_.notify_all();
}

bool Turns::is_off(std::size_t index) {
  const std::lock_guard lock(mutex_);
  return index > last_;
}

Status TurnSink::write(std::string_view bytes) {
  if (released_) return shared_.write(bytes);
  if (turns_.is_off(index_)) return fail({Errc::pipe, "pipe", "nobody wants it any more"});
  if (held_.size() + bytes.size() > hold_) turns_.wait_for(index_);
  if (turns_.is_on(index_)) {
    if (auto done = release(); !done) return done;
    return shared_.write(bytes);
  }
  held_ += bytes;
  return {};
}

Status TurnSink::flush() {
  if (!released_ && !turns_.is_on(index_)) return {};
  if (auto done = release(); !done) return done;
  return shared_.flush();
}

Status TurnSink::release() {
  released_ = true;
  if (held_.empty()) return shared_.write({});
  const std::string held = std::move(held_);
  return shared_.write(held);
}

}  // namespace rehead
