// Raw HTTP/1 out, framed true: the sink has the last word on Content-Length, Transfer-Encoding and
// the end of every body (http::settle decides how it is framed).
#pragma once

#include <memory>

#include "format/formats.h"

namespace rehead::format {

std::unique_ptr<Sink> make_http1_sink(const SinkSetup& setup);

}  // namespace rehead::format
