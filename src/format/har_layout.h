// How a HAR spells its arrays and objects, so that what is put in looks like what stands around it:
//
//   [ lead {open "name" colon "..." comma "value" colon "..." close} between {...} trail ]
//
// Spans are offsets into the text of an entry.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "format/har_entry.h"

namespace rehead::format {

struct HarLayout {
  std::string_view lead, between = ",", trail;             // of an array
  std::string_view open, colon = ":", comma = ",", close;  // of an object in it
  bool value_first = false;                                // "value" stands before "name"
};

/// What an object or array holds, for the few that are changed. A text that was read before cannot
/// be broken: what cannot be walked counts as empty.
std::vector<HarPart> members_of(std::string_view entry, HarSpan object, Arena& arena);
std::vector<HarSpan> elements_of(std::string_view entry, HarSpan array, Arena& arena);
/// The member of that name; of repeated ones the last.
const HarPart* find_part(std::span<const HarPart> parts, std::string_view key);
/// A string member decoded; empty if it is missing or no string.
std::string_view string_of(std::string_view entry, std::span<const HarPart> parts,
                           std::string_view key, Arena& arena);

/// A string decoded, a number or word as it is spelt; empty for anything else.
std::string_view text_at(std::string_view entry, HarSpan value, Arena& arena);
/// The fields that a header value stands for: one, or one per string of an array (Polly); an LF
/// parts the values of several (chrome-har, Splash, old Firefox).
std::vector<std::string_view> values_of(std::string_view entry, HarSpan value, Arena& arena);

/// The layout of an array that has elements; nothing if it has none. Of the elements only the first
/// two and the last are looked at.
std::optional<HarLayout> layout_of(std::string_view entry, HarSpan array,
                                   std::span<const HarSpan> elements, Arena& arena);

using HarMemberText = std::pair<std::string_view, std::string_view>;  // key, value as JSON
void append_object(std::string& out, const HarLayout& layout,
                   std::initializer_list<HarMemberText> members);
void append_object(std::string& out, const HarLayout& layout,
                   std::span<const HarMemberText> members);

/// Writes an array anew out of elements that are kept and new ones. Between elements that stood
/// side by side the bytes stay.
class HarArray {
 public:
  HarArray(std::string& out, std::string_view entry, HarSpan array,
           std::span<const HarSpan> elements, const HarLayout& layout);
  void keep(std::size_t index);
  /// Begins an element that the caller appends to `out`. `index`: the one it stands for, if any.
  void begin(std::optional<std::size_t> index = std::nullopt);
  void end();

 private:
  std::string& out_;
  std::string_view entry_;
  HarSpan array_;
  std::span<const HarSpan> elements_;
  const HarLayout& layout_;
  bool empty_ = true;
  std::optional<std::size_t> last_;  // index of the element written last
};

}  // namespace rehead::format
