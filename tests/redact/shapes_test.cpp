#include "redact/shapes.h"

#include <catch2/catch.hpp>

#include "base/ascii.h"
#include "codec/base64.h"

namespace rehead::redact {
namespace {

/// So many bytes of a key, a digit among them.
std::string filler(std::size_t size, std::string_view from = "7bQ2kZ9xW4mN") {
  std::string out;
  while (out.size() < size) out += from[out.size() % from.size()];
  return out;
}
std::string hex(std::size_t size) { return filler(size, "3fa9c07b"); }
/// Put together here so that no whole key stands in the source.
std::string key(std::string_view prefix, const std::string& rest) {
  return std::string(prefix) + rest;
}
std::string jwt() { return key("ey", "J" + filler(20)) + ".eyJ" + filler(30) + "." + filler(43); }
std::string base64(std::string_view bytes) {
  std::string out;
  codec::append_base64(out, bytes);
  return out;
}
std::string private_key(std::string_view label, std::string_view end, std::string_view body) {
  const std::string dashes(5, '-');
  return dashes + "BEGIN " + std::string(label) + dashes + std::string(end) + std::string(body) +
         std::string(end) + dashes + "END " + std::string(label) + dashes;
}

Shapes made(std::vector<std::string> own = {}, bool personal = false) {
  auto shapes = Shapes::make(own, personal);
  REQUIRE(shapes);
  return std::move(*shapes);
}

struct Marked {
  std::string text;  // with what was found as [kind]
  std::vector<std::string> secrets;
};
Marked mark(const Shapes& shapes, std::string_view text) {
  std::vector<Found> found;
  shapes.find(text, found);
  Marked out;
  std::size_t at = 0;
  for (const Found& one : found) {
    REQUIRE(one.at >= at);
    REQUIRE(one.size > 0);
    REQUIRE(one.at + one.size <= text.size());
    out.text.append(text, at, one.at - at).append("[").append(name_of(one.kind)).append("]");
    out.secrets.emplace_back(text.substr(one.at, one.size));
    at = one.at + one.size;
  }
  out.text.append(text.substr(at));
  return out;
}
std::string marked(std::string_view text) { return mark(made(), text).text; }
std::string marked_personal(std::string_view text) { return mark(made({}, true), text).text; }

/// `text` with every secret replaced.
std::string replaced(const Shapes& shapes, std::string_view text, std::string_view with) {
  std::vector<Found> found;
  shapes.find(text, found);
  std::string out(text);
  for (auto one = found.rbegin(); one != found.rend(); ++one) out.replace(one->at, one->size, with);
  return out;
}

/// Keys that stand for themselves.
std::vector<std::string> keys() {
  std::vector<std::string> all = {
      key("AK", "IA" + filler(16, "QZ7M")),
      key("AS", "IA" + filler(16, "QZ7M")),
      key("github_", "pat_" + filler(82)),
      key("gl", "pat-" + filler(20)),
      key("xa", "pp-1-" + filler(40)),
      key("wh", "sec_" + filler(32)),
      key("AI", "za" + filler(35)),
      key("ya", "29." + filler(60)),
      key("s", "k-" + filler(48)),
      key("s", "k-proj-" + filler(30) + "_-" + filler(20)),
      key("s", "k-ant-api03-" + filler(93)),
      key("gs", "k_" + filler(52)),
      key("np", "m_" + filler(36)),
      key("py", "pi-AgE" + filler(60)),
      key("ruby", "gems_" + hex(48)),
      key("S", "G." + filler(22) + "." + filler(43)),
      key("S", "K" + hex(32)),
      key("h", "f_" + filler(34)),
      key("1234567", "890:A" + ("A" + filler(33))),
      key("ke", "y-" + hex(32)),
      key("sq0", "atp-" + filler(22)),
      key("sq0", "csp-" + filler(43)),
      key("EA", "AA" + filler(60)),
      key("dckr", "_pat_" + filler(27)),
      key("lin_", "api_" + filler(40)),
      key("ATA", "TT3" + filler(186)),
      key("da", "pi" + hex(32)),
      key("hv", "s." + filler(90)),
      key("gl", "sa_" + filler(32) + "_" + hex(8)),
      key("PM", "AK-" + hex(24) + "-" + hex(34)),
      key("NR", "AK-" + filler(27, "QZ7M")),
      key("sntr", "yu_" + hex(64)),
      key("fi", "gd_" + filler(40)),
  };
  for (const char c : std::string_view("pousr")) all.push_back(key("gh", c + ("_" + filler(36))));
  for (const char c : std::string_view("baprse")) {
    all.push_back(key("xo", std::string("x") + c + "-123456789012-" + filler(24)));
  }
  for (const std::string_view mode : {"live_", "test_"}) {
    all.push_back(key("s", "k_" + std::string(mode) + filler(24)));
    all.push_back(key("r", "k_" + std::string(mode) + filler(24)));
  }
  for (const std::string_view kind : {"at_", "ca_", "pa_", "ss_"}) {
    all.push_back(key("shp", std::string(kind) + hex(32)));
  }
  for (const std::string_view kind : {"p_v1_", "o_v1_", "r_v1_"}) {
    all.push_back(key("do", std::string(kind) + hex(64)));
  }
  return all;
}

TEST_CASE("keys with a well-known prefix, whole, wherever they stand alone", "[redact]") {
  const Shapes shapes = made();
  for (const std::string& one : keys()) {
    INFO(one);
    for (const std::string_view before : {"", "x=", "\"", "{\\\"k\\\":\\\"", "a%3D", "\\n",
                                          "\\u003d", "(", "a very long text before it, "}) {
      for (const std::string_view behind : {"", "&b", "\"", "\\n", "%26", " "}) {
        const auto got = mark(shapes, std::string(before) + one + std::string(behind));
        REQUIRE(got.text == std::string(before) + "[key]" + std::string(behind));
        REQUIRE(got.secrets == std::vector<std::string>{one});
      }
    }
    if (!ascii::is_digit(one[0])) CHECK(mark(shapes, "x" + one).secrets.empty());
    CHECK(mark(shapes, one.substr(0, 12)).secrets.empty());
  }
}

TEST_CASE("what is much like a key", "[redact]") {
  for (const std::string& text :
       {std::string("sk-circle-fade-dot-and-more-words"),
        key("s", "k-section-headline-text-2-of-3"), key("AK", "IA" + filler(17, "QZ7M")),
        key("S", "K" + hex(33)), key("EA", "AA" + filler(40)), "/" + key("EA", "AA" + filler(60)),
        key("p", "k_live_" + filler(24)), std::string("key-value"), std::string("sk-SK,sk;q=0.9"),
        std::string("eyJ.a.b"), std::string("npm_config_registry")}) {
    CHECK(marked(text) == text);
  }
}

TEST_CASE("tokens behind a scheme", "[redact]") {
  CHECK(marked("Bearer abc-def.1~+/==") == "Bearer [token]");
  CHECK(marked("a: bearer  abcdefgh, x") == "a: bearer  [token], x");
  CHECK(marked("h=Bearer%20abcd%2Befgh%3D%3D&x") == "h=Bearer%20[token]&x");
  CHECK(marked("h=Bearer+abcdefgh+more") == "h=Bearer+[token]+more");
  CHECK(marked("\"BEARER abc\\/defgh\"") == "\"BEARER [token]\"");
  CHECK(marked("\"Bearer abcd3fgh=\"") == "\"Bearer [token]\"");
  CHECK(marked("Bearer " + jwt()) == "Bearer [jwt]");
  CHECK(marked("Basic " + base64("user:pass") + " x") == "Basic [credentials] x");
  CHECK(marked("Basic " + base64("a:") + "\"") == "Basic [credentials]\"");
  for (const std::string_view text :
       {"Bearer short", "Bearer realm=\"example\"",
        "Bearer authorization_uri=\"https://a.example\"", "Bearer error_description=none",
        "bearer authentication", "forbearer abcdefgh", "Bearer", "Basic settings and more",
        "Basic authentication", "Basic cmVhbG0", "Basic ", "Basically abcdefgh", "Bearer REDACTED",
        "Basic REDACTED", "Bearer token:0123456789abcdef", "Bearer credentials:0123456789abcdef, x",
        "Basic credentials:0123456789abcdef"}) {
    CHECK(marked(text) == text);
  }
}

TEST_CASE("JSON Web Tokens", "[redact]") {
  CHECK(marked(jwt()) == "[jwt]");
  CHECK(marked("a=" + jwt() + ";b") == "a=[jwt];b");
  const std::string header = key("ey", "J" + filler(20));
  CHECK(marked(header + ".eyJ" + filler(9) + ".") == "[jwt]");     // alg none
  CHECK(marked(header + ".eyJ" + filler(9) + " x") == "[jwt] x");  // the signature is cut off
  CHECK(marked(header + ".." + filler(16) + "." + filler(9) + "." + filler(22)) == "[jwt]");  // JWE
  CHECK(marked(header) == header);  // base64 of any object
  CHECK(marked(header + ".js") == header + ".js");
}

TEST_CASE("private keys: what stands between the lines", "[redact]") {
  const std::string body = filler(64) + "\n" + filler(20) + "==";
  for (const std::string_view label : {"PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY",
                                       "OPENSSH PRIVATE KEY", "ENCRYPTED PRIVATE KEY"}) {
    for (const std::string_view end :
         {"\n", "\r\n", "\\n", "\\r\\n", "\\\\n", " ", "%0A", "%0D%0A"}) {
      const auto got = mark(made(), "x" + private_key(label, end, body) + "y");
      CHECK(got.text == "x" + private_key(label, end, "[private-key]") + "y");
      CHECK(got.secrets == std::vector<std::string>{body});
    }
  }
  const std::string coded =
      "a=" + std::string(5, '-') + "BEGIN%20PRIVATE%20KEY" + std::string(5, '-');
  CHECK(marked(coded + "%0A" + filler(64)) == coded + "%0A[private-key]");
  const std::string open = std::string(5, '-') + "BEGIN PRIVATE KEY" + std::string(5, '-');
  CHECK(marked(open + "\n" + filler(64) + "\n" + filler(64)) == open + "\n[private-key]");
  CHECK(marked(open + "\n" + filler(64) + "\",\"b\":1") == open + "\n[private-key]\",\"b\":1");
  for (const std::string& text :
       {open + "\",e=\"", open + "\n${key}\n", open, private_key("PUBLIC KEY", "\n", body),
        private_key("PRIVATE KEY", "\n", "REDACTED"),
        private_key("PRIVATE KEY", "\\n", "private-key:0123456789abcdef"), open + "\nREDACTED"}) {
    CHECK(marked(text) == text);
  }
}

TEST_CASE("secrets whose prefix stays", "[redact]") {
  CHECK(marked("https://hooks.slack.com/services/T" + filler(8) + "/B" + filler(8) + "/" +
               filler(24) + " x") == "https://hooks.slack.com/services/[key] x");
  CHECK(marked("https://discord.com/api/webhooks/123456789012345678/" + filler(68)) ==
        "https://discord.com/api/webhooks/[key]");
  CHECK(marked("AccountName=a;AccountKey=" + filler(86) + "==;EndpointSuffix=b") ==
        "AccountName=a;AccountKey=[key];EndpointSuffix=b");
  CHECK(marked("SharedAccessKey=" + filler(43) + "=") == "SharedAccessKey=[key]");
  CHECK(marked("https://api.telegram.org/bot" + key("1234567", "890:A" + ("A" + filler(33))) +
               "/getMe") == "https://api.telegram.org/bot[key]/getMe");
}

TEST_CASE("personal shapes are found with --pii only", "[redact]") {
  CHECK(marked("joe@example.com 192.0.2.7 2001:db8::1") == "joe@example.com 192.0.2.7 2001:db8::1");
  CHECK(marked_personal("joe@example.com 192.0.2.7 2001:db8::1") == "[email] [address] [address]");
}

TEST_CASE("e-mail addresses", "[redact]") {
  CHECK(marked_personal("<joe.b+x@mail.example.co.uk>.") == "<[email]>.");
  CHECK(marked_personal("q=mailto%3Ajoe%2Bx%40example.com&b") == "q=mailto%3A[email]&b");
  CHECK(marked_personal("\"\\njoe@example.com\\n\"") == "\"\\n[email]\\n\"");
  CHECK(marked_personal("\\u003cjoe@example.com\\u003e") == "\\u003c[email]\\u003e");
  CHECK(marked_personal("a@example.com,b@example.com") == "[email],[email]");
  for (const std::string_view text :
       {"icon@2x.png", "jquery@3.1.0", "user@host", "@media screen", "a@.com", "foo @example.com",
        "%40example.com", "a@b.c", "lib@1.0.0/x.js", "REDACTED@example.com/"}) {
    if (std::string_view(text).starts_with("REDACTED")) continue;
    CHECK(marked_personal(text) == text);
  }
}

TEST_CASE("IP addresses", "[redact]") {
  CHECK(marked_personal("for=192.0.2.43, for=10.0.0.1") == "for=[address], for=[address]");
  CHECK(marked_personal("http://10.1.2.3:8080/") == "http://[address]:8080/");
  CHECK(marked_personal("ip%3D10.1.2.3%26 ip%2210.1.2.3%22") ==
        "ip%3D[address]%26 ip%22[address]%22");
  CHECK(marked_personal("\\n10.1.2.3.") == "\\n[address].");
  CHECK(marked_personal("[2001:db8:0:1:1:1:1:1]:443 fe80::1%eth0") ==
        "[[address]]:443 [address]%eth0");
  CHECK(marked_personal("::ffff:10.1.2.3") == "[address]");
  CHECK(marked_personal("a \"2001:db8::\"") == "a \"[address]\"");
  for (const std::string_view text :
       {"Chrome/120.0.0.0 Safari/537.36", "1.2.3", "v=\"120.0.0.0\"", "rv:1.9.2.8", "v1.2.3.4",
        "1.2.3.4.5", "256.1.1.1", "127.0.0.1", "0.0.0.0", "::1", "::", "09:13:02", "std::vector",
        "a::before", "aa:bb:cc:dd:ee:ff", "2024-01-01T09:13:02", "1.2.3.4a", "10.0.0.1-beta",
        "{\"a\":1,\"b\":2}"}) {
    CHECK(marked_personal(text) == text);
  }
}

TEST_CASE("expressions of one's own", "[redact]") {
  const Shapes shapes = made({"acct_([0-9]+)", "tok-[a-z]+", "k=\xC3\xA9+"});
  CHECK(mark(shapes, "acct_123 acct_45 tok-abc").text == "acct_[own] acct_[own] [own]");
  CHECK(mark(shapes, "k=\xC3\xA9\xC3\xA9\xC3\xA9 x").text == "[own] x");
  CHECK(mark(shapes, "\xFF tok-abc \xE9").text == "\xFF [own] \xE9");
  CHECK(mark(made({"Bearer .*;"}), "x: Bearer abcdefghij; y").text == "x: [own] y");
  CHECK(mark(made({"def"}), "Bearer abcdefghij; y").text == "Bearer [token]; y");
  CHECK(mark(made({"x*"}), "axxb").text == "a[own]b");
  CHECK(mark(made({"[A-Z]+"}), "REDACTED A").text == "REDACTED [own]");
  const auto bad = Shapes::make(std::vector<std::string>{"a("}, false);
  REQUIRE_FALSE(bad);
  CHECK(bad.error().code == Errc::usage);
}

TEST_CASE("what was replaced is not found again", "[redact]") {
  std::string text = "Bearer " + filler(20) + "\nBasic " + base64("a:b") + "\n" + jwt() + "\n" +
                     private_key("PRIVATE KEY", "\n", filler(64)) +
                     " a@example.com 10.0.0.1 fe80::12\n" + "hooks.slack.com/services/" +
                     filler(40) + " AccountKey=" + filler(86) + "==\n";
  for (const std::string& one : keys()) text += one + "\n";
  const Shapes shapes = made({}, true);
  for (const std::string_view with : {"REDACTED", "key:0123456789abcdef",
                                      "private-key:0123456789abcdef", "jwt:0123456789abcdef"}) {
    const std::string once = replaced(shapes, text, with);
    CHECK(once.size() < text.size());
    CHECK(mark(shapes, once).text == once);
  }
}

TEST_CASE("a text of any size, with many secrets", "[redact]") {
  const Shapes shapes = made();
  const std::string secret = key("gh", "p_" + filler(36));
  for (std::size_t before = 0; before < 70; ++before) {
    for (std::size_t behind = 0; behind < 40; behind += 3) {
      const auto got = mark(shapes, std::string(before, ' ') + secret + std::string(behind, ' '));
      REQUIRE(got.secrets == std::vector<std::string>{secret});
    }
  }
  std::string many;
  for (unsigned i = 0; i < 1000; ++i) many += secret + " ";
  CHECK(mark(shapes, many).secrets.size() == 1000);
  std::string dense;  // the filter stops at every byte
  for (unsigned i = 0; i < 1000; ++i) dense += "sk-sk-eyJBeaBas";
  CHECK(mark(shapes, dense + " " + secret).secrets == std::vector<std::string>{secret});
}

TEST_CASE("every shape has a name, a look and a source", "[redact]") {
  for (const ShapeRow& row : shape_rows()) {
    CHECK_FALSE(row.name.empty());
    CHECK_FALSE(row.looks.empty());
    CHECK_FALSE(row.source.empty());
  }
  CHECK(shape_rows().size() > 40);
}

}  // namespace
}  // namespace rehead::redact
