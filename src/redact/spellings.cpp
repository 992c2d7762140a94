#include "redact/spellings.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "codec/base64.h"
#include "codec/json_writer.h"
#include "codec/utf8.h"
#include "redact/surroundings.h"

namespace rehead::redact {
namespace {

constexpr std::string_view kUpperDigits = "0123456789ABCDEF";
constexpr std::string_view kLowerDigits = "0123456789abcdef";

/// RFC 3986 2.1: all but letters, digits and `plain` as %XX; a blank as + where `plus` says so.
std::string percent_encoded(std::string_view value, std::string_view plain, bool plus,
                            std::string_view digits) {
  std::string out;
  out.reserve(value.size() * 2);
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_alphanumeric(c) || plain.find(c) != std::string_view::npos) {
      out += c;
    } else if (plus && c == ' ') {
      out += '+';
    } else {
      out += '%';
      out += digits[byte >> 4];
      out += digits[byte & 15];
    }
  }
  return out;
}

/// The same of every byte: what hides a word from a reader.
std::string all_percent_encoded(std::string_view value, std::string_view digits) {
  std::string out;
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    ((out += '%') += digits[byte >> 4]) += digits[byte & 15];
  }
  return out;
}

std::string percent_decoded(std::string_view value) {
  std::string out;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] != '%' || !has_hex(value, i + 1, 2)) {
      out += value[i];
      continue;
    }
    out += static_cast<char>(ascii::hex_value(value[i + 1]) * 16 + ascii::hex_value(value[i + 2]));
    i += 2;
  }
  return out;
}

/// The inside of the string that our writer makes of it.
std::string json_escaped(std::string_view value) {
  std::string out;
  codec::JsonWriter(out).text(value);
  return out.substr(1, out.size() - 2);
}

/// `plain` JSON with \uXXXX for `others`, and for what is not ASCII if `ascii_only`; \/ for / if
/// `slash`.
struct JsonStyle {
  std::string_view others;
  bool ascii_only;
  bool slash;
  std::string_view digits;
};
void append_code(std::string& out, unsigned code, std::string_view digits) {
  out += "\\u";
  for (const unsigned shift : {12U, 8U, 4U, 0U}) out += digits[code >> shift & 15];
}
/// The code point that the UTF-8 of `text` begins with, and how many bytes it takes.
std::pair<std::uint32_t, std::size_t> code_point(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t size = byte(0) < 0x80 ? 1 : byte(0) < 0xE0 ? 2 : byte(0) < 0xF0 ? 3 : 4;
  std::uint32_t code = size == 1 ? byte(0) : byte(0) & (0x7FU >> size);
  for (std::size_t i = 1; i < size; ++i) code = code << 6 | (byte(i) & 0x3FU);
  return {code, size};
}
std::string restyled(std::string_view json, const JsonStyle& style) {
  std::string out;
  while (!json.empty()) {
    const auto [code, size] = code_point(json);
    if (json.front() == '/' && style.slash) {
      out += "\\/";
    } else if (code >= 0x10000 && style.ascii_only) {
      append_code(out, 0xD800 + ((code - 0x10000) >> 10), style.digits);
      append_code(out, 0xDC00 + ((code - 0x10000) & 0x3FF), style.digits);
    } else if ((code >= 0x80 && style.ascii_only) ||
               (code < 0x80 && style.others.find(json.front()) != std::string_view::npos)) {
      append_code(out, code, style.digits);
    } else {
      out += json.substr(0, size);
    }
    json.remove_prefix(size);
  }
  return out;
}

constexpr std::array kPlainInUrl = {
    std::string_view("-_.!~*'()"),               // encodeURIComponent
    std::string_view("-_.*"),                    // forms (WHATWG URL 5.2)
    std::string_view("-_.~"),                    // RFC 3986 2.3
    std::string_view("-_.~/"),                   // the same in a path
    std::string_view("-_.!~*'();/?:@&=+$,#[]"),  // whole URLs: encodeURI
};
constexpr std::array kJsonStyles = {
    JsonStyle{"", false, true, kLowerDigits},  // PHP, JSON_UNESCAPED_UNICODE
    JsonStyle{"", true, false, kLowerDigits},  // Python
    JsonStyle{"", true, true, kLowerDigits},   // PHP
    JsonStyle{"", true, false, kUpperDigits},
    JsonStyle{"<>&", false, false, kLowerDigits},   // Go
    JsonStyle{"<>&'", false, false, kLowerDigits},  // gson, Rails
    JsonStyle{"<>&'=", false, false, kLowerDigits},
    JsonStyle{"<>&'+`", true, false, kUpperDigits},  // .NET
};

}  // namespace

std::vector<std::string> spellings(std::string_view value) {
  std::vector<std::string> all;
  const auto add = [&](std::string text) {
    if (text != value && std::find(all.begin(), all.end(), text) == all.end()) {
      all.push_back(std::move(text));
    }
  };
  for (const std::string_view digits : {kUpperDigits, kLowerDigits}) {
    add(all_percent_encoded(value, digits));
  }
  if (std::all_of(value.begin(), value.end(), is_word)) return all;
  const bool blank = value.find(' ') != std::string_view::npos;
  for (const std::string_view digits : {kUpperDigits, kLowerDigits}) {
    for (const std::string_view plain : kPlainInUrl) {
      add(percent_encoded(value, plain, false, digits));
      if (blank) add(percent_encoded(value, plain, true, digits));
    }
  }
  const std::string json = json_escaped(value);
  add(json);
  add(json_escaped(json));
  if (codec::is_utf8(json)) {
    for (const JsonStyle& style : kJsonStyles) add(restyled(json, style));
  }
  add(percent_decoded(value));
  return all;
}

std::vector<std::string> base64_parts(std::string_view value, std::size_t least) {
  std::vector<std::string> parts;
  for (std::size_t before = 0; before < 3; ++before) {
    std::string text;
    codec::append_base64(text, std::string(before, '\0').append(value));
    const std::size_t unsure = before == 0 ? 0 : before + 1;  // signs that the bytes before are in
    const std::size_t sure = (before + value.size()) * 8 / 6;
    if (sure < unsure + least) continue;
    text = text.substr(unsure, sure - unsure);
    parts.push_back(text);
    std::replace(text.begin(), text.end(), '+', '-');
    std::replace(text.begin(), text.end(), '/', '_');
    if (text != parts.back()) parts.push_back(text);
  }
  return parts;
}

}  // namespace rehead::redact
