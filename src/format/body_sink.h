// Content alone (-t body): transfer coding off, content coding as the chain left it.
#pragma once

#include <memory>

#include "format/formats.h"

namespace rehead::format {

/// Writes the contents one after the other, nothing between them. Of an exchange the half that
/// SinkSetup::selection covers; a message on its own whatever it is.
std::unique_ptr<Sink> make_body_sink(const SinkSetup& setup);

}  // namespace rehead::format
