#include "format/ndjson.h"

#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "codec/json_check.h"

namespace rehead::format {
namespace {

class Findings final : public Diagnostics {
 public:
  void report(const Finding& finding) override { all.push_back(finding); }
  std::vector<Finding> all;
};

/// A body made by hand; `broken`: it breaks off behind `text`.
class TextBody final : public ByteSource {
 public:
  explicit TextBody(std::string text, bool broken = false)
      : text_(std::move(text)), broken_(broken) {}
  Result<Piece> pull() override {
    if (at_ < text_.size()) {
      const std::string_view piece = std::string_view(text_).substr(at_, kStep);
      at_ += piece.size();
      return Piece{Piece::Kind::bytes, piece};
    }
    if (broken_) return fail({Errc::syntax, "cut", "the body is cut"});
    return Piece{};
  }

 private:
  static constexpr std::size_t kStep = 1000;
  std::string text_;
  bool broken_;
  std::size_t at_ = 0;
};

struct Made {
  http::Message message;
  http::Body body;
  http::Exchange exchange;
  Findings findings;

  explicit Made(unsigned status = 200) {
    message.notes.number = 1;
    message.start.set_version("HTTP/1.1");
    message.start.set_status(status);
    message.start.set_reason("OK");
    message.log = &findings;
    exchange = {.response = &message, .file = "a.http"};
  }
  void content(ByteSource& bytes, std::optional<std::uint64_t> size, http::Framing framing) {
    body.start(bytes, bytes, size);
    message.body = &body;
    message.notes.framing = framing;
  }
};

void load(http::HeaderMap& map, std::string_view name, std::string_view value) {
  map.load({.name_at = name.data(),
            .value_at = value.data(),
            .name_size = static_cast<std::uint32_t>(name.size()),
            .value_size = static_cast<std::uint32_t>(value.size())});
}

std::string written(Made& made, bool bodies = true, Errc* error = nullptr,
                    const http::Policy& policy = {}) {
  MemorySink output;
  auto sink = make_ndjson_sink(
      {.output = &output, .policy = &policy, .log = &made.findings, .bodies = bodies});
  auto done = sink->write(made.exchange);
  if (error != nullptr && !done) *error = done.error().code;
  CHECK((error != nullptr || done));
  CHECK(sink->finish());
  const std::string& text = output.text();
  REQUIRE(text.ends_with('\n'));
  CHECK(codec::json::check(text, 8));
  return text;
}

struct Copied {
  std::string text;  // written again as NDJSON
  std::vector<Finding> findings;
  std::optional<Error> error;
};

/// Reads NDJSON and writes it again.
Copied copied(std::string_view text, std::size_t step = SIZE_MAX, const http::Policy& policy = {}) {
  Findings findings;
  MemorySink output;
  auto source = make_ndjson_source({.reader = std::make_unique<MemoryReader>(text, step),
                                    .file = "in.ndjson",
                                    .policy = &policy,
                                    .log = &findings});
  auto sink = make_ndjson_sink({.output = &output, .policy = &policy, .log = &findings});
  Copied copy;
  while (true) {
    auto next = source->next();
    if (!next) copy.error = next.error();
    if (!next || *next == nullptr) break;
    CHECK(sink->write(**next));
  }
  copy.text = output.text();
  copy.findings = findings.all;
  return copy;
}

/// Reads the first exchange and looks at it.
template <typename Look>
void with_first(std::string_view text, Look look, const http::Policy& policy = {}) {
  Findings findings;
  auto source = make_ndjson_source({.reader = std::make_unique<MemoryReader>(text),
                                    .file = "in.ndjson",
                                    .policy = &policy,
                                    .log = &findings});
  auto next = source->next();
  REQUIRE(next);
  REQUIRE(*next != nullptr);
  look(**next);
}

std::string pulled(ByteSource& source) {
  std::string bytes;
  while (true) {
    auto piece = source.pull();
    REQUIRE(piece);
    if (piece->kind == Piece::Kind::end) return bytes;
    bytes += piece->bytes;
  }
}

const std::string kResponse =
    R"({"kind":"response","file":"a.http","message":1,"version":"HTTP/1.1","status":200,)"
    R"("reason":"OK","headers":[["Content-Length","5"],["X","1"],["x","2"]],"body":"hello",)"
    R"("size":5,"trailers":[],"wire":{"framing":"length","codings":[]}})"
    "\n";
const std::string kRequest =
    R"({"kind":"request","file":"a.http","message":2,"version":"HTTP/1.1","method":"GET",)"
    R"("target":"/a?b","headers":[["Host","h"]],"body":"","size":0,"trailers":[],)"
    R"("wire":{"framing":"none","codings":[]}})"
    "\n";
const std::string kBinary =
    R"({"kind":"response","file":"b.http","message":3,"version":"HTTP/1.1","status":200,)"
    R"("reason":["caf\u00e9","latin1"],"headers":[["X","caf\u00e9","latin1"],)"
    R"(["Transfer-Encoding","chunked"],["Content-Encoding","gzip"]],"body64":"H4sI/w==","size":4,)"
    R"("trailers":[["T","1"]],"wire":{"framing":"chunked","codings":["gzip"]}})"
    "\n";
const std::string kWithheld =
    R"({"kind":"response","file":"b.http","message":4,"version":"HTTP/2","status":200,)"
    R"("reason":"","headers":[["content-length","5"]],"trailers":[],)"
    R"("wire":{"framing":"withheld","codings":[]}})"
    "\n";
const std::string kExchange =
    R"({"kind":"exchange","file":"a.har","entry":7,"time":"2024-01-01T00:00:00.000Z",)"
    R"("ms":1.50e+3,"method":"GET","url":"http://h/","status":200,)"
    R"("request":{"kind":"request","version":"HTTP/1.1","method":"GET","target":"/",)"
    R"("headers":[],"body":"","size":0,"trailers":[],"wire":{"framing":"none","codings":[]}},)"
    R"("response":{"kind":"response","version":"HTTP/1.1","status":200,"reason":"",)"
    R"("headers":[],"body":"\u0000\n\"é","size":5,"trailers":[],)"
    R"("wire":{"framing":"decoded","codings":[]}}})"
    "\n";
const std::string kAll = kResponse + kRequest + kBinary + kWithheld + kExchange;

}  // namespace

