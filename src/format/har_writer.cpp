#include "format/har_writer.h"

#include "base/arena.h"
#include "codec/json_check.h"
#include "format/har_layout.h"
#include "format/request_url.h"
#include "http/date.h"
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

/// An interim response, whose final one follows. Behind a 101 another protocol does.
bool is_interim(const http::Message& message) {
  return message.interim() && message.notes.framing != http::Framing::opaque;
}

}  // namespace

Status HarWriter::keep(const http::Exchange& exchange, HarPlace& place) {
  to_ = &place;
  return take_request(*exchange.request, request_url(exchange));
}

bool HarPlace::passes_over(const http::Message& response) const {
  return waits() && is_interim(response);
}

Status HarWriter::write(http::Exchange& exchange, HarPlace& place) {
  to_ = &place;
  if (exchange.alone()) {
    if (!to_->waits() && !exchange.url.empty()) to_->url = exchange.url;  // a step gave it one
    return entry(exchange);
  }
  to_->request.clear();
  to_->url = exchange.url;
  Status taken;
  if (exchange.request != nullptr) {
    http::Message& request = *exchange.request;
    taken = exchange.placed(take_request(request, request_url(exchange)), request);
  }
  auto written = entry(exchange);
  return taken ? written : taken;
}

Status HarWriter::finish(HarPlace& place) {
  to_ = &place;
  http::Exchange nothing;
  return entry(nothing);
}

Status HarWriter::entry(http::Exchange& exchange) {
  http::Message* const answer = exchange.response;
  json_.clear();
  json_.open('{').key("request").open('{');
  if (to_->waits()) {
    json_.raw(to_->request);
  } else {
    no_request(answer != nullptr ? answer->start.version() : "HTTP/1.1");
  }
  json_.close('}').key("response").open('{');
  Status done;
  if (answer == nullptr) {
    no_response();
  } else {
    done = exchange.placed(response(*answer), *answer);
  }
  auto closed = close(exchange, answer);
  if (answer == nullptr || !exchange.alone() || !is_interim(*answer)) {
    to_->request.clear();
    const bool moved =
        answer != nullptr && answer->start.status() >= 300 && answer->start.status() < 400;
    const std::string_view location = moved ? value_of(*answer, "Location") : std::string_view();
    to_->url = absolute_url(location, to_->url);
    if (http::split_url(to_->url).scheme.empty()) to_->url.clear();
  }
  return closed ? done : closed;
}

/// The members of the request, kept until the answer is there.
Status HarWriter::take_request(http::Message& message, std::string url) {
  to_->url = std::move(url);
  Status taken;
  if (message.body != nullptr) {
    taken = content_.take(message, nullptr);
    if (auto shaped = shape(message, taken.has_value()); !shaped) taken = std::move(shaped);
  }
  json_.clear();
  string("method", message.start.method(), message);
  string("url", to_->url, message);
  head(message);
  Arena arena;
  pairs("queryString", query_of(to_->url, arena));
  json_.key("bodySize").number(message.body == nullptr ? 0 : content_.coded_size());
  if (message.body != nullptr) {
    json_.key("postData").open('{');
    string("mimeType", value_of(message, "Content-Type"), message);
    MemorySink text;
    if (auto done = content_.write(text); !done) return done;
    json_.key("text").raw(text.text());
    if (!content_.is_text()) json_.key("encoding").string("base64");
    json_.close('}');
  }
  to_->request = out_;
  return taken;
}

Status HarWriter::response(http::Message& message) {
  Status taken;
  const bool recorded = message.body != nullptr;
  if (recorded) taken = content_.take(message, nullptr);
  if (auto shaped = shape(message, taken.has_value()); !shaped && taken) taken = std::move(shaped);
  json_.key("status").number(message.start.status());
  string("statusText", message.start.reason(), message);
  head(message);
  const bool moved = message.start.status() >= 300 && message.start.status() < 400;
  string("redirectURL", moved ? value_of(message, "Location") : std::string_view(), message);
  const bool withheld = message.notes.framing == http::Framing::withheld;
  const std::int64_t unread = withheld ? -1 : 0;
  json_.key("bodySize").number(recorded ? static_cast<std::int64_t>(content_.coded_size())
                                        : unread);
  if (!message.trailers.empty()) fields("_trailers", message.trailers, message);
  json_.key("content").open('{').key("size").number(recorded ? content_.size() : 0);
  string("mimeType", value_of(message, "Content-Type"), message);
  if (withheld) json_.key("_withheld").raw("true");
  if (recorded) {
    if (auto done = content(message); !done) return done;
  }
  json_.close('}').close('}');
  return taken;
}

