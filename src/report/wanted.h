// What `get` is asked for: one of NAMES, a header field (NAME, req:NAME, res:NAME, a pattern) or a
// pseudo-field (`:status`), and its values in an exchange.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/content.h"
#include "http/field_name.h"
#include "http/pseudo_field.h"

namespace rehead::report {

struct Wanted {
  http::FieldName name;  // as typed, the colon of a pseudo-field included
  std::optional<http::PseudoField> pseudo;
  bool either = false;  // req::path: the field of that name, else the pseudo-field

  bool is(http::PseudoField field) const { return pseudo == field; }
  /// True if it asks for a field that tells how the message is framed.
  bool is_framing() const;
};

/// NAMES, each checked.
Result<std::vector<Wanted>> parse_wanted(std::string_view text, http::Selection otherwise);

/// Collects the values in `into`; they are good until the next exchange. `content` reads the body
/// where it is asked for. Errors: a body that cannot be read or decoded.
Status collect(const Wanted& wanted, http::Exchange& exchange, codec::Content& content,
               std::vector<std::string_view>& into);

}  // namespace rehead::report
