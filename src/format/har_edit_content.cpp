// The body of an entry, and what tells of it. The text is decoded, the headers tell of the wire:
//
//   gzip          the text stays; Content-Length, bodySize and compression tell of the coded bytes
//   inflate       the label went; lengths and sizes tell of the text
//   content-length, dechunk   the length is that of the wire: bodySize, where it is known
//   drop-body     text and encoding go; recorded headers and sizes stay
//   body, sub     other text, with its sizes
#include <algorithm>

#include "codec/json_check.h"
#include "format/har_edit.h"
#include "http/framing.h"

namespace rehead::format {

using http::Delivery;

Status HarEditor::edit_content(const Half& half) {
  http::Message& message = half.message;
  const Delivery& delivery = message.delivery;
  if (delivery.discarded) {
    for (const std::string_view key : {"text", "params", "encoding", "_file"}) {
      half.body.remove(key);
    }
    return {};
  }
  if (message.body == nullptr) return {};
  if (message.body->touched()) return replace_text(half);
  const bool inflated =
      half.side.decoded_text && !message.notes.coding_label_false && message.notes.codings.empty();
  if (inflated) {
    const auto size = recorded_content(half);
    if (!size) return forget_length(half), Status();
    put_sizes(half, *size, *size, false);
    put_length(half, size);
    return {};
  }
  if (delivery.framing != Delivery::Framing::as_found) put_length(half, recorded_wire(half));
  return {};
}

Status HarEditor::replace_text(const Half& half) {
  HarContent& content = half.tools.content;
  original_.start(half.content_object().in(text_), {.id = {}, .what = {}});
  if (auto taken = content.take(half.message, &original_); !taken) return taken;
  if (!content.same() || !original_.recorded()) put_text(half);
  const bool coded = !half.message.notes.codings.empty();
  put_sizes(half, content.coded_size(), content.size(), coded);
  put_length(half, content.coded_size());
  return {};
}

/// Another text, and what is said of it.
void HarEditor::put_text(const Half& half) {
  const HarContent& content = half.tools.content;
  if (!half.content_object().in(text_).starts_with('{')) {
    if (!half.is_request()) half.body.set("size", "0");
    const http::Field* type = half.message.headers.find("Content-Type");
    half.body.set("mimeType",
                  quoted(half, type != nullptr ? type->value() : std::string_view()));
    half.object.set(half.is_request() ? "postData" : "content", half.body);
  }
  half.body.set("text", half.tools.content);
  half.body.remove("_file");  // Playwright reads it before the text
  if (half.body.value("params").find('{') != std::string_view::npos) half.body.remove("params");
  half.body.remove("encoding");
  if (!content.is_text()) half.body.set("encoding", "\"base64\"");
}

/// bodySize; of a response content.size and content.compression too. `coded`: a step put a coding
/// on, so that there is a compression to tell of.
void HarEditor::put_sizes(const Half& half, std::uint64_t wire, std::uint64_t size, bool coded) {
  half.object.set("bodySize", number_text(static_cast<std::int64_t>(wire)));
  const bool there = half.content_object().in(text_).starts_with('{') || half.body.changed();
  if (half.is_request() || !there) return;
  half.body.set("size", number_text(static_cast<std::int64_t>(size)));
  const std::string_view saved =
      number_text(static_cast<std::int64_t>(size) - static_cast<std::int64_t>(wire));
  if (coded) {
    half.body.set("compression", saved);
  } else {
    half.body.set_if_there("compression", saved);
  }
}

/// The coded size was all that was known, and it is true no more.
void HarEditor::forget_length(const Half& half) {
  half.message.headers.remove("Content-Length");
  half.object.set_if_there("bodySize", "-1");
}

/// The framing fields, as far as the chain asked for it or they are there to be mended.
void HarEditor::put_length(const Half& half, std::optional<std::uint64_t> wire) {
  http::Message& message = half.message;
  http::HeaderMap& headers = message.headers;
  const Delivery::Framing framing = message.delivery.framing;
  const auto set = [&](std::string_view name, std::string_view value) {
    const http::Field* old = headers.find(name);
    [[maybe_unused]] const auto done = headers.set(old != nullptr ? old->name() : name, value);
  };
  if (framing == Delivery::Framing::chunked) {
    if (!ascii::equal(message.start.version(), "HTTP/1.1")) return;
    headers.remove("Content-Length");
    return set("Transfer-Encoding", "chunked");
  }
  if (framing != Delivery::Framing::length && http::transfer_codings(headers).chunked) return;
  if (wire) return set("Content-Length", std::to_string(*wire));
  message.log->report({.level = Level::note,
                       .id = "length-unknown",
                       .what = "the entry does not tell how long the body was on the wire; no "
                               "length set",
                       .message = message.notes.number,
                       .half = half.is_request() ? rehead::Half::request : rehead::Half::response});
}

/// How long the body was on the wire.
std::optional<std::uint64_t> HarEditor::recorded_wire(const Half& half) {
  const auto size = codec::json::whole_number(half.side[HarMember::body_size].in(text_));
  const auto content = recorded_content(half);
  // 0 often says no more than that the answer came from a cache.
  if (size && (*size > 0 || (*size == 0 && content == 0U))) {
    return static_cast<std::uint64_t>(*size);
  }
  return half.message.notes.coding_label_false ? std::nullopt : content;
}

std::optional<std::uint64_t> HarEditor::recorded_content(const Half& half) {
  original_.start(half.content_object().in(text_), {.id = {}, .what = {}});
  if (original_.recorded()) return original_.measure();
  const auto told = codec::json::whole_number(half.body.value("size"));
  if (!told || *told < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*told);
}

}  // namespace rehead::format
