#include "base/ascii.h"

#include <catch2/catch.hpp>

namespace rehead {

TEST_CASE("ascii: sizes take one unit of 1024 and never overflow") {
  CHECK(ascii::parse_size("0") == 0U);
  CHECK(ascii::parse_size("17") == 17U);
  CHECK(ascii::parse_size("1k") == 1024U);
  CHECK(ascii::parse_size("8M") == 8U << 20);
  CHECK(ascii::parse_size("2g") == std::uint64_t{2} << 30);
  CHECK(ascii::parse_size("8589934591G") == 8589934591ULL << 30);
  for (const char* bad :
       {"", "k", "1kb", "1 k", "-1", "+1", "1.5M", "8589934592G", "9223372036854775808", "1t"}) {
    CHECK_FALSE(ascii::parse_size(bad));
  }
}

}  // namespace rehead
