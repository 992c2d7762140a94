// How every step is made, whoever asks: from its row, with what all steps share around it.
#pragma once

#include "transform/transform.h"

namespace rehead::transform {

/// The option every step takes: --if EXPR.
inline constexpr Option kIf = {"if", "EXPR", "only where the expression holds (help expressions)"};

/// The step, behind its condition if it has one. Errors say which verb.
Result<std::unique_ptr<Transform>> make_step(const TransformInfo& info, const Arguments& arguments);

}  // namespace rehead::transform
