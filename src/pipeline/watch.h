// What a chain changes of each exchange, seen from both of its ends: a source around the source
// notes the heads as read, a sink around the sink compares them with what comes out. Leaves alone:
// the exchanges.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "format/sink.h"
#include "format/source.h"

namespace rehead {

/// A head as text: the start line, then a line for each field, without line ends.
class HeadText {
 public:
  enum class LineEnd : std::uint8_t { none, lf, crlf };

  void take(const http::Message& message);
  /// After take(), of raw HTTP: the lines become those of the file, in their spelling, with the
  /// empty one behind the head.
  void spell_as_stored(const http::Message& message);
  void clear();
  /// none: it is no text of the file.
  LineEnd line_end() const { return line_end_; }
  std::size_t size() const { return shown().ends.size(); }
  /// Bytes of memory.
  std::size_t bytes() const { return meant_.bytes() + stored_.bytes(); }
  std::string_view operator[](std::size_t line) const REHEAD_LIFETIMEBOUND;
  /// True if both mean the same, however it is spelt.
  bool operator==(const HeadText& other) const { return meant_ == other.meant_; }

 private:
  struct Lines {
    std::string text;
    std::vector<std::size_t> ends;
    void end_line() { ends.push_back(text.size()); }
    void clear();
    std::size_t bytes() const { return text.size() + ends.size() * sizeof(std::size_t); }
    bool operator==(const Lines&) const = default;
  };
  const Lines& shown() const { return line_end_ == LineEnd::none ? meant_ : stored_; }

  Lines meant_;
  Lines stored_;  // empty if it is no text of a file
  LineEnd line_end_ = LineEnd::none;
};

/// What became of one message.
struct Change {
  bool there = false;
  std::uint64_t line = 0;      // of its first line in the input, from 1; 0: not known
  std::uint64_t new_line = 0;  // the same in the output
  HeadText before, after;
  std::string body_before;  // in words; empty: there is none
  std::string body_after;   // empty: the body is as it was
};

struct ExchangeChange {
  std::uint64_t number = 0;     // of the message or entry, from 1
  bool alone = true;            // a message on its own: in sides[0]
  bool dropped = false;         // it was not written
  std::array<Change, 2> sides;  // request, response
};

class Watch {
 public:
  using Tell = std::function<void(const ExchangeChange&)>;

  /// `tell` is told of every exchange that changed, whatever did it, in the order of the input,
  /// also of those behind the last one that is wanted; it may be empty.
  explicit Watch(Tell tell) : tell_(std::move(tell)) {}
  /// The two ends. The watch outlives them.
  std::unique_ptr<format::Source> around(std::unique_ptr<format::Source> source);
  std::unique_ptr<format::Sink> around(std::unique_ptr<format::Sink> sink);
  /// Of raw HTTP: gives the line ends written so far.
  void count_lines_by(std::function<std::uint64_t()> lines) { lines_ = std::move(lines); }
  /// After the end of the input: what was read and not written has been left out.
  void finish() { leave_out_before(UINT64_MAX); }
  /// True if a step changed or left out anything. Once true, exchanges are only looked at for
  /// `tell`.
  bool step_changed() const { return step_changed_; }

 private:
  class WatchedSource;
  class WatchedSink;
  void read(const http::Exchange& exchange);
  Status write(http::Exchange& exchange, format::Sink& sink);
  void take(const http::Message& message, HeadText& text) const;
  void leave_out_before(std::uint64_t number);
  bool wanted() const { return tell_ || !step_changed_; }

  Tell tell_;
  std::function<std::uint64_t()> lines_;
  std::deque<ExchangeChange> pending_;  // read, not yet written
  std::size_t held_back_ = 0;           // bytes in pending_
  ExchangeChange spare_;                // for its memory
  HeadText now_;
  bool step_changed_ = false;
  bool beyond_ = false;  // what is read now is only to be told as left out
};

}  // namespace rehead
