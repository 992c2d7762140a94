#include "pipeline/destination.h"

#include <algorithm>

namespace rehead {

Result<ByteSink*> Destination::begin(std::uint64_t equal) {
  if (auto done = file_.open(name_); !done) return fail(std::move(done.error()));
  plain_.emplace(file_.fd());
  if (wrap_) gzip_.emplace(*plain_);
  ByteSink* sink = wrap_ ? static_cast<ByteSink*>(&*gzip_) : &*plain_;
  if (auto done = copy(equal, *sink); !done) return fail(std::move(done.error()));
  return sink;
}

Status Destination::copy(std::uint64_t size, ByteSink& to) const {
  if (size == 0) return {};
  constexpr std::uint64_t kBlock = std::uint64_t{256} << 10;
  const auto reader = original_.read(wrap_);
  std::string block(kBlock, '\0');
  while (size != 0) {
    auto got = reader->read({block.data(), static_cast<std::size_t>(std::min(kBlock, size))});
    if (!got) return fail(std::move(got.error()));
    if (*got == 0) return original_.check_untouched();
    if (auto done = to.write({block.data(), *got}); !done) return done;
    size -= *got;
  }
  return {};
}

Status Destination::commit(const std::string& suffix, const std::function<Status()>& last_look) {
  if (gzip_) {
    if (auto done = gzip_->finish(); !done) return done;
  }
  if (auto done = plain_->flush(); !done) return done;
  return file_.commit(suffix, last_look);
}

}  // namespace rehead
