// What can be asked of a message besides its header fields: one list for expressions, `get` and log
// lines. Typed with a colon in NAMES (`:status`), without it in expressions.
// Size and content of the body are in the list, but not told here: they may have to be read.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "http/exchange.h"

namespace rehead::http {

enum class PseudoField : std::uint8_t {
  status,
  reason,
  version,
  method,
  url,
  scheme,
  host,
  path,
  query,
  type,
  size,
  kind,
  file,
  entry,
  message,
  time,
  ms,
  body,
};

/// Their names, without the colon, in the order of the enumeration.
std::span<const std::string_view> pseudo_fields();
std::string_view name_of(PseudoField field);
/// The one of that name, without the colon.
std::optional<PseudoField> find_pseudo_field(std::string_view name);

/// True for the name of a part of the start line that set can change: status, method, ...
bool is_start_line(std::string_view name);
/// True if each message has its own: version, type, size, body.
bool is_of_message(PseudoField field);

/// The message that fields both halves have are taken from: the response if there is one, or what
/// `side` asks for. May be null.
Message* subject_of(const Exchange& exchange, Side side = Side::both);

/// The field as text: taken from the half that has it, those that both have from `subject`; nothing
/// if it is absent. Good as long as the exchange. Not for size and body.
std::optional<std::string_view> text_of(PseudoField field, const Exchange& exchange,
                                        const Message* subject);

/// The URL of the request. On its own a request has none but its target and Host: then the scheme
/// is taken to be http.
std::optional<std::string_view> url_of(const Exchange& exchange);

}  // namespace rehead::http
