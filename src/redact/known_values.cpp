#include "redact/known_values.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "redact/pseudonym.h"
#include "redact/spellings.h"
#include "redact/surroundings.h"

namespace rehead::redact {
namespace {

constexpr std::size_t kCore = 8, kOffsets = 4, kWindow = kCore - kOffsets + 1;
constexpr std::size_t kStep = kOffsets;  // from one window that is looked up to the next
constexpr std::size_t kLongestWord = 11;
constexpr std::uint32_t kMostAlike = 64;  // forms with the same core
constexpr unsigned kFewestBits = 12;      // of an index into the table of windows
constexpr unsigned kMostBits = 22;
// The product of eight bytes with it depends, in its upper bits, on the first five of them alone.
constexpr std::uint64_t kWindowFactor = std::uint64_t{0x9E3779B97F} << (8 * (kCore - kWindow));
constexpr std::uint64_t kCoreFactor = 0x9E3779B97F4A7C15;

/// Eight bytes, the first one lowest.
inline std::uint64_t eight(const char* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

bool is_one_byte(std::string_view text) {
  return text.find_first_not_of(text.front()) == std::string_view::npos;
}

/// Words for "no value" and for what was hidden, by us or by others: to hide them everywhere would
/// only do harm.
bool says_nothing(std::string_view value) {
  for (const std::string_view word : {"undefined", "anonymous", "[object Object]", "[REDACTED]",
                                      "[REMOVED]", "[redacted]", "redacted", "obfuscated"}) {
    if (value == word) return true;
  }
  const std::size_t hidden = replaced_size(value);
  return (hidden != 0 && hidden == value.size()) || is_one_byte(value);
}

/// How well eight bytes tell a value from other text: bytes that differ, digits and capitals.
constexpr std::size_t kDistinct = 18;  // good enough, of 24
std::size_t distinction(std::string_view core) {
  std::array<std::uint64_t, 4> seen{};
  std::size_t score = 0;
  for (const char c : core) {
    const auto byte = static_cast<unsigned char>(c);
    const std::uint64_t bit = std::uint64_t{1} << (byte & 63U);
    score += (seen[byte >> 6] & bit) == 0 ? 2 : 0;
    score += c >= 'a' && c <= 'z' ? 0 : 1;
    seen[byte >> 6] |= bit;
  }
  return score;
}

bool in_longer_word(std::string_view text, std::size_t at, std::size_t end) {
  if (end < text.size() && is_alphanumeric(text[end])) return true;
  return at > 0 && is_alphanumeric(text[at - 1]) && escape_before(text, at) == 0;
}

/// Leaves of what overlaps what the first ones leave, covering as much with as few as possible.
void cut_overlaps(std::vector<Found>& hits, std::vector<Found>& found) {
  std::sort(hits.begin(), hits.end(), [](const Found& a, const Found& b) {
    return a.at != b.at ? a.at < b.at : a.size > b.size;
  });
  std::size_t end = 0;  // of what is covered
  for (std::size_t i = 0; i < hits.size();) {
    const Found* best = &hits[i];
    if (hits[i].at < end) {  // of those that begin before the end the one that reaches furthest
      for (; i < hits.size() && hits[i].at <= end; ++i) {
        if (hits[i].at + hits[i].size > best->at + best->size) best = &hits[i];
      }
    } else {
      ++i;
    }
    const std::size_t stop = best->at + best->size;
    if (stop <= end) continue;
    Found piece = *best;
    piece.at = std::max(piece.at, end);
    piece.size = stop - piece.at;
    found.push_back(piece);
    end = stop;
  }
}

}  // namespace

KnownValues::KnownValues() { clear(); }

void KnownValues::clear() {
  values_.clear();
  forms_.clear();
  list_.clear();
  windows_.assign(std::size_t{1} << kFewestBits, 0);
  cores_.assign(std::size_t{1} << kFewestBits, {});
  shift_ = 64 - kFewestBits;
  bytes_ = 0;
}

void KnownValues::learn(std::string_view value, Kind kind) {
  if (value.size() < kShortest || value.size() > kLongest || full() || says_nothing(value)) return;
  if (forms_.contains(std::string(value))) return;
  values_.push_back({std::string(value), kind});
  const bool word =
      value.size() <= kLongestWord && std::all_of(value.begin(), value.end(), is_alphanumeric);
  add_form(std::string(value), word);
  for (std::string& text : spellings(value)) add_form(std::move(text), false);
  for (std::string& text : base64_parts(value, kShortest)) add_form(std::move(text), false);
}

void KnownValues::add_form(std::string text, bool whole_word) {
  if (text.size() < kShortest || is_one_byte(text)) return;
  const std::uint32_t core = choose_core(text);
  const Slot& slot = cores_[slot_of(eight(text.data() + core))];
  if (slot.form != 0 && slot.count >= kMostAlike) return;
  const auto [place, added] = forms_.insert(std::move(text));
  if (!added) return;
  bytes_ += place->size();
  list_.push_back({.text = *place,
                   .value = static_cast<std::uint32_t>(values_.size() - 1),
                   .core = core,
                   .whole_word = whole_word});
  if (list_.size() * kOffsets * 32 > windows_.size()) grow();
  enter(list_.size() - 1);
}

/// The index of the slot that has `core`, or of the free one where it belongs.
std::size_t KnownValues::slot_of(std::uint64_t core) const {
  const std::size_t mask = cores_.size() - 1;
  std::size_t at = (core * kCoreFactor) >> 40 & mask;
  while (cores_[at].form != 0 && cores_[at].core != core) at = (at + 1) & mask;
  return at;
}

/// The offset of the eight bytes that the fewest other forms have, of those the most distinct.
std::uint32_t KnownValues::choose_core(std::string_view text) const {
  constexpr std::size_t kTried = 32;
  const std::size_t last = text.size() - kCore;
  std::size_t best = last, best_score = 0;
  std::uint32_t fewest = UINT32_MAX;
  for (std::size_t i = 0; i < std::min(kTried, last + 1); ++i) {
    const std::size_t at = last < kTried ? last - i : last - i * last / (kTried - 1);
    const Slot& slot = cores_[slot_of(eight(text.data() + at))];
    const std::uint32_t others = slot.form == 0 ? 0 : slot.count;
    const std::size_t score = distinction(text.substr(at, kCore));
    if (others > fewest || (others == fewest && score <= best_score)) continue;
    best = at;
    best_score = score;
    fewest = others;
    if (others == 0 && score >= kDistinct) break;
  }
  return static_cast<std::uint32_t>(best);
}

void KnownValues::enter(std::size_t index) {
  Form& form = list_[index];
  const std::uint64_t word = eight(form.text.data() + form.core);
  Slot& slot = cores_[slot_of(word)];
  slot.core = word;
  ++slot.count;
  std::uint32_t* place = &slot.form;  // the longest comes first
  while (*place != 0 && list_[*place - 1].text.size() > form.text.size()) {
    place = &list_[*place - 1].next;
  }
  form.next = *place;
  *place = static_cast<std::uint32_t>(index + 1);
  for (std::size_t j = 0; j < kOffsets; ++j) {
    const std::uint64_t hash = (word >> (8 * j)) * kWindowFactor;
    windows_[hash >> shift_] |= static_cast<std::uint8_t>(1U << j);
  }
}

/// Doubles the tables.
void KnownValues::grow() {
  const std::size_t wanted = std::bit_ceil(list_.size() * kOffsets * 64);
  const unsigned bits = std::min(kMostBits, static_cast<unsigned>(std::countr_zero(wanted)));
  if (std::size_t{1} << bits > windows_.size()) {
    windows_.assign(std::size_t{1} << bits, 0);
    shift_ = 64 - bits;
  } else if (list_.size() * 2 < cores_.size()) {
    return;
  }
  cores_.assign(std::bit_ceil(std::max(list_.size() * 4, cores_.size())), {});
  for (std::size_t i = 0; i + 1 < list_.size(); ++i) enter(i);
}

/// The forms whose core begins at `core`.
void KnownValues::test(std::string_view text, std::size_t core, std::vector<Found>& hits) const {
  std::uint32_t next = cores_[slot_of(eight(text.data() + core))].form;
  while (next != 0) {
    const Form& form = list_[next - 1];
    next = form.next;
    if (form.core > core) continue;
    const std::size_t begin = core - form.core;
    const std::size_t end = begin + form.text.size();
    if (!hits.empty() && begin >= hits.back().at && end <= hits.back().at + hits.back().size) {
      continue;  // within what was found
    }
    if (text.substr(begin, form.text.size()) != form.text) continue;
    if (form.whole_word && in_longer_word(text, begin, end)) continue;
    const Value& value = values_[form.value];
    hits.push_back({.at = begin, .size = end - begin, .kind = value.kind, .value = value.text});
  }
}

/// The first of the windows from `at` on, `kStep` bytes from one to the next, whose hash is
/// entered. Each begins 8 bytes before the end of the text or earlier; without one: what is behind
/// the last.
std::size_t KnownValues::next_window(std::string_view text, std::size_t at) const {
  const std::uint8_t* const windows = windows_.data();
  const unsigned shift = shift_;
  const char* bytes = text.data() + at;
  const char* const last = text.data() + text.size() - kCore;
  const auto window = [&](const char* from) -> unsigned {
    return windows[(eight(from) * kWindowFactor) >> shift];
  };
  for (; last - bytes >= std::ptrdiff_t{3 * kStep}; bytes += 4 * kStep) {
    const unsigned any = window(bytes) | window(bytes + kStep) | window(bytes + 2 * kStep) |
                         window(bytes + 3 * kStep);
    if (any != 0) break;
  }
  while (bytes <= last && window(bytes) == 0) bytes += kStep;
  return static_cast<std::size_t>(bytes - text.data());
}

void KnownValues::find(std::string_view text, std::vector<Found>& found) const {
  if (values_.empty() || text.size() < kCore) return;
  std::vector<Found> hits;
  for (std::size_t at = 0; at + kWindow <= text.size(); at += kStep) {
    std::uint64_t bytes = 0;
    if (at + kCore <= text.size()) at = next_window(text, at);
    if (at + kCore <= text.size()) {
      bytes = eight(text.data() + at);
    } else if (at + kWindow <= text.size()) {  // a window, but not eight bytes
      bytes = eight(text.data() + text.size() - kCore) >> (8 * (at + kCore - text.size()));
    } else {
      break;
    }
    unsigned offsets = windows_[(bytes * kWindowFactor) >> shift_];
    for (; offsets != 0; offsets &= offsets - 1) {
      const auto j = static_cast<std::size_t>(std::countr_zero(offsets));
      if (j <= at && at - j + kCore <= text.size()) test(text, at - j, hits);
    }
  }
  if (!hits.empty()) cut_overlaps(hits, found);
}

}  // namespace rehead::redact
