// The fast path for ordinary heads. The line reader is its judge: what the fast path takes, both
// read the same; the classifiers are judged by the portable one.
#include "http/plain_head.h"

#include <catch2/catch.hpp>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "http/head_parser.h"

namespace rehead::http {
namespace {

/// What a reading gave, as far as anything later depends on it.
struct Reading {
  bool more = false;
  std::size_t size = 0, lines = 0;
  std::string text = {};
  bool operator==(const Reading&) const = default;
};

Reading told(const Result<HeadParser::Outcome>& outcome, const HeadParser& parser,
             const Message& message, std::string_view window) {
  if (!outcome) return {.text = std::string(outcome.error().id) + outcome.error().what};
  if (outcome->more) return {.more = true};
  Reading reading{.size = outcome->size, .lines = outcome->lines};
  const auto add = [&](std::string_view part) { reading.text.append(part).append("|"); };
  const auto place = [&](std::string_view part) {
    const bool within = part.data() >= window.data() && part.data() < window.data() + window.size();
    add(within ? std::to_string(part.data() - window.data()) : "elsewhere");
  };
  add(message.start.as_read());
  add(message.start.method());
  add(message.start.reason());
  add(message.blank_line);
  for (const Field& field : message.headers) {
    add(field.name());
    add(field.value());
    add(field.line());
    place(field.name());
    add(std::to_string(field.flags) + "," + std::to_string(field.origin));
  }
  const HeaderMap::Edited edited = message.headers.edited();
  add(edited.before);
  add(edited.behind);
  add(std::to_string(message.headers.size()) + (message.notes.lf_head ? "lf" : "crlf"));
  for (const Finding& finding : parser.findings()) add(finding.what);
  return reading;
}

/// Reads both ways; the bytes stand in a heap block of their own size.
bool same_both_ways(const std::string& bytes, const Policy& policy) {
  const auto block = std::make_unique<char[]>(bytes.size());
  std::copy(bytes.begin(), bytes.end(), block.get());
  const std::string_view window(block.get(), bytes.size());
  HeadParser fast(policy), slow(policy);
  Message one, other;
  const auto outcome = fast.parse(window, true, one);
  const Reading seen = told(outcome, fast, one, window);
  const Reading judged = told(slow.parse_by_line(window, true, other), slow, other, window);
  CHECK(seen.text == judged.text);
  return seen == judged;
}

bool is_taken(const std::string& bytes) {
  PlainHead plain;
  Message message;
  return plain.read(bytes, 10'000, message.headers).has_value();
}

std::string pick(std::mt19937& random, const std::vector<std::string>& from) {
  return from[random() % from.size()];
}

std::string random_head(std::mt19937& random) {
  std::string head = pick(random, {"HTTP/1.1 200 OK", "GET / HTTP/1.1", "HTTP/2 204", "HTTP/1.1 200"});
  head += "\r\n";
  for (auto i = random() % 40; i > 0; --i) {
    std::string name = pick(random, {"Server", "X-a", "x_y", "A", "Content-Type", "x!y", "", "a b"});
    if (random() % 9 == 0) name += std::string(random() % 150, 'n');
    if (name.find_first_of(" ") != std::string::npos && random() % 8 != 0) name = "N";
    if (name.empty() && random() % 8 != 0) name = "M";
    head += name + pick(random, {":", ": ", ":\t ", ":  "}) + std::string(random() % 130, 'v') +
            pick(random, {"", "", "", " ", "\t"}) + "\r\n";
  }
  return head + "\r\n" + std::string(random() % 80, 'b');
}

TEST_CASE("plain_head: reads what the line reader reads, whatever the head") {
  std::mt19937 random(1);
  std::size_t taken = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string head = random_head(random);
    if (round % 3 == 0) {  // one byte changed, taken out or put in
      const std::size_t at = random() % head.size();
      const char byte = "\r\n\0\t :a\x1b\x7f\x80"[random() % 10];
      if (random() % 3 == 0) head.erase(at, 1);
      else if (random() % 2 == 0) head.insert(at, 1, byte);
      else head[at] = byte;
    }
    if (round % 7 == 0) head.resize(random() % head.size() + 1);
    taken += is_taken(head) ? 1 : 0;
    INFO("round " << round);
    for (const Strictness strictness : {Strictness::normal, Strictness::strict, Strictness::lenient}) {
      REQUIRE(same_both_ways(head, {.strictness = strictness}));
    }
  }
  CHECK(taken > 1000);  // it is no test of the line reader alone
}

TEST_CASE("plain_head: heads end anywhere in a block, and in no block at all") {
  for (std::size_t pad = 0; pad < 300; ++pad) {
    const std::string head = "HTTP/1.1 200 OK\r\nA: " + std::string(pad, 'v') + "\r\n\r\n";
    REQUIRE(is_taken(head));
    REQUIRE(same_both_ways(head, {}));
    for (std::size_t cut = 1; cut < head.size(); cut += 1 + cut % 5) {
      REQUIRE_FALSE(is_taken(head.substr(0, cut)));
    }
  }
}

TEST_CASE("plain_head: limits are those of the line reader") {
  const std::string head = "HTTP/1.1 200 OK\r\nA: 1\r\nB: 2\r\nC: 3\r\n\r\n";
  for (std::size_t most = 1; most < 6; ++most) {
    Policy policy;
    policy.limits.max_fields = most;
    REQUIRE(same_both_ways(head, policy));
  }
  for (std::size_t most = head.size() - 3; most < head.size() + 3; ++most) {
    Policy policy;
    policy.limits.max_head = most;
    REQUIRE(same_both_ways(head, policy));
  }
  for (const std::size_t size : {PlainHead::kLargest - 30, PlainHead::kLargest + 30}) {
    const std::string large = "HTTP/1.1 200 OK\r\nA: " + std::string(size - 23, 'v') + "\r\n\r\n";
    CHECK(is_taken(large) == (size < PlainHead::kLargest));
    REQUIRE(same_both_ways(large, {}));
  }
}

TEST_CASE("plain_head: every classifier of this machine says what the portable one says") {
  std::mt19937 random(2);
  std::array<char, 4 * HeadBlock::kSize> bytes;
  for (int round = 0; round < 500; ++round) {
    for (char& byte : bytes) byte = static_cast<char>(random() % 256);
    std::array<HeadBlock, 4> right;
    head_classify_scalar(bytes.data(), right);
    for (const HeadClassify classify : head_classifiers()) {
      std::array<HeadBlock, 4> seen;
      classify(bytes.data(), seen);
      for (std::size_t i = 0; i < right.size(); ++i) {
        REQUIRE(seen[i].lf == right[i].lf);
        REQUIRE(seen[i].cr == right[i].cr);
        REQUIRE(seen[i].control == right[i].control);
        REQUIRE(seen[i].name == right[i].name);
      }
    }
  }
}

}  // namespace
}  // namespace rehead::http
