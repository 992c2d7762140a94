// The table of formats: how each is called, recognised from its bytes, read and written.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "base/diagnostics.h"
#include "base/io.h"
#include "format/sink.h"
#include "format/source.h"
#include "http/policy.h"

namespace rehead::format {

/// For one input. Everything pointed to outlives the source.
struct SourceSetup {
  std::unique_ptr<Reader> reader;
  std::string_view file;       // as named by the user
  ByteSink* output = nullptr;  // flushed before a read that would wait; may be null
  const http::Policy* policy = nullptr;
  Diagnostics* log = nullptr;
};

/// What writes the entries of a HAR; every name of `-o '{host}.har'` shares it.
struct HarTools;

/// For one output, which may take the exchanges of several sources in turn.
struct SinkSetup {
  ByteSink* output = nullptr;
  const http::Policy* policy = nullptr;
  Diagnostics* log = nullptr;
  http::Selection selection = {};  // which half of an exchange http, headers, body and curl write
  bool bodies = true;              // false: --no-body
  bool several = false;            // more than one input goes into this output
  Parts* parts = nullptr;          // told of heads and bodies (http, headers, body); may be null
  std::shared_ptr<HarTools> har_tools = {};  // null: the sink makes its own
};

struct FormatInfo {
  std::string_view name;                                       // as typed after -f and -t
  std::string_view summary;                                    // one line for help
  std::unique_ptr<Source> (*make_source)(SourceSetup setup);   // null: cannot be read
  std::unique_ptr<Sink> (*make_sink)(const SinkSetup& setup);  // null: cannot be written
  bool entries = false;                    // diagnostics count entries, not messages
  http::Side side = http::Side::response;  // which half of an exchange is written unless -s says
  bool single = false;                     // where one message ends cannot be seen
};

std::shared_ptr<HarTools> make_har_tools(const SinkSetup& setup);

std::span<const FormatInfo> all();
/// The format of that name, or null.
const FormatInfo* find(std::string_view name);

/// An input whose format is settled.
struct Opened {
  std::unique_ptr<Source> source;
  const FormatInfo* format = nullptr;
  bool gzip = false;   // it was wrapped in gzip, now unwrapped
  bool empty = false;  // there is not a byte, so it has no format
};
/// Unwraps gzip by its magic and reads `from` ("auto": told by the first bytes, never by the name).
Result<Opened> open(SourceSetup setup, std::string_view from);

}  // namespace rehead::format
