// Pseudo-fields changed, for `set` and `sub`: what stands in the start line, and
// the host. What says the same twice follows: the reason the status, Host and URL the target.
#pragma once

#include <string_view>

#include "http/body.h"
#include "http/pseudo_field.h"
#include "transform/new_content.h"

namespace rehead::transform {

/// Takes `:NAME:` off `text`, one that can be changed; `body` only where asked for.
Result<http::PseudoField> take_pseudo(std::string_view& text, bool with_body);

class PseudoEdit {
 public:
  /// Refuses what could not stand in a start line.
  static Status check(http::PseudoField field, std::string_view value);
  /// True if something of the exchange can hold the field.
  static bool has_place(http::PseudoField field, const http::Exchange& exchange);
  /// Gives the field a value that passed check(), in the half that has it (the version in the one
  /// `side` asks for). No change where there is none.
  Status put(http::PseudoField field, std::string_view value, http::Exchange& exchange,
             http::Side side);

 private:
  Status put_one(http::PseudoField field, std::string_view value, http::Exchange& exchange,
                 http::Side side);
  void put_status(http::Message& message, unsigned status);

  // Of a status that may have content where the one before could not.
  http::Body empty_;
  TextSource nothing_;
};

}  // namespace rehead::transform
