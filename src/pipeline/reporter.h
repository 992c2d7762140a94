// Diagnostics on stderr. In: findings and errors without a place. Out: one line
// each, with file, message, line and byte, and one indented hint; or a JSON object each. Adds up
// what the exit status will be. No control byte of the input, of a file name or of a typed word
// gets through.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/io.h"
#include "base/result.h"

namespace rehead {

/// What became of the messages of one file.
struct Counts {
  std::uint64_t read = 0;         // exchanges the source gave
  std::uint64_t written = 0;      // of these, the ones that reached the sink
  std::string_view verdict = {};  // what became of the file itself, static text; may be empty
};

class Reporter final : public Diagnostics {
 public:
  struct Style {
    bool quiet = false;    // errors only
    bool verbose = false;  // notes too, and a summary per file
    bool json = false;     // one JSON object per diagnostic
  };
  /// The same kind of warning or note (by id) is shown this often per file, the rest is counted.
  static constexpr std::uint64_t kShown = 5;

  /// `status_of` gives the exit status an error stands for.
  Reporter(ByteSink& out, int (*status_of)(Errc)) : out_(&out), status_of_(status_of) {}
  /// Speaks as `other` does, of files of its own, which `other` may absorb().
  Reporter(ByteSink& out, const Reporter& other)
      : out_(&out), status_of_(other.status_of_), style_(other.style_) {}
  void style(Style style) { style_ = style; }
  /// Counts what `other` told as its own.
  void absorb(const Reporter& other);
  /// Where it writes to.
  ByteSink& out() { return *out_; }
  /// From now on it writes there.
  void redirect(ByteSink& out) { out_ = &out; }
  bool quiet() const { return style_.quiet; }

  /// What follows is about this file; an empty name: about none.
  void begin_file(std::string_view name);
  /// True: what is numbered in this file is called entry, not message.
  void count_entries(bool entries) { entries_ = entries; }
  /// What follows is about this message (from 1; 0 = the file as a whole).
  void at(std::uint64_t message) { message_ = message; }
  void report(const Finding& finding) override;
  void say_no() override { no_ = true; }
  void receipt(std::string members) override;
  const std::vector<std::string>& receipts() const { return receipts_; }
  std::uint64_t times(std::string_view id) const override;
  /// Findings about repairs of what is written wait until it is known whether it is.
  void hold_repairs() { holding_ = true; }
  void release_repairs(bool written);
  /// Errc::pipe is only noted.
  void fail(const Error& error);
  /// Tells how often what was held back occurred, and with -v what was done.
  void end_file(Counts counts);
  /// True if the current file had an error.
  bool file_failed() const { return file_status_ != 0; }
  /// True if anything had an error.
  bool failed() const { return status_ != 0; }
  /// The last line, if several files were read and some failed; returns the exit status.
  int finish();

 private:
  void raise(Errc code);
  void print(const Finding& finding, std::uint64_t message);
  void print_text(const Finding& finding, std::uint64_t message);
  void print_json(const Finding& finding, std::uint64_t message);

  ByteSink* out_;
  int (*status_of_)(Errc);
  Style style_;
  std::string file_;
  bool entries_ = false;
  std::uint64_t message_ = 0;
  struct Seen {
    std::uint64_t count = 0;
    std::uint64_t all = 0;  // shown or not, errors too
    Level level = Level::warning;
  };
  std::map<std::string_view, Seen> seen_;  // warnings and notes of this file, by id
  bool holding_ = false;
  std::vector<Finding> held_;
  std::vector<std::string> receipts_;  // of the inputs so far
  std::uint64_t files_ = 0;
  std::vector<std::string> failed_files_;
  int file_status_ = 0;
  int status_ = 0;
  bool no_ = false;
};

/// A file name or a typed word for stderr: as it is if it is printable ASCII, else quoted, whole.
std::string printable(std::string_view name);

}  // namespace rehead
