#include "redact/pseudonym.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>

namespace rehead::redact {
namespace {

/// A file that is there as long as the test runs.
class KeyFile {
 public:
  KeyFile(std::string_view text, mode_t mode) {
    const int fd = ::mkstemp(path_.data());
    REQUIRE(fd >= 0);
    REQUIRE(::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    REQUIRE(::fchmod(fd, mode) == 0);
    ::close(fd);
  }
  ~KeyFile() { ::unlink(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_ = "/tmp/rehead_key_XXXXXX";
};

Pseudonyms keyed(std::string_view key) {
  const KeyFile file(key, 0600);
  bool readable = true;
  auto made = Pseudonyms::from_file(file.path(), readable);
  REQUIRE(made);
  CHECK_FALSE(readable);
  return *made;
}

TEST_CASE("a pseudonym is the kind and the HMAC of the value", "[redact]") {
  // RFC 4231 4.3, cut to 8 bytes.
  constexpr std::string_view kText = "what do ya want for nothing?";
  CHECK(keyed("Jefe").of(kText, Kind::cookie) == "cookie:5bdcc146bf60754e");
  CHECK(keyed("Jefe\n").of(kText, Kind::token) == "token:5bdcc146bf60754e");
  CHECK(keyed("Jefe\r\n").of(kText, Kind::jwt) == "jwt:5bdcc146bf60754e");
  CHECK(keyed("other").of(kText, Kind::cookie) != "cookie:5bdcc146bf60754e");
}

TEST_CASE("a key file: empty, too large, readable by others", "[redact]") {
  bool readable = false;
  for (const std::string& text :
       {std::string(), std::string("\n"), std::string(Pseudonyms::kLongestKey + 1, 'x')}) {
    const KeyFile file(text, 0600);
    CHECK_FALSE(Pseudonyms::from_file(file.path(), readable));
  }
  CHECK_FALSE(Pseudonyms::from_file("/nonexistent/key", readable));
  for (const mode_t mode : {0640U, 0604U}) {
    const KeyFile file("key", mode);
    readable = false;
    CHECK(Pseudonyms::from_file(file.path(), readable));
    CHECK(readable);
  }
}

TEST_CASE("pseudonyms are known again", "[redact]") {
  const Pseudonyms pseudonyms = keyed("k");
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    const std::string made = pseudonyms.of("value", static_cast<Kind>(kind));
    CHECK(is_pseudonym(made));
    CHECK(replaced_size(made + "; b=2") == made.size());
    CHECK_FALSE(is_pseudonym(made + "0"));
  }
  CHECK_FALSE(is_pseudonym("cooky:0123456789abcdef"));
  CHECK_FALSE(is_pseudonym("cookie:0123456789abcdeF"));
  CHECK_FALSE(is_pseudonym("cookie:0123456789abcde"));
  CHECK_FALSE(is_pseudonym(""));
  CHECK(replaced_size("REDACTED, x") == 8);
  CHECK(replaced_size("redacted") == 0);
}

}  // namespace
}  // namespace rehead::redact
