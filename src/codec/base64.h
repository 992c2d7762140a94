// Base64, RFC 4648 4: the alphabet with + and /. Written padded, on one line; read as browsers do
// (WHATWG forgiving-base64 decode): blanks and line ends anywhere, padding or none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/io.h"
#include "base/result.h"

namespace rehead::codec {

/// Appends the text of bytes that come in pieces, on one line.
class Base64Encoder {
 public:
  void feed(std::string_view bytes, std::string& out);
  /// Ends the text; the next feed() begins another.
  void finish(std::string& out);

 private:
  std::string held_;  // up to two bytes short of a group of three
};

void append_base64(std::string& out, std::string_view bytes);

/// Undoes base64 while it is pulled. Errors: Errc::syntax for anything that is not base64 (another
/// sign, misplaced padding, a last group of a single sign).
class Base64Source final : public ByteSource {
 public:
  /// `text` outlives the pulls.
  void start(ByteSource& text);
  Result<Piece> pull() override;

 private:
  Status decode(std::string_view text);
  Status finish();
  static constexpr std::size_t kPiece = std::size_t{48} << 10;
  ByteSource* text_ = nullptr;
  std::string_view rest_;  // of the piece pulled last
  std::string out_;
  std::uint32_t group_ = 0;  // bits of the open group
  unsigned signs_ = 0;       // how many signs of it were read
  unsigned padding_ = 0;     // how many = were read
  bool finished_ = false;
};

/// How many bytes `text` stands for, or why it is not base64. Reads it to the end.
Result<std::uint64_t> base64_size(ByteSource& text);

/// The bytes that `text` stands for; nothing if it is not base64.
std::optional<std::string> base64_bytes(std::string_view text);

}  // namespace rehead::codec
