#include "pipeline/comparison.h"

#include <algorithm>
#include <cstring>

namespace rehead {

Status Comparison::refill() {
  auto got = old_->read(block_);
  if (!got) return state_ = fail(std::move(got.error()));
  window_ = {block_.data(), *got};
  return {};
}

Status Comparison::differ() {
  same_ = false;
  old_.reset();
  auto to = differ_(equal_);
  if (!to) return state_ = fail(std::move(to.error()));
  to_ = *to;
  return {};
}

Status Comparison::write(std::string_view bytes) {
  if (!state_) return state_;
  if (counting_) lines_ += count(bytes, '\n');
  while (same_ && !bytes.empty()) {
    if (window_.empty()) {
      if (auto done = refill(); !done) return done;
    }
    const std::size_t size = std::min(window_.size(), bytes.size());
    if (size != 0 && std::memcmp(window_.data(), bytes.data(), size) == 0) {
      window_.remove_prefix(size);
      bytes.remove_prefix(size);
      equal_ += size;
    } else if (auto done = differ(); !done) {
      return done;
    }
  }
  return to_ == nullptr ? Status() : to_->write(bytes);
}

Status Comparison::flush() {
  if (!state_) return state_;
  return to_ == nullptr ? Status() : to_->flush();
}

Result<bool> Comparison::finish() {
  if (state_ && same_ && window_.empty()) static_cast<void>(refill());
  if (state_ && same_ && !window_.empty()) static_cast<void>(differ());
  if (!state_) return fail(Error(state_.error()));
  return !same_;
}

}  // namespace rehead
