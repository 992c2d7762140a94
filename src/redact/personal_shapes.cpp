// E-mail addresses (RFC 5321 4.1.2, without quoted local parts) and IP addresses (RFC 4291 2.2).
#include <arpa/inet.h>

#include <algorithm>
#include <array>

#include "redact/shape_table.h"
#include "redact/surroundings.h"

namespace rehead::redact {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kLocal =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+";
constexpr std::string_view kDomain =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
constexpr std::string_view kGroup = "0123456789abcdefABCDEF:";
constexpr std::string_view kHexDigits = "0123456789abcdefABCDEF";

/// Classes of bytes.
constexpr bool is_group(char c) { return ascii::is(c, ascii::kHex) || c == ':'; }
constexpr bool is_local(char c) { return is_word(c) || c == '.' || c == '-' || c == '+'; }

/// Where the local part that ends at `at` begins. In it %2B stands for a plus.
std::size_t local_begin(std::string_view text, std::size_t at, std::size_t floor) {
  constexpr std::size_t kLongest = 64;
  std::size_t begin = at;
  while (begin > floor && at - begin < kLongest) {
    const std::size_t escape = escape_before(text, begin);
    if (escape == 3 && begin >= floor + 3 && ascii::equal(text.substr(begin - 3, 3), "%2B")) {
      begin -= 3;
    } else if (escape == 0 && is_local(text[begin - 1])) {
      --begin;
    } else {
      break;
    }
  }
  while (begin < at && !is_word(text[begin]) && text[begin] != '%') ++begin;
  return begin;
}

/// The size of the domain name that `text` begins with; 0 for what has no top-level domain, and for
/// names of files ("icon@2x.png").
std::size_t domain_size(std::string_view text) {
  static constexpr std::array<std::string_view, 16> kFiles = {
      "avif", "css", "gif", "html", "ico", "jpeg", "jpg",  "js",
      "json", "map", "mjs", "png",  "svg", "ttf",  "webp", "woff"};
  constexpr std::size_t kLongest = 255;
  std::size_t end = 0;
  while (end < std::min(text.size(), kLongest) &&
         (is_alphanumeric(text[end]) || text[end] == '-' || text[end] == '.')) {
    ++end;
  }
  while (end > 0 && !is_alphanumeric(text[end - 1])) --end;
  const std::string_view name = text.substr(0, end);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return 0;
  const std::string_view top = name.substr(dot + 1);
  if (top.size() < 2 || name.find("..") != std::string_view::npos) return 0;
  if (!top.starts_with("xn--") && !std::all_of(top.begin(), top.end(), is_letter)) return 0;
  return std::any_of(kFiles.begin(), kFiles.end(),
                     [&](std::string_view file) { return ascii::equal(file, top); })
             ? 0
             : end;
}

bool test_email(const Shape& shape, std::string_view text, std::size_t at, std::size_t floor,
                Found& out) {
  const bool escaped = text[at] == '%';
  const std::size_t sign = escaped ? at : at + 1;
  const std::size_t begin = local_begin(text, sign, floor);
  if (begin == sign) return false;
  const std::size_t host = sign + (escaped ? 3 : 1);
  const std::size_t domain = domain_size(text.substr(host));
  if (domain == 0) return false;
  out = {.at = begin, .size = host + domain - begin, .kind = shape.row.kind};
  return true;
}

/// Where the word of bytes `of` before `at` begins, which may be behind an escape.
template <typename Of>
std::size_t word_begin(std::string_view text, std::size_t at, std::size_t floor, Of of,
                       std::size_t longest) {
  std::size_t begin = at;
  while (begin > floor && at - begin < longest && of(text[begin - 1])) --begin;
  // The digits of an escape are none of the word.
  for (std::size_t end = begin + 1; end <= std::min(at, begin + 2); ++end) {
    if (escape_before(text, end) == 3) return end;
  }
  return begin;
}

/// A product and its version: `Chrome/120.0.0.0`, `rv:1.9.0.1`, `v="120.0.0.0"`.
bool is_version(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  if (before.ends_with('/')) return at >= 2 && (is_word(text[at - 2]) || text[at - 2] == ')');
  for (const std::string_view sign :
       {"rv:", "v=\"", "v=\\\"", "v=", "ersion ", "ersion=", "ersion\":\""}) {
    if (before.ends_with(sign)) return true;
  }
  return false;
}

bool test_ipv4(const Shape& shape, std::string_view text, std::size_t at, std::size_t floor,
               Found& out) {
  const std::size_t begin = word_begin(text, at + 1, floor, ascii::is_digit, 3);
  if (begin > 0 && (text[begin - 1] == '.' || text[begin - 1] == '-')) return false;
  std::size_t end = begin;
  for (unsigned part = 0; part < 4; ++part) {
    if (part != 0 && (end == text.size() || text[end++] != '.')) return false;
    unsigned value = 0;
    const std::size_t first = end;
    for (; end < text.size() && end - first < 4 && ascii::is_digit(text[end]); ++end) {
      value = value * 10 + static_cast<unsigned>(text[end] - '0');
    }
    if (end == first || value > 255) return false;
  }
  if (end < text.size() && (is_word(text[end]) || text[end] == '-')) return false;
  if (end + 1 < text.size() && text[end] == '.' && ascii::is_digit(text[end + 1])) return false;
  const std::string_view address = text.substr(begin, end - begin);
  if (address == "127.0.0.1" || address == "0.0.0.0") return false;
  if (!begins_word(text, begin) || is_version(text, begin)) return false;
  out = {.at = begin, .size = address.size(), .kind = shape.row.kind};
  return true;
}

/// More than `::`, a time or the members of a namespace: some group has three digits.
bool is_ipv6(std::string_view text) {
  constexpr std::size_t kLongest = 45;
  std::size_t run = 0, longest = 0;
  for (const char c : text) {
    run = c == ':' ? 0 : run + 1;
    longest = std::max(longest, run);
  }
  if (longest < 3 || text.size() > kLongest || std::count(text.begin(), text.end(), ':') < 2 ||
      !std::any_of(text.begin(), text.end(), ascii::is_digit)) {
    return false;
  }
  std::array<char, kLongest + 1> spelt{};
  std::copy(text.begin(), text.end(), spelt.begin());
  in6_addr address;
  return ::inet_pton(AF_INET6, spelt.data(), &address) == 1;
}

bool test_ipv6(const Shape& shape, std::string_view text, std::size_t at, std::size_t floor,
               Found& out) {
  constexpr std::size_t kLongest = 45;
  const std::size_t begin = word_begin(text, at + 1, floor, is_group, kLongest);
  if (!begins_word(text, begin)) return false;
  std::size_t end = at + 1;
  const auto belongs = [](char c) { return is_group(c) || c == '.'; };
  while (end < text.size() && end - begin <= kLongest && belongs(text[end])) ++end;
  if (end < text.size() && is_word(text[end])) return false;
  // "2001:db8::1." and "2001:db8::1:" end a sentence or stand before a text.
  while (end > begin && (text[end - 1] == '.' || (text[end - 1] == ':' && text[end - 2] != ':'))) {
    --end;
  }
  if (!is_ipv6(text.substr(begin, end - begin))) return false;
  out = {.at = begin, .size = end - begin, .kind = shape.row.kind};
  return true;
}

constexpr std::array kPersonal = {
    Shape{{"e-mail", "name@host.tld, name%40host.tld", "RFC 5321", Kind::email, true},
          test_email,
          {kLocal, "@", kDomain}},
    Shape{{"e-mail, percent-encoded", "name%40host.tld", "RFC 3986", Kind::email, true},
          test_email,
          {"%", "4", "0"}},
    Shape{{"IPv4 address", "192.0.2.1; not 127.0.0.1, 0.0.0.0, versions", "RFC 791", Kind::address,
           true},
          test_ipv4,
          {kDigits, ".", kDigits}},
    Shape{{"IPv6 address", "2001:db8::1; not ::1, ::", "RFC 4291", Kind::address, true},
          test_ipv6,
          {kGroup, ":", kHexDigits}},
};

}  // namespace

std::span<const Shape> personal_shapes() { return kPersonal; }

}  // namespace rehead::redact
