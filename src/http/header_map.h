// The header fields of one message: in wire order, found without regard to case, names kept as
// spelt.
//
// Layout: a vector of fields beside a vector of one-byte tags. A tag is made from the length and
// the outer letters of a name; a look-up compares 16 tags at a time, then the length, then the
// bytes. No insertion looks anything up, so loading n fields costs n. A removed field is a
// tombstone (tag 0): no removal moves a field. (tests/bench measures this layout beside linear
// compare, tokens and a hash.)
//
// Nothing is normalised on the way in (RFC 9110 5.3: order matters, Set-Cookie is never joined).
// append(), set(), replace() refuse what would break framing; load() takes any bytes and flags
// them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "base/ascii.h"
#include "base/result.h"

namespace rehead::http {

/// One field line. The views live as long as the message they belong to.
struct Field {
  enum Flag : std::uint8_t {
    clean =
        1,    // `line` is exactly name ":" [blanks] value [blanks] CRLF: may leave as a byte range
    odd = 2,  // the name is no token, or the value holds CR, LF or NUL: never written as raw HTTP
    joined = 4,   // HAR: this value stood in one header with the field before it, separated by LF
    changed = 8,  // made or respelt by a step
  };
  static constexpr std::uint32_t kNew = UINT32_MAX;

  const char* name_at = nullptr;
  const char* value_at = nullptr;
  std::uint32_t name_size = 0;
  std::uint32_t value_size = 0;
  std::uint32_t line_size =
      0;  // bytes from name_at through the line end; 0 if there is no such line
  std::uint32_t origin =
      kNew;  // which loaded header this was, from 0; kNew for a field a step made
  std::uint8_t flags = 0;

  std::string_view name() const { return {name_at, name_size}; }
  std::string_view value() const { return {value_at, value_size}; }
  std::string_view line() const { return {name_at, line_size}; }
  const char* line_end() const { return name_at + line_size; }
  bool has(Flag flag) const { return (flags & flag) != 0; }
};

/// Fields of these values, called `name`, in the place of `field`; no value removes it.
struct Replacement {
  const Field* field;
  std::string_view name;
  std::span<const std::string_view> values;
};

class HeaderMap {
 public:
  /// Walks the live fields in order.
  class Iterator {
   public:
    Iterator(const HeaderMap& map, std::size_t at) : map_(&map), at_(at) { skip(); }
    const Field& operator*() const { return map_->fields_[at_]; }
    const Field* operator->() const { return &map_->fields_[at_]; }
    Iterator& operator++() {
      ++at_;
      skip();
      return *this;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    void skip() {
      while (at_ < map_->fields_.size() && map_->tags_[at_] == 0) ++at_;
    }
    const HeaderMap* map_;
    std::size_t at_;
  };

  /// Values made by append(), set(), replace() and rename() are kept in `arena`, which outlives
  /// this.
  explicit HeaderMap(Arena& arena REHEAD_LIFETIMEBOUND) : arena_(&arena) {}

  Iterator begin() const REHEAD_LIFETIMEBOUND { return {*this, 0}; }
  Iterator end() const REHEAD_LIFETIMEBOUND { return {*this, fields_.size()}; }
  std::size_t size() const { return live_; }
  bool empty() const { return live_ == 0; }
  /// True once a step changed anything since clear().
  bool changed() const { return changed_; }

  /// Forgets everything, keeps the memory.
  void clear();
  /// Becomes a copy of `other` whose texts are kept in this map's arena.
  void assign(const HeaderMap& other);
  /// Takes a field as read; `field.origin` is set here unless it is joined to the one before it.
  void load(const Field& field) {
    if (fields_.empty()) ++built_;
    if (!field.has(Field::joined)) ++loaded_;
    unbroken_ = unbroken_ && field.has(Field::clean) &&
                (fields_.empty() || fields_.back().line_end() == field.name_at);
    // Copied once: a copy right behind small writes waits for them.
    fields_.push_back(field);
    fields_.back().origin = loaded_ - 1;
    tag_last();
    ++live_;
  }
  /// Fills this map, which is empty, with `number` clean fields that lie side by side in the input:
  /// one(Field&) gives each its name, value and line_size, or says false: then none is taken. Much
  /// faster than load() for each.
  template <typename One>
  bool load_lines(std::size_t number, One one);
  /// The field loaded last; there must be one.
  const Field& last() const REHEAD_LIFETIMEBOUND { return fields_.back(); }
  /// Takes a field as read in place of the one loaded last (a folded line belongs to it).
  void reload(Field field);

