// An RE2 expression over texts that may or may not be UTF-8: one that is valid UTF-8 is matched as
// such, any other as Latin-1 (field values are bytes, RFC 9110 5.5).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace re2 {
class RE2;
}

namespace rehead::select {

class Pattern {
 public:
  /// Errors: what RE2 does not understand, in RE2's words.
  static Result<Pattern> compile(const std::string& expression, bool any_case = false);
  Pattern();
  Pattern(Pattern&&) noexcept;
  Pattern& operator=(Pattern&&) noexcept;
  ~Pattern();

  bool found_in(std::string_view text) const;
  /// The expression in the mode `text` asks for.
  const re2::RE2& mode_of(std::string_view text) const;

 private:
  std::unique_ptr<re2::RE2> utf8_;  // null: the expression itself is not UTF-8
  std::unique_ptr<re2::RE2> latin1_;
};

}  // namespace rehead::select
