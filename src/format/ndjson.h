// NDJSON, one JSON object a line. A message on its own:
//
//   {"kind":"response","file":"a.http","message":1,"version":"HTTP/1.1","status":200,"reason":"OK",
//    "headers":[["Name","value"],...],"body":"hello","size":5,"trailers":[],
//    "wire":{"framing":"length","codings":[]}}
//   {"kind":"request",...,"version":"HTTP/1.1","method":"GET","target":"/",...}
//
// An entry, its messages without `file` and `message`, either of them left out if there is none:
//
//   {"kind":"exchange","file":"a.har","entry":1,"time":"2024-...","ms":12.5,"method":"GET",
//    "url":"http://...","status":200,"request":{...},"response":{...}}
//
// Bytes that are not UTF-8: a body stands in `body64` (base64); a field is a triple
// ["Name","caf\u00e9","latin1"] whose code points are the bytes; any other text (reason, target,
// file) is a pair ["caf\u00e9","latin1"]. A message whose body was withheld, or left out by
// --no-body, has no body member. `trailers` is left out where they were not read, other members
// where nothing is known.
#pragma once

#include <memory>
#include <string_view>

#include "format/formats.h"

namespace rehead::format {

std::unique_ptr<Source> make_ndjson_source(SourceSetup setup);
std::unique_ptr<Sink> make_ndjson_sink(const SinkSetup& setup);

/// True if a text that begins with `start` is NDJSON as above, not HAR. Told by the first key.
bool begins_ndjson(std::string_view start);

}  // namespace rehead::format
