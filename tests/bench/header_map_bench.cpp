// The header map in memory, on the heads of a Chrome request and of three responses (headers/):
//   sharing    four steps over one map, beside a copy of the map for each and parsing anew for each
//   look-up    1, 4, 16 or 64 names looked up in a head just loaded: tags (http::HeaderMap), plain
//              compare, a token per known name computed while loading, a hash
// Nanoseconds a head: the median of rounds taken in turn (CPU time).
//   header_map_bench FOLDER       the folder of the heads
#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/ascii.h"
#include "http/head_parser.h"

namespace rehead::http {
namespace {

constexpr int kRounds = 9;
constexpr int kHeads = 20'000;  // a round

/// What an optimiser must not leave out.
volatile std::size_t sink;

double cpu_nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

struct Contender {
  std::string name;
  std::function<void()> once;
  std::vector<double> times = {};
};

/// Prints each contender's median and how many times the first one's it is, with its spread.
void race(const std::string& title, std::vector<Contender> contenders) {
  for (int round = 0; round < kRounds; ++round) {
    for (Contender& one : contenders) {
      const double begin = cpu_nanoseconds();
      for (int i = 0; i < kHeads; ++i) one.once();
      one.times.push_back((cpu_nanoseconds() - begin) / kHeads);
    }
  }
  std::printf("%s\n", title.c_str());
  for (Contender& one : contenders) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < one.times.size(); ++i) {
      ratios.push_back(one.times[i] / contenders.front().times[i]);
    }
    std::vector<double> times = one.times;
    std::ranges::sort(times);
    std::ranges::sort(ratios);
    std::printf("  %-28s %8.0f ns  %5.2f (%.2f..%.2f)\n", one.name.c_str(), times[kRounds / 2],
                ratios[kRounds / 2], ratios.front(), ratios.back());
  }
}

/// A head as it stands on the wire.
std::string head_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string head = path.filename().string().starts_with("request") ? "GET / HTTP/1.1\r\n"
                                                                     : "HTTP/1.1 200 OK\r\n";
  for (std::string line; std::getline(file, line);) head += line + "\r\n";
  return head + "\r\n";
}

void load(std::string_view head, HeadParser& parser, Message& message) {
  message.clear();
  const auto outcome = parser.parse(head, true, message);
  sink = outcome->size;
}

/// What four common steps do: set, remove, a default, a length.
void step(HeaderMap& map, int number) {
  switch (number) {
    case 0:
      sink = map.set("X-Request-Id", "1") ? 1 : 0;
      break;
    case 1:
      sink = map.remove("Server");
      break;
    case 2:
      if (map.find("Content-Type") == nullptr) sink = map.append("Content-Type", "text/html") ? 1 : 0;
      break;
    default:
      sink = map.set("Content-Length", "1234") ? 1 : 0;
  }
}

void sharing(const std::string& name, const std::string& head) {
  const Policy policy;
  HeadParser parser(policy);
  Message message;
  std::array<Message, 4> copies;
  race(name + ", four steps", {{"one map", [&] {
                                  load(head, parser, message);
                                  for (int i = 0; i < 4; ++i) step(message.headers, i);
                                }},
                               {"a copy for each step", [&] {
                                  load(head, parser, message);
                                  const HeaderMap* before = &message.headers;
                                  for (std::size_t i = 0; i < 4; ++i) {
                                    copies[i].clear();
                                    copies[i].headers.assign(*before);
                                    step(copies[i].headers, static_cast<int>(i));
                                    before = &copies[i].headers;
                                  }
                                }},
                               {"parsed anew for each step", [&] {
                                  for (int i = 0; i < 4; ++i) {
                                    load(head, parser, message);
                                    step(message.headers, i);
                                  }
                                }}});
}

struct Folded {
  std::size_t operator()(const std::string& name) const {
    return std::hash<std::string>()(ascii::lowered(name));
  }
  bool operator()(const std::string& a, const std::string& b) const { return ascii::equal(a, b); }
};

const std::vector<std::string>& known_names() {
  static const std::vector<std::string> names = {
      "Content-Length", "Content-Type", "Set-Cookie",    "Location", "Server", "Date",
      "Cache-Control",  "ETag",         "Vary",          "Host",     "Cookie", "Accept",
      "User-Agent",     "Connection",   "Authorization", "Trailer"};
  return names;
}

void look_up(const std::string& name, const std::string& head, std::size_t number) {
  const Policy policy;
  HeadParser parser(policy);
  Message message;
  std::vector<Field> plain;
  std::vector<std::uint8_t> tokens;
  std::unordered_map<std::string, std::string, Folded, Folded> hash;
  const std::vector<std::string>& names = known_names();
  std::map<std::size_t, std::vector<std::size_t>> by_size;
  for (std::size_t i = 0; i < names.size(); ++i) by_size[names[i].size()].push_back(i);
  const auto wanted = [&](const auto& find) {
    std::size_t found = 0;
    for (std::size_t i = 0; i < number; ++i) found += find(i % names.size()) ? 1U : 0U;
    sink = found;
  };
  // The parsing is the same for all; what each makes of the fields is its own.
  load(head, parser, message);
  std::vector<Field> fields;
  for (const Field& field : message.headers) fields.push_back(field);
  Arena arena;
  HeaderMap map(arena);
  race(name + ", " + std::to_string(number) + " look-ups",
       {{"tags", [&] {
           map.clear();
           for (const Field& field : fields) map.load(field);
           wanted([&](std::size_t i) { return map.find(names[i]) != nullptr; });
         }},
        {"plain compare", [&] {
           plain.clear();
           for (const Field& field : fields) plain.push_back(field);
           wanted([&](std::size_t i) {
             return std::ranges::any_of(plain, [&](const Field& field) {
               return ascii::equal(field.name(), names[i]);
             });
           });
         }},
        {"tokens made while loading", [&] {
           plain.clear();
           tokens.clear();
           for (const Field& field : fields) {
             plain.push_back(field);
             std::uint8_t token = 0;
             if (const auto same = by_size.find(field.name_size); same != by_size.end()) {
               for (const std::size_t i : same->second) {
                 if (ascii::equal(names[i], field.name())) token = static_cast<std::uint8_t>(i + 1);
               }
             }
             tokens.push_back(token);
           }
           wanted([&](std::size_t i) {
             return std::ranges::find(tokens, static_cast<std::uint8_t>(i + 1)) != tokens.end();
           });
         }},
        {"unordered_map", [&] {
           hash.clear();
           for (const Field& field : fields) {
             hash.emplace(std::string(field.name()), std::string(field.value()));
           }
           wanted([&](std::size_t i) { return hash.contains(names[i]); });
         }}});
}

}  // namespace
}  // namespace rehead::http

int main(int argc, char** argv) {
  using namespace rehead::http;
  if (argc != 2) {
    std::fputs("header_map_bench FOLDER: the folder of the heads, tests/bench/headers\n", stderr);
    return 2;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(argv[1])) files.push_back(file.path());
  std::ranges::sort(files);
  for (const auto& file : files) sharing(file.stem(), head_of(file));
  for (const auto& file : files) {
    for (const std::size_t number : {1U, 4U, 16U, 64U}) look_up(file.stem(), head_of(file), number);
  }
}
