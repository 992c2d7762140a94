// The entry as a whole and its start lines. The body stands in har_edit_content.cpp, the headers in
// har_edit_headers.cpp.
#include "format/har_edit.h"

#include "codec/json_writer.h"
#include "http/url.h"

namespace rehead::format {

HarEditor::HarEditor(const http::Policy& policy, Diagnostics& log)
    : policy_(&policy), tools_(policy), original_(policy, log) {}

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
  for (http::Message* const message : {exchange.request, exchange.response}) {
    if (message == nullptr) continue;
    const bool request = message->kind == http::Kind::request;
    const HarSide& side = entry.sides[*message];
    Tools& tools = tools_[*message];
    const Half half{*message, side, tools, tools.object, tools.body};
    half.object.start(text_, side.object, arena_, &side.parts);
    half.body.start(text_, half.content_object(), arena_);
    if (request) edit_url(half, exchange.url);
    auto done = exchange.placed(edit(half), *message);
    if (half.object.changed()) whole_.set(request ? "request" : "response", half.object);
    if (!done) return done;
  }
  return {};
}

Status HarEditor::edit(const Half& half) {
  touched_ = 0;
  edit_start_line(half);
  auto done = edit_content(half);  // may set a length
  const http::Message& message = half.message;
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
  quoted_.clear();
  if (!codec::JsonWriter(quoted_).text(bytes)) {
    half.message.log->report(
        {.id = "value-latin1",
         .what = "a value that is not UTF-8 written as Latin-1",
         .message = half.message.notes.number,
         .half = half.is_request() ? rehead::Half::request : rehead::Half::response});
  }
  return kept(quoted_);
}

}  // namespace rehead::format
