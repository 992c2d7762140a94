// Heads alone (-t headers): the map as the chain left it.
#pragma once

#include <memory>

#include "format/formats.h"

namespace rehead::format {

/// Writes start line, field lines and an empty line for each message. Of an exchange the half that
/// SinkSetup::selection covers; a message on its own whatever it is.
std::unique_ptr<Sink> make_headers_sink(const SinkSetup& setup);

}  // namespace rehead::format
