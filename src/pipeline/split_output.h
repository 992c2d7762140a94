// One output file per distinct name: what -o with places in it ({host}) writes. Each exchange goes
// to the sink of its name; what stands around the entries of a HAR goes to all of them, also to
// those that begin later. Few files are open at a time, the others are parked.
//
// A file appears under its name when all is read and nothing failed. Where a format cannot tell
// one message from the next (bodies), a file is one message: it appears when that is complete, and
// a second message of its name is refused.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/io.h"
#include "format/formats.h"
#include "pipeline/name_template.h"

namespace rehead {

class SplitOutput final : public ByteSink {
 public:
  explicit SplitOutput(NameTemplate name);
  ~SplitOutput() override;

  /// The sink for all exchanges; `setup.output` is not used. The SplitOutput outlives it.
  std::unique_ptr<format::Sink> make_sink(const format::FormatInfo& to,
                                          const format::SinkSetup& setup);

  /// Nothing is written here but into the files; says whether one of them could not be written.
  Status write(std::string_view) override { return lost_; }
  Status flush() override;
  std::uint64_t written() const;
  /// False if each file appears on its own.
  bool replaces() const { return to_ == nullptr || !to_->single; }
  /// Gives all files their names.
  Status commit();

 private:
  class Part;
  class SplitSink;

  std::unique_ptr<Part> make_part(std::string name);

  NameTemplate name_;
  const format::FormatInfo* to_ = nullptr;
  format::SinkSetup setup_;
  std::unordered_map<std::string, Part*> parts_;
  std::vector<Part*> open_;  // the one used last at the end; outlives the parts, which leave it
  std::vector<std::unique_ptr<Part>> order_;  // as their names were met
  std::unordered_set<std::string> done_;      // names whose file is complete
  std::uint64_t written_ = 0;                 // into files that are complete
  Status lost_;                               // an error of the system: the run is over
};

}  // namespace rehead
