// inflate: takes the content codings off a body, from the right, as far as they are known (RFC 9110
// 8.4): gzip, deflate in both forms, br, zstd. The bytes decide, not the label: a label over
// content that is not coded goes, and the content stays. Leaves alone: messages without a body,
// whose label describes another message; 206, whose bytes are a part of something (RFC 9110 14.4);
// Vary, which holds for uncoded content as well.
#include <array>

#include "codec/content_coding.h"
#include "http/field_value.h"
#include "http/framing.h"
#include "transform/recode.h"
#include "transform/transform.h"

namespace rehead::transform {
namespace {

class Inflate final : public MessageTransform {
 public:
  Inflate(http::Selection selection, const http::Policy& policy)
      : MessageTransform(selection), decoders_(policy) {}

 private:
  Status apply(http::Message& message, http::Exchange& exchange) override {
    if (message.body == nullptr) return {};
    if (message.notes.coding_label_false) {
      if (exchange.alone()) {
        http::drop_false_coding(message);
      } else {
        message.headers.remove("Content-Encoding");  // HAR keeps decoded text under it: no fault
      }
      message.notes.coding_label_false = false;
      return {};
    }
    if (message.notes.codings.empty()) return {};
    if (message.kind == http::Kind::response && message.start.status() == 206) {
      report(message, exchange,
             {.level = Level::note,
              .id = "not-inflated",
              .what = "not inflated: a 206 holds a part of the coded bytes"});
      return {};
    }
    const auto left = decoders_[message].use(message.notes.codings, *message.log);
    if (!left) return fail(left.error());
    if (*left == message.notes.codings.size()) {
      report(message, exchange,
             {.level = Level::note, .id = "not-inflated", .what = "not inflated: unknown coding"});
      return {};
    }
    if (message.body->size() != 0) {
      message.body->filter(decoders_[message]);
      if (auto done = mend_recoded(message, TagRule::weaken); !done) return done;
    }
    message.notes.codings.resize(*left);
    return relabel(message, *left);
  }

  /// Leaves the first `left` codings in the label, as they are spelt.
  static Status relabel(http::Message& message, std::size_t left) {
    constexpr std::string_view kLabel = "Content-Encoding";
    std::string_view label;
    http::for_each_item(message.headers, kLabel, [&](std::string_view item) {
      if (left == 0 || ascii::equal(item, "identity")) return;
      label = label.empty() ? item : message.arena.join({label, ", ", item});
      --left;
    });
    if (label.empty()) {
      message.headers.remove(kLabel);
      return {};
    }
    return message.headers.set(message.headers.find(kLabel)->name(), label);
  }

  http::PerHalf<codec::Decoder> decoders_;
};

Result<std::unique_ptr<Transform>> make(const Arguments& arguments) {
  return std::make_unique<Inflate>(arguments.selection, *arguments.policy);
}

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead inflate examples/data/gzip.http",
    "rehead inflate -t headers examples/data/gzip.http",
};

}  // namespace

extern const TransformInfo kInflate = {
    .name = "inflate",
    .argument = "",
    .options = {},
    .side = http::Side::response,
    .streaming = Streaming::stream,
    .group = "framing and body",
    .summary = "take content codings off the body",
    .help =
        "gzip, deflate, br and zstd are undone from the right as far as they are known; what is "
        "left stays in Content-Encoding. Several gzip members are one body, zero bytes behind it "
        "are ignored, other bytes behind it are dropped with a warning. Content that is not coded "
        "as its label says is kept and loses the label, with a warning.\n\n"
        "A strong ETag is weakened; Accept-Ranges and digests go; where no coding was taken off "
        "they stay. A 206 and messages without a body are not touched.\n\n"
        "A body that breaks off or is broken is an error (--lenient keeps what came). So is one "
        "that decodes to more than --max-body, to more than 1,100 times its coded size, or "
        "carries more than five codings.",
    .examples = kExamples,
    .make = make,
    .layer = Layer::content,
};

}  // namespace rehead::transform
