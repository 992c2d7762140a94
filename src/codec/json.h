// JSON (RFC 8259) read without a tree: a cursor that walks a complete text in memory. Nothing is
// built, nothing recurses; what is not opened is skipped, strings and brackets checked only. Each
// byte is passed once, however deep the opened value lies.
//
//   Cursor cursor(text, limits.max_depth, arena);
//   auto root = cursor.root();
//   cursor.for_each_member(*root, [&](const Member& member) -> Status {
//     if (member.key == "headers") return cursor.for_each_element(member.value, ...);
//     return {};                              // not looked at: skipped
//   });
//   cursor.finish();                          // nothing else follows
//
// Tolerated, as text: NaN and other bare words, numbers of any size, control bytes and bad UTF-8 in
// strings, lone surrogates, repeated keys (seen in order). json_check.h tolerates the last alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/io.h"
#include "base/result.h"
#include "codec/json_bitmap.h"

namespace rehead::codec::json {

enum class Kind : std::uint8_t {
  object,
  array,
  string,
  number,   // as RFC 8259 6 has it
  boolean,  // true, false
  null,
  other,  // a bare word JSON does not know: NaN, Infinity, 007
};
/// "an object", "a string", ...: for messages.
std::string_view describe(Kind kind);

constexpr bool is_json_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// A value in the text. Good as long as the text, in any order, any number of times.
struct Value {
  std::size_t offset = 0;   // of its first byte, from the start of the text
  std::uint32_t depth = 0;  // values around it
  Kind kind = Kind::null;
};

/// A member of an object.
struct Member {
  std::string_view key;        // decoded; views the text, or the arena if it held escapes
  std::size_t key_offset = 0;  // of its opening quote
  Value value;
  std::uint32_t place = 0;  // in its object, from 0
  // With a Layout: what the visitor noted of this name, which stood at this place before; 0: nothing
  // yet. Null where nothing can be noted.
  std::uint8_t* note = nullptr;
};

/// How an object spelt its members, for the next one that is laid out alike: what stands before each
/// value is then one compare. Outlives the texts.
class Layout {
  friend class Cursor;
  static constexpr std::size_t kPlaces = 24;  // of members that are remembered
  static constexpr std::size_t kLongest = 64;
  /// From behind the value before (or the brace) to the value: `, "name": `
  struct Lead {
    std::array<char, kLongest> text;
    std::uint8_t size = 0;  // 0: nothing is known
    std::uint8_t key = 0;   // where the name begins
    std::uint8_t key_size = 0;
    std::uint8_t note = 0;
  };
  std::array<Lead, kPlaces> leads_;
};

/// Errors: Errc::syntax, or Errc::limit for nesting, with `byte` counted from the start of the
/// text.
class Cursor {
 public:
  /// `arena` takes strings whose escapes had to be undone. Both outlive the cursor's views.
  Cursor(std::string_view text REHEAD_LIFETIMEBOUND, std::size_t max_depth,
         Arena& arena REHEAD_LIFETIMEBOUND)
      : text_(text), max_depth_(max_depth), arena_(&arena) {}

  std::string_view text() const { return text_; }
  /// Ends of containers that are known: of those a JsonScan of the text remembered. The list
  /// outlives the cursor.
  void know(std::span<const JsonScan::Container> containers) { containers_ = containers; }
  /// True for a container whose end is known so.
  bool knows(const Value& container) const { return find_container(container.offset) != nullptr; }

  /// The value of the text, which may stand in white space.
  Result<Value> root();
  /// Checks that nothing but white space follows the root.
  Status finish();

  /// Calls visit(const Member&) -> Status for each member, in order. An error of visit ends the
  /// walk. `layout`: of objects that are likely to be laid out alike.
  template <typename Visit>
  Status for_each_member(const Value& object, Visit visit, Layout* layout = nullptr) {
    auto walk = enter(object, Kind::object);
    if (!walk) return fail(std::move(walk.error()));
    Member member;
    for (std::uint32_t place = 0;; ++place) {
      member.place = place;
      const Step step = usual_member(*walk, member, layout);
      if (step == Step::end) return {};
      if (step == Step::unusual) {
        auto more = next_member(*walk, member);
        if (!more) return fail(std::move(more.error()));
        if (!*more) return {};
      }
      if (Status done = visit(static_cast<const Member&>(member)); !done) return done;
    }
  }
  /// Calls visit(const Value&) -> Status for each element, in order.
  template <typename Visit>
  Status for_each_element(const Value& array, Visit visit) {
    auto walk = enter(array, Kind::array);
    if (!walk) return fail(std::move(walk.error()));
    while (true) {
      const Step step = usual_element(*walk);
      if (step == Step::end) return {};
      if (step == Step::unusual) {
        auto more = next_element(*walk);
        if (!more) return fail(std::move(more.error()));
        if (!*more) return {};
      }
      if (Status done = visit(static_cast<const Value&>(walk->current)); !done) return done;
    }
  }

