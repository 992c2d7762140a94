// etag: gives a response without an entity tag a weak one (RFC 9110 8.8.3): the first 32 hex digits
// of the SHA-256 of its content, as the chain left it up to here.
// Leaves alone: statuses other than 200 and 201; an ETag that is there; empty and endless bodies; a
// body that breaks off, which is for the sink to report.
#include <nettle/sha2.h>

#include <array>

#include "http/field_value.h"
#include "http/held_body.h"
#include "transform/transform.h"

namespace rehead::transform {
namespace {

constexpr std::size_t kTagBytes = 16;  // of the digest, two hex digits each

/// A weak tag of this content; none if it is empty or cannot be read.
std::optional<std::string> make_tag(ByteSource& content) {
  sha256_ctx state;
  sha256_init(&state);
  bool empty = true;
  while (true) {
    const auto piece = content.pull();
    if (!piece) return std::nullopt;
    if (piece->kind == Piece::Kind::end) break;
    empty = empty && piece->bytes.empty();
    sha256_update(&state, piece->bytes.size(),
                  reinterpret_cast<const std::uint8_t*>(piece->bytes.data()));
  }
  if (empty) return std::nullopt;
  std::array<std::uint8_t, kTagBytes> digest;
  sha256_digest(&state, digest.size(), digest.data());
  std::string tag = "W/\"";
  for (const std::uint8_t byte : digest) {
    constexpr std::string_view kHex = "0123456789abcdef";
    (tag += kHex[byte >> 4U]) += kHex[byte & 15U];
  }
  return tag += '"';
}

class ETag final : public MessageTransform {
 public:
  ETag(http::Selection selection, std::size_t memory)
      : MessageTransform(selection), memory_(memory) {}

 private:
  Status apply(http::Message& message, http::Exchange&) override {
    if (message.body == nullptr || message.body->size() == 0) return {};
    if (message.kind != http::Kind::response ||
        (message.start.status() != 200 && message.start.status() != 201)) {
      return {};
    }
    if (message.headers.find("ETag") != nullptr) return {};
    if (http::is_live_type(http::media_type(message.headers))) return {};
    // A body that breaks off gets no tag; the sink meets the same Error.
    http::HeldBody& body = bodies_[message];
    if (!body.hold(*message.body, memory_)) return {};
    const std::optional<std::string> tag = make_tag(message.body->content());
    body.rewind();
    return tag ? message.headers.append("ETag", *tag) : Status();
  }

  std::size_t memory_;
  http::PerHalf<http::HeldBody> bodies_;
};

Result<std::unique_ptr<Transform>> make(const Arguments& arguments) {
  return std::make_unique<ETag>(arguments.selection, arguments.policy->limits.hold);
}

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead etag examples/data/chunked.http",
    "rehead body 'hello' then etag -t headers examples/data/redirect.http",
};

}  // namespace

extern const TransformInfo kETag = {
    .name = "etag",
    .side = http::Side::response,
    .streaming = Streaming::hold,
    .group = "framing and body",
    .summary = "add an entity tag made from the content",
    .help =
        "A 200 or 201 response with content and without an ETag gets a weak one: 32 hex digits "
        "of the SHA-256 of its content, as the steps before left it. The body is held for "
        "that, not changed. Event streams and other endless types stay as they are.",
    .examples = kExamples,
    .make = make,
};

}  // namespace rehead::transform