TEST_CASE("ndjson_sink: a message is one object with its members in a fixed order") {
  Made made;
  load(made.message.headers, "Content-Length", "5");
  load(made.message.headers, "X", "1");
  load(made.message.headers, "x", "2");
  TextBody body("hello");
  made.content(body, 5, http::Framing::length);
  CHECK(written(made) == kResponse);
}

TEST_CASE("ndjson_sink: interim responses are messages too") {
  Made made(103);
  made.message.start.set_reason("Early Hints");
  CHECK(written(made) ==
        R"({"kind":"response","file":"a.http","message":1,"version":"HTTP/1.1","status":103,)"
        R"("reason":"Early Hints","headers":[],"body":"","size":0,"trailers":[],)"
        R"("wire":{"framing":"none","codings":[]}})"
        "\n");
}

TEST_CASE("ndjson_sink: a body that is not UTF-8 stands in body64, told by the whole of it") {
  for (const std::size_t hold : {std::size_t{0}, std::size_t{100}, std::size_t{1} << 20}) {
    http::Policy policy;
    policy.limits.hold = hold;
    const std::string text(300'000, 'a');
    Made made;
    TextBody good(text);
    made.content(good, std::nullopt, http::Framing::chunked);
    std::string line = written(made, true, nullptr, policy);
    CHECK(line.find(R"("body":"aaaa)") != std::string::npos);
    CHECK(line.find(R"(a","size":300000,"trailers":[],"wire":{"framing":"chunked")") !=
          std::string::npos);
    TextBody bad(text + "\xFF");
    made.content(bad, std::nullopt, http::Framing::chunked);
    line = written(made, true, nullptr, policy);
    CHECK(line.find(R"("body64":"YWFh)") != std::string::npos);
    CHECK(line.find(R"(YWFh/w==","size":300001)") != std::string::npos);
  }
}

TEST_CASE("ndjson_sink: field values that are not UTF-8 are triples, other texts pairs") {
  Made made;
  made.message.start.set_reason("\xC4h");
  made.exchange.file = "\xFF.http";
  load(made.message.headers, "X", "caf\xE9");
  load(made.message.headers, "Y", "caf\xC3\xA9");
  const std::string line = written(made);
  CHECK(line.find(R"("file":["\u00ff.http","latin1"])") != std::string::npos);
  CHECK(line.find(R"("reason":["\u00c4h","latin1"])") != std::string::npos);
  CHECK(line.find(R"("headers":[["X","caf\u00e9","latin1"],["Y","café"]])") != std::string::npos);
}

TEST_CASE("ndjson_sink: --no-body leaves bodies unread and keeps a size that is known") {
  Made made;
  TextBody body("hello");
  made.content(body, 5, http::Framing::length);
  CHECK(written(made, false)
            .ends_with(R"("headers":[],"size":5,"wire":{"framing":"length",)"
                       R"("codings":[]}})"
                       "\n"));
  made.content(body, std::nullopt, http::Framing::chunked);
  CHECK(written(made, false)
            .ends_with(R"("headers":[],"wire":{"framing":"chunked","codings":[]}})"
                       "\n"));
  CHECK(pulled(body) == "hello");
}

TEST_CASE("ndjson_sink: a withheld body is marked and has no member") {
  Made made;
  made.message.notes.framing = http::Framing::withheld;
  CHECK(written(made).ends_with(R"("headers":[],"trailers":[],"wire":{"framing":"withheld",)"
                                R"("codings":[]}})"
                                "\n"));
}

TEST_CASE("ndjson_sink: a body that breaks off is written as far as it came, with its error") {
  Made made;
  TextBody body("hello", true);
  made.content(body, 9, http::Framing::length);
  Errc error = Errc::usage;
  CHECK(written(made, true, &error)
            .ends_with(R"("body":"hello","size":5,"trailers":[],"wire":{"framing":"length",)"
                       R"("codings":[]}})"
                       "\n"));
  CHECK(error == Errc::syntax);
}

TEST_CASE("ndjson_sink: a broken request body does not lose the response") {
  Made request, response;
  request.message.kind = http::Kind::request;
  request.message.start.set_method("POST");
  request.message.start.set_target("/");
  TextBody cut("x", true), whole("y");
  request.content(cut, 2, http::Framing::length);
  response.content(whole, 1, http::Framing::length);
  request.exchange = {.request = &request.message,
                      .response = &response.message,
                      .file = "a.har",
                      .number = 1,
                      .ms = "NaN"};
  Errc error = Errc::usage;
  const std::string line = written(request, true, &error);
  CHECK(error == Errc::syntax);
  CHECK(line.starts_with(R"({"kind":"exchange","file":"a.har","entry":1,"method":"POST",)"
                         R"("status":200,"request":{"kind":"request",)"));
  CHECK(line.find(R"("body":"y","size":1)") != std::string::npos);
}

TEST_CASE("ndjson_sink: trailers that come with the end of the body are written") {
  class Trailing final : public ByteSource {
   public:
    explicit Trailing(http::Message& message) : message_(&message) {}
    Result<Piece> pull() override {
      if (message_->trailers.empty()) load(message_->trailers, "T", "1");
      return Piece{};
    }

   private:
    http::Message* message_;
  };
  Made made;
  Trailing body(made.message);
  made.content(body, std::nullopt, http::Framing::chunked);
  CHECK(written(made).find(R"("body":"","size":0,"trailers":[["T","1"]],)") != std::string::npos);
}

TEST_CASE("ndjson: reading our own lines and writing them again changes nothing") {
  const Copied copy = copied(kAll);
  CHECK(copy.text == kAll);
  CHECK(copy.findings.empty());
  CHECK(!copy.error);
}

TEST_CASE("ndjson_source: the cut of the input into reads changes nothing") {
  const std::string text = "\xEF\xBB\xBF\r\n" + kAll + "{\"kind\":1}\n\n{\n\"kind\":\n\"x\"}\n}\n" +
                           kRequest.substr(0, kRequest.size() - 1);
  const Copied whole = copied(text);
  CHECK(whole.findings.size() == 2);
  for (std::size_t step = 1; step < 200; ++step) {
    const Copied cut = copied(text, step);
    CHECK(cut.text == whole.text);
    REQUIRE(cut.findings.size() == whole.findings.size());
    for (std::size_t i = 0; i < cut.findings.size(); ++i) {
      CHECK(cut.findings[i].byte == whole.findings[i].byte);
      CHECK(cut.findings[i].line == whole.findings[i].line);
      CHECK(cut.findings[i].what == whole.findings[i].what);
    }
  }
}

TEST_CASE("ndjson_source: a bad line is reported with line and byte, the next one is read") {
  const Copied copy = copied("\n" + kRequest + "{\"kind\":\"request\" oops}\r\n" + kResponse);
  CHECK(copy.text == kRequest + kResponse);
  REQUIRE(copy.findings.size() == 1);
  const Finding& finding = copy.findings[0];
  CHECK(finding.level == Level::error);
  CHECK(finding.code == Errc::syntax);
  CHECK(finding.what == "a comma or } is missing");
  CHECK(finding.line == 3);
  CHECK(finding.byte == 1 + kRequest.size() + 18);
  CHECK(finding.message == 2);
}

TEST_CASE("ndjson_source: what is wrong with a line is said in words") {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"[]", "an array stands where an object is needed"},
      {"{}", "\"kind\" is none of request, response, exchange"},
      {R"({"kind":"x"})", "\"kind\" is none of request, response, exchange"},
      {R"({"kind":{}})", "\"kind\" is an object, a string is needed"},
      {R"({"kind":"response"})", "\"status\" is missing"},
      {R"({"kind":"response","status":"200"})", "\"status\" is a string, a number is needed"},
      {R"({"kind":"response","status":1000})", "\"status\" is no whole number from 0 to 999"},
      {R"({"kind":"request","method":"GET"})", "\"method\" or \"target\" is missing"},
      {R"({"kind":"exchange"})", "an exchange without request and response"},
      {R"({"kind":"exchange","request":[]})", "an array stands where an object is needed"},
      {R"({"kind":"response","status":200,"headers":"x"})",
       "\"headers\" is a string, an array of [name, value] is needed"},
      {R"({"kind":"response","status":200,"headers":["x"]})",
       "\"headers\" is a string, [name, value] in it is needed"},
      {R"({"kind":"response","status":200,"headers":[["x"]]})", "a field is not [name, value]"},
      {R"({"kind":"response","status":200,"headers":[["x","\u0100","latin1"]]})",
       "a character that stands for no byte"},
      {R"({"kind":"response","status":200,"body":5})", "\"body\" is a number, a string is needed"},
      {R"({"kind":"response","status":200,"body":"\x"})", "an escape that JSON does not know"},
      {R"({"kind":"response","status":200,"body64":"a-b"})",
       "\"body64\" is not base64: a sign outside of its alphabet"},
      {R"({"kind":"response","status":200,"wire":{"framing":"x"}})",
       "a \"framing\" that is not known"},
      {R"({"kind":"response","status":200} x)", "something follows the JSON value"},
      {R"({"kind":"response","status":2)", "the JSON text ends inside an object"},
  };
  for (const auto& [line, what] : rows) {
    INFO(line);
    const Copied copy = copied(line);
    CHECK(copy.text.empty());
    REQUIRE(copy.findings.size() == 1);
    CHECK(copy.findings[0].what == what);
  }
}

TEST_CASE("ndjson_source: objects that a pretty-printer spread over lines are read") {
  const std::string spread =
      "{\n  \"kind\": \"request\",\n  \"method\": \"GET\",\n  \"target\": \"/\"\n}\n";
  const Copied copy = copied(spread + spread + kRequest);
  CHECK(copy.findings.empty());
  CHECK(copy.text.find(R"("message":2,"version":"HTTP/1.1","method":"GET","target":"/",)"
                       R"("headers":[],"body":"","size":0)") != std::string::npos);
  CHECK(copy.text.ends_with(kRequest));
  const Copied bad = copied("{\n\"kind\": oops\n}\n" + kRequest);
  CHECK(bad.text == kRequest);
  REQUIRE(bad.findings.size() == 1);
  CHECK(bad.findings[0].line == 2);
}

TEST_CASE("ndjson_source: order, unknown and repeated members, null and numbers are tolerated") {
  with_first(R"({"target":"/","x":[{}],"headers":[["A","1"]],"method":"PUT","kind":"request",)"
             R"("trailers":null,"headers":[["B",2]],"body":"x","body64":"eXk=","message":9})",
             [](http::Exchange& exchange) {
               REQUIRE(exchange.request != nullptr);
               CHECK(exchange.response == nullptr);
               CHECK(exchange.file == "in.ndjson");
               const http::Message& message = *exchange.request;
               CHECK(message.notes.number == 9);
               CHECK(message.start.version() == "HTTP/1.1");
               CHECK(message.headers.size() == 1);
               CHECK(message.headers.find("b")->value() == "2");
               CHECK(message.notes.framing == http::Framing::length);
               CHECK(message.body->size() == 2);
               CHECK(pulled(message.body->content()) == "yy");
             });
}

TEST_CASE("ndjson_source: members of the other kind of message are passed over") {
  with_first(R"({"kind":"response","method":"GET","target":"/","status":200,"reason":"OK"})",
             [](http::Exchange& exchange) {
               CHECK(exchange.response->start.method().empty());
               CHECK(exchange.response->start.target().empty());
             });
  with_first(R"({"kind":"request","method":"GET","target":"/","status":[],"reason":"OK"})",
             [](http::Exchange& exchange) {
               CHECK(exchange.request->start.status() == 0);
               CHECK(exchange.request->start.reason().empty());
             });
}

TEST_CASE("ndjson_source: an exchange keeps number, time, duration and URL") {
  with_first(kExchange, [](http::Exchange& exchange) {
    CHECK(exchange.number == 7);
    CHECK(exchange.file == "a.har");
    CHECK(exchange.time == "2024-01-01T00:00:00.000Z");
    CHECK(exchange.ms == "1.50e+3");
    CHECK(exchange.url == "http://h/");
    CHECK(exchange.request->kind == http::Kind::request);
    CHECK(exchange.request->notes.number == 7);
    CHECK(exchange.response->body->size() == 5);
    CHECK(pulled(exchange.response->body->content()) == std::string("\0\n\"\xC3\xA9", 5));
  });
}

TEST_CASE("ndjson_source: what cannot stand in raw HTTP is flagged, not dropped") {
  with_first(R"({"kind":"response","status":200,"headers":[["A","x\r\nB: y"],[":status","1"],)"
             R"(["C","\u0000"],["D","fine"],["","x"]]})",
             [](http::Exchange& exchange) {
               std::string odd;
               for (const http::Field& field : exchange.response->headers) {
                 odd += field.has(http::Field::odd) ? '!' : '.';
               }
               CHECK(odd == "!!!.!");
             });
}

TEST_CASE("ndjson_source: the body that is there decides the framing, wire where they agree") {
  struct Row {
    std::string_view members;
    http::Framing framing;
    bool body;
  };
  const Row rows[] = {
      {R"("status":200)", http::Framing::withheld, false},
      {R"("status":204)", http::Framing::none, false},
      {R"("status":200,"body":"")", http::Framing::length, true},
      {R"("status":204,"body":"")", http::Framing::none, false},
      {R"("status":200,"body":"x")", http::Framing::length, true},
      {R"("status":200,"body":"x","wire":{"framing":"none"})", http::Framing::length, true},
      {R"("status":200,"body":"x","wire":{"framing":"withheld"})", http::Framing::length, true},
      {R"("status":200,"body":"x","wire":{"framing":"close"})", http::Framing::close, true},
      {R"("status":200,"body":"x","wire":{"framing":"chunked"})", http::Framing::chunked, true},
      {R"("status":200,"wire":{"framing":"chunked"})", http::Framing::withheld, false},
      {R"("status":101,"body":"x","wire":{"framing":"opaque"})", http::Framing::opaque, true},
  };
  for (const Row& row : rows) {
    INFO(row.members);
    with_first(R"({"kind":"response",)" + std::string(row.members) + "}",
               [&](http::Exchange& exchange) {
                 CHECK(exchange.response->notes.framing == row.framing);
                 CHECK((exchange.response->body != nullptr) == row.body);
               });
  }
}

TEST_CASE("ndjson_source: a body where none may be is left out with a warning") {
  for (const std::string_view status : {"103", "204", "304"}) {
    const Copied copy = copied(R"({"kind":"response","status":)" + std::string(status) +
                               R"(,"body":"x","wire":{"framing":"length"}})");
    CHECK(copy.text.find(R"("body":"","size":0)") != std::string::npos);
    REQUIRE(copy.findings.size() == 1);
    CHECK(copy.findings[0].what == "the body of a " + std::string(status) + " left out");
    CHECK(copy.findings[0].level == Level::warning);
  }
}

TEST_CASE("ndjson: a recorded body is a body whatever the status, and no status is null") {
  for (const std::string_view status : {"200", "103", "204", "205", "304", "101", "0", "null"}) {
    INFO(status);
    const std::string head = R"({"kind":"exchange","entry":1,"request":{"method":"GET",)"
                             R"("target":"/","body":""},"response":{"status":)" +
                             std::string(status) + R"(,"body":"x")";
    for (const std::string_view framing : {"decoded", "length", "none", "chunked"}) {
      std::string wire = R"(,"wire":{"framing":")";
      (wire += framing) += R"("}}})";
      const Copied copy = copied(head + wire);
      CHECK(copy.findings.empty());
      CHECK(copy.text.find(R"("body":"x")") != std::string::npos);
      CHECK(copy.text.find(R"("status":)" + std::string(status) + ",") != std::string::npos);
      with_first(head + wire, [](http::Exchange& exchange) {
        REQUIRE(exchange.response->body != nullptr);
        CHECK(exchange.response->body->size() == 1);
      });
    }
  }
}

