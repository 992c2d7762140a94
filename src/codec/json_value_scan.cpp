#include "codec/json_value_scan.h"

#include <algorithm>
#include <string>

namespace rehead::codec {
namespace {

constexpr bool ends_word(char c) {
  return std::string_view(" \t\n\r,:\"{}[]").find(c) != std::string_view::npos;
}

}  // namespace

void JsonValueScan::start(std::string_view window, std::size_t at, std::size_t max_depth,
                          bool remember) {
  begin_ = seen_ = at;
  first_ = window[at];
  if (first_ == '"') ++seen_;
  if (first_ == '{' || first_ == '[') scan_.start(max_depth, remember);
}

void JsonValueScan::forget() {
  begin_ = seen_ = 0;
  scan_.forget();
}

Result<bool> JsonValueScan::advance(std::string_view window) {
  if (first_ == '{' || first_ == '[') return container(window);
  if (first_ == '"') return string(window);
  while (seen_ < window.size() && !ends_word(window[seen_])) ++seen_;
  if (seen_ == window.size()) return false;
  if (!ends_word(first_)) return true;
  return fail(
      {.code = Errc::syntax, .id = "har-json", .what = "a value is missing", .byte = seen_});
}

Result<bool> JsonValueScan::container(std::string_view window) {
  using State = JsonScan::State;
  const State state = scan_.advance(window.substr(begin_));
  seen_ = begin_ + scan_.position();
  if (state == State::mismatch) {
    return fail({.code = Errc::syntax,
                 .id = "har-json",
                 .what = std::string(1, window[seen_]) + " closes a bracket of another kind",
                 .byte = seen_});
  }
  if (state == State::too_deep) {
    return fail({.code = Errc::limit,
                 .id = "json-depth",
                 .what = "JSON is nested too deep",
                 .byte = seen_});
  }
  return state == State::complete;
}

bool JsonValueScan::string(std::string_view window) {
  std::size_t quote = window.find('"', seen_);
  while (true) {
    const std::size_t end = std::min(quote, window.size());
    const std::size_t escape = window.substr(0, end).find('\\', seen_);
    if (escape == window.npos) {
      seen_ = quote == window.npos ? end : end + 1;
      return quote != window.npos;
    }
    seen_ = escape;  // an escape that is cut is looked at again
    if (escape + 1 >= window.size()) return false;
    seen_ += 2;
    if (quote < seen_) quote = window.find('"', seen_);
  }
}

}  // namespace rehead::codec
