// simdjson judges the splitter: on every HAR at hand both must find the same entries.
#include <simdjson.h>

#include <catch2/catch.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "corpus.h"
#include "format/har_splitter.h"

namespace rehead::format {
namespace {

using Entries = std::vector<std::string>;

std::optional<Entries> by_simdjson(std::string text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  while (text.ends_with('\0')) text.pop_back();
  const simdjson::padded_string padded(text);
  simdjson::dom::parser whole;
  if (whole.parse(padded).error() != simdjson::SUCCESS) return std::nullopt;  // On-Demand is lazy
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document document;
  if (parser.iterate(padded).get(document) != simdjson::SUCCESS) return std::nullopt;
  simdjson::ondemand::array array;
  if (document["log"]["entries"].get_array().get(array) != simdjson::SUCCESS) return std::nullopt;
  Entries entries;
  for (auto element : array) {
    simdjson::ondemand::value value;
    simdjson::ondemand::object object;
    std::string_view raw;
    if (std::move(element).get(value) != simdjson::SUCCESS ||
        value.get_object().get(object) != simdjson::SUCCESS ||
        object.raw_json().get(raw) != simdjson::SUCCESS) {
      return std::nullopt;
    }
    entries.emplace_back(raw.substr(0, raw.rfind('}') + 1));  // it keeps blanks behind the value
  }
  return entries;
}

Entries by_splitter(const std::string& text) {
  Input input(std::make_unique<MemoryReader>(text, 10'000));
  const http::Limits limits;
  HarSplitter splitter(input, limits);
  Entries entries;
  while (true) {
    const auto piece = splitter.next();
    if (!piece || piece->kind == HarPiece::Kind::none) return entries;
    if (piece->kind == HarPiece::Kind::entry) entries.emplace_back(piece->bytes);
  }
}

TEST_CASE("har_splitter: simdjson finds the same entries in every HAR") {
  std::size_t judged = 0;
  for (const auto& path : har_files()) {
    const std::string text = read_whole(path);
    const auto wanted = by_simdjson(text);
    if (!wanted) continue;
    INFO(path.string());
    const bool same = by_splitter(text) == *wanted;  // not to be printed
    CHECK(same);
    ++judged;
  }
  CHECK(judged >= 12);
}

}  // namespace
}  // namespace rehead::format
