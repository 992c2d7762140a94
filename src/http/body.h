// The body of one message: pulled, never held. A step puts a filter in front of it.
//
//   wire bytes --(chunk lines off)--> content --(filter)--> content --(filter)--> content
//        coded()                                                              content()
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "base/io.h"

namespace rehead::http {

/// Content in, content out: a ByteSource over the ByteSource it is attached to.
class Filter : public ByteSource {
 public:
  /// Starts anew over `upstream`, which outlives the message.
  virtual void attach(ByteSource& upstream) = 0;
};

/// A size that takes a pass over the bytes to learn, and is asked for only where it is needed.
class Measure {
 public:
  virtual ~Measure() = default;
  virtual std::optional<std::uint64_t> measure() = 0;
  /// The size that is told of bytes that were not recorded.
  virtual std::optional<std::uint64_t> told() = 0;
};

/// Transfer codings that were undone beneath the content: the limits of the codings upon it count
/// them, too.
struct Undone {
  std::size_t codings = 0;
  const std::uint64_t* coded = nullptr;  // counts the coded bytes taken; null if there were none
};

class Body {
 public:
  /// For a source, once per message. `coded` gives the bytes as they came, own chunk lines
  /// included; `content` the same without transfer coding. Only one of the two is ever pulled.
  /// `unframe` makes the content of coded bytes that were read ahead; null: those bytes are not
  /// needed any more once the content is known.
  void start(ByteSource& coded, ByteSource& content, std::optional<std::uint64_t> size,
             Filter* unframe = nullptr) {
    coded_ = &coded;
    content_ = &content;
    unframe_ = unframe;
    size_ = size;
    measure_ = told_ = nullptr;
    touched_ = too_long_ = false;
    undone_ = {};
  }
  /// The content is now behind them: its size is another.
  void undone(const Undone& undone) {
    undone_ = undone;
    size_.reset();
  }
  const Undone& undone() const { return undone_; }
  /// The same where the bytes as they came are the content, of a size to be learnt.
  void start(ByteSource& content, Measure& size) {
    start(content, content, std::nullopt);
    measure_ = told_ = &size;
  }
  /// Bytes of content(), if known before reading.
  std::optional<std::uint64_t> size() const {
    if (measure_ != nullptr) size_ = std::exchange(measure_, nullptr)->measure();
    return size_;
  }
  /// What the input tells of the size where the bytes themselves were not recorded (HAR): the body
  /// then counts as empty.
  std::optional<std::uint64_t> told_size() const {
    return told_ == nullptr || touched_ ? std::nullopt : told_->told();
  }
  /// True once a step put something in front of the bytes as they came.
  bool touched() const { return touched_; }
  ByteSource& coded() const { return *coded_; }
  ByteSource& content() const { return *content_; }
  /// True if the bytes as they came are another thing than the content, and may still be asked for.
  bool framed() const { return unframe_ != nullptr && !touched_; }
  /// The same bytes from elsewhere, read ahead: those of coded() if framed(), else those of
  /// content(). See HeldBody.
  void reread(ByteSource& held, std::optional<std::uint64_t> size) {
    content_ = &held;
    if (!touched_) coded_ = &held;
    if (framed()) {
      unframe_->attach(held);
      content_ = unframe_;
    }
    if (!size) return;
    size_ = size;
    measure_ = nullptr;
  }
  /// Puts `filter` in front of the content. `filter` belongs to the step and outlives the message.
  void filter(Filter& filter, std::optional<std::uint64_t> size = std::nullopt) {
    filter.attach(*content_);
    replace(filter, size);
  }
  /// Other content instead; `content` belongs to the step and outlives the message.
  /// `too_long`: its size is unknown, but more than may be held.
  void replace(ByteSource& content, std::optional<std::uint64_t> size, bool too_long = false) {
    content_ = &content;
    size_ = size;
    measure_ = nullptr;
    touched_ = true;
    too_long_ = too_long;
  }
  bool too_long() const { return too_long_; }

 private:
  ByteSource* coded_ = nullptr;
  ByteSource* content_ = nullptr;
  Filter* unframe_ = nullptr;
  mutable Measure* measure_ = nullptr;  // not asked yet
  Measure* told_ = nullptr;
  mutable std::optional<std::uint64_t> size_;
  bool touched_ = false;
  bool too_long_ = false;
  Undone undone_;
};

}  // namespace rehead::http
