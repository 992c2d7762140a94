// Is this UTF-8? RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once

#include <string_view>

namespace rehead::codec {

/// Judges a text that comes in pieces, cut anywhere.
class Utf8Check {
 public:
  /// Takes the next piece. False once the text cannot be UTF-8 any more.
  bool feed(std::string_view bytes);
  /// True if everything fed so far is UTF-8 and no character is cut at the end.
  bool complete() const { return good_ && need_ == 0; }
  void reset() { *this = {}; }

 private:
  bool start(unsigned char lead);
  bool good_ = true;
  unsigned need_ = 0;                       // continuation bytes still to come
  unsigned char low_ = 0x80, high_ = 0xBF;  // what the next of them may be
};

/// True if no byte is 80 or above.
bool is_ascii(std::string_view bytes);

inline bool is_utf8(std::string_view bytes) {
  Utf8Check check;
  return check.feed(bytes) && check.complete();
}

}  // namespace rehead::codec
