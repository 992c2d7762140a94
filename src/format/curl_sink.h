// Requests as curl commands, one a line.
#pragma once

#include <memory>

#include "format/formats.h"

namespace rehead::format {

std::unique_ptr<Sink> make_curl_sink(const SinkSetup& setup);

}  // namespace rehead::format
