// What the user allows: limits, strictness, and how heads and bodies are judged. One per run.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/stats.h"

namespace rehead::http {

/// In bytes unless named otherwise; the options --max-*, --hold raise or lower some of them.
struct Limits {
  std::size_t max_head = std::size_t{1} << 20;       // one head; trailers have the same limit
  std::size_t max_fields = 10'000;                   // fields in one head
  std::uint64_t max_body = std::uint64_t{1} << 30;   // content decoded by a step
  std::uint64_t max_entry = std::uint64_t{1} << 30;  // one HAR entry
  std::size_t hold = std::size_t{8} << 20;  // held in memory to learn a size; 0 = never hold
  std::uint64_t max_ratio = 1'100;          // decoded : coded over the whole chain of codings
  std::uint64_t ratio_free = std::uint64_t{1} << 20;  // decoded bytes before the ratio counts
  std::size_t max_codings = 5;                        // over all field lines
  std::size_t max_extension = std::size_t{16} << 10;  // extensions of one chunk
  std::size_t max_depth = 1'024;                      // JSON nesting
  std::size_t look_ahead = std::size_t{64} << 10;     // for a framing decision
};

enum class Strictness : std::uint8_t { normal, strict, lenient };
enum class FramingMode : std::uint8_t { automatic, wire, curl, eof };
enum class SplitMode : std::uint8_t { automatic, never };
enum class EolMode : std::uint8_t { crlf, keep };

struct Policy {
  Limits limits = {};
  Strictness strictness = Strictness::normal;
  FramingMode framing = FramingMode::automatic;
  SplitMode split = SplitMode::automatic;
  EolMode eol = EolMode::crlf;  // keep: a head all in bare LF leaves with bare LF
  bool in_place =
      false;  // -I, --output-dir: no body byte of the user's file may go
  bool check = false;  // --check: places are told, not changes made
  bool empty_fails = false;  // -o: nothing read is nothing to put in the place of a file
  bool judge_bodies = true;  // false: a short body that nobody reads is a warning

  Stats* stats = nullptr;  // --stats: what is counted; not owned

  bool strict() const { return strictness == Strictness::strict; }
  bool lenient() const { return strictness == Strictness::lenient; }
};

}  // namespace rehead::http
