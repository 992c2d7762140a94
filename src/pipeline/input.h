// One input through one chain: opened, its format told, its exchanges driven into a sink.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "format/formats.h"
#include "pipeline/job.h"
#include "pipeline/reporter.h"

namespace rehead {

class SplitOutput;

struct InputRun {
  const Job* job = nullptr;
  const Chain* chain = nullptr;
  Reporter* reporter = nullptr;
  ByteSink* output = nullptr;  // flushed before a read that would wait
  /// Gives the sink once the format is known; may put something around the source.
  std::function<Result<format::Sink*>(format::Opened& opened)> sink;
};

bool is_stdin(const std::string& file);
/// As messages and diagnostics call it.
std::string display_name(const std::string& file);

/// Opens an input that is read once.
Result<std::unique_ptr<Reader>> open_input(const std::string& file);

/// Where a sink is put.
struct SinkPlace {
  ByteSink& output;
  Diagnostics& log;
  bool several = false;            // more than one input goes into this output
  SplitOutput* split = nullptr;    // it writes to many files instead
  format::Parts* parts = nullptr;  // is told of heads and bodies
};
/// What answers or writes: the report of the job, else a sink for the format asked for, which
/// "auto" makes that of the input.
Result<std::unique_ptr<format::Sink>> make_sink(const Job& job, const format::FormatInfo& input,
                                                const SinkPlace& place);

/// Reads the input to its end. Everything that goes wrong with it goes to the reporter; a failed
/// output is Outcome::lost.
Outcome run_input(const std::string& file, std::unique_ptr<Reader> reader, const InputRun& run,
                  Counts& counts);

}  // namespace rehead
