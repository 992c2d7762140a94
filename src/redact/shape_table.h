// The table of shapes: by which three bytes each is known, and the test of what stands around them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "redact/byte_filter.h"
#include "redact/rules.h"
#include "redact/shapes.h"

namespace rehead::redact {

struct Shape;
/// Whether `shape` stands where its anchor was met at `at`; where the secret is goes into `out`.
/// It begins at `floor` or behind.
using ShapeTest = bool (*)(const Shape& shape, std::string_view text, std::size_t at,
                           std::size_t floor, Found& out);

struct Shape {
  ShapeRow row;
  ShapeTest test;
  Anchor anchor = {};       // empty: three bytes of the prefixes, and of `bytes` behind them
  std::uint8_t offset = 0;  // of the anchor in the prefixes
  /// Keys: prefixes, parted by blanks, then at least `least` and at most `most` of `bytes`.
  std::string_view prefixes = {};
  std::string_view bytes = {};
  std::size_t least = 0, most = SIZE_MAX;
};

/// The shapes of keys and tokens, and those for --pii behind them.
std::span<const Shape> shapes();
std::span<const Shape> personal_shapes();

/// What was hidden before begins at `at`.
bool is_hidden(std::string_view text, std::size_t at);

}  // namespace rehead::redact
