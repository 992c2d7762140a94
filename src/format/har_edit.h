// An entry that a chain went over, written: its own text, with what changed put in its place.
// Order, spelling and indentation stay as read; what did not change stays byte for byte. What a HAR
// says twice is kept in step.
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
#include "format/har_mirror.h"
#include "format/object_edit.h"
#include "http/exchange.h"
#include "http/policy.h"

namespace rehead::format {

/// Edits one entry, half by half.
class HarEditor {
 public:
  HarEditor(const http::Policy& policy, Diagnostics& log);
  /// Writes the entry, with another pageref unless that is empty. An Error is of the output, or of
  /// a body that broke off: then the entry is written as it was read.
  Status write(http::Exchange& exchange, HarEntry& entry, std::string_view pageref,
               ByteSink& output);

 private:
  /// What is at work on a request or response.
  struct Tools {
    explicit Tools(const http::Policy& policy) : content(policy) {}
    HarContent content;
    ObjectEdit object;
    ObjectEdit body;  // postData, content
  };
  struct Half {
    http::Message& message;
    const HarSide& side;
    Tools& tools;
    ObjectEdit& object;
    ObjectEdit& body;

    bool is_request() const { return message.kind == http::Kind::request; }
    HarSpan content_object() const {
      return side[is_request() ? HarMember::post_data : HarMember::content];
    }
  };
  Status edit_halves(http::Exchange& exchange, const HarEntry& entry);
  Status edit(const Half& half);
  void edit_start_line(const Half& half);
  void edit_url(const Half& half, std::string_view url);
  void start(const HarEntry& entry, std::string_view pageref);

  // The body and what describes it.
  Status edit_content(const Half& half);
  Status replace_text(const Half& half);
  void put_text(const Half& half);
  void put_sizes(const Half& half, std::uint64_t wire, std::uint64_t size, bool coded);
  void put_length(const Half& half, std::optional<std::uint64_t> wire);
  void forget_length(const Half& half);
  std::optional<std::uint64_t> recorded_wire(const Half& half);
  std::optional<std::uint64_t> recorded_content(const Half& half);

  // The headers and what mirrors them.
  void edit_headers(const Half& half);
  std::optional<http::HeaderMap::Iterator> only_added(const Half& half) const;
  bool add_headers(const Half& half, http::HeaderMap::Iterator field);
  void touch(std::string_view name);
  std::string headers_text(const Half& half, const HarLayout& layout);
  void append_header(std::string& out, const Half& half, const http::Field& field,
                     std::string_view value, const HarHeader* old, const HarLayout& layout);
  void append_array(std::string& out, const Half& half, const http::Field& field,
                    const HarHeader& old);
  void edit_mirrors(const Half& half);
  void follow_text(const Half& half, const HarMirror& mirror, std::string_view value);
  void follow_cookies(const Half& half, const HarMirror& mirror, const HarMirrored& mirrored);
  void follow_length(const Half& half, std::string_view value);
  HarLayout layout_near(const Half& half);
  std::vector<std::string_view> loaded(const Half& half, std::string_view name);

  std::string_view kept(std::string_view text) { return arena_.keep(text); }
  std::string_view number_text(std::int64_t number) { return kept(std::to_string(number)); }
  std::string_view quoted(const Half& half, std::string_view bytes);

  const http::Policy* policy_;
  std::string_view text_;  // the entry
  const HarEntry* entry_ = nullptr;
  Arena arena_;
  ObjectEdit whole_;
  http::PerHalf<Tools> tools_;
  HarBody original_;
  unsigned touched_ = 0;  // bits of kHarMirrors whose headers did not all stay as they were
  std::vector<HarSpan> elements_;  // scratch
  std::vector<const http::Field*> fields_;
  std::vector<bool> kept_;
  std::string quoted_, added_;
};

}  // namespace rehead::format
