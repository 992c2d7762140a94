// etag: gives a response without an entity tag a weak one (RFC 9110 8.8.3): the first 32 hex digits
// of the SHA-256 of its content, as the chain left it up to here.
// Leaves alone: statuses other than 200 and 201; an ETag that is there; empty and endless bodies; a
// body that breaks off, which is for the sink to report.
#include <sodium.h>

#include <array>

#include "base/spool.h"
#include "http/field_value.h"
#include "transform/transform.h"

namespace rehead::transform {
namespace {

constexpr std::size_t kTagBytes = 16;  // of the digest, two hex digits each

/// Passes content on and keeps its digest.
class Hasher final : public ByteSource {
 public:
  void start(ByteSource& upstream) {
    upstream_ = &upstream;
    crypto_hash_sha256_init(&state_);
  }
  Result<Piece> pull() override {
    auto piece = upstream_->pull();
    if (piece && piece->kind == Piece::Kind::bytes) {
      crypto_hash_sha256_update(&state_,
                                reinterpret_cast<const unsigned char*>(piece->bytes.data()),
                                piece->bytes.size());
    }
    return piece;
  }
  std::string tag() {
    std::array<unsigned char, crypto_hash_sha256_BYTES> digest{};
    crypto_hash_sha256_final(&state_, digest.data());
    std::array<char, 2 * kTagBytes + 1> hex{};
    sodium_bin2hex(hex.data(), hex.size(), digest.data(), kTagBytes);
    return std::string("W/\"") + hex.data() + "\"";
  }

 private:
  ByteSource* upstream_ = nullptr;
  crypto_hash_sha256_state state_{};
};

class ETag final : public MessageTransform {
 public:
  ETag(http::Selection selection, std::size_t memory)
      : MessageTransform(selection), memory_(memory) {}

 private:
  Status apply(http::Message& message, http::Exchange&) override {
    if (message.body == nullptr || message.body->size() == 0) return {};
    if (message.kind != http::Kind::response || (message.status != 200 && message.status != 201)) {
      return {};
    }
    if (message.headers.find("ETag") != nullptr) return {};
    if (http::is_live_type(http::media_type(message.headers))) return {};
    hasher_.start(message.body->content());
    spool_.start(hasher_, memory_);
    const Status held = spool_.hold_all();
    message.body->replace(spool_, held ? std::optional(spool_.size()) : std::nullopt);
    if (!held || spool_.size() == 0) return {};
    return message.headers.append("ETag", hasher_.tag());
  }

  std::size_t memory_;
  Hasher hasher_;
  Spool spool_;
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
    .argument = "",
    .options = {},
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
