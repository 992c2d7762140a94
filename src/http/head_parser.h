// Reads one head into the map: start line, field lines, the empty line (RFC 9112 2.2, 3-5), with
// the oddities that people meet repaired or refused. Bytes before the head (blank lines, BOM) are
// the source's affair.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "http/message.h"
#include "http/plain_head.h"
#include "http/policy.h"

namespace rehead::http {

/// Why a `###` line is no part of a message.
inline constexpr std::string_view kScriptHint =
    "'###' lines part the requests of an editor's request script: send it first, or keep one plain "
    "request a file";

class HeadParser {
 public:
  explicit HeadParser(const Policy& policy) : policy_(&policy) {}

  struct Outcome {
    bool more = false;      // the head is not complete in `window`: ask again with more bytes
    std::size_t size = 0;   // bytes of the head, empty line included
    std::size_t lines = 0;  // line ends in it
  };
  /// `window` begins with the first byte of the head; `at_end`: there is no more. Fills `message`,
  /// whose views point into `window` or its arena; findings() holds what is worth telling. The
  /// answer depends on the bytes alone, not on how much of what follows stands in the window.
  /// Offsets and lines in findings and errors count from the window's start (line 0 is the first).
  Result<Outcome> parse(std::string_view window, bool at_end, Message& message);
  /// The same line by line, without the fast path for ordinary heads.
  Result<Outcome> parse_by_line(std::string_view window, bool at_end, Message& message);
  const std::vector<Finding>& findings() const { return findings_; }

 private:
  struct Line {
    std::string_view text;   // without its line end
    std::string_view all;    // with it
    std::size_t at = 0;      // offset of its first byte
    std::size_t number = 0;  // from 0
    bool crlf = false;
  };
  static Field as_read(const Line& line, std::size_t colon);
  static Field respelt(std::string_view name, std::string_view value, Message& message);
  Status start_line(const Line& line, Message& message);
  Status one_line(Line line, Message& message);
  Status field_line(const Line& line, Message& message);
  Status unusual_line(const Line& line, std::size_t colon, Message& message);
  Status fold(const Line& line, Message& message);
  void unfold(Message& message);
  Result<std::optional<Outcome>> plain(std::string_view window, Message& message);
  Result<Outcome> lines(std::string_view window, bool at_end, Message& message);
  static tl::unexpected<Error> escape(const Line& line);
  Result<Line> without_controls(Line line, Message& message);
  Result<Outcome> input_ended(const Line& rest, Message& message);
  Status oddity(const Line& line, std::string_view id, const std::string& what,
                std::string_view done, std::string_view detail = {});

  const Policy* policy_;
  PlainHead plain_;
  std::vector<Finding> findings_;
  std::size_t crlf_lines_ = 0;  // lines that ended in CRLF
  bool careful_ = false;        // look at each line for NUL and bare CR
  std::string folded_;          // the value of the last field so far, if folding_
  bool folding_ = false;
  bool foldable_ = false;  // the line before was a field that a fold would extend
};

}  // namespace rehead::http
