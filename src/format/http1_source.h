// Raw HTTP/1 (and the heads curl prints for HTTP/2 and 3): one message after the other, responses
// and requests, as `curl -i`, `curl -iL`, `curl --raw -i` print them or a server sent them. Spec
// section 4.
#pragma once

#include <memory>

#include "format/formats.h"

namespace rehead::format {

std::unique_ptr<Source> make_http1_source(SourceSetup setup);

}  // namespace rehead::format
