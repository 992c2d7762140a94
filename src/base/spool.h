// Holds a body to learn its size: memory up to a limit, then an unlinked temporary file (TMPDIR).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/io.h"

namespace rehead {

/// `done` of writing a temporary file: an Error says so, and how to choose another folder.
Status in_temporary_file(Status done);

class Spool final : public ByteSource {
 public:
  Spool();
  ~Spool() override;
  /// Starts anew, empty. `memory`: bytes held before the temporary file; the memory is reused.
  void start(ByteSource& upstream, std::size_t memory);
  /// Pulls until the upstream ends (true) or more than `memory` bytes are held (false). Idle pieces
  /// are passed over. On an Error what came before it is held and can be pulled.
  Result<bool> hold();
  /// Pulls until the upstream ends, whatever the size. May follow a hold() that gave false.
  Status hold_all();
  /// Bytes held so far.
  std::uint64_t size() const { return size_; }
  /// What is held, then what is left in the upstream (its Error, too), which is not held.
  Result<Piece> pull() override;
  /// The next pull gives what is held from its start again.
  void rewind();
  /// Until rewind(), what pull() takes from the upstream is held, too, as long as it finds room in
  /// `memory` bytes; once it does not, there is no rewinding.
  void record() { recording_ = true; }
  bool recording() const { return recording_; }
  void forget() { recording_ = false; }
  /// The upstream has given an Error.
  bool failed() const { return failure_.has_value(); }

 private:
  class File;
  static constexpr std::size_t kBlock = std::size_t{64} << 10;

  Result<Piece> next();
  void remember(std::string_view bytes);
  Status store(std::string_view bytes);

  ByteSource* upstream_ = nullptr;
  std::size_t memory_ = 0;
  std::uint64_t size_ = 0;                       // held in all
  std::size_t in_blocks_ = 0;                    // of these in blocks_, the rest in file_
  std::uint64_t given_ = 0;                      // already pulled
  std::vector<std::unique_ptr<char[]>> blocks_;  // kBlock bytes each, filled in order
  std::unique_ptr<File> file_;
  bool ended_ = false;
  bool recording_ = false;
  std::optional<Error> failure_;  // of the upstream or the file; given again behind what is held
};

}  // namespace rehead
