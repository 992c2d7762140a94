// What may stand where somebody pressed TAB, for the shells (src/cli/completion/).
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rehead::cli {

/// The word that asks for it, in place of a verb; it stands in no help.
inline constexpr std::string_view kComplete = "__complete";

/// `words`: those behind the program's name up to the cursor, quotes taken off; the last one is the
/// word to complete, perhaps empty. Gives lines:
///   WORD TAB DESCRIPTION   a whole word that begins with the one to complete
///   files PREFIX           names of files too, behind these first characters of the word
///   dirs PREFIX            names of folders too
std::string complete(std::span<const std::string> words);

}  // namespace rehead::cli
