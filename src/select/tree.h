// An expression as read:
//
//   expr = expr "or" expr | expr "and" expr | "not" expr | "(" expr ")" | test
//   test = "has:" FIELD | FIELD OP VALUE
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "select/comparison.h"
#include "select/operand.h"

namespace rehead::select {

struct Node {
  enum class Kind : std::uint8_t { any, all, test };
  Kind kind = Kind::test;
  bool negated = false;        // by "not"
  std::vector<Node> children;  // any, all: two or more

  std::string text;       // a test as typed
  bool opposite = false;  // its operator was != or !~
  Operand operand;
  std::optional<Comparison> comparison;  // none: has:
  http::Sightings sightings;             // of a header field
};

/// Errors say where: characters from 1.
/// `otherwise`: see parse_operand().
Result<Node> parse_tree(std::string_view text, http::Selection otherwise);

}  // namespace rehead::select
