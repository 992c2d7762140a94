// The table of all steps. A step is added by its file, one line here and one in CMakeLists.txt.
#include <algorithm>
#include <array>

#include "transform/transform.h"

namespace rehead::transform {

extern const TransformInfo kRemove;

namespace {

constexpr std::array kAll = {
    &kRemove,
};

}  // namespace

std::span<const TransformInfo* const> all() { return kAll; }

const TransformInfo* find(std::string_view name) {
  const auto found = std::ranges::find(kAll, name, &TransformInfo::name);
  return found == kAll.end() ? nullptr : *found;
}

}  // namespace rehead::transform
