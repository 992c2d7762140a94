// Exchanges in, one line of JSON each out; the schema stands in ndjson.h. Headers leave as the map
// stands, false claims too; `wire` tells how the body stood, so that reading the line back frames
// it truly. Where the chain changed the body, both say what became of it.
//
// Whether a body is text is known only at its end, so each body is held: memory up to Limits::hold,
// then a temporary file. An endless body never becomes a line. A body that breaks off is written as
// far as it came, and its error is the sink's.
#include <optional>
#include <string>

#include "base/spool.h"
#include "codec/base64.h"
#include "codec/content_coding.h"
#include "codec/json_check.h"
#include "codec/json_writer.h"
#include "codec/utf8.h"
#include "format/ndjson.h"
#include "format/ndjson_line.h"
#include "format/ndjson_message.h"
#include "http/framing.h"

namespace rehead::format {
namespace {

namespace json = codec::json;

std::string_view name_of(http::Framing framing) {
  for (const auto& [known, name] : kFramingNames) {
    if (framing == known) return name;
  }
  return "none";
}

std::string_view name_of(http::Coding coding) {
  const std::string_view token = codec::token_of(coding);
  return token.empty() ? "other" : token;
}

/// Passes content on and notes whether it is UTF-8.
class Utf8Tap final : public ByteSource {
 public:
  void start(ByteSource& upstream) {
    upstream_ = &upstream;
    check_.reset();
  }
  Result<Piece> pull() override {
    auto piece = upstream_->pull();
    if (piece && piece->kind == Piece::Kind::bytes) check_.feed(piece->bytes);
    return piece;
  }
  bool is_utf8() const { return check_.complete(); }

 private:
  ByteSource* upstream_ = nullptr;
  codec::Utf8Check check_;
};

class NdjsonSink final : public Sink {
 public:
  explicit NdjsonSink(const SinkSetup& setup) : setup_(setup) {}
  Status write(http::Exchange& exchange) override;

 private:
  void begin(std::string_view kind) { json_.open('{').key("kind").string(kind); }
  void text(std::string_view name, std::string_view bytes);
  /// null if a recorded request has none.
  void method(const http::Message& request) {
    const std::string_view method = request.start.method();
    method.empty() ? void(json_.key("method").raw("null")) : text("method", method);
  }
  /// null if none is recorded.
  void status(const http::Message& response) {
    json_.key("status");
    const unsigned status = response.start.status();
    status == 0 && response.notes.no_status ? json_.raw("null") : json_.number(status);
  }
  void number(std::string_view name, std::uint64_t value) { json_.key(name).number(value); }
  void fields(std::string_view name, const http::HeaderMap& map);
  void entry(const http::Exchange& exchange);
  Status message(http::Message& message);
  Status shape(http::Message& message, bool complete);
  Status body(const http::Message& message);
  Status content(std::string_view name, bool text);
  void wire(const http::Message& message);
  Status drain(std::size_t limit);