TEST_CASE("ndjson_source: labels are compared with the content") {
  const auto labels = [](std::string_view members) {
    std::string found;
    with_first(R"({"kind":"response","status":200,)" + std::string(members) + "}",
               [&](http::Exchange& exchange) {
                 const http::Message& message = *exchange.response;
                 if (message.notes.coding_label_false) found += 'c';
                 if (message.notes.transfer_label_false) found += 't';
                 if (message.notes.length_label_false) found += 'l';
                 found += std::to_string(message.notes.codings.size());
                 CHECK(message.notes.declared == message.body->size());
               });
    return found;
  };
  CHECK(labels(R"("headers":[["Content-Length","5"]],"body":"hello")") == "0");
  CHECK(labels(R"("headers":[["Content-Length","6"]],"body":"hello")") == "l0");
  CHECK(labels(R"("headers":[["Content-Encoding","gzip"]],"body":"hello")") == "c0");
  CHECK(labels(R"("headers":[["Content-Encoding","gzip"]],"body64":"H4sI")") == "1");
  CHECK(
      labels(R"("headers":[["Content-Encoding","gzip"]],"body64":"H4sI","wire":{"codings":[]})") ==
      "c0");
  CHECK(labels(R"("headers":[["Content-Encoding","br"]],"body":"x","wire":{"codings":["br"]})") ==
        "c0");  // what the bytes are counts, not what is told of them
  CHECK(labels(R"("headers":[["Content-Encoding","gzip"]],"body":"")") == "1");
  CHECK(labels(R"("headers":[["Content-Encoding","gzip"]],"body":"","wire":{"codings":[]})") ==
        "c0");
  CHECK(labels(R"("headers":[["Content-Encoding","br"]],"body":"","wire":{"codings":["br"]})") ==
        "1");
  CHECK(labels(R"("headers":[["Transfer-Encoding","chunked"]],"body":"x",)"
               R"("wire":{"framing":"decoded"})") == "t0");
}

