// What a person at a terminal sees: colour, and control bytes in a form that does nothing to the
// terminal.
#pragma once

#include <string>
#include <string_view>

namespace rehead {

enum class When : std::uint8_t { automatic, always, never };

/// How text for standard output is shown.
struct Look {
  bool colour = false;
  bool harmless = false;  // it goes to a terminal: control bytes are written \xNN
  bool veiled = false;  // a diff shows no values that were taken out
};
/// `colour`: --color. NO_COLOR and TERM=dumb speak for automatic.
Look look_of_stdout(When colour);

enum class Ink : std::uint8_t { plain, bold, dim, red, green, yellow, cyan };

/// `text` in that colour, if there is colour at all.
void paint(std::string& out, Ink ink, std::string_view text, const Look& look);

/// `bytes` with every control byte but TAB and LF as \xNN, of CR LF neither; also DEL, the C1
/// controls and bytes that are no UTF-8. What may be the start of a sequence or a line end that is
/// still to come is left over unless `whole`; returns how many bytes were taken.
std::size_t append_harmless(std::string& out, std::string_view bytes, bool whole);

}  // namespace rehead
