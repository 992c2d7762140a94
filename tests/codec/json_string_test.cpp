// Strings are read and written by the block; byte by byte is the oracle.
#include <catch2/catch.hpp>
#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <string>

#include "base/ascii.h"
#include "codec/json.h"
#include "codec/json_block.h"
#include "codec/json_writer.h"

namespace rehead::codec::json {
namespace {

/// Four hex digits, or -1.
int unit(std::string_view text) {
  if (text.size() < 4) return -1;
  int value = 0;
  for (const char c : text.substr(0, 4)) {
    if (!ascii::is(c, ascii::kHex)) return -1;
    value = value * 16 + static_cast<int>(ascii::hex_value(c));
  }
  return value;
}

void append_utf8(std::string& out, int code) {
  const auto put = [&](int bits) { out += static_cast<char>(bits); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      put(0xE0 | code >> 12);
    } else {
      put(0xF0 | code >> 18);
      put(0x80 | (code >> 12 & 0x3F));
    }
    put(0x80 | (code >> 6 & 0x3F));
  }
  put(0x80 | (code & 0x3F));
}

/// What is between the quotes, read byte by byte; nothing if an escape is none, `bad` its place.
std::optional<std::string> undone(std::string_view inside, std::size_t& bad) {
  std::string out;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] != '\\') {
      out += inside[i];
      continue;
    }
    bad = i;
    const std::size_t letter = std::string_view("\"\\/bfnrt").find(inside[i + 1]);
    if (letter != std::string_view::npos) {
      out += "\"\\/\b\f\n\r\t"[letter];
      ++i;
      continue;
    }
    if (inside[i + 1] != 'u') return std::nullopt;
    int code = unit(inside.substr(i + 2));
    if (code < 0) return std::nullopt;
    i += 5;
    if (code >= 0xD800 && code < 0xDC00 && inside.substr(i + 1).starts_with("\\u")) {
      const int low = unit(inside.substr(i + 3));
      if (low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + low - 0xDC00;
        i += 6;
      }
    }
    append_utf8(out, code);
  }
  return out;
}

/// Between the quotes of a string: plain runs and escapes, here and there a broken one.
std::string random_inside(std::mt19937& random, std::size_t size, bool may_break) {
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kCodes[] = {"\\u0041", "\\u00e9",       "\\u20AC", "\\ud83d\\ude00",
                                         "\\ud83d", "\\ud83d\\u0041", "\\ude00", "\\u0000"};
  const std::size_t density = 1 + random() % 40;
  std::string text;
  while (text.size() < size) {
    text += std::string(random() % density, static_cast<char>('a' + random() % 26));
    switch (random() % 8) {
      case 0:
        text += kCodes[random() % std::size(kCodes)];
        break;
      case 1:
        text += "\xC3\xA9\x01\xFF";
        break;
      case 2:
        text += std::string(2 * (random() % 70), '\\');
        break;
      case 3:
        if (may_break && random() % 20 == 0) text += random() % 2 != 0 ? "\\x" : "\\u12g4";
        break;
      default:
        text += '\\';
        text += kLetters[random() % kLetters.size()];
    }
  }
  return text;
}

std::string pulled(std::string_view quoted) {
  StringSource source;
  source.start(quoted);
  std::string out;
  while (true) {
    const auto piece = source.pull();
    REQUIRE(piece);
    if (piece->kind == Piece::Kind::end) return out;
    CHECK(!piece->bytes.empty());
    out += piece->bytes;
  }
}

TEST_CASE("json_block: the bits of a block are those of its bytes") {
  std::mt19937 random(1);
  std::array<char, kBlock> bytes;
  for (int i = 0; i < 20'000; ++i) {
    for (char& byte : bytes) {
      constexpr std::string_view kTelling = "\"\\\x1F\x20\x7F\x7E\x80\xFF!#[]";
      byte = random() % 2 != 0 ? kTelling[random() % kTelling.size()] : static_cast<char>(random());
    }
    const StringBits found = string_bits(bytes.data());
    const StringBits wanted = string_bits_scalar(bytes.data());
    REQUIRE(found.quote == wanted.quote);
    REQUIRE(found.backslash == wanted.backslash);
    REQUIRE(escape_bits(bytes.data()) == escape_bits_scalar(bytes.data()));
  }
}

TEST_CASE("json_block: escapes are taken in pairs, from block to block") {
  std::mt19937 random(4);
  std::uint64_t cut = 0;
  bool escapes = false;  // the byte before begins an escape
  for (int i = 0; i < 20'000; ++i) {
    std::uint64_t backslash = random() & random();
    backslash |= (random() % 2 != 0 ? random() : 0) << 32;
    if (random() % 4 == 0) backslash = ~std::uint64_t{0} << random() % 64 >> random() % 64;
    EscapeBits wanted;
    for (std::size_t bit = 0; bit < kBlock; ++bit) {
      wanted.escaped |= std::uint64_t{escapes} << bit;
      escapes = !escapes && (backslash >> bit & 1) != 0;
      wanted.begin |= std::uint64_t{escapes} << bit;
    }
    const EscapeBits found = escape_pairs(backslash, cut);
    REQUIRE(found.begin == wanted.begin);
    REQUIRE(found.escaped == wanted.escaped);
    REQUIRE(cut == std::uint64_t{escapes});
  }
}

