#include "codec/base64.h"

#include <catch2/catch.hpp>
#include <string>

namespace rehead::codec {
namespace {

/// Gives `text` in pieces of `step` bytes.
class Pieces final : public ByteSource {
 public:
  Pieces(std::string_view text, std::size_t step) : text_(text), step_(step) {}
  Result<Piece> pull() override {
    if (text_.empty()) return Piece{};
    const std::string_view piece = text_.substr(0, step_);
    text_.remove_prefix(piece.size());
    return Piece{Piece::Kind::bytes, piece};
  }

 private:
  std::string_view text_;
  std::size_t step_;
};

std::string decoded(std::string_view text, std::size_t step) {
  Pieces pieces(text, step);
  Base64Source source;
  source.start(pieces);
  std::string bytes;
  while (true) {
    auto piece = source.pull();
    if (!piece) return "error: " + piece.error().what;
    if (piece->kind == Piece::Kind::end) return bytes;
    bytes += piece->bytes;
  }
}
std::string decoded(std::string_view text) {
  std::string whole = decoded(text, text.size() + 1);
  for (std::size_t step = 1; step <= text.size(); ++step) CHECK(decoded(text, step) == whole);
  return whole;
}
std::string encoded(std::string_view bytes) {
  std::string text;
  append_base64(text, bytes);
  return text;
}

}  // namespace

TEST_CASE("base64: the examples of RFC 4648 10 go both ways") {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"", ""},
      {"f", "Zg=="},
      {"fo", "Zm8="},
      {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="},
      {"fooba", "Zm9vYmE="},
      {"foobar", "Zm9vYmFy"},
  };
  for (const auto& [bytes, text] : rows) {
    CHECK(encoded(bytes) == text);
    CHECK(decoded(text) == bytes);
  }
}

TEST_CASE("base64: every byte survives, however the bytes are cut") {
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  const std::string text = encoded(all);
  CHECK(decoded(text, 7) == all);
  for (std::size_t cut = 0; cut <= all.size(); ++cut) {
    Base64Encoder encoder;
    std::string out;
    encoder.feed(std::string_view(all).substr(0, cut), out);
    encoder.feed(std::string_view(all).substr(cut), out);
    encoder.finish(out);
    CHECK(out == text);
  }
}

TEST_CASE("base64: blanks anywhere and padding or none are read as browsers read them") {
  CHECK(decoded("Zm9v\r\nYmFy\r\n") == "foobar");
  CHECK(decoded("Z\nm\n9vYg=\n=\n") == "foob");
  CHECK(decoded(" Zm9v\t\fYm Fy ") == "foobar");
  CHECK(decoded("Zm9vYg") == "foob");
  CHECK(decoded("Zm9vYmE") == "fooba");
  CHECK(decoded("Zm9vYg= =") == "foob");
}

TEST_CASE("base64: what is not base64 is refused") {
  const std::string start = "error: not base64: ";
  for (const std::string_view text : {"<html>", "Zm9v-_==", "Zm9\x80"}) {
    CHECK(decoded(text) == start + "a sign outside of its alphabet");
  }
  for (const std::string_view text : {"Z", "Zm9vY", "Zm9vY==="}) {
    CHECK(decoded(text) == start + "it is cut short");
  }
  for (const std::string_view text : {"=", "====", "Zm9v=", "Zm8==", "Zg=", "Zg==="}) {
    CHECK(decoded(text) == start + "padding in the wrong place");
  }
  CHECK(decoded("Zg==Zg==") == start + "something follows the padding");
}

TEST_CASE("base64: the size is known without keeping the bytes") {
  const std::string text = encoded(std::string(100'001, 'x'));
  Pieces pieces(text, 4099);
  CHECK(base64_size(pieces).value() == 100'001);
  Pieces bad("Zg=", 2);
  CHECK(!base64_size(bad));
}

}  // namespace rehead::codec
