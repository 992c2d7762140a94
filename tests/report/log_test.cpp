#include <catch2/catch.hpp>

#include "report/log_time.h"
#include "support/run_chain.h"

namespace rehead::report {
namespace {

constexpr std::string_view kDate = "Date: Tue, 14 Jan 2025 09:13:02 GMT\r\n";

std::string response(std::string_view fields, std::string_view body = {}) {
  return "HTTP/1.1 200 OK\r\n" + std::string(fields) + "\r\n" + std::string(body);
}

TEST_CASE("log: a response belongs to the request before it") {
  const std::string pair = "GET /a HTTP/1.1\r\nHost: h\r\nReferer: r\r\nUser-Agent: \"u\\\r\n\r\n" +
                           response(std::string(kDate) + "Content-Length: 5\r\n", "hello");
  CHECK(run_chain("log", pair).out ==
        "- - - [14/Jan/2025:09:13:02 +0000] \"GET /a HTTP/1.1\" 200 5\n");
  CHECK(run_chain("log --format combined", pair).out ==
        "- - - [14/Jan/2025:09:13:02 +0000] \"GET /a HTTP/1.1\" 200 5 \"r\" \"\\x22u\\x5c\"\n");
  CHECK(run_chain("log --format json", pair).out ==
        R"({"time":"2025-01-14T09:13:02.000Z","method":"GET","url":"http://h/a","status":200,)"
        R"("size":5,"referer":"r",)"
        R"("user_agent":"\"u\\"})"
        "\n");
}

TEST_CASE("log: what is not known is a dash") {
  CHECK(run_chain("log", response("Content-Length: 0\r\n")).out == "- - - [-] \"-\" 200 -\n");
  CHECK(run_chain("log", "GET / HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\n").out ==
        "- - - [-] \"GET / HTTP/1.1\" - -\n- - - [-] \"GET /b HTTP/1.1\" - -\n");
}

TEST_CASE("log: without a length the content is counted") {
  CHECK(run_chain("log", response("", "hello")).out == "- - - [-] \"-\" 200 5\n");
  CHECK(run_chain("log", response("Transfer-Encoding: chunked\r\n", "2\r\nhi\r\n0\r\n\r\n")).out ==
        "- - - [-] \"-\" 200 2\n");
}

TEST_CASE("log: an entry gives its time and its URL") {
  const std::string har =
      R"({"log":{"entries":[{"startedDateTime":"2025-01-14T10:13:02.5+01:00","time":7,)"
      R"("request":{"method":"GET","url":"https://h/a?b#c","httpVersion":"HTTP/1.1","headers":[]},)"
      R"("response":{"status":404,"headers":[],"content":{"mimeType":"x/y","text":"abc"}}}]}})";
  CHECK(run_chain("log", har).out ==
        "- - - [14/Jan/2025:10:13:02 +0100] \"GET /a?b HTTP/1.1\" 404 3\n");
  CHECK(run_chain("log --format json", har).out ==
        R"({"time":"2025-01-14T10:13:02.5+01:00","method":"GET","url":"https://h/a?b#c",)"
        R"("status":404,"size":3,"ms":7})"
        "\n");
}

TEST_CASE("log: no byte of a value can forge a line") {
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    if (c == '\n' || c == '\r' || c == '\0') continue;
    const std::string request = "GET / HTTP/1.1\r\nReferer: a" + std::string(1, c) + "b\r\n\r\n" +
                                response("Content-Length: 0\r\n");
    const std::string line = run_chain("log --format combined", request).out;
    CAPTURE(byte);
    CHECK(std::count(line.begin(), line.end(), '"') == 6);
    CHECK(line.find('\n') == line.size() - 1);
    for (const char shown : line.substr(0, line.size() - 1)) CHECK((shown >= 0x20 && shown < 0x7F));
  }
}

TEST_CASE("log: dates that are none are told apart") {
  CHECK(log_time("2025-01-14T09:13:02Z", "") == "14/Jan/2025:09:13:02 +0000");
  CHECK(log_time("2025-12-31T23:59:60", "") == "31/Dec/2025:23:59:60 +0000");
  CHECK(log_time("2025-01-14T09:13:02.123-08:00", "x") == "14/Jan/2025:09:13:02 -0800");
  CHECK(log_time("NaN", "Tue, 14 Jan 2025 09:13:02 GMT") == "14/Jan/2025:09:13:02 +0000");
  for (const std::string_view bad :
       {"", "2025-13-14T09:13:02Z", "2025-01-14", "2025-01-14T09:13:02+1", "0000-00-00T00:00:00"}) {
    CAPTURE(bad);
    CHECK(log_time(bad, bad) == "-");
  }
  CHECK(log_time("", "Tuesday, 14-Jan-25 09:13:02 GMT") == "-");
}

}  // namespace
}  // namespace rehead::report
