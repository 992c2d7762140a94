// The HAR splitter beside simdjson and memchr, in memory: GB/s, the best of several rounds taken in
// turn (CPU time).
//   har_splitter_bench [FILE.har...]      default: the HAR files of tests/data
// The entries of the files are repeated to one document of 200 MB.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "corpus.h"
#include "format/har_splitter.h"

#if defined(REHEAD_HAVE_SIMDJSON)
#include <simdjson.h>
#endif

namespace rehead::format {
namespace {

constexpr std::size_t kSize = 200'000'000;
constexpr int kRounds = 5;

void for_each_piece(std::string_view text, const std::function<void(const HarPiece&)>& visit) {
  Input input(std::make_unique<MemoryReader>(text));
  const http::Limits limits;
  HarSplitter splitter(input, limits);
  while (true) {
    const auto piece = splitter.next();
    if (!piece || piece->kind == HarPiece::Kind::none) return;
    visit(*piece);
  }
}

std::string document(const std::vector<std::filesystem::path>& files) {
  std::vector<std::string> entries;
  for (const auto& path : files) {
    for_each_piece(read_whole(path), [&](const HarPiece& piece) {
      if (piece.kind == HarPiece::Kind::entry && piece.bytes.starts_with('{')) {
        entries.emplace_back(piece.bytes);
      }
    });
  }
  std::string text = R"({"log":{"version":"1.2","entries":[)";
  for (std::size_t i = 0; text.size() < kSize && !entries.empty(); ++i) {
    text.append(i == 0 ? "" : ",").append(entries[i % entries.size()]);
  }
  return text + "]}}";
}

std::size_t split(std::string_view text) {
  std::size_t entries = 0;
  for_each_piece(text, [&](const HarPiece& piece) {
    entries += std::size_t{piece.kind == HarPiece::Kind::entry};
  });
  return entries;
}

std::size_t scan(codec::JsonClassify classify, std::string_view text) {
  codec::JsonScan scanner(classify);
  scanner.start(1024, true);
  scanner.advance(text);
  return scanner.position();
}

std::size_t quotes(std::string_view text) {
  std::size_t count = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    const void* found = std::memchr(at, '"', static_cast<std::size_t>(end - at));
    if (found == nullptr) break;
    at = static_cast<const char*>(found) + 1;
    ++count;
  }
  return count;
}

#if defined(REHEAD_HAVE_SIMDJSON)
std::size_t raw_entries(const simdjson::padded_string& text) {
  simdjson::ondemand::parser parser;
  auto document = parser.iterate(text);
  std::size_t entries = 0;
  for (auto element : document["log"]["entries"]) {
    simdjson::ondemand::object object;
    std::string_view raw;
    if (element.get_object().get(object) == simdjson::SUCCESS &&
        object.raw_json().get(raw) == simdjson::SUCCESS) {
      ++entries;
    }
  }
  return entries;
}
#endif

struct Contender {
  std::string name;
  std::function<std::size_t()> run;
  double best = 1e9;
  std::size_t result = 0;
};

int compare(const std::string& text) {
  std::vector<Contender> contenders = {
      {"memchr for quotes", [&] { return quotes(text); }},
      {"splitter over a window, with the copy into it", [&] { return split(text); }},
  };
  const char* const names[] = {"scan, scalar", "scan, SSE2", "scan, AVX2"};
  for (std::size_t i = 0; i < codec::json_classifiers().size(); ++i) {
    const codec::JsonClassify classify = codec::json_classifiers()[i];
    contenders.push_back({names[i], [&text, classify] { return scan(classify, text); }});
  }
#if defined(REHEAD_HAVE_SIMDJSON)
  const simdjson::padded_string padded(text);
  contenders.push_back(
      {"simdjson On-Demand, raw entries, whole file", [&] { return raw_entries(padded); }});
#endif
  for (int round = 0; round < kRounds; ++round) {
    for (Contender& contender : contenders) {
      const std::clock_t start = std::clock();
      contender.result = contender.run();
      const auto took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
      contender.best = std::min(contender.best, took);
    }
  }
  for (const Contender& contender : contenders) {
    std::printf("%-46s %6.2f GB/s   (%zu)\n", contender.name.c_str(),
                static_cast<double>(text.size()) / contender.best / 1e9, contender.result);
  }
  return 0;
}

}  // namespace
}  // namespace rehead::format

int main(int argc, char** argv) {
  std::vector<std::filesystem::path> files(argv + 1, argv + argc);
  if (files.empty()) files = rehead::files_under(REHEAD_TEST_DATA "/har/browser");
  return rehead::format::compare(rehead::format::document(files));
}