  /// Gives `field`, which is of this map, another value: what it was loaded from says so now. No
  /// change by a step; `value` outlives this.
  void reread(const Field& field, std::string_view value) {
    Field& own = fields_[static_cast<std::size_t>(&field - fields_.data())];
    own.value_at = value.data();
    own.value_size = static_cast<std::uint32_t>(value.size());
  }

  /// The first field of that name, or null. Good until the next change of the map.
  const Field* find(std::string_view name) const REHEAD_LIFETIMEBOUND {
    const std::uint8_t tag = tag_of(name);
    return may_hold(tag) ? search(0, tag, name) : nullptr;
  }
  /// The next field of that name after `field`, or null.
  const Field* find_after(const Field* field, std::string_view name) const REHEAD_LIFETIMEBOUND {
    return search(static_cast<std::size_t>(field - fields_.data()) + 1, tag_of(name), name);
  }
  /// Calls visit(const Field&) for every field of that name, in order; visit must not change the
  /// map.
  template <typename Visit>
  void for_each(std::string_view name, Visit visit) const {
    for (const Field* field = find(name); field != nullptr; field = find_after(field, name)) {
      visit(*field);
    }
  }
  std::size_t count(std::string_view name) const;
  /// How often this was filled from the input or copied since the last call (--stats).
  std::uint64_t take_built() { return std::exchange(built_, 0); }

  /// Adds a field after the last instance of that name, else at the end.
  Status append(std::string_view name, std::string_view value);
  /// The same for every field of `more`, in its order, in one pass. Nothing is changed on an Error.
  Status append(const HeaderMap& more);
  /// Adds a field before all others.
  Status prepend(std::string_view name, std::string_view value);
  /// First place kept, new spelling, other instances removed; without an instance: at the end.
  Status set(std::string_view name, std::string_view value);
  /// Puts fields of these values, name as given, in the place of `field` (which is of this map);
  /// none removes it.
  Status replace(const Field& field, std::string_view name,
                 std::span<const std::string_view> values) {
    const Replacement only{&field, name, values};
    return replace(std::span(&only, 1));
  }
  /// The same for many fields of this map at once, listed in map order: one pass whatever their
  /// number. A field whose name is no token may get a value. Nothing is changed on an Error.
  Status replace(std::span<const Replacement> replacements);
  /// Where the map was changed: the fields from `first` to `last`, what stands before and behind
  /// them being as read. The lines of those are one range each, `before` and `behind`, where they
  /// lie side by side in the input and may leave so; else `first` to `last` are all there are.
  struct Edited {
    std::string_view before;
    Iterator first, last;
    std::string_view behind;
  };
  Edited edited() const REHEAD_LIFETIMEBOUND;

  /// How many were removed.
  std::size_t remove(std::string_view name);
  /// Removes every field for which gone(const Field&) is true.
  template <typename Gone>
  std::size_t remove_if(Gone gone) {
    std::size_t removed = 0;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      if (tags_[i] == 0 || !gone(static_cast<const Field&>(fields_[i]))) continue;
      bury(i);
      ++removed;
    }
    return removed;
  }
  /// Gives `field`, which is of this map, the name `to`; its value is not judged. Moves no field.
  Status rename(const Field& field, std::string_view to);
  /// Gives every field `from` the name `to`, values and places kept. How many were renamed.
  Result<std::size_t> rename(std::string_view from, std::string_view to);
  /// Orders the fields by less(const Field&, const Field&), equal ones as they stand.
  template <typename Less>
  void stable_sort(Less less) {
    compact();
    if (std::is_sorted(fields_.begin(), fields_.end(), less)) return;
    std::stable_sort(fields_.begin(), fields_.end(), less);
    retag();
  }

