#include "redact/text.h"

#include <catch2/catch.hpp>

namespace rehead::redact {
namespace {

std::vector<http::FieldName> names(std::string_view text) {
  return text.empty() ? std::vector<http::FieldName>() : *http::parse_names(text, {});
}

struct Bench {
  explicit Bench(std::string_view keep = {}, std::string_view also = {}, std::string_view only = {})
      : hider(Choice{.also = names(also), .only = names(only), .keep = names(keep), .text = true},
              *Shapes::make({}, false), std::nullopt) {}

  template <typename Collect>
  std::string run(std::string_view bytes, Collect collect) {
    Text text(hider, bytes);
    collect(text);
    std::string out;
    const std::string once = text.apply(out) ? out : std::string(bytes);
    // Redacting twice changes nothing.
    Text again(hider, once);
    collect(again);
    std::string twice;
    REQUIRE_FALSE(again.apply(twice));
    return once;
  }
  std::string field(std::string_view name, std::string_view value) {
    return run(value, [&](Text& text) { text.field(name, text.all()); });
  }
  std::string url(std::string_view bytes) {
    return run(bytes, [](Text& text) { text.url(text.all()); });
  }
  std::string json(std::string_view bytes, Text::Json what = Text::Json::body) {
    return run(bytes, [&](Text& text) { REQUIRE(text.json(text.all(), what)); });
  }
  std::string body(std::string_view type, std::string_view bytes) {
    return run(bytes, [&](Text& text) { text.body(type, text.all()); });
  }
  Hider hider;
};

TEST_CASE("redact: a scheme stays, what it introduces goes") {
  Bench bench;
  REQUIRE(bench.field("authorization", "Bearer abc") == "Bearer REDACTED");
  REQUIRE(bench.field("Proxy-Authorization", "Basic  dTpw") == "Basic  REDACTED");
  REQUIRE(bench.field("Authorization", "abc") == "REDACTED");
  REQUIRE(bench.field("Authorization", "Digest username=\"a\", response=\"b\"") ==
          "Digest REDACTED");
  REQUIRE(bench.field("Authorization", "") == "");
}

TEST_CASE("redact: the value of each cookie goes, its name and attributes stay") {
  Bench bench;
  REQUIRE(bench.field("Cookie", "a=1; b=\"2\"; c; d=") == "a=REDACTED; b=REDACTED; REDACTED; d=");
  REQUIRE(bench.field("Set-Cookie", "sid=x; Path=/; HttpOnly") == "sid=REDACTED; Path=/; HttpOnly");
  REQUIRE(bench.field("set-cookie", "a=1; Path=/\nb=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT") ==
          "a=REDACTED; Path=/\nb=REDACTED; Expires=Wed, 21 Oct 2026 07:28:00 GMT");
  REQUIRE(bench.field("Set-Cookie", "a=\"q; w\"; Path=/") == "a=REDACTED; Path=/");
  REQUIRE(bench.field("Cookie", "a=\"q; w\"; b=1") == "a=REDACTED; b=REDACTED");
  Bench keeps("lang,theme-*");
  REQUIRE(keeps.field("Cookie", "sid=1; lang=en; theme-a=dark") ==
          "sid=REDACTED; lang=en; theme-a=dark");
}

TEST_CASE("redact: names count in any case and spelling, patterns too") {
  Bench bench("x-page-token", "x-internal-*");
  for (const std::string_view name : {"X-Api-Key", "x_api_key", "API-KEY", "X-Session-Token",
                                      "X-CSRF-Token", "x-amz-security-token", "X-Internal-Id"}) {
    REQUIRE(bench.field(name, "v") == "REDACTED");
  }
  for (const std::string_view name :
       {"Accept", "ETag", "X-Page-Token", "Content-Type", "traceparent", "Sec-WebSocket-Key",
                                      "next-page-token", "max_tokens"}) {
    REQUIRE(bench.field(name, "v") == "v");
  }
  Bench only({}, {}, "x-one");
  REQUIRE(only.field("X-One", "v") == "REDACTED");
  REQUIRE(only.field("Authorization", "Bearer abcdefghijkl") == "Bearer abcdefghijkl");
  REQUIRE(only.field("Cookie", "a=1; x-one=2") == "a=1; x-one=REDACTED");
}

TEST_CASE("redact: user, parameters and fragment of a URL") {
  Bench bench;
  REQUIRE(bench.url("https://u:p@h/x?q=1&token=abc&page=2#access_token=z&n=1") ==
          "https://REDACTED:REDACTED@h/x?q=1&token=REDACTED&page=2#access_token=REDACTED&n=1");
  REQUIRE(bench.url("/x;jsessionid=77?a=b") == "/x;jsessionid=REDACTED?a=b");
  REQUIRE(bench.url("/x?to=https%3A%2F%2Fa%2F%3Ftoken%3Dabc&b") ==
          "/x?to=https%3A%2F%2Fa%2F%3Ftoken%3DREDACTED&b");
  REQUIRE(bench.url("/x?user%5Bpassword%5D=a%20b") == "/x?user%5Bpassword%5D=REDACTED");
  REQUIRE(bench.url("/x#section-2") == "/x#section-2");
  REQUIRE(bench.url("/x#/reset?code=9") == "/x#/reset?code=REDACTED");
  REQUIRE(bench.field("Referer", "https://h/?sig=1") == "https://h/?sig=REDACTED");
  REQUIRE(bench.field("Link", "<https://h/?key=1>; rel=next") ==
          "<https://h/?key=REDACTED>; rel=next");
}

TEST_CASE("redact: JSON stays JSON, whatever a secret is written as") {
  Bench bench;
  REQUIRE(
      bench.json(R"({"password":"a\"b","pin":1,"token":12,"secret":true,"apiKey":null})") ==
      R"({"password":"REDACTED","pin":1,"token":"REDACTED","secret":"REDACTED","apiKey":null})");
  REQUIRE(bench.json(R"({"auth_token":{"a":[1,"x",{"b":false}]},"n":1e3})") ==
          R"({"auth_token":{"a":["REDACTED","REDACTED",{"b":"REDACTED"}]},"n":1e3})");
  REQUIRE(bench.json(R"([{"value":"v1","name":"X-Api-Key"},{"name":"a","value":"b"}])") ==
          R"([{"value":"REDACTED","name":"X-Api-Key"},{"name":"a","value":"b"}])");
  REQUIRE(bench.json(R"({"data":"{\"token\":\"a\\\"b\"}"})") ==
          R"({"data":"{\"token\":\"REDACTED\"}"})");
  REQUIRE(bench.json(R"({"headers":{"Authorization":"Bearer q","Cookie":"a=b"}})") ==
          R"({"headers":{"Authorization":"Bearer REDACTED","Cookie":"a=REDACTED"}})");
  Text broken(bench.hider, R"({"token":"a")");
  REQUIRE_FALSE(broken.json(broken.all()));
  REQUIRE(broken.clean());
}

TEST_CASE("redact: a HAR entry, whatever its members say twice") {
  Bench bench;
  REQUIRE(
      bench.json(
          R"({"request":{"url":"https://h/?token=t1","queryString":[{"name":"token","value":"t1"}],)"
          R"("headers":[{"name":"cookie","value":"a=1"},["X-Api-Key","k"]],"headers":[{"name":"x-api-key","value":["p","q"]}],)"
          R"("cookies":[{"value":"1","name":"a","path":"/"}],"postData":{"text":"pwd=1&a=2","mimeType":)"
          R"("application/x-www-form-urlencoded","params":[{"name":"pwd","value":1}]}},)"
          R"("response":{"redirectURL":"/y?code=7","content":{"text":"eyJwd2QiOiJ4In0=","encoding":"base64",)"
          R"("mimeType":"application/json"}}})",
          Text::Json::entry) ==
      R"({"request":{"url":"https://h/?token=REDACTED","queryString":[{"name":"token","value":"REDACTED"}],)"
      R"("headers":[{"name":"cookie","value":"a=REDACTED"},["X-Api-Key","REDACTED"]],"headers":[{"name":"x-api-key","value":["REDACTED","REDACTED"]}],)"
      R"("cookies":[{"value":"REDACTED","name":"a","path":"/"}],"postData":{"text":"pwd=REDACTED&a=2","mimeType":)"
      R"("application/x-www-form-urlencoded","params":[{"name":"pwd","value":"REDACTED"}]}},)"
      R"("response":{"redirectURL":"/y?code=REDACTED","content":{"text":"eyJwd2QiOiJSRURBQ1RFRCJ9","encoding":"base64",)"
      R"("mimeType":"application/json"}}})");
}

TEST_CASE("redact: bodies by their type") {
  Bench bench;
  REQUIRE(bench.body("application/x-www-form-urlencoded", "user=a&password=b%2Bc") ==
          "user=a&password=REDACTED");
  REQUIRE(bench.body("application/json", "{\"a\":") == "REDACTED");
  REQUIRE(bench.body("application/json", ")]}'\n{\"token\":\"a\"}") ==
          ")]}'\n{\"token\":\"REDACTED\"}");
  REQUIRE(bench.body("application/x-ndjson", "{\"pwd\":1}\n{\"a\":2}\n") ==
          "{\"pwd\":\"REDACTED\"}\n{\"a\":2}\n");
  REQUIRE(bench.body("multipart/form-data; boundary=XX",
                     "--XX\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhush\r\n"
                     "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n--XX--\r\n") ==
          "--XX\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nREDACTED\r\n"
          "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n--XX--\r\n");
  REQUIRE(bench.body("multipart/form-data; boundary=YY", "nothing") == "REDACTED");
  REQUIRE(bench.body("text/html", "<input name=\"csrf_token\" value=\"abc\"><a href=x>y</a>") ==
          "<input name=\"csrf_token\" value=\"REDACTED\"><a href=x>y</a>");
  REQUIRE(bench.body("text/javascript", "var t={token:'abc'};f(token=g());") ==
          "var t={token:'REDACTED'};f(token=g());");
  REQUIRE(bench.body("application/xml", "<a><password>x</password></a>") ==
          "<a><password>REDACTED</password></a>");
  REQUIRE(bench.body("text/xml", "<w:Password Type=\"x\">y</w:Password><Token/>z") ==
          "<w:Password Type=\"x\">REDACTED</w:Password><Token/>z");
  REQUIRE(bench.body("image/png", "token=1") == "token=1");
}

TEST_CASE("redact: a value once hidden is hidden wherever it stands") {
  Bench bench;
  REQUIRE(bench.field("X-Api-Key", "s3cr3t-value-1") == "REDACTED");
  REQUIRE(bench.field("X-Note", "it was s3cr3t-value-1!") == "it was REDACTED!");
  REQUIRE(bench.url("/x?ref=s3cr3t-value-1") == "/x?ref=REDACTED");
  Text text(bench.hider, R"({"s3cr3t-value-1":["as3cr3t-value-1"]})");
  text.known_in_json(text.all());
  std::string out;
  REQUIRE(text.apply(out));
  REQUIRE(out == R"({"REDACTED":["aREDACTED"]})");
}

}  // namespace
}  // namespace rehead::redact
