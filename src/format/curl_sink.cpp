// Requests in, curl commands out, one a line (a body may hold line ends of its own):
//
//   curl 'https://a.example/p?q=1' -X PUT -H 'Accept: */*' --data-raw 'text'
//
// Every text stands in single quotes, so that a shell takes it as it is. What curl makes itself is
// left out: Host, Content-Length, Transfer-Encoding, pseudo-fields. A body that is no text goes
// through base64 and a pipe. Responses are not looked at.
#include "format/curl_sink.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/ascii.h"
#include "codec/base64.h"
#include "format/request_url.h"
#include "format/wire_fit.h"

namespace rehead::format {
namespace {

constexpr std::array<std::string_view, 3> kMade = {"Host", "Content-Length", "Transfer-Encoding"};

constexpr std::size_t kLongest = std::size_t{100} << 10;

class CurlSink final : public Sink {
 public:
  explicit CurlSink(const SinkSetup& setup) : setup_(setup) {}

  Status write(http::Exchange& exchange) override {
    http::Message* request = exchange.request;
    any_ = any_ || request != nullptr;
    if (request == nullptr || !setup_.selection.covers(exchange, http::Kind::request)) return {};
    left_out_ = true;
    url_ = encoded(request_url(exchange));
    if (request->start.method() == "CONNECT" || host_of(url_).empty() || !is_http_url(url_)) {
      request->log->report({.level = Level::note,
                            .id = "no-command",
                            .what = "no curl command asks for this",
                            .message = request->notes.number,
                            .always = true});
      return {};
    }
    left_out_ = false;
    out_.clear();
    auto read = body(*request);
    command(*request);
    auto written = setup_.output->write(out_);
    return read ? written : read;
  }

  bool left_out() const override { return left_out_; }
  void input_broke_off() override { any_ = true; }  // there is enough to say about that
  Status finish() override {
    if (any_) return {};
    setup_.log->report({.level = Level::note,
                        .id = "no-request",
                        .what = "no request in the input: there is nothing to make a command of",
                        .hint = "curl -i prints responses alone; a HAR holds requests too",
                        .always = true});
    return {};
  }

 private:
  Status body(http::Message& request);
  void command(const http::Message& request);
  void field(const http::Field& field, const http::Message& request);
  void quote(std::string_view text);

  SinkSetup setup_;
  std::string out_;
  std::string url_;
  std::string body_;
  bool has_body_ = false;
  bool any_ = false;       // a request came
  bool left_out_ = false;  // no command was made of the exchange
};

/// A command line holds a body in memory, so it is held here, too.
Status CurlSink::body(http::Message& request) {
  body_.clear();
  has_body_ = setup_.bodies && request.body != nullptr && !empty_record(request);
  while (has_body_) {
    auto piece = request.body->content().pull();
    if (!piece) return fail(std::move(piece.error()));
    if (piece->kind == Piece::Kind::end) break;
    body_ += piece->bytes;
    if (body_.size() <= setup_.policy->limits.max_body) continue;
    return fail({.code = Errc::limit,
                 .id = "body-size",
                 .what = "a body too large for a command",
                 .hint = "raise it with --max-body"});
  }
  return {};
}

void CurlSink::command(const http::Message& request) {
  // A word of a command may have 128 KiB on Linux.
  const bool text = body_.size() <= kLongest && std::ranges::none_of(body_, [](char c) {
                      return ascii::is(c, ascii::kControl) && c != '\n';
                    });
  if (has_body_ && !text) {
    out_ += "printf %s '";
    codec::append_base64(out_, body_);
    out_ += "' | base64 -d | ";
  }
  out_ += "curl ";
  if (url_.find_first_of("[]{}") != std::string::npos) out_ += "-g ";  // no globbing
  if (url_.find("/.") != std::string::npos) out_ += "--path-as-is ";
  quote(url_);
  if (request.start.target() == "*") out_ += " --request-target '*'";
  if (request.start.method() == "HEAD" && !has_body_) {
    out_ += " -I";
  } else if (!request.start.method().empty() &&
             request.start.method() != (has_body_ ? "POST" : "GET")) {
    out_ += " -X ";
    quote(request.start.method());
  }
  for (const http::Field& each : request.headers) field(each, request);
  if (request.headers.find("Accept-Encoding") != nullptr) out_ += " --compressed";
  if (has_body_ && request.headers.find("Content-Type") == nullptr) out_ += " -H 'Content-Type:'";
  if (has_body_) {
    out_ += text ? " --data-raw " : " --data-binary @-";
    if (text) quote(body_);
  }
  out_ += '\n';
}

void CurlSink::field(const http::Field& field, const http::Message& request) {
  const auto is_name = [&](std::string_view name) { return ascii::equal(name, field.name()); };
  if (std::ranges::any_of(kMade, is_name)) return;
  if (!ascii::is_token(field.name())) {
    request.log->report(
        {.level = Level::note,
         .id = "name-left-out",
         .what = "a field left out, its name is no token: " + ascii::quoted(field.name()),
         .message = request.notes.number});
    return;
  }
  std::string value(field.value());
  std::ranges::replace_if(
      value, [](char c) { return c == '\r' || c == '\n' || c == '\0'; }, ' ');
  out_ += " -H ";
  quote(std::string(field.name()) +
        (value.empty() ? ";" : ": " + value));  // curl: "Name;" is empty
}

/// In single quotes; one within becomes '\''.
void CurlSink::quote(std::string_view text) {
  out_ += '\'';
  for (const char c : text) {
    if (c == '\'') {
      out_ += "'\\''";
    } else if (c != '\0') {
      out_ += c;
    }
  }
  out_ += '\'';
}

}  // namespace

std::unique_ptr<Sink> make_curl_sink(const SinkSetup& setup) {
  return std::make_unique<CurlSink>(setup);
}

}  // namespace rehead::format