TEST_CASE("ndjson_source: limits on lines, heads and fields hold") {
  http::Policy policy;
  policy.limits.max_entry = 100;
  const Copied line = copied(R"({"x":")" + std::string(5000, 'x') + "\"}\n", 64, policy);
  REQUIRE(line.error);
  CHECK(line.error->code == Errc::limit);
  CHECK(line.error->what == "a line of more than 100 bytes");
  policy = {};
  policy.limits.max_fields = 2;
  const std::string three =
      R"({"kind":"response","status":200,"headers":[["a",1],["b",2],["c",3]]})";
  Copied copy = copied(three, SIZE_MAX, policy);
  REQUIRE(copy.findings.size() == 1);
  CHECK(copy.findings[0].code == Errc::limit);
  CHECK(copy.findings[0].what == "more than 2 fields in one head");
  policy = {};
  policy.limits.max_head = 10;
  copy = copied(three, SIZE_MAX, policy);
  REQUIRE(copy.findings.size() == 1);
  CHECK(copy.findings[0].what == "a head of more than 10 bytes");
  policy = {};
  policy.limits.max_depth = 4;
  copy = copied(R"({"kind":"request","x":[[[[[]]]]]})", SIZE_MAX, policy);
  REQUIRE(copy.findings.size() == 1);
  CHECK(copy.findings[0].code == Errc::limit);
}