 private:
  static constexpr std::size_t kLane = 16;  // tags compared at a time
  static constexpr std::uint8_t tag_of(std::string_view name) {
    if (name.empty()) return 1;
    const auto first = static_cast<unsigned>(static_cast<unsigned char>(name.front()) | 0x20U);
    const auto last = static_cast<unsigned>(static_cast<unsigned char>(name.back()) | 0x20U);
    const unsigned mixed = static_cast<unsigned>(name.size()) * 7U + first * 5U + last * 3U;
    return static_cast<std::uint8_t>((mixed & 0xFFU) | 1U);
  }
  /// False: no field has had this tag since clear().
  bool may_hold(std::uint8_t tag) const {
    return (tags_seen_[tag >> 7] >> ((tag >> 1) & 63U) & 1U) != 0;
  }
  void set_tag(std::size_t at, std::uint8_t tag) {
    tags_[at] = tag;
    tags_seen_[tag >> 7] |= std::uint64_t{1} << ((tag >> 1) & 63U);
  }
  void tag_last() {
    if (tags_.size() < fields_.size() + kLane) tags_.resize(2 * (fields_.size() + kLane));
    set_tag(fields_.size() - 1, tag_of(fields_.back().name()));
  }
  /// The first field from index `at` on.
  const Field* search(std::size_t at, std::uint8_t tag, std::string_view name) const;
  void mark_edited(std::size_t from, std::size_t to) {
    changed_ = true;
    edited_from_ = std::min(edited_from_, from);
    edited_to_ = std::max(edited_to_, to);
  }
  Field line_of(std::string_view name, std::string_view value);
  Result<Field> make(std::string_view name, std::string_view value);
  void insert(std::size_t at, const Field& field);
  void bury(std::size_t at);
  void put(std::size_t at, const Field& field);
  void rebuild(std::span<const Replacement> replacements);
  void compact();
  void retag();

  Arena* arena_;
  std::vector<Field> fields_;
  std::vector<std::uint8_t> tags_;   // one a field, then at least 16 zero bytes
  std::array<std::uint64_t, 2> tags_seen_{};  // a bit for each tag, of which bit 0 is always set
  std::vector<Field> made_, grown_;  // for replace(), kept for their memory
  std::size_t live_ = 0;
  std::uint32_t loaded_ = 0;
  bool changed_ = false;
  bool unbroken_ = true;  // what was loaded lies side by side, every line clean
  std::size_t edited_from_ = SIZE_MAX, edited_to_ = 0;  // all changed fields are between
  std::uint64_t built_ = 0;
};

template <typename One>
bool HeaderMap::load_lines(std::size_t number, One one) {
  fields_.resize(number);
  if (tags_.size() < number + kLane) tags_.resize(2 * (number + kLane));
  Field* const fields = fields_.data();
  std::uint8_t* const tags = tags_.data();
  std::array<std::uint64_t, 2> seen{};
  for (std::size_t at = 0; at < number; ++at) {
    Field& field = fields[at];
    if (!one(field)) {
      clear();
      return false;
    }
    field.origin = static_cast<std::uint32_t>(at);
    field.flags = Field::clean;
    const std::uint8_t tag = tag_of(field.name());
    tags[at] = tag;
    seen[tag >> 7] |= std::uint64_t{1} << ((tag >> 1) & 63U);
  }
  tags_seen_ = seen;
  live_ = number;
  loaded_ = static_cast<std::uint32_t>(number);
  built_ += number != 0 ? 1 : 0;
  return true;
}

/// Refuses a name that is no token (RFC 9110 5.1) and a value that holds CR, LF or NUL (5.5).
Status check_field(std::string_view name, std::string_view value);

}  // namespace rehead::http
