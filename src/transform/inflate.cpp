// inflate: takes the content codings off a body, from the right, as far as they are known (RFC 9110
// 8.4): gzip, deflate in both forms, br, zstd. The notes say which are there, not the label. A body
// that fits in --hold is decoded here and now, so that one that is broken stays as it came; a
// longer one, and one that leaves in chunks, is decoded on its way out. Leaves alone: messages
// without a body, whose label describes another message; 206, whose bytes are a part of something
// (RFC 9110 14.4); Vary, which holds for uncoded content as well.
#include <array>

#include "base/spool.h"
#include "codec/content_coding.h"
#include "http/coding.h"
#include "http/field_value.h"
#include "http/framing.h"
#include "http/held_body.h"
#include "transform/recode.h"
#include "transform/transform.h"

namespace rehead::transform {
namespace {

class Inflate final : public MessageTransform {
 public:
  Inflate(http::Selection selection, const http::Policy& policy)
      : MessageTransform(selection), policy_(&policy), halves_(policy) {}

 private:
  struct Half {
    explicit Half(const http::Policy& policy) : decoder(policy) {}
    codec::Decoder decoder;
    http::HeldBody coded;
    Spool content;
  };

  Status apply(http::Message& message, http::Exchange& exchange) override {
    if (message.body == nullptr) return {};
    if (message.notes.coding_label_false) {
      // HAR keeps decoded text under the label of the wire: no fault.
      exchange.alone() ? http::mend_false_coding(message) : http::label_codings(message);
      message.notes.coding_label_false = false;
    }
    if (message.notes.codings.empty()) return {};
    const auto not_inflated = [&](std::string why) {
      report(message, exchange,
             {.level = Level::note,
              .id = "not-inflated",
              .what = "not inflated: " + std::move(why),
              .always = true});
      return Status();
    };
    if (message.notes.slice ||
        (message.kind == http::Kind::response && message.start.status() == 206)) {
      return not_inflated("a 206 holds a part of the coded bytes");
    }
    const auto left = halves_[message].decoder.use(message);
    if (!left) return stays(message, exchange, left.error());
    if (*left == message.notes.codings.size()) {
      return not_inflated("the coding " + ascii::quoted(http::outermost_coding(message.headers)) +
                          " is not known");
    }
    if (message.body->size() != 0) {
      auto done = decode(message, exchange);
      if (!done) return fail(std::move(done.error()));
      if (!*done) return {};
      if (auto mended = mend_recoded(message, TagRule::weaken); !mended) return mended;
    }
    message.notes.codings.resize(*left);
    http::label_codings(message);
    return {};
  }

  /// False: it cannot be decoded, and stays as it came. A body that is out before it is known to be
  /// broken is the sink's to report.
  Result<bool> decode(http::Message& message, http::Exchange& exchange) {
    http::Body& body = *message.body;
    auto& [decoder, coded, content] = halves_[message];
    if (streams(message)) {
      body.filter(decoder);
      return true;
    }
    coded.record(body, policy_->limits.hold);
    decoder.attach(body.content());
    content.start(decoder, policy_->limits.hold);
    auto ended = content.hold();
    const bool cut = coded.bytes().failed();
    if (ended || !coded.bytes().recording() || (cut && policy_->lenient())) {
      coded.bytes().forget();
      const bool known = ended && *ended;
      body.replace(content, known ? std::optional(content.size()) : std::nullopt, ended && !known);
      return true;
    }
    if (ended.error().code == Errc::io) return fail(std::move(ended.error()));
    coded.rewind();
    // Of coded bytes that break off whoever reads them is told.
    if (!cut) static_cast<void>(stays(message, exchange, ended.error()));
    return false;
  }

  /// True for a body whose start is out before its end is there.
  bool streams(const http::Message& message) const {
    if (policy_->limits.hold == 0) return true;
    using Framing = http::Delivery::Framing;
    const bool chunks = message.delivery.framing == Framing::chunked ||
                        (message.notes.framing == http::Framing::chunked &&
                         message.delivery.framing != Framing::length);
    return (chunks && message.is_http11()) || http::is_live_type(http::media_type(message.headers));
  }

  static Status stays(const http::Message& message, const http::Exchange& exchange, Error error) {
    const Status placed = exchange.placed(fail(std::move(error)), message);
    const Error& told = placed.error();
    report(message, exchange,
           {.level = Level::error,
            .code = told.code,
            .id = told.id,
            .what = told.what + "; left as it came",
            .hint = told.hint,
            .byte = told.byte,
            .line = told.line});
    return {};
  }

  const http::Policy* policy_;
  http::PerHalf<Half> halves_;
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
    .side = http::Side::response,
    .streaming = Streaming::stream,
    .group = "framing and body",
    .summary = "take content codings off the body",
    .help =
        "gzip, deflate, br and zstd are undone from the right as far as they are known; what is "
        "left stays in Content-Encoding. Several gzip members are one body, zero bytes behind it "
        "are ignored, other bytes behind it are dropped with a warning. Content that is not coded "
        "as its label says is kept and loses the label, with a warning; one that shows another "
        "coding gets the label of that.\n\n"
        "A strong ETag is weakened; Accept-Ranges and digests go; where no coding was taken off "
        "they stay. A 206, an unknown coding and messages without a body are not touched; a note "
        "says so.\n\n"
        "Coded data that breaks off or is broken is an error, and the message stays as it came as "
        "long as its content fits in --hold (--lenient keeps what could be decoded). So is a body "
        "that decodes to more than --max-body, in gzip and deflate to more than 1,100 times its "
        "coded size, or carries more than five codings, transfer codings counted.",
    .examples = kExamples,
    .make = make,
};

}  // namespace rehead::transform