  /// The text of a value, from its first byte to its last, quotes and brackets included.
  Result<std::string_view> raw(const Value& value) {
    if (value.offset == known_begin_) return known(value);
    return skipped(value);
  }
  /// `value` ends at `end`: raw() said so before others were read.
  void remember(const Value& value, std::size_t end) {
    known_begin_ = value.offset;
    known_end_ = end;
    plain_ = SIZE_MAX;
  }
  /// A string without quotes and escapes: a view of the text, or of the arena if it held escapes.
  /// A lone surrogate becomes the three bytes UTF-8 would give it (which is_utf8 then refuses).
  Result<std::string_view> string(const Value& value) {
    if (value.offset != known_begin_ || value.offset != plain_) return decoded(value);
    const std::string_view quoted = known(value);
    return quoted.substr(1, quoted.size() - 2);
  }
  /// The same for a string whose code points, U+00FF at most, stand for bytes (append_latin1).
  Result<std::string_view> latin1(const Value& value);
  /// Bytes of string(value), counted without making it; checks every escape.
  Result<std::uint64_t> string_size(const Value& value);
  /// The first member of that name, or none; what follows it is not looked at.
  Result<std::optional<Value>> find(const Value& object, std::string_view key);

 private:
  struct Walk {
    Value container;
    Value current;
    bool started = false;
  };
  /// What the short way through the usual spelling finds; the general way is its oracle, tells every
  /// error, and takes what is unusual.
  enum class Step : std::uint8_t { found, end, unusual };
  Step usual_member(Walk& walk, Member& member, Layout* layout);
  bool member_again(const Walk& walk, std::size_t begin, Layout::Lead& lead, Member& member);
  Step usual_element(Walk& walk);
  Step usual_place(Walk& walk, char close, std::size_t begin, std::size_t& at);
  bool usual_value(std::size_t at, std::uint32_t depth, Value& value);
  std::size_t usual_end(const Value& value);
  std::string_view known(const Value& value) const {
    return {text_.data() + value.offset, known_end_ - value.offset};
  }
  Result<std::string_view> skipped(const Value& value);
  Result<std::string_view> decoded(const Value& value);

  Result<Walk> enter(const Value& value, Kind wanted) const;
  Result<bool> next_member(Walk& walk, Member& member);
  Result<bool> next_element(Walk& walk);
  Result<std::size_t> next_place(Walk& walk, char close);
  Result<Value> value_at(std::size_t at, std::uint32_t depth);
  Result<std::size_t> end_of(const Value& value);
  Result<std::size_t> container_end(const Value& value);
  Result<std::size_t> string_end(std::size_t at);
  std::size_t find_string_end(std::size_t at);
  const JsonScan::Container* find_container(std::size_t open) const;
  Result<std::string_view> quoted(const Value& value);
  Result<std::string_view> decode(std::string_view quoted, std::size_t offset);
  std::size_t past_blanks(std::size_t at) const {
    while (at < text_.size() && is_json_blank(text_[at])) ++at;
    return at;
  }

  std::string_view text_;
  std::size_t max_depth_;
  Arena* arena_;
  std::span<const JsonScan::Container> containers_;
  std::string open_;  // brackets open while a value is skipped
  // The value whose end was found last, so that what was walked is not skipped again.
  std::size_t known_begin_ = SIZE_MAX;
  std::size_t known_end_ = 0;
  std::size_t plain_ = SIZE_MAX;  // where the string that was passed last begins, if it has no escapes
};

/// A string value as a body: undoes the escapes while it is pulled, in pieces that are views of the
/// text where it holds none.
class StringSource final : public ByteSource {
 public:
  /// `quoted` is raw() of a string for which string_size() found no fault; it outlives the pulls.
  void start(std::string_view quoted) { rest_ = quoted.substr(1, quoted.size() - 2); }
  Result<Piece> pull() override;

 private:
  std::string_view rest_;
  std::array<char, std::size_t{16} << 10> buffer_;
};

}  // namespace rehead::codec::json
