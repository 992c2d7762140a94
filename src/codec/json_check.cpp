// A text in, a verdict out: RFC 8259 2 (grammar), 6 (numbers), 7 (strings), 8.1 (UTF-8), 8.2 (lone
// surrogates). No recursion: the open brackets stand on a stack of bytes.
#include "codec/json_check.h"

#include <charconv>
#include <cmath>

#include <string>

#include "base/ascii.h"
#include "codec/json.h"
#include "codec/json_block.h"
#include "codec/utf8.h"

namespace rehead::codec::json {
namespace {

class Checker {
 public:
  Checker(std::string_view text, std::size_t max_depth)
      : text_(text), max_depth_(max_depth), ascii_(is_ascii(text)) {}
  Status run();

 private:
  enum class Next : std::uint8_t { value, member, after };

  Status value();
  Status member();
  Status after();
  Status string();
  Status surrogates();
  bool take(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void blanks() {
    while (at_ < text_.size() && is_json_blank(text_[at_])) ++at_;
  }
  tl::unexpected<Error> syntax(std::string what) const {
    return fail({.code = Errc::syntax, .id = "json", .what = std::move(what), .byte = at_});
  }
  void close() {
    open_.pop_back();
    next_ = Next::after;
  }

  std::string_view text_;
  std::size_t max_depth_;
  bool ascii_;  // all of it
  std::size_t at_ = 0;
  std::string open_;  // the closing brackets to come
  Next next_ = Next::value;
};

Status Checker::run() {
  while (true) {
    blanks();
    if (at_ == text_.size()) {
      if (next_ == Next::after && open_.empty()) return {};
      return syntax("the JSON text ends too early");
    }
    Status done = next_ == Next::value ? value() : next_ == Next::member ? member() : after();
    if (!done) return done;
  }
}

Status Checker::value() {
  const char c = text_[at_];
  if (c == '{' || c == '[') {
    if (open_.size() >= max_depth_) {
      return fail({.code = Errc::limit,
                   .id = "json-depth",
                   .what = "JSON is nested deeper than " + std::to_string(max_depth_),
                   .byte = at_});
    }
    ++at_;
    open_ += c == '{' ? '}' : ']';
    next_ = c == '{' ? Next::member : Next::value;
    blanks();
    if (take(open_.back())) close();
    return {};
  }
  next_ = Next::after;
  if (c == '"') return string();
  std::size_t end = at_;
  while (end < text_.size() && (ascii::is(text_[end], ascii::kToken))) ++end;
  const std::string_view word = text_.substr(at_, end - at_);
  if (word != "true" && word != "false" && word != "null" && !is_number(word)) {
    return syntax("a JSON value is missing");
  }
  at_ = end;
  return {};
}

Status Checker::member() {
  if (text_[at_] != '"') return syntax("a member name in quotes is missing");
  if (auto done = string(); !done) return done;
  blanks();
  if (!take(':')) return syntax("the colon after a member name is missing");
  next_ = Next::value;
  return {};
}

Status Checker::after() {
  if (open_.empty()) return syntax("something follows the JSON value");
  if (take(',')) {
    next_ = open_.back() == '}' ? Next::member : Next::value;
  } else if (take(open_.back())) {
    close();
  } else {
    return syntax(std::string("a comma or ") + open_.back() + " is missing");
  }
  return {};
}

Status Checker::string() {
  const std::size_t begin = ++at_;
  while ((at_ = find_special(text_, at_)) < text_.size() && text_[at_] != '"') {
    if (text_[at_] != '\\') return syntax("a control byte in a string");
    if (auto done = surrogates(); !done) return done;
  }
  if (at_ == text_.size()) return syntax("the JSON text ends inside a string");
  if (!ascii_ && !is_utf8(text_.substr(begin, at_ - begin))) {
    at_ = begin;
    return syntax("a string is not UTF-8");
  }
  ++at_;
  return {};
}

/// An escape; \uD800 to \uDBFF with the other half that must follow.
Status Checker::surrogates() {
  bool low_half = false;
  while (true) {
    const std::string_view rest = text_.substr(at_);
    const char letter = rest.size() < 2 ? '\0' : rest[1];
    if (letter != 'u') {
      if (low_half) return syntax("half a surrogate pair");
      if (letter == '\0' || std::string_view("\"\\/bfnrt").find(letter) == std::string_view::npos) {
        return syntax("an escape that JSON does not know");
      }
      at_ += 2;
      return {};
    }
    unsigned code = 0;
    for (std::size_t i = 2; i < 6; ++i) {
      if (i >= rest.size() || !ascii::is(rest[i], ascii::kHex)) {
        return syntax("an escape that JSON does not know");
      }
      code = code * 16 + ascii::hex_value(rest[i]);
    }
    const bool high = code >= 0xD800 && code < 0xDC00;
    const bool low = code >= 0xDC00 && code < 0xE000;
    if (low != low_half) return syntax("half a surrogate pair");
    at_ += 6;
    if (!high) return {};
    low_half = true;
    if (at_ == text_.size() || text_[at_] != '\\') return syntax("half a surrogate pair");
  }
}

}  // namespace

Status check(std::string_view text, std::size_t max_depth) {
  return Checker(text, max_depth).run();
}

bool is_number(std::string_view text) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t begin = at;
    while (at < text.size() && ascii::is_digit(text[at])) ++at;
    return at - begin;
  };
  if (at < text.size() && text[at] == '-') ++at;
  const bool zero = at < text.size() && text[at] == '0';
  const std::size_t whole = digits();
  if (whole == 0 || (zero && whole > 1)) return false;
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (digits() == 0) return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (digits() == 0) return false;
  }
  return at == text.size();
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto plain = std::from_chars(text.data(), end, number);
  if (!text.empty() && plain.ec == std::errc() && plain.ptr == end) return number;
  if (!is_number(text)) return std::nullopt;
  constexpr double kMost = 9007199254740992.0;  // 2^53: up to here every whole number is exact
  double value = 0;
  if (std::from_chars(text.data(), end, value).ec != std::errc()) return std::nullopt;
  if (value < -kMost || value > kMost || value != std::floor(value)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

}  // namespace rehead::codec::json
