// JSON (RFC 8259) written: everything the program prints as JSON goes through one writer, which
// escapes strings and places the commas.
//
//   JsonWriter json(out);
//   json.open('{').key("status").number(200).key("headers").open('[').close(']').close('}');
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

namespace rehead::codec {

class JsonWriter {
 public:
  /// Appends to `out`, which outlives the writer and may be emptied between two calls.
  explicit JsonWriter(std::string& out) : out_(out) {}

  /// A bracket, '{' or '[', and the one that closes it.
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  /// `name` is one of ours: nothing in it needs an escape.
  JsonWriter& key(std::string_view name);
  /// A string: UTF-8 unchanged; a lone surrogate, in the three bytes UTF-8 would give it, as
  /// \uXXXX; any other bytes as the code points U+0000 to U+00FF, and false is returned.
  bool text(std::string_view bytes);
  /// The same for bytes known to be UTF-8.
  JsonWriter& string(std::string_view utf8);
  /// An array of two strings, if both are ASCII and need no escape; else false, and nothing is
  /// written.
  bool plain_pair(std::string_view first, std::string_view second);
  /// A string in ASCII whose code points are the bytes: "caf\u00e9".
  JsonWriter& latin1(std::string_view bytes);
  template <std::integral Number>
  JsonWriter& number(Number number) {
    std::array<char, 24> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    return raw({digits.data(), end});
  }
  /// What is JSON already: a value, elements, or members.
  JsonWriter& raw(std::string_view json);

  /// A string that comes in pieces, in UTF-8.
  JsonWriter& open_string();
  void piece(std::string_view utf8);
  JsonWriter& close_string();

  /// Ends the text with a line end; the next value begins another.
  void end_line();
  /// Empties the output; the next value begins another text.
  void clear();

 private:
  void begin_value();
  char* room(std::size_t size);

  std::string& out_;
  bool comma_ = false;  // a value precedes: the next one needs a comma
};

}  // namespace rehead::codec
