#include "codec/blocks.h"

#include <algorithm>

namespace rehead::codec {

void Blocks::start(ByteSource& upstream, std::size_t size, bool cut_at_idle, std::size_t least) {
  upstream_ = &upstream;
  if (size_ != size) bytes_ = std::make_unique_for_overwrite<char[]>(size);
  size_ = goal_ = size;
  cut_at_idle_ = cut_at_idle;
  least_ = least;
  filled_ = 0;
  rest_ = {};
  ended_ = false;
  failure_.reset();
}

Result<Block> Blocks::next() {
  const auto give = [&](Block::After after) {
    const Block block{{bytes_.get(), filled_}, after};
    goal_ = filled_ == goal_ ? size_ : goal_ - filled_;
    filled_ = 0;
    if (!block.bytes.empty()) least_ = 0;
    return block;
  };
  while (true) {
    if (filled_ == 0 && rest_.size() >= goal_) {  // nothing to join: no copy
      const Block block{rest_.substr(0, goal_), Block::After::more};
      rest_.remove_prefix(goal_);
      goal_ = size_;
      least_ = 0;
      return block;
    }
    const std::size_t taken = std::min(rest_.size(), goal_ - filled_);
    std::copy_n(rest_.data(), taken, bytes_.get() + filled_);
    filled_ += taken;
    rest_.remove_prefix(taken);
    if (filled_ == goal_ || (filled_ != 0 && failure_)) return give(Block::After::more);
    if (failure_) return fail(*failure_);
    if (ended_) return give(Block::After::end);
    auto piece = upstream_->pull();
    if (!piece) {
      failure_ = std::move(piece.error());
    } else if (piece->kind == Piece::Kind::bytes) {
      rest_ = piece->bytes;
    } else if (piece->kind == Piece::Kind::end) {
      ended_ = true;
    } else {
      const bool cut = cut_at_idle_ && (filled_ == 0 || filled_ >= least_);
      return cut ? give(Block::After::idle) : Block{{}, Block::After::idle};
    }
  }
}

}  // namespace rehead::codec
