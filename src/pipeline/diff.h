// A change as a unified diff of the heads and a line about each body. In: what a Watch tells. Out:
// text. Line numbers are those of raw input and output; in a HAR they count the lines of the head.
// Of raw HTTP it is a patch of the file: the empty line behind a head is a line of it, and where
// nobody looks on, lines have their CR.
#pragma once

#include <string>

#include "pipeline/terminal.h"
#include "pipeline/watch.h"

namespace rehead {

/// The two lines before the first change of a file.
std::string diff_title(std::string_view file, const Look& look);

std::string diff_text(const ExchangeChange& change, const Look& look);

/// A change that no head shows.
std::string diff_note(std::string_view note, const Look& look);

}  // namespace rehead
