#include "codec/judge.h"

#include <catch2/catch.hpp>

#include "codec/content_coding.h"
#include "http/coding.h"
#include "support/pieces.h"

namespace rehead::codec {
namespace {

using Answer = Judge::Answer;
using http::Coding;
using test::drain;
using test::Pieces;
using test::words;

std::string coded(Coding coding, const std::string& content) {
  Pieces upstream(content);
  Encoder encoder(coding, {});
  encoder.use(false);
  encoder.attach(upstream);
  return drain(encoder).bytes;
}

/// What the label becomes over these bytes, and whether that is a correction.
struct Verdict {
  std::string label;
  bool mended;
  bool operator==(const Verdict&) const = default;
};
Verdict verdict(const std::string& label, const std::string& bytes,
                const std::string& type = "text/plain") {
  http::Message message;
  test::Log log;
  message.log = &log;
  REQUIRE(message.headers.append("Content-Type", type));
  REQUIRE(message.headers.append("Content-Encoding", label));
  Judge judge;
  REQUIRE(judge.settle(message, std::string_view(bytes).substr(0, Judge::look_ahead()),
                       bytes.size() < Judge::look_ahead()));
  http::mend_false_coding(message);
  const http::Field* field = message.headers.find("Content-Encoding");
  return {field == nullptr ? "" : std::string(field->value()), !log.warnings.empty()};
}

TEST_CASE("judge: coded bytes keep their label, whatever their size") {
  for (const Coding coding : {Coding::gzip, Coding::deflate, Coding::br, Coding::zstd}) {
    const std::string label(http::token_of(coding));
    for (const std::size_t size : {1U, 10U, 1000U, 1024U, 1025U, 5000U, 100'000U}) {
      CAPTURE(label, size);
      CHECK(verdict(label, coded(coding, words(size))) == Verdict{label, false});
    }
  }
}

TEST_CASE("judge: text was decoded already, whatever a decoder makes of its start") {
  for (const char* label : {"gzip", "x-gzip", "deflate", "br", "zstd", "GZIP"}) {
    for (const char* begin : {"<p>", "{\"a\":1}", "/*! x */", "/**\n * x\n */", "---\n", ";;",
                              "\xEF\xBB\xBFx", "caf\xC3\xA9"}) {
      for (const std::size_t times : {1U, 50U, 1000U}) {
        std::string text;
        for (std::size_t i = 0; i < times; ++i) text += begin;
        CAPTURE(label, begin, times);
        CHECK(verdict(label, text) == Verdict{"", true});
      }
    }
  }
  CHECK(verdict("br", ";") == Verdict{"br", false});  // brotli's empty body
  CHECK(verdict("deflate", ";") == Verdict{"", true});
}

TEST_CASE("judge: a character may be cut by the window, not by the end") {
  const std::string text = std::string(Judge::look_ahead() - 1, 'a') + "\xC3\xA9 and more";
  CHECK(verdict("br", text) == Verdict{"", true});
}

TEST_CASE("judge: neither an empty body nor the start of a magic refutes a label") {
  for (const char* label : {"gzip", "deflate", "br", "zstd", "gzip, br"}) {
    CHECK(verdict(label, "") == Verdict{label, false});
  }
  CHECK(verdict("gzip", "\x1f") == Verdict{"gzip", false});
  CHECK(verdict("zstd", "\x28\xb5") == Verdict{"zstd", false});
  CHECK(verdict("zstd", std::string("\x50\x2a\x4d\x18\x01\0\0\0x", 9)) == Verdict{"zstd", false});
}

TEST_CASE("judge: layers are judged from the outermost, the magic of another coding has its label") {
  const std::string gzip = coded(Coding::gzip, words(2000));
  const std::string zstd = coded(Coding::zstd, words(2000));
  const struct {
    const char* label;
    const std::string& bytes;
    const char* becomes;
  } kRows[] = {
      {"deflate", gzip, "gzip"},        {"br", gzip, "gzip"},
      {"zstd", gzip, "gzip"},           {"gzip", zstd, "zstd"},
      {"br, x-gzip", gzip, "br, x-gzip"}, {"deflate, gzip", gzip, "deflate, gzip"},
      {"gzip, br", gzip, "gzip"},       {"x-gzip, br, zstd", gzip, "x-gzip"},
      {"foo, br", gzip, "foo"},         {"gzip, foo", gzip, "gzip, foo"},
      {"br, deflate", gzip, "gzip"},    {"identity, br, identity", gzip, "gzip"},
  };
  for (const auto& row : kRows) {
    CAPTURE(row.label);
    CHECK(verdict(row.label, row.bytes) ==
          Verdict{row.becomes, std::string_view(row.label) != row.becomes});
  }
  CHECK(verdict("foo", "text") == Verdict{"foo", false});
  CHECK(verdict("br", gzip, "application/gzip") == Verdict{"", true});
  CHECK(verdict("gzip", gzip, "application/gzip") == Verdict{"gzip", false});
  CHECK(verdict("br", zstd, "application/zstd") == Verdict{"", true});
}

TEST_CASE("judge: a slice shows nothing, a range from 0 is judged") {
  http::Message message;
  Judge judge;
  const auto judged = [&](unsigned status, const char* range, const char* type) {
    message.clear();
    message.start.set_status(status);
    REQUIRE(message.headers.append("Content-Encoding", "gzip"));
    REQUIRE(message.headers.append("Content-Type", type));
    if (*range != '\0') REQUIRE(message.headers.append("Content-Range", range));
    REQUIRE(judge.settle(message, "text, not coded", true));
    return message.notes.coding_label_false;
  };
  CHECK(judged(206, "bytes 0-9/100", "text/plain"));
  CHECK(judged(200, "bytes 5-9/100", "text/plain"));
  CHECK_FALSE(judged(206, "bytes 5-9/100", "text/plain"));
  CHECK_FALSE(judged(206, "", "text/plain"));
  CHECK_FALSE(judged(206, "bytes 0-9/100", "multipart/byteranges; boundary=x"));
  CHECK_FALSE(judged(200, "", "Multipart/Byteranges"));
}

TEST_CASE("judge: asks for no more than the first KiB") {
  Judge judge;
  const std::string text(2 * Judge::look_ahead(), 'a');
  for (const Coding coding : {Coding::deflate, Coding::br}) {
    for (std::size_t size = 0; size <= text.size(); size += 256) {
      const Answer answer = judge.shows(coding, text.substr(0, size), false);
      CHECK(answer == (size < Judge::look_ahead() ? Answer::more : Answer::no));
    }
  }
}

TEST_CASE("judge: bytes that only a limit stops are coded") {
  const std::string bomb = coded(Coding::br, std::string(std::size_t{64} << 20, '\0'));
  CHECK(verdict("br", bomb) == Verdict{"br", false});
}

}  // namespace
}  // namespace rehead::codec