TEST_CASE("ndjson_source: --strict wants JSON to the letter") {
  http::Policy policy;
  const std::string_view line = R"({"kind":"request","method":"GET","target":"/","x":NaN})";
  CHECK(copied(line, SIZE_MAX, policy).findings.empty());
  policy.strictness = http::Strictness::strict;
  const Copied copy = copied(line, SIZE_MAX, policy);
  REQUIRE(copy.findings.size() == 1);
  CHECK(copy.findings[0].what == "a JSON value is missing");
}

TEST_CASE("ndjson: whatever is wrong with the input, what is written is JSON that reads the same") {
  std::mt19937 random(3);
  constexpr std::string_view kBytes = "{}[]:,\"\\u0d8=/ n\n\x01\x80\xC3\xFF";
  for (int round = 0; round < 5'000; ++round) {
    std::string text = kAll;
    for (auto faults = 1 + random() % 4; faults != 0; --faults) {
      const std::size_t at = random() % text.size();
      if (random() % 2 == 0) {
        text[at] = kBytes[random() % kBytes.size()];
      } else {
        text.erase(at, 1 + random() % 20);
      }
    }
    const Copied copy = copied(text, 1 + random() % 300);
    REQUIRE(!copy.error);
    std::size_t begin = 0;
    for (std::size_t end; (end = copy.text.find('\n', begin)) != std::string::npos;
         begin = end + 1) {
      INFO(text);
      REQUIRE(codec::json::check(std::string_view(copy.text).substr(begin, end - begin), 8));
    }
    INFO(text);
    REQUIRE(copied(copy.text).text == copy.text);
  }
}

TEST_CASE("ndjson: its lines are told from HAR by the first key") {
  CHECK(begins_ndjson(kResponse));
  CHECK(begins_ndjson("\xEF\xBB\xBF \r\n{\n  \"kind\": 1"));
  CHECK(begins_ndjson("{\"body64\":\"\""));
  CHECK(!begins_ndjson("{\"log\":{"));
  CHECK(!begins_ndjson("{\"startedDateTime\":"));
  CHECK(!begins_ndjson("["));
  CHECK(!begins_ndjson(""));
  CHECK(!begins_ndjson("{"));
}

}  // namespace rehead::format
