#include "codec/json_bitmap.h"

#include <catch2/catch.hpp>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace rehead::codec {
namespace {

using State = JsonScan::State;

/// The plain reading of the contract, byte by byte.
struct Reference {
  State state = State::inside;
  std::size_t position = 0;
  std::vector<JsonScan::Container> containers;
};

Reference judge(std::string_view text, std::size_t max_depth) {
  Reference result;
  std::string open;
  std::vector<std::size_t> places;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    result.position = i;
    if (c == '\\') {
      ++i;
    } else if (c == '"') {
      in_string = !in_string;
    } else if (in_string) {
      continue;
    } else if (c == '{' || c == '[') {
      if (open.size() == max_depth) {
        result.state = State::too_deep;
        return result;
      }
      if (open.size() == 1 || open.size() == 2) result.containers.push_back({i, 0});
      open += c == '{' ? '}' : ']';
    } else if (c == '}' || c == ']') {
      if (open.back() != c) {
        result.state = State::mismatch;
        return result;
      }
      open.pop_back();
      if (open.empty()) {
        result.state = State::complete;
        result.position = i + 1;
        return result;
      }
      if (open.size() <= 2) {
        for (auto last = result.containers.rbegin(); last != result.containers.rend(); ++last) {
          if (last->close != 0) continue;
          last->close = i;
          break;
        }
      }
    }
  }
  result.position = text.size();
  return result;
}

/// Scans a text that arrives cut at `cut`, each time in a heap block of its exact size.
void check_scan(JsonClassify classify, const std::string& text, std::size_t cut) {
  const Reference wanted = judge(text, 8);
  JsonScan scan(classify);
  scan.start(8, true);
  State state = State::inside;
  for (const std::size_t size : {cut, text.size()}) {
    const std::vector<char> block(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size));
    if (state == State::inside) state = scan.advance({block.data(), block.size()});
  }
  REQUIRE(state == wanted.state);
  REQUIRE(scan.position() == wanted.position);
  REQUIRE(scan.containers().size() == wanted.containers.size());
  for (std::size_t i = 0; i < wanted.containers.size(); ++i) {
    REQUIRE(scan.containers()[i].open == wanted.containers[i].open);
    if (wanted.state == State::complete) {
      REQUIRE(scan.containers()[i].close == wanted.containers[i].close);
    }
  }
}

std::string random_text(std::mt19937& random, std::size_t size) {
  // Mostly well nested, so that scans get far; long runs of backslashes and of plain bytes.
  std::string text = "{";
  std::string open = "}";
  while (text.size() < size && !open.empty()) {
    switch (random() % 12) {
      case 0:
      case 1:
        text += open.size() < 9 ? (random() % 2 != 0 ? "{" : "[") : "";
        if (text.back() == '{' || text.back() == '[') {
          if (open.size() < 9) open += text.back() == '{' ? '}' : ']';
        }
        break;
      case 2:
      case 3:
        if (open.size() > 1 || random() % 8 == 0) {
          text += open.back();
          open.pop_back();
        }
        break;
      case 4:
        text += '"' + std::string(random() % 3, '}') + std::string(2 * (random() % 40), '\\') +
                (random() % 2 != 0 ? "\\\"{" : "") + '"';
        break;
      case 5:
        text += '"' + std::string(random() % 200, 'x') + '"';
        break;
      case 6:
        if (random() % 200 == 0) text += random() % 2 != 0 ? '}' : ']';
        break;
      default:
        text += ", ";
    }
  }
  if (random() % 4 != 0) {
    while (!open.empty()) {
      text += open.back();
      open.pop_back();
    }
  }
  return text + "  ]";
}

TEST_CASE("json_bitmap: every classifier finds the brackets that the scalar one finds") {
  std::mt19937 random(7);
  const std::string signs = "\"\\{}[]\x5A\x5C\x7A\x7C\x7E\x7F\xDB\xFB \t";
  for (int round = 0; round < 2000; ++round) {
    std::string text(3 * JsonBlock::kSize + 1, '\0');
    const std::size_t plain = 1 + random() % 30;  // between two signs, so that blocks lie in strings
    for (char& c : text) {
      c = random() % plain == 0 ? signs[random() % signs.size()] : static_cast<char>(random());
      if (plain > 4 && c == '"' && random() % plain != 0) c = ']';
    }
    const JsonCarry before{.in_string = std::uint64_t{0} - random() % 2, .cut = random() % 2};
    std::array<JsonBlock, 3> wanted;
    JsonCarry behind = before;
    json_classify_scalar(text.data() + 1, wanted, behind);
    for (const JsonClassify classify : json_classifiers()) {
      std::array<JsonBlock, 3> made;
      JsonCarry carry = before;
      classify(text.data() + 1, made, carry);
      REQUIRE(carry.in_string == behind.in_string);
      REQUIRE(carry.cut == behind.cut);
      for (std::size_t i = 0; i < 3; ++i) {
        REQUIRE(made[i].open == wanted[i].open);
        REQUIRE(made[i].close == wanted[i].close);
      }
    }
  }
}

TEST_CASE("json_bitmap: a scan ends where a plain reading ends, on every path, cut anywhere") {
  std::mt19937 random(11);
  for (const JsonClassify classify : json_classifiers()) {
    for (int round = 0; round < 300; ++round) {
      const std::string text = random_text(random, 1 + random() % 900);
      INFO(text);
      check_scan(classify, text, 1 + random() % (text.size() - 1));
    }
    const std::string text = random_text(random, 400);
    for (std::size_t cut = 1; cut < text.size(); ++cut) check_scan(classify, text, cut);
  }
}

TEST_CASE("json_bitmap: a scan that gets its bytes one by one") {
  std::mt19937 random(13);
  for (int round = 0; round < 50; ++round) {
    const std::string text = random_text(random, 300);
    const Reference wanted = judge(text, 8);
    JsonScan scan;
    scan.start(8);
    State state = State::inside;
    for (std::size_t size = 1; size <= text.size() && state == State::inside; ++size) {
      state = scan.advance(std::string_view(text).substr(0, size));
    }
    REQUIRE(state == wanted.state);
    REQUIRE(scan.position() == wanted.position);
    REQUIRE(scan.containers().empty());
  }
}

TEST_CASE("json_bitmap: no more containers are remembered than allowed") {
  std::string text = "[";
  for (std::size_t i = 0; i < 10'000; ++i) text += "[[]],";
  text += "0]";
  JsonScan scan;
  scan.start(100, true);
  CHECK(scan.advance(text) == State::complete);
  CHECK(scan.containers().size() == JsonScan::kRemembered);
  for (const auto& [open, close] : scan.containers()) CHECK(close > open);
}

}  // namespace
}  // namespace rehead::codec
