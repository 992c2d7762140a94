// A request or response object of a HAR entry -> a Message over views of the entry's text, and
// where its parts stand. Members may come in any order, of repeated ones the last counts, null
// counts as missing; what is of a type nobody expects counts as missing too, except headers:
// without those the entry cannot be worked on.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/diagnostics.h"
#include "codec/json.h"
#include "format/formats.h"
#include "format/har_body.h"
#include "format/har_entry.h"
#include "format/har_plain_header.h"
#include "http/message.h"
#include "http/policy.h"

namespace rehead::format {

class HarMessage {
 public:
  explicit HarMessage(const SourceSetup& setup)
      : policy_(setup.policy), log_(setup.log), content_(*setup.policy, *setup.log) {}

  /// Reads `object` of an entry that begins at byte `offset` of the input and has this number.
  /// Errors carry the byte within the entry.
  Status read(codec::json::Cursor& cursor, const codec::json::Value& object, http::Kind kind,
              std::uint64_t offset, std::uint64_t number, HarSide& side);
  /// Settles what the body is, once both halves are known.
  void settle(const http::Exchange& exchange, std::string_view entry, HarSide& side);
  http::Message& message() { return message_; }
  HarBody& content() { return content_; }
  /// As it stands in the entry; empty if missing.
  std::string_view url() const { return url_; }

 private:
  Status member(codec::json::Cursor& cursor, const codec::json::Member& member, HarSide& side);
  static HarMember meaning(const codec::json::Member& member);
  Status headers(codec::json::Cursor& cursor, const codec::json::Value& array, HarSide& side);
  Status header(codec::json::Cursor& cursor, const codec::json::Value& element, HarSide& side);
  Status load_plain(codec::json::Cursor& cursor, std::span<const PlainHeader> headers,
                    HarSide& side);
  Status load_escaped(codec::json::Cursor& cursor, HarHeader& header);
  Status load_field(std::string_view name, std::string_view value, unsigned flags,
                    HarHeader& header);
  Status load(std::string_view name, std::string_view value, HarHeader& header);
  Status load_array(codec::json::Cursor& cursor, std::string_view name, HarHeader& header);
  Status status(codec::json::Cursor& cursor, const codec::json::Value& value,
                std::string_view raw);
  bool may_have_body(const http::Message* request) const;
  Half half() const {
    return message_.kind == http::Kind::request ? Half::request : Half::response;
  }
  Status text(codec::json::Cursor& cursor, const codec::json::Value& value, std::string_view& out);
  Status count(std::size_t bytes, std::size_t at);
  void settle_codings(HarSide& side);

  const http::Policy* policy_;
  Diagnostics* log_;
  http::Message message_;
  http::Body body_;
  HarBody content_;
  std::string_view url_;
  std::size_t head_size_ = 0;  // bytes of names and values
  codec::json::Layout layout_;  // of the object in the entry before
  std::array<PlainHeader, 32> plain_;  // scratch
};

}  // namespace rehead::format
