// Puts a content coding on a body (RFC 9110 8.4) and mends what describes the body:
// Content-Encoding, Vary, ETag, digests, Accept-Ranges. Leaves alone: messages without a body or
// with an empty one; 206, no-transform and what is coded already, unless forced; types that are not
// on the list; content below --min.
#include "transform/compress.h"

#include <algorithm>

#include "codec/content_coding.h"
#include "http/coding.h"
#include "http/field_name.h"
#include "http/field_value.h"
#include "http/held_body.h"
#include "transform/recode.h"

namespace rehead::transform {
namespace {

// What is text or otherwise uncoded in itself.
constexpr std::string_view kTypes =
    "text/*,message/*,*/*+json,*/*+xml,*/*+text,*/*+yaml,application/json,application/json-seq,"
    "application/x-ndjson,application/javascript,application/x-javascript,application/ecmascript,"
    "application/xml,application/xml-dtd,application/yaml,application/x-yaml,application/toml,"
    "application/graphql,application/sql,application/rtf,application/postscript,application/wasm,"
    "application/x-sh,application/x-www-form-urlencoded,application/vnd.ms-fontobject,font/ttf,"
    "font/otf,font/collection,application/x-font-ttf,image/bmp,image/x-icon,"
    "image/vnd.microsoft.icon";

struct Rules {
  http::Coding coding = http::Coding::gzip;
  std::optional<int> level;
  std::uint64_t min = 0;           // bytes
  std::vector<std::string> types;  // patterns; none = every type
  bool negotiate = false;
  bool force = false;
  TagRule tag = TagRule::weaken;
};

class Compress final : public MessageTransform {
 public:
  Compress(http::Selection selection, const http::Policy& policy, Rules rules)
      : MessageTransform(selection),
        policy_(&policy),
        rules_(std::move(rules)),
        token_(codec::token_of(rules_.coding)),
        encoders_(rules_.coding, rules_.level) {}

  /// In a raw stream the request stands before its answer.
  Result<Verdict> apply(http::Exchange& exchange) override {
    if (rules_.negotiate && exchange.request != nullptr) {
      accepted_ = http::acceptance(exchange.request->headers, token_);
    }
    auto verdict = MessageTransform::apply(exchange);
    if (exchange.response != nullptr && !exchange.interim()) accepted_ = {};
    return verdict;
  }

 private:
  Status apply(http::Message& message, http::Exchange& exchange) override {
    const bool asks = rules_.negotiate && message.kind == http::Kind::request;
    if (asks || message.body == nullptr || message.body->size() == 0) return {};
    if (const std::string reason = why_not(message); !reason.empty()) {
      report(message, exchange,
             {.level = Level::note,
              .id = "not-compressed",
              .what = "not compressed: " + reason,
              .always = coded_otherwise(message)});
      return {};
    }
    // No coder's head may stand in for nothing, so a body of unknown size is looked at first.
    if (starts_[message].shorter_than(*message.body, std::max<std::uint64_t>(rules_.min, 1)))
      return {};
    if (rules_.negotiate && !negotiated(message, exchange)) return vary(message);

    codec::Encoder& encoder = encoders_[message];
    encoder.use(http::is_live_type(http::media_type(message.headers)) || policy_->limits.hold == 0);
    message.body->filter(encoder);
    // HAR keeps decoded text under the label of the wire: no fault.
    if (exchange.alone()) http::mend_false_coding(message);
    if (auto done = label(message); !done) return done;
    if (auto done = vary(message); !done) return done;
    return mend_recoded(message, rules_.tag);
  }

  /// The coding asked for is not the one there is: who asked is told.
  bool coded_otherwise(const http::Message& message) const {
    return !message.notes.codings.empty() && message.notes.codings.back() != rules_.coding;
  }

