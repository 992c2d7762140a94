#include "redact/byte_filter.h"

#include <catch2/catch.hpp>
#include <random>

namespace rehead::redact {
namespace {

constexpr std::array<Anchor, 12> kAnchors = {
    Anchor{"a", "b", "c"},   {"Bb", "Ee", "Aa"}, {"-", "B", "E"}, {"012", ".", "012"},
    {"x", "o", "x"},         {"s", "k", "-"},    {"%", "4", "0"}, {"abc", "@", "abc"},
    {":", ":", "0123456ab"}, {"k", ".", "c"},    {"~", "~", "~"}, {"_", "p", "a"}};

using Places = std::vector<std::pair<std::size_t, std::uint64_t>>;

template <typename Scan>
Places all(std::string_view text, Scan scan) {
  Places places;
  ByteFilter::Hits hits;
  for (std::size_t at = 0; at < text.size();) {
    hits.size = 0;
    const std::size_t next = scan(at, hits);
    REQUIRE(next > at);
    for (std::size_t i = 0; i < hits.size; ++i) {
      places.emplace_back(hits.all[i].at, hits.all[i].anchors);
    }
    at = next;
  }
  return places;
}

Places expected(std::string_view text) {
  Places places;
  for (std::size_t at = 0; at + 3 <= text.size(); ++at) {
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < kAnchors.size(); ++i) {
      bool here = true;
      for (std::size_t j = 0; j < 3; ++j) {
        here = here && kAnchors[i][j].find(text[at + j]) != std::string_view::npos;
      }
      if (here) found |= std::uint64_t{1} << i;
    }
    if (found != 0) places.emplace_back(at, found);
  }
  return places;
}

TEST_CASE("the filter finds every anchor and nothing else, block by block or byte by byte",
          "[redact]") {
  ByteFilter filter;
  for (const Anchor& anchor : kAnchors) filter.add(anchor);
  std::mt19937 random(7);
  constexpr std::string_view kLetters("abcABEeb-.012xosk%4@:~_p\xC3\xA9\0 z", 29);
  for (unsigned round = 0; round < 2000; ++round) {
    std::string text;
    const std::size_t size = random() % 300;
    const std::size_t letters = 1 + random() % kLetters.size();
    const std::size_t first = random() % kLetters.size();
    for (std::size_t i = 0; i < size; ++i) {
      text += kLetters[(first + random() % letters) % kLetters.size()];
    }
    const Places places = expected(text);
    REQUIRE(all(text, [&](std::size_t at, ByteFilter::Hits& hits) {
              return filter.scan(text, at, hits);
            }) == places);
    REQUIRE(all(text, [&](std::size_t at, ByteFilter::Hits& hits) {
              return filter.scan_plain(text, at, hits);
            }) == places);
  }
}

}  // namespace
}  // namespace rehead::redact