TEST_CASE("json: a string read by the block is what it is byte by byte") {
  std::mt19937 random(2);
  for (int i = 0; i < 6'000; ++i) {
    const std::string inside = random_inside(random, random() % (i % 50 == 0 ? 50'000 : 400), true);
    const std::string text = '[' + std::string(random() % 3, ' ') + '"' + inside + "\"]";
    const std::size_t quote = text.find('"');
    // A copy of its exact size, so that a sanitizer sees one byte too far.
    const std::unique_ptr<char[]> exact(new char[text.size()]);
    std::memcpy(exact.get(), text.data(), text.size());
    Arena arena;
    Cursor cursor({exact.get(), text.size()}, 2, arena);
    const Value value{.offset = quote, .depth = 1, .kind = Kind::string};
    const auto raw = cursor.raw(value);
    REQUIRE(raw);
    REQUIRE(*raw == '"' + inside + '"');
    std::size_t bad = 0;
    const auto wanted = undone(inside, bad);
    const auto size = cursor.string_size(value);
    const auto decoded = cursor.string(value);
    REQUIRE(size.has_value() == wanted.has_value());
    REQUIRE(decoded.has_value() == wanted.has_value());
    if (wanted) {
      REQUIRE(*size == wanted->size());
      REQUIRE(*decoded == *wanted);
      REQUIRE(pulled(*raw) == *wanted);
    } else {
      REQUIRE(size.error().byte == quote + 1 + bad);
      REQUIRE(decoded.error().byte == quote + 1 + bad);
    }
    Cursor cut({exact.get(), quote + 1 + inside.size()}, 2, arena);
    REQUIRE_FALSE(cut.raw(value));
  }
}

TEST_CASE("json_writer: a string written by the block is what it is byte by byte") {
  std::mt19937 random(3);
  for (int i = 0; i < 6'000; ++i) {
    std::string text;
    const std::size_t density = 1 + random() % 60;
    const std::size_t size = random() % (i % 50 == 0 ? 50'000 : 400);
    while (text.size() < size) {
      text += std::string(random() % density, 'x');
      text += static_cast<char>(random() % 0x81);
    }
    const std::unique_ptr<char[]> exact(new char[text.size()]);
    std::memcpy(exact.get(), text.data(), text.size());
    std::string wanted = "\"";
    for (const char c : text) {
      const std::size_t letter = std::string_view("\"\\\b\f\n\r\t").find(c);
      if (letter != std::string_view::npos) {
        (wanted += '\\') += "\"\\bfnrt"[letter];
      } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
        (wanted += "\\u00") += "0123456789abcdef"[c >> 4];
        wanted += "0123456789abcdef"[c & 15];
      } else {
        wanted += c;
      }
    }
    std::string out;
    JsonWriter(out).string({exact.get(), text.size()});
    REQUIRE(out == wanted + '"');
  }
}

TEST_CASE("json_writer: a pair of plain strings is the array of two strings") {
  std::mt19937 random(5);
  const auto text = [&] {
    std::string made;
    for (std::size_t size = random() % 50; made.size() < size;) {
      made += random() % 60 != 0 ? static_cast<char>('!' + 2 * (random() % 28) + 2)
                                 : static_cast<char>(random());
    }
    return made;
  };
  for (int i = 0; i < 5'000; ++i) {
    const std::string a = text(), b = text();
    const auto plain = [](std::string_view made) {
      return std::ranges::none_of(
          made, [](char c) { return needs_escape(c) || static_cast<unsigned char>(c) >= 0x80; });
    };
    std::string pairs, arrays;
    JsonWriter pair(pairs), array(arrays);
    const bool first = random() % 2 != 0;
    for (JsonWriter* json : {&pair, &array}) {
      json->open('[');
      if (!first) json->number(1);
    }
    const bool fits = pair.plain_pair(a, b);
    REQUIRE(fits == (plain(a) && plain(b)));
    if (!fits) {
      REQUIRE(pairs == arrays);
      continue;
    }
    array.open('[').string(a).string(b).close(']').number(2);
    pair.number(2);
    REQUIRE(pairs == arrays);
  }
  std::string out;
  CHECK(JsonWriter(out).plain_pair({}, {}));
  CHECK(out == R"(["",""])");
}

}  // namespace
}  // namespace rehead::codec::json