  std::string why_not(const http::Message& message) const {
    if (message.bodiless_status())
      return "a " + std::to_string(message.start.status()) + " has no content";
    if (!rules_.force) {
      if (message.kind == http::Kind::response && message.start.status() == 206) {
        return "a 206 holds a part of the uncoded bytes";
      }
      // RFC 9110 7.7, RFC 9111 5.2.2.6.
      if (http::contains_token(message.headers, "Cache-Control", "no-transform")) {
        return "Cache-Control forbids it (no-transform)";
      }
      if (!message.notes.codings.empty()) return "it is coded already (--force codes it once more)";
    }
    const std::string_view type = http::media_type(message.headers);
    const bool listed = std::ranges::any_of(
        rules_.types, [&](const std::string& pattern) { return http::glob(pattern, type); });
    if (rules_.types.empty() || listed) return {};
    if (type.empty()) return "it has no Content-Type";
    return "type " + ascii::quoted(type) + " is not on the list";
  }

  bool negotiated(const http::Message& message, const http::Exchange& exchange) const {
    if (accepted_.coding == 0 && accepted_.identity == 0) {
      report(message, exchange,
             {.id = "not-acceptable",
              .what = "the request accepts neither " + std::string(token_) +
                      " nor uncoded content; left as it is"});
    }
    return accepted_.coding != 0 && accepted_.coding >= accepted_.identity;
  }

  Status label(http::Message& message) const {
    constexpr std::string_view kLabel = "Content-Encoding";
    const bool coded = !message.notes.codings.empty();
    message.notes.codings.push_back(rules_.coding);
    message.notes.coding_label_false = false;
    if (coded) return http::append_to_list(message.headers, message.arena, kLabel, token_);
    // identity gives way, and so does a label over content that is not coded.
    const http::Field* old = message.headers.find(kLabel);
    return message.headers.set(old != nullptr ? old->name() : kLabel, token_);
  }

  /// RFC 9110 12.5.5: others may be given the uncoded content, whether this one is coded or not.
  static Status vary(http::Message& message) {
    if (message.kind == http::Kind::request) return {};
    return http::add_to_list(message.headers, message.arena, "Vary", "Accept-Encoding");
  }

  const http::Policy* policy_;
  Rules rules_;
  std::string_view token_;
  http::PerHalf<codec::Encoder> encoders_;
  http::Acceptance accepted_;  // what the request that is to be answered takes
  http::PerHalf<http::HeldBody> starts_;
};

tl::unexpected<Error> bad_value(std::string what) {
  return fail({Errc::usage, "option-value", std::move(what)});
}

}  // namespace

Result<std::unique_ptr<Transform>> make_compress(http::Coding coding, const Arguments& arguments) {
  Rules rules;
  rules.coding = coding;
  rules.negotiate = arguments.has("negotiate");
  rules.force = arguments.has("force");
  if (arguments.has("level")) {
    const codec::LevelRange range = codec::levels(coding);
    const auto level =
        ascii::decimal(arguments.get("level"), static_cast<std::uint64_t>(range.highest));
    if (!level || static_cast<int>(*level) < range.lowest) {
      return bad_value("--level of " + std::string(codec::token_of(coding)) + " goes from " +
                       std::to_string(range.lowest) + " to " + std::to_string(range.highest));
    }
    rules.level = static_cast<int>(*level);
  }
  if (arguments.has("min")) {
    const auto size = ascii::parse_size(arguments.get("min"));
    if (!size) return bad_value("--min is a size such as 1000 or 2k");
    rules.min = *size;
  }
  const std::string types = arguments.get("types", std::string(kTypes));
  if (types != "all") {
    http::for_each_item(types, [&](std::string_view type) { rules.types.emplace_back(type); });
    if (rules.types.empty()) return bad_value("--types is a list such as text/*,application/json");
  }
  const std::string tag = arguments.get("etag", "weaken");
  if (tag != "weaken" && tag != "keep" && tag != "drop") {
    return bad_value("--etag is weaken, keep or drop");
  }
  if (tag != "weaken") rules.tag = tag == "keep" ? TagRule::keep : TagRule::drop;
  return std::make_unique<Compress>(arguments.selection, *arguments.policy, std::move(rules));
}

}  // namespace rehead::transform