/// The rest of the content object: its text leaves without being held here.
Status HarWriter::content(http::Message& message) {
  if (!message.notes.codings.empty()) {
    json_.key("compression").number(static_cast<std::int64_t>(content_.size()) -
                                    static_cast<std::int64_t>(content_.coded_size()));
  }
  if (!content_.is_text()) json_.key("encoding").string("base64");
  json_.key("text");
  if (auto done = to_->output->write(out_); !done) return done;
  out_.clear();
  return content_.write(*to_->output);
}

/// Where the chain changed the body or its framing, the fields about it are made true as the raw
/// sink would make them.
Status HarWriter::shape(http::Message& message, bool complete) {
  if (message.body == nullptr || !http::is_unsettled(message)) return {};
  http::Held held{.broken = !complete};
  if (complete) held.size = content_.coded_size();
  auto plan = http::settle(message, *policy_, held);
  if (!plan) return fail(std::move(plan.error()));
  if (message.delivery.trailers != http::Delivery::Trailers::keep) message.trailers.clear();
  return {};
}

/// httpVersion, headers, cookies, headersSize.
void HarWriter::head(http::Message& message) {
  string("httpVersion", message.start.version(), message);
  fields("headers", message.headers, message);
  pairs("cookies", cookies_in(message.headers, message.kind));
  json_.key("headersSize").number(-1);
}

void HarWriter::fields(std::string_view name, const http::HeaderMap& map,
                       const http::Message& message) {
  json_.key(name).open('[');
  for (const Field& field : map) {
    json_.open('{');
    string("name", field.name(), message);
    string("value", field.value(), message);
    json_.close('}');
  }
  json_.close(']');
}

void HarWriter::pairs(std::string_view name, const std::vector<HarPair>& pairs) {
  json_.key(name).open('[');
  for (const HarPair& pair : pairs) {
    json_.open('{');
    for (const auto& [key, text] : members_of(pair)) json_.key(key).raw(text);
    json_.close('}');
  }
  json_.close(']');
}

void HarWriter::no_request(std::string_view version) {
  const std::string_view url = to_->url;
  json_.key("method").string("GET").key("url").text(url.empty() ? kNoUrl : url);
  json_.key("httpVersion").text(version);
  json_.raw("\"headers\":[],\"cookies\":[]");
  Arena arena;
  pairs("queryString", query_of(url, arena));
  json_.raw("\"headersSize\":-1,\"bodySize\":-1");
}

void HarWriter::no_response() {
  json_.raw(
      "\"status\":0,\"statusText\":\"\",\"httpVersion\":\"\",\"headers\":[],\"cookies\":[],"
      "\"headersSize\":-1,\"redirectURL\":\"\",\"bodySize\":-1,"
      "\"content\":{\"size\":0,\"mimeType\":\"\"}");
  json_.close('}');
}

/// What an entry has besides its messages.
Status HarWriter::close(const http::Exchange& exchange, const http::Message* message) {
  const auto date = message != nullptr ? http::iso_time(value_of(*message, "Date")) : std::nullopt;
  const std::string_view time = !exchange.time.empty() ? exchange.time
                                : date                 ? std::string_view(*date)
                                                       : kNoTime;
  const std::string_view ms = json::is_number(exchange.ms) ? exchange.ms : "0";
  json_.key("startedDateTime").text(time);
  json_.key("time").raw(ms).raw("\"cache\":{}").key("timings").open('{');
  json_.key("send").number(0).key("wait").raw(ms).key("receive").number(0);
  json_.close('}').close('}');
  return to_->output->write(out_);
}

void HarWriter::string(std::string_view key, std::string_view value, const http::Message& message) {
  if (json_.key(key).text(value)) return;
  message.log->report({.id = "value-latin1",
                       .what = "a value that is not UTF-8 written as Latin-1",
                       .message = message.notes.number});
}

}  // namespace rehead::format
