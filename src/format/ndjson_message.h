// One message out of a JSON object: the inverse of what the NDJSON sink writes (ndjson.h).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "base/diagnostics.h"
#include "codec/base64.h"
#include "codec/json.h"
#include "codec/judge.h"
#include "format/formats.h"
#include "format/har_plain_header.h"
#include "format/wire_body.h"
#include "format/wire_content.h"
#include "http/message.h"
#include "http/policy.h"

namespace rehead::format {

/// What `wire.framing` says.
inline constexpr std::pair<http::Framing, std::string_view> kFramingNames[] = {
    {http::Framing::none, "none"},       {http::Framing::length, "length"},
    {http::Framing::chunked, "chunked"}, {http::Framing::close, "close"},
    {http::Framing::decoded, "decoded"}, {http::Framing::withheld, "withheld"},
    {http::Framing::opaque, "opaque"},
};

/// The text of a member: a string, a number as written, or ["caf\u00e9","latin1"]. A view of the
/// text read or of the cursor's arena.
Result<std::string_view> read_text(codec::json::Cursor& cursor, const codec::json::Member& member);
/// A whole number of at most `limit`.
Result<std::uint64_t> read_number(codec::json::Cursor& cursor, const codec::json::Member& member,
                                  std::uint64_t limit);

/// A message with the readers its body is pulled from; one object serves all messages of a run. The
/// message views the text read and the cursor's arena.
class NdjsonMessage {
 public:
  explicit NdjsonMessage(const SourceSetup& setup)
      : policy_(setup.policy), log_(setup.log), wire_(*policy_), unframe_(*policy_) {}

  void clear();
  /// Reads `object` as message `number`; `recorded`: a half of an exchange. Errors carry the byte
  /// within the text.
  Status read(codec::json::Cursor& cursor, const codec::json::Value& object, http::Kind kind,
              std::uint64_t number, bool recorded);
  http::Message& message() { return message_; }
  /// True if something of the text could not be taken.
  bool mended() const { return mended_; }

 private:
  Status member(codec::json::Cursor& cursor, const codec::json::Member& member);
  Status fields(codec::json::Cursor& cursor, const codec::json::Value& array, http::HeaderMap& map);
  bool load_plain(std::string_view text, const PlainHeader& field, http::HeaderMap& map);
  Status field(codec::json::Cursor& cursor, const codec::json::Value& value, http::HeaderMap& map);
  Status found(codec::json::Cursor& cursor, const codec::json::Value& object);
  Status content(codec::json::Cursor& cursor);
  Status count(std::size_t bytes, const codec::json::Value& at);
  ByteSource& start_content();
  bool holds_head();
  void settle_framing();
  void settle_labels();

  const http::Policy* policy_;
  Diagnostics* log_;
  http::Message message_;
  http::Body body_;
  codec::json::StringSource string_;
  codec::Base64Source base64_;
  WireBody wire_;
  WireContent unframe_;

  // What is weighed once all members are seen.
  std::optional<codec::json::Value> content_at_;  // of body or body64
  std::string_view content_;                      // the same as text, quotes included
  std::uint64_t size_ = 0;                        // of the content in bytes
  bool in_base64_ = false;
  std::optional<http::Framing> framing_;
  bool codings_given_ = false;
  codec::Judge judge_;
  bool status_given_ = false;  // 0 is one: there was no answer
  bool mended_ = false;
  std::size_t head_size_ = 0;  // of the texts of the head in bytes
  codec::json::Layout layout_;  // of the object in the line before
  std::array<PlainHeader, 32> plain_;  // scratch
};

}  // namespace rehead::format
