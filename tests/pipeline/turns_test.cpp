// Files at once take turns; once all is called off, nothing of a later file comes out.
#include "pipeline/turns.h"

#include <catch2/catch.hpp>

using namespace rehead;

TEST_CASE("turns: a later file gets its turn once the one before passes on") {
  Turns turns;
  MemorySink shared;
  TurnSink second(turns, 1, shared, 100);
  REQUIRE(second.write("held"));
  CHECK(shared.text().empty());
  turns.pass_on();
  CHECK(turns.is_on(1));
  REQUIRE(second.flush());
  CHECK(shared.text() == "held");
}

TEST_CASE("turns: what was called off never gets a turn, even where it asked before") {
  Turns turns;
  MemorySink shared;
  TurnSink second(turns, 1, shared, 100);
  REQUIRE(second.write("held"));
  turns.call_off();
  turns.pass_on();
  CHECK(turns.is_off(1));
  CHECK_FALSE(turns.is_on(1));
  REQUIRE(second.flush());
  CHECK(shared.text().empty());
  CHECK_FALSE(second.write("more"));
}
