// What `sub` does to a text: '/RE2/NEW/FLAGS', every match replaced, with flag 1 the first alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "select/pattern.h"

namespace rehead::transform {

class Replacement {
 public:
  /// What is typed, for a hint.
  static constexpr std::string_view kForm =
      "sub 'location:/^http:/https:/', any sign instead of the slash, flags i and 1";

  /// Any sign may stand for the slash; \1 to \9 and \0 in NEW are groups.
  static Result<Replacement> parse(std::string_view text);

  /// What becomes of `value` stands in `into`. False if it stays as it is; nullopt if it would be
  /// larger than `most` bytes.
  std::optional<bool> apply(std::string_view value, std::string& into, std::uint64_t most) const;
  /// NEW as typed.
  const std::string& rewrite() const { return rewrite_; }

 private:
  Replacement() = default;
  select::Pattern pattern_;
  std::string rewrite_;
  bool first_only_ = false;
};

}  // namespace rehead::transform
