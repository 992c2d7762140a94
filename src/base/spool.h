// Holds a body to learn its size: memory up to a limit, then an unlinked temporary file (TMPDIR).
#pragma once

#include <cstdint>
#include <string>

#include "base/io.h"

namespace rehead {

class Spool final : public ByteSource {
 public:
  ~Spool() override;
  /// Starts anew, empty. `memory`: bytes held before the temporary file; the memory is reused.
  void start(ByteSource& upstream, std::size_t memory);
  /// Pulls until the upstream ends (true) or more than `memory` bytes are held (false). Idle pieces
  /// are passed over. On an Error what came before it is held and can be pulled.
  Result<bool> hold();
  /// Pulls until the upstream ends, whatever the size.
  Status hold_all();
  /// Bytes held so far.
  std::uint64_t size() const { return size_; }
  /// What is held, then what is left in the upstream.
  Result<Piece> pull() override;

 private:
  // private part is the implementer's
  std::uint64_t size_ = 0;
};

}  // namespace rehead
