#include "format/har_writer.h"

#include "base/arena.h"
#include "codec/json_check.h"
#include "codec/json_write.h"
#include "format/har_layout.h"
#include "format/har_mirror.h"
#include "format/har_time.h"
#include "format/request_url.h"
#include "http/framing.h"
#include "http/url.h"

namespace rehead::format {
namespace {

namespace json = codec::json;
using http::Field;

constexpr std::string_view kNoUrl = "about:blank";
constexpr std::string_view kNoTime = "1970-01-01T00:00:00.000Z";

std::string_view value_of(const http::Message& message, std::string_view name) {
  const Field* field = message.headers.find(name);
  return field != nullptr ? field->value() : std::string_view();
}

}  // namespace

Status HarWriter::keep(const http::Exchange& exchange) {
  return take_request(*exchange.request, request_url(exchange));
}

Status HarWriter::write(http::Exchange& exchange) {
  if (exchange.alone()) return entry(exchange);
  request_.clear();
  url_ = exchange.url;
  Status taken;
  if (exchange.request != nullptr) {
    http::Message& request = *exchange.request;
    taken = exchange.placed(take_request(request, request_url(exchange)), request);
  }
  auto written = entry(exchange);
  return taken ? written : taken;
}

Status HarWriter::finish() {
  http::Exchange nothing;
  return entry(nothing);
}

Status HarWriter::entry(http::Exchange& exchange) {
  http::Message* const answer = exchange.response;
  out_ = "{\"request\":{";
  if (waits()) {
    out_ += request_;
  } else {
    no_request(answer != nullptr ? answer->version : "HTTP/1.1");
  }
  out_ += "},\"response\":{";
  Status done;
  if (answer == nullptr) {
    no_response();
  } else {
    done = exchange.placed(response(*answer), *answer);
  }
  auto closed = close(exchange, answer);
  if (answer == nullptr || !answer->interim()) {
    request_.clear();
    const bool moved = answer != nullptr && answer->status >= 300 && answer->status < 400;
    const std::string_view location = moved ? value_of(*answer, "Location") : std::string_view();
    url_ = absolute_url(location, url_);
    if (http::split_url(url_).scheme.empty()) url_.clear();
  }
  return closed ? done : closed;
}

/// The members of the request, kept until the answer is there.
Status HarWriter::take_request(http::Message& message, std::string url) {
  url_ = std::move(url);
  Status taken;
  if (message.body != nullptr) {
    taken = content_.take(message, nullptr);
    if (auto shaped = shape(message, taken.has_value()); !shaped) taken = std::move(shaped);
  }
  out_.clear();
  string("method", message.method, message);
  string("url", url_, message);
  head(message);
  query(url_);
  number("bodySize",
         message.body == nullptr ? 0 : static_cast<std::int64_t>(content_.coded_size()));
  if (message.body != nullptr) {
    name("postData");
    out_ += '{';
    string("mimeType", value_of(message, "Content-Type"), message);
    name("text");
    MemorySink text;
    if (auto done = content_.write(text); !done) return done;
    out_ += text.text();
    if (!content_.is_text()) out_ += ",\"encoding\":\"base64\"";
    out_ += '}';
  }
  request_ = out_;
  return taken;
}

Status HarWriter::response(http::Message& message) {
  Status taken;
  const bool recorded = message.body != nullptr;
  if (recorded) taken = content_.take(message, nullptr);
  if (auto shaped = shape(message, taken.has_value()); !shaped && taken) taken = std::move(shaped);
  number("status", message.status);
  string("statusText", message.reason, message);
  head(message);
  const bool moved = message.status >= 300 && message.status < 400;
  string("redirectURL", moved ? value_of(message, "Location") : std::string_view(), message);
  const bool withheld = message.framing == http::Framing::withheld;
  number("bodySize", recorded   ? static_cast<std::int64_t>(content_.coded_size())
                     : withheld ? -1
                                : 0);
  if (!message.trailers.empty()) {
    name("_trailers");
    out_ += '[';
    for (const Field& field : message.trailers) {
      if (out_.back() != '[') out_ += ',';
      out_ += '{';
      string("name", field.name(), message);
      string("value", field.value(), message);
      out_ += '}';
    }
    out_ += ']';
  }
  name("content");
  out_ += '{';
  number("size", recorded ? static_cast<std::int64_t>(content_.size()) : 0);
  string("mimeType", value_of(message, "Content-Type"), message);
  if (withheld) out_ += ",\"_withheld\":true";
  if (recorded) {
    if (auto done = content(message); !done) return done;
  }
  out_ += "}}";
  return taken;
}

/// The rest of the content object: its text leaves without being held here.
Status HarWriter::content(http::Message& message) {
  if (!message.codings.empty()) {
    number("compression", static_cast<std::int64_t>(content_.size()) -
                              static_cast<std::int64_t>(content_.coded_size()));
  }
  if (!content_.is_text()) out_ += ",\"encoding\":\"base64\"";
  name("text");
  if (auto done = output_.write(out_); !done) return done;
  out_.clear();
  return content_.write(output_);
}

/// Where the chain changed the body or its framing, the fields about it are made true as the raw
/// sink would make them.
Status HarWriter::shape(http::Message& message, bool complete) {
  using Way = http::Plan::Way;
  const http::Delivery& delivery = message.delivery;
  if (message.body == nullptr) return {};
  if (!message.body->touched() && delivery.framing == http::Delivery::Framing::as_found &&
      delivery.trailers == http::Delivery::Trailers::keep) {
    return {};
  }
  http::Plan plan = http::plan_delivery(message, *policy_);
  if (plan.way == Way::head) return {};
  if (!complete) {
    plan = {.way = Way::close};
  } else if (plan.way == Way::length || plan.way == Way::hold) {
    plan = {.way = Way::length, .size = content_.coded_size()};
  }
  http::label(message, plan);
  Status merged;
  if (delivery.trailers == http::Delivery::Trailers::merge) merged = http::merge_trailers(message);
  if (delivery.trailers != http::Delivery::Trailers::keep) message.trailers.clear();
  return merged;
}

/// httpVersion, headers, cookies, headersSize.
void HarWriter::head(http::Message& message) {
  string("httpVersion", message.version, message);
  name("headers");
  out_ += '[';
  for (const Field& field : message.headers) {
    if (out_.back() != '[') out_ += ',';
    out_ += '{';
    string("name", field.name(), message);
    string("value", field.value(), message);
    out_ += '}';
  }
  out_ += ']';
  cookies(message);
  number("headersSize", -1);
}

void HarWriter::cookies(const http::Message& message) {
  name("cookies");
  out_ += '[';
  for (const HarPair& cookie : cookies_in(message.headers, message.kind)) {
    if (out_.back() != '[') out_ += ',';
    append_pair(out_, cookie, {});
  }
  out_ += ']';
}

void HarWriter::query(std::string_view url) {
  name("queryString");
  out_ += '[';
  Arena arena;
  for (const HarPair& parameter : query_of(url, arena)) {
    if (out_.back() != '[') out_ += ',';
    append_pair(out_, parameter, {});
  }
  out_ += ']';
}

void HarWriter::no_request(std::string_view version) {
  out_ += "\"method\":\"GET\",\"url\":";
  append_text(out_, url_.empty() ? kNoUrl : std::string_view(url_));
  out_ += ",\"httpVersion\":";
  append_text(out_, version);
  out_ += ",\"headers\":[],\"cookies\":[]";
  query(url_);
  out_ += ",\"headersSize\":-1,\"bodySize\":-1";
}

void HarWriter::no_response() {
  out_ +=
      "\"status\":0,\"statusText\":\"\",\"httpVersion\":\"\",\"headers\":[],\"cookies\":[],"
      "\"headersSize\":-1,\"redirectURL\":\"\",\"bodySize\":-1,"
      "\"content\":{\"size\":0,\"mimeType\":\"\"}}";
}

/// What an entry has besides its messages.
Status HarWriter::close(const http::Exchange& exchange, const http::Message* message) {
  const auto date = message != nullptr ? iso_time(value_of(*message, "Date")) : std::nullopt;
  const std::string_view time = !exchange.time.empty() ? exchange.time
                                : date                 ? std::string_view(*date)
                                                       : kNoTime;
  const std::string_view ms = json::is_number(exchange.ms) ? exchange.ms : "0";
  name("startedDateTime");
  append_text(out_, time);
  name("time");
  out_ += ms;
  out_ += ",\"cache\":{},\"timings\":{\"send\":0,\"wait\":";
  out_ += ms;
  out_ += ",\"receive\":0}}";
  return output_.write(out_);
}

void HarWriter::name(std::string_view name) {
  if (!out_.empty() && out_.back() != '{') out_ += ',';
  out_ += '"';
  out_ += name;
  out_ += "\":";
}

void HarWriter::string(std::string_view key, std::string_view value, const http::Message& message) {
  name(key);
  if (append_text(out_, value)) return;
  message.log->report({.id = "value-latin1",
                       .what = "a value that is not UTF-8 written as Latin-1",
                       .message = message.number});
}

void HarWriter::number(std::string_view key, std::int64_t value) {
  name(key);
  out_ += std::to_string(value);
}

}  // namespace rehead::format
