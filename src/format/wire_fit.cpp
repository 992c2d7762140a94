#include "format/wire_fit.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "format/har_entry.h"
#include "format/har_layout.h"
#include "format/request_url.h"

namespace rehead::format {
namespace {

using http::Field;

void report(http::Message& message, Level level, std::string_view id, std::string what) {
  message.log->report(
      {.level = level,
       .id = id,
       .what = std::move(what),
       .message = message.notes.number,
       .half = message.kind == http::Kind::request ? Half::request : Half::response});
}

/// The spelling raw HTTP/1 has for a version: everything but 1.0 becomes 1.1.
std::string_view wire_version(std::string_view version) {
  return ascii::equal(version, "HTTP/1.0") ? "HTTP/1.0" : "HTTP/1.1";
}

std::string_view wire_target(http::Message& message) {
  const auto bad = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte <= 0x20 || byte >= 0x7F;
  };
  std::string_view target = message.start.target();
  if (target.empty()) return "/";
  if (target.starts_with('?')) target = message.arena.join({"/", target});
  return std::ranges::none_of(target, bad) ? target : message.keep(encoded(target));
}

void drop_blank_members(http::Message& message) {
  std::vector<std::uint32_t> joined;  // origins of values that an LF parted
  for (const Field& field : message.headers) {
    if (field.has(Field::joined)) joined.push_back(field.origin);
  }
  if (joined.empty()) return;
  const std::size_t gone = message.headers.remove_if([&](const Field& field) {
    return field.value().empty() && field.origin != Field::kNew &&
           std::ranges::binary_search(joined, field.origin);
  });
  if (gone != 0) {
    report(message, Level::note, "blank-members",
           std::to_string(gone) + " blank members of values joined by LF left out");
  }
}

bool has_text(const HarEntry& entry) {
  Arena arena;
  const HarSpan content = entry.sides[http::Kind::response][HarMember::content];
  const auto parts = members_of(entry.piece.bytes, content, arena);
  const HarPart* text = find_part(parts, "text");
  if (text == nullptr) return false;
  const char first = entry.piece.bytes[text->value.begin];
  return first == '"' || first == '-' || ascii::is_digit(first);
}

}  // namespace

bool empty_record(const http::Message& request) {
  return request.notes.recorded && request.body != nullptr && !request.body->touched() &&
         request.body->size() == 0U;
}

bool fit_entry_line(const http::Exchange& exchange, http::Message& message) {
  if (exchange.alone()) return true;
  message.start.set_version(wire_version(message.start.version()));
  const bool request = message.kind == http::Kind::request;
  // A response on its own has about:blank in a HAR of ours.
  const bool no_url = exchange.url.empty() || (!request && exchange.url == "about:blank");
  if (!no_url && !is_http_url(exchange.url)) {
    report(message, Level::note, "no-http-url",
           "left out: nothing was asked for over HTTP, the URL is of scheme " +
               ascii::quoted(exchange.url.substr(0, exchange.url.find(':')), 20));
    return false;
  }
  if (request) {
    message.start.set_target(wire_target(message));
    return true;
  }
  if (message.start.status() != 101) return true;
  report(message, Level::note, "status-101",
         "left out: behind a 101 another protocol would follow");
  return false;
}

bool fit_entry_fields(const http::Exchange& exchange, http::Message& message) {
  if (exchange.alone()) return true;
  http::HeaderMap& headers = message.headers;
  drop_blank_members(message);
  const auto drop_label = [&](std::string_view name, bool label_false) {
    return label_false && headers.remove(name) != 0;
  };
  drop_label("Content-Encoding", message.notes.coding_label_false);
  if (drop_label("Transfer-Encoding", message.notes.transfer_label_false))
    headers.remove("Trailer");
  if (message.kind == http::Kind::response) {
    const auto* entry = dynamic_cast<const HarEntry*>(exchange.as_read);
    if (message.body != nullptr && !message.body->touched() && entry != nullptr &&
        !has_text(*entry)) {
      report(message, Level::note, "no-text", "no text is recorded; the body is left empty");
      return message.bodiless_status() || message.body->told_size().value_or(0) == 0;
    }
    return true;
  }
  const std::string_view host = host_of(exchange.url);
  if (!host.empty() && headers.find("Host") == nullptr) {
    // What cannot stand in a value is not the host of any request.
    static_cast<void>(headers.prepend("Host", host));
  }
  if (empty_record(message)) {
    message.body = nullptr;
    message.notes.framing = http::Framing::none;
    const http::Field* const length = headers.find("Content-Length");
    if (length != nullptr && length->value() == "0") return true;
  }
  if (message.body != nullptr || message.notes.framing == http::Framing::withheld) return true;
  const std::size_t lengths =
      headers.remove("Content-Length") + headers.remove("Transfer-Encoding");
  if (lengths != 0) {
    report(message, Level::note, "no-post-data",
           "no body is recorded; the request is written without its length");
  }
  return true;
}

}  // namespace rehead::format
