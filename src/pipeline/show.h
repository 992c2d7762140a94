// What a terminal is shown in place of the bytes: heads in colour, control bytes as \xNN, of a body
// that holds NUL or is coded only how long it is. Without a terminal, where colour
// was asked for, bodies leave as they are.
#pragma once

#include <cstdint>
#include <string>

#include "base/io.h"
#include "format/sink.h"
#include "pipeline/terminal.h"

namespace rehead {

class Show final : public ByteSink, public format::Parts {
 public:
  Show(ByteSink& output, Look look) : output_(output), look_(look) {}

  Status write(std::string_view bytes) override;
  /// Of a body that is not told yet what came is taken for text.
  Status flush() override;
  Status head(const http::Message& message) override;
  Status body(const http::Message& message) override;
  Status end() override;

 private:
  enum class Part : std::uint8_t { text, head, body, binary };
  Status put_text(std::string_view bytes);
  Status settle_body(bool whole);
  Status put_head();

  ByteSink& output_;
  Look look_;
  Part part_ = Part::text;
  std::string
      held_;  // a head; a body that may still turn out to be binary; the start of a sequence
  unsigned status_ = 0;
  bool coded_ = false;
  std::uint64_t binary_ = 0;  // bytes of a binary body so far
};

}  // namespace rehead
