// What somebody who typed a wrong word may have meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rehead::cli {

/// A typed word for a message: 'word', or quoted like input bytes if it is not plain.
std::string echo(std::string_view word);

/// Edits between two words: a letter more, less or other, or two neighbours swapped.
std::size_t distance(std::string_view a, std::string_view b);

/// The candidate nearest to `word`, empty if none is near.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

/// The way out for a word that is no verb; empty if there is none to tell.
std::string hint_for_verb(std::string_view word);

/// The way out for what is no format; `names`: those there are, separated by ", ".
std::string hint_for_format(std::string_view word, std::string_view names);

/// The way out for an option nobody has; `names` are those that could have been meant.
std::string hint_for_option(std::string_view word, std::span<const std::string_view> names);

}  // namespace rehead::cli
