#include "cli/suggest.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/ascii.h"
#include "cli/verbs.h"

namespace rehead::cli {
namespace {

struct Guess {
  std::string_view word;  // as other tools call it
  std::string_view verb;  // the verb that does it
  std::string_view hint;
};

constexpr std::string_view kByHand =
    "'remove NAMES' takes fields out, 'sub N:/RE2/NEW/' hides parts of values";

// Spec section 2. A row whose verb does not exist is passed over.
constexpr Guess kGuesses[] = {
    {"delete", "remove", "'remove NAMES' does that"},
    {"del", "remove", "'remove NAMES' does that"},
    {"rm", "remove", "'remove NAMES' does that"},
    {"unset", "remove", "'remove NAMES' does that"},
    {"filter", "where", "'where EXPR' does that"},
    {"select", "where", "'where EXPR' chooses messages, 'keep NAMES' chooses fields"},
    {"grep", "where", "'where EXPR' chooses messages, 'get NAMES' prints values"},
    {"decompress", "inflate", "'inflate' undoes every coding it knows"},
    {"gunzip", "inflate", "'inflate' undoes every coding it knows"},
    {"decode", "inflate", "'inflate' undoes content codings, 'dechunk' chunks"},
    {"compress", "gzip", "'gzip', 'deflate', 'br' and 'zstd' do that"},
    {"sanitize", "redact", "'redact' hides secrets"},
    {"scrub", "redact", "'redact' hides secrets"},
    {"mask", "redact", "'redact' hides secrets"},
    {"redact", "remove", kByHand},
    {"sanitize", "remove", kByHand},
    {"scrub", "remove", kByHand},
    {"mask", "remove", kByHand},
    {"replace", "sub", "'sub N:/RE2/NEW/' replaces within values, 'set N: V' the whole value"},
    {"uniq", "names", "'names' lists field names with counts"},
    {"tail", "last", "'last' keeps the last message"},
    {"wc", "count", "'count' counts messages"},
    {"head", "first", "'first N' keeps the first messages, '-t headers' shows heads alone"},
    {"chunked", "chunk", "'chunk' writes chunked bodies"},
};

constexpr std::array<std::array<std::string_view, 2>, 3> kOptionGuesses = {{
    {"-i", "to rewrite files in place: -I"},
    {"-H", "to set a header: set 'NAME: VALUE'"},
    {"-r", "folders are not searched: find DIR -name '*.http' -print0 | xargs -0 rehead ..."},
}};

}  // namespace

std::string echo(std::string_view word) {
  constexpr std::size_t kClip = 60;
  const bool plain = word.size() <= kClip && std::ranges::all_of(word, [](char c) {
                       return c >= 0x20 && c < 0x7F && c != '\'';
                     });
  return plain ? "'" + std::string(word) + "'" : ascii::quoted(word);
}

std::size_t distance(std::string_view a, std::string_view b) {
  // Optimal string alignment: three rows of the usual table.
  std::vector<std::size_t> older(b.size() + 1), old(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) old[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t other = old[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({old[j] + 1, row[j - 1] + 1, other});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], older[j - 2] + 1);
      }
    }
    std::swap(older, old);
    std::swap(old, row);
  }
  return old[b.size()];
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  constexpr std::size_t kLongest = 40;  // no name is longer, and a typed word may be a megabyte
  if (word.size() > kLongest) return {};
  std::string_view best;
  // A third of the letters may be wrong, two at most.
  std::size_t limit = std::min<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t edits = distance(word, candidate);
    if (edits < limit) {
      limit = edits;
      best = candidate;
    }
  }
  return best;
}

std::string hint_for_verb(std::string_view word) {
  for (const Guess& guess : kGuesses) {
    if (guess.word == word && find_verb(guess.verb) != nullptr) return std::string(guess.hint);
  }
  std::vector<std::string_view> names = {"help", "then"};
  for (const Verb& verb : verbs()) names.push_back(verb.name);
  const std::string_view near = nearest(word, names);
  if (near == "then") return "'then' stands between two verbs";
  return near.empty() ? "" : "did you mean '" + std::string(near) + "'?";
}

std::string hint_for_option(std::string_view word, std::span<const std::string_view> names) {
  for (const auto& [typed, hint] : kOptionGuesses) {
    if (word.substr(0, 2) == typed) return std::string(hint);
  }
  if (!word.starts_with("--")) return {};
  const std::string_view near = nearest(word.substr(2, word.find('=') - 2), names);
  return near.empty() ? "" : "did you mean '--" + std::string(near) + "'?";
}

}  // namespace rehead::cli
