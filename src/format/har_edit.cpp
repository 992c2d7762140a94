// The entry as a whole and its start lines. The body stands in har_edit_content.cpp, the headers in
// har_edit_headers.cpp.
#include "format/har_edit.h"

#include "codec/json_writer.h"
#include "http/url.h"

namespace rehead::format {

HarEditor::HarEditor(const http::Policy& policy, Diagnostics& log)
    : policy_(&policy), request_(policy), response_(policy), original_(policy, log) {}

Status HarEditor::write(http::Exchange& exchange, HarEntry& entry, std::string_view pageref,
                        ByteSink& output) {
  arena_.reset();
  start(entry, pageref);
  auto done = edit_halves(exchange, entry);
  if (!done) start(entry, pageref);
  auto written = whole_.write(output);
  return written ? done : written;
}

void HarEditor::start(const HarEntry& entry, std::string_view pageref) {
  text_ = entry.piece.bytes;
  entry_ = &entry;
  whole_.start(text_, {0, text_.size()}, arena_, &entry.members);
  if (pageref.empty()) return;
  std::string json;
  codec::JsonWriter(json).text(pageref);
  whole_.set("pageref", kept(json));
}

Status HarEditor::edit_halves(http::Exchange& exchange, const HarEntry& entry) {
  if (exchange.request != nullptr) {
    http::Message& request = *exchange.request;
    request_.object.start(text_, entry.request.object, arena_, &entry.request.parts);
    request_.body.start(text_, entry.request[HarMember::post_data], arena_);
    edit_url({request, entry.request, request_, request_.object, request_.body}, exchange.url);
    auto done = exchange.placed(edit(request, entry.request, request_), request);
    if (!done) return done;
    if (request_.object.changed()) whole_.set("request", request_.object);
  }
  if (exchange.response == nullptr) return {};
  http::Message& response = *exchange.response;
  response_.object.start(text_, entry.response.object, arena_, &entry.response.parts);
  response_.body.start(text_, entry.response[HarMember::content], arena_);
  auto done = exchange.placed(edit(response, entry.response, response_), response);
  if (response_.object.changed()) whole_.set("response", response_.object);
  return done;
}

Status HarEditor::edit(http::Message& message, const HarSide& side, Tools& tools) {
  const Half half{message, side, tools, tools.object, tools.body};
  touched_ = 0;
  edit_start_line(half);
  auto done = edit_content(half);  // may set a length
  if (message.headers.changed() || message.delivery.cookies_in_one) edit_headers(half);
  edit_mirrors(half);
  if (half.body.changed()) {
    half.object.set(half.is_request() ? "postData" : "content", half.body);
  }
  return done;
}

void HarEditor::edit_start_line(const Half& half) {
  const http::Message& message = half.message;
  const HarSide& side = half.side;
  if (message.start.version() != side.start.version()) {
    half.object.set("httpVersion", quoted(half, message.start.version()));
  }
  if (half.is_request()) {
    if (message.start.method() != side.start.method())
      half.object.set("method", quoted(half, message.start.method()));
    return;
  }
  if (message.start.status() != side.start.status())
    half.object.set("status", number_text(message.start.status()));
  if (message.start.reason() != side.start.reason())
    half.object.set("statusText", quoted(half, message.start.reason()));
}

/// The URL, and queryString[] which mirrors its query.
void HarEditor::edit_url(const Half& half, std::string_view now) {
  std::string url(now);
  if (now == entry_->url) {
    const std::string_view target = half.message.start.target();
    if (target == half.side.start.target()) return;
    const http::Url old = http::split_url(entry_->url);
    url.clear();
    if (target.starts_with('/') && !old.scheme.empty()) {
      ((url += old.scheme) += "://") += old.authority;
    }
    url += target;
  }
  half.object.set("url", quoted(half, url));
  const HarSpan list = half.side[HarMember::query_string];
  if (!list.in(text_).starts_with('[')) return;
  const auto before = query_of(entry_->url, arena_);
  const auto after = query_of(url, arena_);
  std::string out;
  if (!before.empty() && after.empty()) {
    out = "[]";
  } else {
    append_mirror(out, text_, list, before, after, layout_near(half), arena_);
  }
  half.object.set("queryString", kept(out));
}

/// A JSON string of these bytes, in the arena.
std::string_view HarEditor::quoted(const Half& half, std::string_view bytes) {
  std::string out;
  if (!codec::JsonWriter(out).text(bytes)) {
    half.message.log->report(
        {.id = "value-latin1",
         .what = "a value that is not UTF-8 written as Latin-1",
         .message = half.message.notes.number,
         .half = half.is_request() ? rehead::Half::request : rehead::Half::response});
  }
  return kept(out);
}

}  // namespace rehead::format
