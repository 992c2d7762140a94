// Where in the text of an entry its parts stand, so that others can be put in their places.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "format/har_splitter.h"
#include "http/exchange.h"

namespace rehead::format {

class HarBody;

/// Offsets from the start of the entry; an empty one stands for what is not there.
struct HarSpan {
  std::size_t begin = 0;
  std::size_t end = 0;

  explicit operator bool() const { return end != 0; }
  std::string_view in(std::string_view text) const { return text.substr(begin, end - begin); }
};

/// A member of an object.
struct HarPart {
  std::string_view key;   // decoded
  std::size_t begin = 0;  // of the key's opening quote
  HarSpan value;
};

/// Members of a request or response that mean something here. Of repeated ones the last counts.
enum class HarMember : std::uint8_t {
  method,
  url,
  http_version,
  cookies,
  headers,
  query_string,
  post_data,
  headers_size,
  body_size,
  status,
  status_text,
  content,
  redirect_url,
  count,
};
inline constexpr std::array<std::string_view, static_cast<std::size_t>(HarMember::count)>
    kHarMembers = {"method",      "url",      "httpVersion", "cookies",  "headers",
                   "queryString", "postData", "headersSize", "bodySize", "status",
                   "statusText",  "content",  "redirectURL"};

/// An element of headers: {"name": "...", "value": "..."} or ["...", "..."].
struct HarHeader {
  HarSpan element;
  HarSpan name;  // strings with their quotes; empty if missing
  HarSpan value;
  std::uint32_t fields = 0;  // how many the value stands for: LF parts them
};

/// A request or response.
struct HarSide {
  HarSpan object;
  std::array<HarSpan, static_cast<std::size_t>(HarMember::count)> members;  // values, null too
  std::vector<HarPart> parts;      // all members
  std::vector<HarHeader> headers;  // index: Field::origin
  bool decoded_text = false;  // Content-Encoding stood over text that is not coded
  // What the message was loaded with.
  http::StartLine start;

  HarSpan operator[](HarMember member) const { return members[static_cast<std::size_t>(member)]; }
  void clear() {
    object = {};
    members.fill({});
    parts.clear();
    headers.clear();
    decoded_text = false;
    start = {};
  }
};

/// What only a mirror holds, as fields of a message: cookies that no header has, the redirectURL
/// where there is no Location, the mimeType where there is no Content-Type.
struct HarMirrored {
  struct Origin {  // index: Field::origin
    std::size_t mirror;   // of kHarMirrors
    std::size_t element;  // of cookies[]
  };
  http::Message message;
  std::vector<Origin> origins;
  bool loaded = false;

  void load(std::string_view name, std::string_view value, Origin origin);
  /// What became of each field; null if it was removed.
  std::vector<const http::Field*> fields() const;
};

/// What the HAR source keeps of what it read. A passage has the piece alone.
struct HarEntry final : http::AsRead {
  HarPiece piece;
  std::vector<HarPart> members;
  http::PerHalf<HarSide> sides;
  std::string_view url;  // of the request, as loaded
  Arena arena;           // texts: of a copy, and what rewrite() made
  http::PerHalf<HarMirrored> mirrors;

  bool gathered = false;  // rewrite() was asked for this piece
  http::PerHalf<HarBody*> bodies;  // which the source loaded; null in a copy

  bool rewrite(http::Rewriter& rewriter, http::Exchange& exchange) override;
  std::unique_ptr<http::AsRead> keep() const override;
  http::Message* mirrored(const http::Message& message) override;
  bool mirrored_changed() const override {
    return mirrors[http::Kind::request].message.headers.changed() ||
           mirrors[http::Kind::response].message.headers.changed();
  }
  /// Another entry is read.
  void clear();

 private:
  void load_again(http::Exchange& exchange);
  void gather();
  void rewrite_around(http::Rewriter& rewriter);

  std::array<std::string, 2> texts_;  // the entry after each round of changes
  std::string around_;            // an object with the member at hand, as far as it was read
  std::size_t around_value_ = 0;  // where its value begins
  std::uint64_t around_size_ = 0;
};

/// True for the piece that a HAR document begins with.
bool begins_document(const http::Exchange& passage);

}  // namespace rehead::format