  static constexpr std::size_t kFull = std::size_t{64} << 10;
  SinkSetup setup_;
  std::string out_;  // written, but not handed on yet
  codec::JsonWriter json_{out_};
  Utf8Tap tap_;
  Spool spool_;
};

/// Hands on what is there if it is more than `limit`.
Status NdjsonSink::drain(std::size_t limit) {
  if (out_.size() <= limit) return {};
  auto done = setup_.output->write(out_);
  out_.clear();
  return done;
}

void NdjsonSink::text(std::string_view name, std::string_view bytes) {
  json_.key(name);
  if (codec::is_utf8(bytes)) {
    json_.string(bytes);
  } else {
    json_.open('[').latin1(bytes).string("latin1").close(']');
  }
}

void NdjsonSink::fields(std::string_view name, const http::HeaderMap& map) {
  json_.key(name).open('[');
  for (const http::Field& field : map) {
    if (json_.plain_pair(field.name(), field.value())) continue;
    json_.open('[');
    if (codec::is_utf8(field.name()) && codec::is_utf8(field.value())) {
      json_.string(field.name()).string(field.value());
    } else {
      json_.latin1(field.name()).latin1(field.value()).string("latin1");
    }
    json_.close(']');
  }
  json_.close(']');
}

void NdjsonSink::entry(const http::Exchange& exchange) {
  begin("exchange");
  text("file", exchange.file);
  number("entry", exchange.number);
  if (!exchange.time.empty()) text("time", exchange.time);
  if (json::is_number(exchange.ms)) json_.key("ms").raw(exchange.ms);
  if (exchange.request != nullptr) method(*exchange.request);
  if (!exchange.url.empty()) text("url", exchange.url);
  if (exchange.response != nullptr) status(*exchange.response);
}

Status NdjsonSink::write(http::Exchange& exchange) {
  const auto* line = dynamic_cast<const NdjsonLine*>(exchange.as_read);
  const bool one_line = line != nullptr && line->text().find('\n') == std::string_view::npos;
  // What was passed over may be no JSON at all.
  if (one_line && setup_.bodies && line->fits(exchange) &&
      json::check(line->text(), setup_.policy->limits.max_depth)) {
    (out_ += line->text()) += '\n';
    return drain(0);
  }
  Status first;  // the first body that broke off; the line is completed all the same
  const auto add = [&](http::Message& part) {
    auto done = exchange.placed(message(part), part);
    if (!done && first) first = std::move(done);
  };
  if (exchange.alone()) {
    http::Message& part = exchange.request != nullptr ? *exchange.request : *exchange.response;
    begin(part.kind == http::Kind::request ? "request" : "response");
    text("file", exchange.file);
    number("message", part.notes.number);
    add(part);
  } else {
    entry(exchange);
    for (http::Message* part : {exchange.request, exchange.response}) {
      if (part == nullptr) continue;
      const std::string_view kind = part->kind == http::Kind::request ? "request" : "response";
      json_.key(kind);
      begin(kind);
      add(*part);
    }
    json_.close('}');
  }
  json_.end_line();
  auto written = drain(0);
  return first ? written : first;
}

/// The members from `version` on, and the closing brace.
Status NdjsonSink::message(http::Message& message) {
  const bool read = setup_.bodies && message.body != nullptr;
  Status held;
  if (read) {
    tap_.start(message.body->content());
    spool_.start(tap_, setup_.policy->limits.hold);
    held = spool_.hold_all();
  }
  // Trailers are known now (RFC 9112 7.1.2), and may become header fields.
  auto shaped = shape(message, held.has_value());
  if (held && !shaped) held = std::move(shaped);

  text("version", message.start.version());
  if (message.kind == http::Kind::request) {
    method(message);
    text("target", message.start.target());
  } else {
    status(message);
    text("reason", message.start.reason());
  }
  fields("headers", message.headers);
  auto written = body(message);
  if (read || message.body == nullptr || !message.trailers.empty()) {
    fields("trailers", message.trailers);
  }
  wire(message);
  json_.close('}');
  return held ? written : held;
}

/// Where the chain changed the body or its framing, the fields about it are made true as the raw
/// sink would make them. `complete`: the body did not break off.
Status NdjsonSink::shape(http::Message& message, bool complete) {
  if (message.body == nullptr || !http::is_unsettled(message)) return {};
  http::Held held{.broken = !complete};
  if (complete && setup_.bodies) held.size = spool_.size();
  auto plan = http::settle(message, *setup_.policy, held);
  if (plan && plan->way == http::Plan::Way::hold) {  // --no-body: the size is nowhere known
    plan = http::settle(message, *setup_.policy,
                        {.too_long = plan->in_chunks, .broken = !plan->in_chunks});
  }
  if (!plan) return fail(std::move(plan.error()));
  message.notes.framing = http::framing_of(message, *plan);
  if (message.delivery.trailers != http::Delivery::Trailers::keep) message.trailers.clear();
  return {};
}

Status NdjsonSink::body(const http::Message& message) {
  if (message.body == nullptr) {
    if (message.notes.framing == http::Framing::withheld) return {};
    if (setup_.bodies) text("body", {});
    number("size", 0);
    return {};
  }
  if (!setup_.bodies) {
    if (message.body->size()) number("size", *message.body->size());
    return {};
  }
  const std::uint64_t size = spool_.size();
  auto written = content(tap_.is_utf8() ? "body" : "body64", tap_.is_utf8());
  number("size", message.body->told_size().value_or(size));  // the text may not be recorded
  return written;
}

/// What is held, as a string that is closed whatever happens.
Status NdjsonSink::content(std::string_view name, bool text) {
  json_.key(name).open_string();
  codec::Base64Encoder encoder;
  Status done;
  while (done) {
    auto piece = spool_.pull();
    if (!piece) {
      done = fail(std::move(piece.error()));
    } else if (piece->kind == Piece::Kind::end) {
      break;
    } else if (text) {
      json_.piece(piece->bytes);
      done = drain(kFull);
    } else {
      encoder.feed(piece->bytes, out_);
      done = drain(kFull);
    }
  }
  encoder.finish(out_);
  json_.close_string();
  return done;
}

void NdjsonSink::wire(const http::Message& message) {
  json_.key("wire").open('{').key("framing").string(name_of(message.notes.framing));
  json_.key("codings").open('[');
  for (const http::Coding coding : message.notes.codings) json_.string(name_of(coding));
  json_.close(']').close('}');
}

}  // namespace

std::unique_ptr<Sink> make_ndjson_sink(const SinkSetup& setup) {
  return std::make_unique<NdjsonSink>(setup);
}

}  // namespace rehead::format
