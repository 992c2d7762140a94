// The body of an entry, and what tells of it. The text is decoded, the headers tell of the wire:
//
//   gzip          the text stays; Content-Length, bodySize and compression tell of the coded bytes
//   inflate       the label went; lengths and sizes tell of the text
//   content-length, dechunk   the length is that of the wire: bodySize, where it is known
//   drop-body     text and encoding go; recorded headers and sizes stay
//   body, sub     other text, with its sizes
#include <algorithm>

#include "codec/json_writer.h"
#include "format/har_edit.h"
#include "http/framing.h"

namespace rehead::format {

using http::Delivery;

Status HarEditor::edit_content(const Half& half) {
  http::Message& message = half.message;
  const Delivery& delivery = message.delivery;
  if (message.body == nullptr) return {};
  if (delivery.discarded) {
    take_out(half.content_object(), {"text", half.is_request() ? "params" : "encoding"});
    return {};
  }
  if (message.body->touched()) return replace_text(half);
  const bool inflated =
      half.side.decoded_text && !message.coding_label_false && message.codings.empty();
  if (inflated) {
    if (const auto size = recorded_content(half)) {
      put_sizes(half, *size, *size, false);
      put_length(half, size);
    }
    return {};
  }
  if (delivery.framing != Delivery::Framing::as_found) put_length(half, recorded_wire(half));
  return {};
}

Status HarEditor::replace_text(const Half& half) {
  HarContent& content = half.content;
  const HarSpan object = half.content_object();
  original_.start(object.in(text_), {.id = {}, .what = {}});
  auto taken = content.take(half.message, &original_);
  const bool made = !object.in(text_).starts_with('{');
  if (made) {
    make_content(half);
  } else if (!content.same() || !original_.recorded()) {
    const auto parts = members_of(text_, object, arena_);
    if (const HarPart* text = find_part(parts, "text")) {
      edits_.replace(text->value, content);
    } else {
      MemorySink text_made;
      static_cast<void>(content.write(text_made));
      put(object, "text", text_made.text());
    }
    const HarPart* params = find_part(parts, "params");
    const bool some = params != nullptr && params->value.in(text_).find('{') != std::string::npos;
    if (half.is_request() && some) take_out(object, {"params"});
    if (!content.is_text()) {
      put(object, "encoding", "\"base64\"");
    } else {
      take_out(object, {"encoding"});
    }
  }
  const bool coded = !half.message.codings.empty();
  put_sizes(half, content.coded_size(), content.size(), coded);
  put_length(half, content.coded_size());
  return taken;
}

/// A content object where there was none.
void HarEditor::make_content(const Half& half) {
  const http::Field* type = half.message.headers.find("Content-Type");
  MemorySink text;
  static_cast<void>(half.content.write(text));
  std::string out = "{";
  if (!half.is_request()) out += "\"size\":" + std::to_string(half.content.size()) + ',';
  out += "\"mimeType\":";
  codec::JsonWriter(out).text(type != nullptr ? type->value() : std::string_view());
  out += ",\"text\":" + text.text();
  out += half.content.is_text() ? "}" : ",\"encoding\":\"base64\"}";
  put(half, half.is_request() ? HarMember::post_data : HarMember::content, out);
}

/// bodySize; of a response content.size and content.compression too. `coded`: a step put a coding
/// on, so that there is a compression to tell of.
void HarEditor::put_sizes(const Half& half, std::uint64_t wire, std::uint64_t size, bool coded) {
  put(half, HarMember::body_size, std::to_string(wire));
  const HarSpan object = half.content_object();
  if (half.is_request() || !object.in(text_).starts_with('{')) return;
  put_number(object, "size", static_cast<std::int64_t>(size));
  const auto saved = static_cast<std::int64_t>(size) - static_cast<std::int64_t>(wire);
  if (coded) {
    put_number(object, "compression", saved);
  } else {
    put_if_there(object, "compression", std::to_string(saved));
  }
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
    if (!ascii::equal(message.version, "HTTP/1.1")) return;
    headers.remove("Content-Length");
    return set("Transfer-Encoding", "chunked");
  }
  if (framing != Delivery::Framing::length && http::transfer_codings(headers).chunked) return;
  if (wire) return set("Content-Length", std::to_string(*wire));
  message.log->report({.level = Level::note,
                       .id = "length-unknown",
                       .what = "the entry does not tell how long the body was on the wire; no "
                               "length set",
                       .message = message.number,
                       .half = half.is_request() ? rehead::Half::request : rehead::Half::response});
}

/// How long the body was on the wire.
std::optional<std::uint64_t> HarEditor::recorded_wire(const Half& half) {
  const auto size = number(half.side[HarMember::body_size]);
  const auto content = recorded_content(half);
  // 0 often says no more than that the answer came from a cache.
  if (size && (*size > 0 || (*size == 0 && content == 0U))) {
    return static_cast<std::uint64_t>(*size);
  }
  return half.message.coding_label_false ? std::nullopt : content;
}

std::optional<std::uint64_t> HarEditor::recorded_content(const Half& half) {
  const HarSpan object = half.content_object();
  original_.start(object.in(text_), {.id = {}, .what = {}});
  if (original_.recorded()) return original_.measure();
  const auto parts = members_of(text_, object, arena_);
  const HarPart* size = find_part(parts, "size");
  const auto told = size != nullptr ? number(size->value) : std::nullopt;
  if (!told || *told < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*told);
}

}  // namespace rehead::format
