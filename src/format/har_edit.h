// An entry that a chain went over, written: its own text, with what changed put in its place.
// Order, spelling and indentation stay as read; what did not change stays byte for byte. What a HAR
// says twice is kept in step (spec section 7).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/io.h"
#include "format/har_body.h"
#include "format/har_content.h"
#include "format/har_entry.h"
#include "format/har_layout.h"
#include "http/exchange.h"
#include "http/policy.h"

namespace rehead::format {

/// Replacements in a text, made in any order, none of them over another.
class HarEdits {
 public:
  void clear() {
    edits_.clear();
    made_.clear();
  }
  bool empty() const { return edits_.empty(); }
  /// What is appended to text() stands, from the size it had before, in the place of a span.
  std::string& text() { return made_; }
  void replace(HarSpan span, std::size_t from) { edits_.push_back({span, from, made_.size()}); }
  void replace(HarSpan span, std::string_view text) {
    made_ += text;
    replace(span, made_.size() - text.size());
  }
  void replace(HarSpan span, HarContent& content) { edits_.push_back({span, 0, 0, &content}); }
  /// True if something was put in at `at` already.
  bool inserted(std::size_t at) const {
    return !edits_.empty() && edits_.back().span.begin == at && edits_.back().span.end == at;
  }
  Status write(std::string_view entry, ByteSink& output);

 private:
  struct Edit {
    HarSpan span;
    std::size_t begin, end;         // in made_
    HarContent* content = nullptr;  // or its text
  };
  std::vector<Edit> edits_;
  std::string made_;
};

/// Edits one entry, half by half.
class HarEditor {
 public:
  HarEditor(const http::Policy& policy, Diagnostics& log);
  /// Writes the entry, with another pageref unless that is empty. An Error is of the output, or of
  /// a body that broke off.
  Status write(http::Exchange& exchange, const HarEntry& entry, std::string_view pageref,
               ByteSink& output);

 private:
  struct Half {
    http::Message& message;
    const HarSide& side;
    HarContent& content;

    bool is_request() const { return message.kind == http::Kind::request; }
    HarSpan content_object() const {
      return side[is_request() ? HarMember::post_data : HarMember::content];
    }
  };
  Status edit(const Half& half);
  void edit_start_line(const Half& half);
  void edit_url(const http::Exchange& exchange, const HarEntry& entry);

  // The body and what tells of it.
  Status edit_content(const Half& half);
  Status replace_text(const Half& half);
  void make_content(const Half& half);
  void put_sizes(const Half& half, std::uint64_t wire, std::uint64_t size, bool coded);
  void put_length(const Half& half, std::optional<std::uint64_t> wire);
  std::optional<std::uint64_t> recorded_wire(const Half& half);
  std::optional<std::uint64_t> recorded_content(const Half& half);

  // The headers and what mirrors them.
  void edit_headers(const Half& half);
  void append_headers(const Half& half, const HarLayout& layout);
  void append_header(const Half& half, const http::Field& field, std::string_view value,
                     const HarHeader* old, const HarLayout& layout);
  void edit_mirrors(const Half& half);
  void edit_cookies(const Half& half);
  void edit_location(const Half& half);
  void touch(std::string_view name);
  HarLayout layout_near(const Half& half);
  std::vector<std::string_view> loaded(const Half& half, std::string_view name);
  bool changed(const Half& half, std::string_view name);

  // Members of objects.
  void put(const Half& half, HarMember member, std::string_view json);
  void put(HarSpan object, std::string_view key, std::string_view json);
  void put_number(HarSpan object, std::string_view key, std::int64_t number);
  void put_if_there(HarSpan object, std::string_view key, std::string_view json);
  void take_out(HarSpan object, std::initializer_list<std::string_view> keys);
  std::size_t end_of_members(HarSpan object, std::string_view key);
  std::optional<std::int64_t> number(HarSpan span) const;
  std::string_view decode(HarSpan string);
  std::string_view quoted(const Half& half, std::string_view bytes);

  const http::Policy* policy_;
  /// Fields that something mirrors, and whose headers did not all stay as they were.
  enum Mirrored : unsigned { kCookies = 1, kType = 2, kLocation = 4, kLength = 8 };

  std::string_view text_;  // the entry
  const HarEntry* entry_ = nullptr;
  Arena arena_;
  HarEdits edits_;
  unsigned touched_ = 0;           // Mirrored, of the half at hand
  std::vector<HarSpan> elements_;  // scratch
  std::vector<const http::Field*> fields_;
  std::vector<bool> kept_;
  HarContent request_content_, response_content_;
  HarBody original_;
};

}  // namespace rehead::format
