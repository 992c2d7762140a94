// Changes to one JSON object of a HAR entry. The members are read once; what is set, removed or
// appended is written with them as one span, so that commas are right whatever the changes are.
// Members that did not change stay byte for byte, and so does the white space between them.
#pragma once

#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/io.h"
#include "format/har_entry.h"

namespace rehead::format {

class HarContent;

class ObjectEdit {
 public:
  /// Begins with the object at `object` of `text`; if there is none, one is made once a member is
  /// set. `members`, if they are known, and `arena` outlive the changes.
  void start(std::string_view text, HarSpan object, Arena& arena,
             const std::vector<HarPart>* members = nullptr);
  /// The members as they were read.
  const std::vector<HarPart>& members();
  /// The value of the last member of that name as it was read; empty if there is none.
  std::string_view value(std::string_view key);

  /// Gives the last member of that name another value, or appends one. The value outlives the
  /// changes; `key` is static text.
  void set(std::string_view key, std::string_view json) { put(key, {.json = json}); }
  void set(std::string_view key, HarContent& text) { put(key, {.text = &text}); }
  /// The same for an object whose own changes are written.
  void set(std::string_view key, ObjectEdit& object) { put(key, {.object = &object}); }
  void set_if_there(std::string_view key, std::string_view json);
  /// Puts `json` inside the value of the last member of that name, which is there, at offset `at` of
  /// the text; what stands around it stays.
  void insert(std::string_view key, std::size_t at, std::string_view json) {
    put(key, {.json = json, .inside = at});
  }
  /// Removes every member of that name.
  void remove(std::string_view key);

  bool changed() const { return !changes_.empty() || !added_.empty(); }
  Status write(ByteSink& output);

 private:
  /// What a member is to be; nothing: it goes.
  struct Value {
    std::string_view json = {};
    HarContent* text = nullptr;
    ObjectEdit* object = nullptr;
    std::size_t inside = 0;  // where in the value that was read it goes; 0: it takes its place

    bool gone() const { return json.empty() && text == nullptr && object == nullptr; }
    Status write(ByteSink& output) const;
  };
  struct Added {
    std::string_view key;
    Value value;
  };
  void put(std::string_view key, Value value);
  void change(std::size_t member, Value value);
  bool there() const { return object_.in(text_).starts_with('{'); }
  Status copy(std::size_t begin, std::size_t end, ByteSink& output);
  Status flush(ByteSink& output);
  Status write_members(ByteSink& output, bool& any);
  Status write_added(ByteSink& output, bool any);

  std::string_view text_;
  HarSpan object_;
  Arena* arena_ = nullptr;
  const std::vector<HarPart>* members_ = nullptr;
  std::vector<HarPart> read_;
  std::vector<std::pair<std::size_t, Value>> changes_;  // by index of the member
  std::vector<Added> added_;
  HarSpan run_;  // bytes of text_ still to be copied
};

}  // namespace rehead::format
