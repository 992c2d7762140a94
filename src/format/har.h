// HAR 1.2, one entry at a time, on these pieces:
//
//   har_splitter   the document as pieces: what stands around the entries, and each entry's text
//   har_message    request and response of an entry as Messages over views of its text
//   har_entry      where in that text their parts stand
//   har_edit       the entry's text again, with what the chain changed put in its place
//   har_writer     an entry made anew, for messages that came from elsewhere
//   har_sink       the document around them
//   har_apart      documents of one file, each for itself
#pragma once

#include <memory>

#include "format/formats.h"

namespace rehead::format {

std::unique_ptr<Source> make_har_source(SourceSetup setup);
std::unique_ptr<Sink> make_har_sink(const SinkSetup& setup);
/// Joins whatever comes into one document.
std::unique_ptr<Sink> make_har_document_sink(const SinkSetup& setup);

}  // namespace rehead::format
