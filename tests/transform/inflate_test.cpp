#include <array>
#include <cstdio>

#include "transform/run_steps.h"

namespace rehead::transform {
namespace {

using http::Coding;

const std::string kContent = "hello hello hello hello";

std::string packed(const std::string& labels, const std::string& body,
                   const std::string& fields = "") {
  return message("HTTP/1.1 200 OK\nContent-Type: text/plain\nContent-Encoding: " + labels +
                     "\nContent-Length: " + std::to_string(body.size()) + "\n" + fields,
                 body);
}

/// What `inflate` says it cannot decode, of a message that leaves as it came.
std::string refused(const std::string& input, const http::Policy& policy = {}) {
  const auto result = run({{"inflate"}}, input, policy);
  CHECK((result.output == input));
  return result.findings.empty() ? "" : result.findings.front();
}

const std::string kInflated =
    message("HTTP/1.1 200 OK\nContent-Type: text/plain\nContent-Length: 23\n", kContent);

TEST_CASE("inflate: every known coding is undone and its label goes") {
  for (const char* label : {"gzip", "x-gzip", "GZIP", "deflate", "br", "zstd"}) {
    const auto result = run({{"inflate"}}, packed(label, coded(codec::coding_of(label), kContent)));
    CHECK(result.error.empty());
    CHECK(result.findings.empty());
    CHECK(result.output == kInflated);
  }
}

TEST_CASE("inflate: several codings are undone from the right, over several lines too") {
  const std::string twice = coded(Coding::gzip, coded(Coding::br, kContent));
  CHECK(run({{"inflate"}}, packed("br, gzip", twice)).output == kInflated);
  CHECK(run({{"inflate"}}, packed("br\nContent-Encoding: gzip", twice)).output == kInflated);
  CHECK(run({{"inflate"}}, packed("identity, br, identity, gzip", twice)).output == kInflated);
}

TEST_CASE("inflate: unknown codings stay in the label, as they are spelt") {
  const auto result = run({{"inflate"}}, packed("Foo, bar, gzip", coded(Coding::gzip, kContent)));
  CHECK(result.output ==
        message("HTTP/1.1 200 OK\nContent-Type: text/plain\nContent-Encoding: Foo, "
                "bar\nContent-Length: 23\n",
                kContent));
  const std::string unknown = packed("gzip, foo", kContent);
  CHECK(run({{"inflate"}}, unknown).output == unknown);
}

TEST_CASE("inflate: what described the coded bytes is mended, Vary stays") {
  const auto result = run({{"inflate"}}, packed("gzip", coded(Coding::gzip, kContent),
                                                "ETag: \"a\"\nAccept-Ranges: bytes\nVary: "
                                                "Accept-Encoding\nContent-MD5: x\n"));
  CHECK(result.output == message("HTTP/1.1 200 OK\nContent-Type: text/plain\nContent-Length: "
                                 "23\nETag: W/\"a\"\nVary: Accept-Encoding\n",
                                 kContent));
}

TEST_CASE("inflate: content that is not coded as labelled is kept with one warning") {
  for (const char* label : {"gzip", "zstd", "br, gzip"}) {
    const auto result = run({{"inflate"}}, packed(label, kContent, "ETag: \"a\"\n"));
    CHECK(result.error.empty());
    CHECK(result.findings.size() == 1);
    CHECK(result.output ==
          message("HTTP/1.1 200 OK\nContent-Type: text/plain\nContent-Length: 23\nETag: \"a\"\n",
                  kContent));
  }
  const auto inner = run({{"inflate"}}, packed("gzip, br", coded(Coding::br, kContent)));
  CHECK(inner.error.empty());
  CHECK(inner.findings.size() == 1);
  CHECK(inner.output == kInflated);
}

TEST_CASE("inflate: a label over an empty body goes alone, one over no body stays") {
  const std::string head = "HTTP/1.1 200 OK\nContent-Type: text/plain\nETag: \"a\"\n";
  CHECK(run({{"inflate"}}, message(head + "Content-Encoding: gzip\nContent-Length: 0\n", ""))
            .output == message(head + "Content-Length: 0\n", ""));
  for (const std::string& untouched :
       {message("HTTP/1.1 304 Not Modified\nContent-Encoding: gzip\n", ""),
        message("HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Length: 99\n", ""),
        message("HTTP/1.1 204 No Content\nContent-Encoding: gzip\n", "")}) {
    CHECK(run({{"inflate"}}, untouched).output == untouched);
  }
}

TEST_CASE("inflate: an empty body of unknown size is empty content") {
  const auto result = run({{"inflate"}}, message("HTTP/1.1 200 OK\nContent-Encoding: "
                                                 "gzip\nTransfer-Encoding: chunked\n",
                                                 "0\r\n\r\n"));
  CHECK(result.error.empty());
  CHECK(result.output == message("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n", "0\r\n\r\n"));
}

TEST_CASE("inflate: a 206 is left as it came") {
  const std::string part =
      message("HTTP/1.1 206 Partial Content\nContent-Encoding: gzip\nContent-Length: 10\n",
              coded(Coding::gzip, kContent).substr(0, 10));
  CHECK(run({{"inflate"}}, part).output == part);
}

TEST_CASE("inflate: cut and broken bodies are errors, or kept with --lenient") {
  http::Policy lenient;
  lenient.strictness = http::Strictness::lenient;
  const std::string zipped = coded(Coding::gzip, test::words(3000));
  const std::string cut = packed("gzip", zipped.substr(0, zipped.size() / 2));
  CHECK(refused(cut).starts_with("coding-cut"));
  const auto kept = run({{"inflate"}}, cut, lenient);
  CHECK(kept.error.empty());
  CHECK(test::words(3000).starts_with(body_of(kept.output)));
  std::string broken = zipped;
  broken[broken.size() / 2] ^= 0x55;
  CHECK(refused(packed("gzip", broken)).starts_with("coding-broken"));
}

TEST_CASE("inflate: what is broken and longer than may be held is out before it is known") {
  http::Policy policy;
  std::string broken = coded(Coding::gzip, test::words(300'000));
  broken[broken.size() - 6] ^= 0x55;
  CHECK(refused(packed("gzip", broken), policy).starts_with("coding-broken"));
  for (const std::size_t hold : {std::size_t{0}, std::size_t{10'000}}) {
    policy.limits.hold = hold;
    const auto result = run({{"inflate"}}, packed("gzip", broken), policy);
    CHECK(result.error.starts_with("coding-broken"));
    CHECK_FALSE(result.output.ends_with("0\r\n\r\n"));
  }
}

TEST_CASE("inflate: more than five codings, and bombs, are refused") {
  std::string labels = "gzip", body = coded(Coding::gzip, kContent);
  for (int i = 1; i < 5; ++i) {
    labels += i % 2 == 0 ? ", gzip" : "\nContent-Encoding: gzip";
    body = coded(Coding::gzip, body);
  }
  CHECK(run({{"inflate"}}, packed(labels, body)).output == kInflated);
  CHECK(refused(packed(labels + ", gzip", coded(Coding::gzip, body))).starts_with("codings"));
  const std::string zeros(std::size_t{8} << 20, '\0');
  const std::string bomb = coded(Coding::gzip, coded(Coding::gzip, zeros));
  CHECK(refused(packed("gzip, gzip", bomb)).starts_with("content-ratio"));
  http::Policy small;
  small.limits.max_body = 1000;
  const std::string zipped = coded(Coding::gzip, test::words(1001));
  CHECK(refused(packed("gzip", zipped), small).starts_with("content-size"));
}

/// A body under codings of both kinds, in chunks.
std::string under_both(const std::string& transfer, const std::string& content,
                       const std::string& body) {
  std::array<char, 16> size;
  std::snprintf(size.data(), size.size(), "%zx", body.size());
  return message("HTTP/1.1 200 OK\nTransfer-Encoding: " + transfer +
                     ", chunked\nContent-Encoding: " + content + "\n",
                 std::string(size.data()) + "\r\n" + body + "\r\n0\r\n\r\n");
}

TEST_CASE("inflate: transfer codings count with content codings") {
  std::string body = coded(Coding::gzip, kContent);
  const std::string both = under_both("gzip", "br", coded(Coding::gzip, coded(Coding::br, kContent)));
  const auto inflated = run({{"inflate"}}, both);
  CHECK(inflated.output == message("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n",
                                   "17\r\n" + kContent + "\r\n0\r\n\r\n"));
  for (int i = 1; i < 6; ++i) body = coded(Coding::gzip, body);
  CHECK(refused(under_both("gzip, gzip, gzip", "gzip, gzip, gzip", body)).starts_with("codings"));
  const std::string zeros(std::size_t{8} << 20, '\0');
  const std::string bomb = coded(Coding::gzip, coded(Coding::gzip, zeros));
  CHECK(run({{"inflate"}}, under_both("gzip", "gzip", bomb)).error.starts_with("content-ratio"));
}

TEST_CASE("inflate: says why it leaves a body alone") {
  CHECK(refused(packed("gzip, foo", kContent)).starts_with("not-inflated"));
  CHECK(refused(message("HTTP/1.1 206 Partial Content\nContent-Encoding: gzip\nContent-Range: bytes "
                        "5-8/99\nContent-Length: 4\n",
                        "abcd"))
            .starts_with("not-inflated"));
}

TEST_CASE("inflate: undoes what the chain did before it, and nothing is left of it but Vary") {
  const std::string text = message(
      "HTTP/1.1 200 OK\nContent-Type: text/plain\nContent-Length: 50000\n", test::words(50'000));
  for (const char* verb : {"gzip", "deflate", "br", "zstd"}) {
    const auto result = run({{verb}, {"inflate"}}, text);
    CHECK((result.output ==
           message("HTTP/1.1 200 OK\nContent-Type: text/plain\nContent-Length: 50000\nVary: "
                   "Accept-Encoding\n",
                   test::words(50'000))));
  }
}

TEST_CASE("inflate: a saved HAR entry keeps decoded text under its label without a fault") {
  test::Log log;
  http::Message response;
  response.clear();
  response.log = &log;
  response.start.set_status(200);
  response.notes.coding_label_false = true;
  REQUIRE(response.headers.append("Content-Encoding", "br"));
  test::Pieces content(kContent);
  http::Body body;
  body.start(content, content, kContent.size());
  response.body = &body;
  http::Exchange exchange;
  exchange.response = &response;
  exchange.number = 1;
  const http::Policy policy;
  Arguments arguments;
  arguments.selection = {.side = http::Side::response};
  arguments.policy = &policy;
  auto step = find("inflate")->make(arguments);
  REQUIRE(step);
  CHECK((*step)->apply(exchange));
  CHECK(response.headers.empty());
  CHECK_FALSE(body.touched());
  CHECK(log.texts.empty());
}

}  // namespace
}  // namespace rehead::transform
