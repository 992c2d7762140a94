// Exchanges in, one line of JSON each out; the schema stands in ndjson.h. Headers leave as the map
// stands, `wire` tells how the body stood, so that reading the line back frames it truly.
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
#include "codec/json_write.h"
#include "codec/utf8.h"
#include "format/ndjson.h"
#include "format/ndjson_message.h"

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
  void begin(std::string_view kind) {
    out_ += "{\"kind\":\"";
    out_ += kind;
    out_ += '"';
  }
  void key(std::string_view name) {
    out_ += ",\"";
    out_ += name;
    out_ += "\":";
  }
  void text(std::string_view name, std::string_view bytes);
  void number(std::string_view name, std::uint64_t value) {
    key(name);
    json::append_number(out_, value);
  }
  void fields(std::string_view name, const http::HeaderMap& map);
  void entry(const http::Exchange& exchange);
  Status message(http::Message& message);
  Status body(http::Message& message);
  Status content(std::string_view name, bool text);
  void wire(const http::Message& message);
  Status drain(std::size_t limit);

  static constexpr std::size_t kFull = std::size_t{64} << 10;
  SinkSetup setup_;
  std::string out_;  // written, but not handed on yet
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
  key(name);
  if (codec::is_utf8(bytes)) return json::append_string(out_, bytes);
  out_ += '[';
  json::append_latin1(out_, bytes);
  out_ += ",\"latin1\"]";
}

void NdjsonSink::fields(std::string_view name, const http::HeaderMap& map) {
  key(name);
  char before = '[';
  for (const http::Field& field : map) {
    out_ += before;
    before = ',';
    out_ += '[';
    const bool utf8 = codec::is_utf8(field.name()) && codec::is_utf8(field.value());
    const auto append = utf8 ? json::append_string : json::append_latin1;
    append(out_, field.name());
    out_ += ',';
    append(out_, field.value());
    out_ += utf8 ? "]" : ",\"latin1\"]";
  }
  if (before == '[') out_ += before;
  out_ += ']';
}

void NdjsonSink::entry(const http::Exchange& exchange) {
  begin("exchange");
  text("file", exchange.file);
  number("entry", exchange.number);
  if (!exchange.time.empty()) text("time", exchange.time);
  if (json::is_number(exchange.ms)) {
    key("ms");
    out_ += exchange.ms;
  }
  if (exchange.request != nullptr) text("method", exchange.request->method);
  if (!exchange.url.empty()) text("url", exchange.url);
  if (exchange.response != nullptr) number("status", exchange.response->status);
}

Status NdjsonSink::write(http::Exchange& exchange) {
  Status first;  // the first body that broke off; the line is completed all the same
  const auto add = [&](http::Message& part) {
    auto done = message(part);
    if (!done && first) first = std::move(done);
  };
  if (exchange.alone()) {
    http::Message& part = exchange.request != nullptr ? *exchange.request : *exchange.response;
    begin(part.kind == http::Kind::request ? "request" : "response");
    text("file", exchange.file);
    number("message", part.number);
    add(part);
  } else {
    entry(exchange);
    for (http::Message* part : {exchange.request, exchange.response}) {
      if (part == nullptr) continue;
      const std::string_view kind = part->kind == http::Kind::request ? "request" : "response";
      key(kind);
      begin(kind);
      add(*part);
    }
    out_ += '}';
  }
  out_ += '\n';
  auto written = drain(0);
  return first ? written : first;
}

/// The members from `version` on, and the closing brace.
Status NdjsonSink::message(http::Message& message) {
  text("version", message.version);
  if (message.kind == http::Kind::request) {
    text("method", message.method);
    text("target", message.target);
  } else {
    number("status", message.status);
    text("reason", message.reason);
  }
  // RFC 9112 7.1.2: trailers are known once the body has ended, so it is held before this goes out.
  fields("headers", message.headers);
  auto done = body(message);
  const bool trailers_known = setup_.bodies || message.body == nullptr || !message.trailers.empty();
  if (trailers_known) fields("trailers", message.trailers);
  wire(message);
  out_ += '}';
  return done;
}

Status NdjsonSink::body(http::Message& message) {
  if (message.body == nullptr) {
    if (message.framing == http::Framing::withheld) return {};
    if (setup_.bodies) text("body", {});
    number("size", 0);
    return {};
  }
  if (!setup_.bodies) {
    if (message.body->size()) number("size", *message.body->size());
    return {};
  }
  tap_.start(message.body->content());
  spool_.start(tap_, setup_.policy->limits.hold);
  auto held = spool_.hold_all();
  const std::uint64_t size = spool_.size();
  auto written = content(tap_.is_utf8() ? "body" : "body64", tap_.is_utf8());
  number("size", size);
  return held ? written : held;
}

/// What is held, as a string that is closed whatever happens.
Status NdjsonSink::content(std::string_view name, bool text) {
  key(name);
  out_ += '"';
  codec::Base64Encoder encoder;
  Status done;
  while (done) {
    auto piece = spool_.pull();
    if (!piece) {
      done = fail(std::move(piece.error()));
    } else if (piece->kind == Piece::Kind::end) {
      break;
    } else if (text) {
      json::append_escaped(out_, piece->bytes);
      done = drain(kFull);
    } else {
      encoder.feed(piece->bytes, out_);
      done = drain(kFull);
    }
  }
  encoder.finish(out_);
  out_ += '"';
  return done;
}

void NdjsonSink::wire(const http::Message& message) {
  key("wire");
  out_ += "{\"framing\":\"";
  out_ += name_of(message.framing);
  out_ += "\",\"codings\":[";
  for (std::size_t i = 0; i < message.codings.size(); ++i) {
    out_ += i == 0 ? "\"" : ",\"";
    out_ += name_of(message.codings[i]);
    out_ += '"';
  }
  out_ += "]}";
}

}  // namespace

std::unique_ptr<Sink> make_ndjson_sink(const SinkSetup& setup) {
  return std::make_unique<NdjsonSink>(setup);
}

}  // namespace rehead::format
