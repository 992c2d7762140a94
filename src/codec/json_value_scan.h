// Finds the end of one JSON value of any kind that arrives in pieces. Strings are checked for their
// closing quote, containers for strings and brackets, a bare word ends where another token begins.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "base/result.h"
#include "codec/json_bitmap.h"

namespace rehead::codec {

class JsonValueScan {
 public:
  /// The value begins at `at` of `window`. It may nest `max_depth` levels. `remember`: see JsonScan.
  void start(std::string_view window, std::size_t at, std::size_t max_depth, bool remember);
  /// Looks at what is new in `window`, which begins where it began before. True once seen() is the
  /// end. Errors have the byte counted from the start of the window.
  Result<bool> advance(std::string_view window);
  std::size_t begin() const { return begin_; }
  /// How far the window was looked at.
  std::size_t seen() const { return seen_; }
  /// The next window begins at seen(). Only where nothing is remembered.
  void forget();
  std::span<const JsonScan::Container> containers() const { return scan_.containers(); }

 private:
  Result<bool> container(std::string_view window);
  bool string(std::string_view window);

  JsonScan scan_;
  std::size_t begin_ = 0;
  std::size_t seen_ = 0;
  char first_ = 0;  // of the value
};

}  // namespace rehead::codec
