// Values that were hidden once, found again wherever they stand, also percent-encoded, escaped as
// in JSON, or within base64. The time a byte takes does not depend on how many values there are:
// every fourth byte the hash of five bytes is looked up in a table of bytes. A value is entered
// there with the windows at four offsets in a row, so that one of them is met wherever it stands;
// the eight bytes they span are its core, by which it is then found and compared.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "redact/rules.h"

namespace rehead::redact {

class KnownValues {
 public:
  static constexpr std::size_t kShortest = 8, kMost = 10'000;
  static constexpr std::size_t kLongest = std::size_t{16} << 10;
  /// Of all spellings together.
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;

  KnownValues();
  KnownValues(KnownValues&&) noexcept = default;
  KnownValues& operator=(KnownValues&&) noexcept = default;

  /// Takes `value` and its other spellings. Not taken: what is shorter than kShortest or longer
  /// than kLongest, known already, one byte repeated, a word that stands for "no value" or for a
  /// hidden one, and everything once full().
  void learn(std::string_view value, Kind kind);
  /// Appends where a known value stands in `text` to `found`: in order, none overlapping, the
  /// longest of those that begin at a place. Where two overlap, the second is cut to what the first
  /// leaves. Found::value is the value as learnt, good until clear(). A value of 8 to 11 letters
  /// and digits is not found within a longer run of them.
  void find(std::string_view text, std::vector<Found>& found) const;

  bool empty() const { return values_.empty(); }
  std::size_t size() const { return values_.size(); }
  bool full() const { return values_.size() >= kMost || bytes_ >= kMostBytes; }
  void clear();

 private:
  struct Value {
    std::string text;
    Kind kind;
  };
  /// One spelling of a value.
  struct Form {
    std::string_view text;  // in forms_
    std::uint32_t value = 0;
    std::uint32_t core = 0;  // offset of the core in it
    std::uint32_t next = 0;  // 1 + index of the next Form with the same core; 0: none
    bool whole_word = false;
  };
  /// A core and the first Form that has it.
  struct Slot {
    std::uint64_t core = 0;
    std::uint32_t form = 0;   // 1 + index; 0: the slot is free
    std::uint32_t count = 0;  // of forms
  };
  void add_form(std::string text, bool whole_word);
  void enter(std::size_t form);
  void grow();
  std::uint32_t choose_core(std::string_view text) const;
  std::size_t slot_of(std::uint64_t core) const;
  std::size_t next_window(std::string_view text, std::size_t at) const;
  void test(std::string_view text, std::size_t core, std::vector<Found>& hits) const;

  std::deque<Value> values_;
  std::unordered_set<std::string> forms_;
  std::vector<Form> list_;
  std::vector<std::uint8_t> windows_;  // bit j: a core begins j bytes before a window of this hash
  std::vector<Slot> cores_;
  std::size_t bytes_ = 0;
  unsigned shift_ = 0;  // of a hash, to an index of windows_
};

}  // namespace rehead::redact
