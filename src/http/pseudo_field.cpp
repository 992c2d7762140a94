#include "http/pseudo_field.h"

#include <algorithm>
#include <charconv>

#include "http/field_value.h"
#include "http/url.h"

namespace rehead::http {
namespace {

constexpr std::array<std::string_view, 18> kNames = {
    "status", "reason", "version", "method", "url",   "scheme",  "host", "path", "query",
    "type",   "size",   "kind",    "file",   "entry", "message", "time", "ms",   "body",
};

using Text = std::optional<std::string_view>;

Text unless_empty(std::string_view text) { return text.empty() ? Text() : Text(text); }

/// A number as text, kept as long as one of the messages.
Text number(std::uint64_t value, const Exchange& exchange) {
  Message* keeper = subject_of(exchange);
  if (value == 0 || keeper == nullptr) return std::nullopt;
  std::array<char, 20> digits;
  char* end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return keeper->keep({digits.data(), static_cast<std::size_t>(end - digits.data())});
}

std::string_view host_field(const Message& request) {
  const Field* field = request.headers.find("Host");
  return field == nullptr ? std::string_view() : field->value();
}

Text host_of(const Exchange& exchange) {
  if (exchange.request == nullptr && exchange.url.empty()) return std::nullopt;
  if (!exchange.url.empty()) return unless_empty(split_url(exchange.url).host());
  const Message& request = *exchange.request;
  // RFC 9112 3.2.2: an absolute target outweighs Host; 3.2.3: CONNECT has the authority alone.
  const Url target = split_url(request.start.target());
  if (!target.scheme.empty()) return unless_empty(target.host());
  if (request.start.method() == "CONNECT")
    return unless_empty(without_port(request.start.target()));
  return unless_empty(without_port(host_field(request)));
}

/// URL or target of the request, whatever it is, in parts.
std::optional<Url> parts_of(const Exchange& exchange) {
  if (!exchange.url.empty()) return split_url(exchange.url);
  if (exchange.request == nullptr || exchange.request->start.method() == "CONNECT")
    return std::nullopt;
  return split_url(exchange.request->start.target());
}

Text kind_of(const Exchange& exchange, const Message* subject) {
  if (!exchange.alone()) return "exchange";
  if (subject == nullptr) return std::nullopt;
  return subject->kind == Kind::request ? "request" : "response";
}

Text status_of(const Exchange& exchange) {
  return exchange.response == nullptr ? Text()
                                      : number(exchange.response->start.status(), exchange);
}

}  // namespace

std::span<const std::string_view> pseudo_fields() { return kNames; }

std::string_view name_of(PseudoField field) { return kNames[static_cast<std::size_t>(field)]; }

std::optional<PseudoField> find_pseudo_field(std::string_view name) {
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<PseudoField>(found - kNames.begin());
}

bool is_start_line(std::string_view name) {
  return name == "status" || name == "reason" || name == "version" || name == "method" ||
         name == "url" || name == "path";
}

bool is_of_message(PseudoField field) {
  return field == PseudoField::version || field == PseudoField::type ||
         field == PseudoField::size || field == PseudoField::body;
}

Message* subject_of(const Exchange& exchange, Side side) {
  if (exchange.alone() || side == Side::both) {
    return exchange.response != nullptr ? exchange.response : exchange.request;
  }
  return side == Side::request ? exchange.request : exchange.response;
}

Text url_of(const Exchange& exchange) {
  if (!exchange.url.empty()) return exchange.url;
  if (exchange.request == nullptr) return std::nullopt;
  Message& request = *exchange.request;
  const std::string_view host = host_field(request);
  const bool whole =
      !split_url(request.start.target()).scheme.empty() || request.start.method() == "CONNECT";
  if (whole || host.empty()) return request.start.target();
  const std::string_view target =
      request.start.target() == "*" ? std::string_view() : request.start.target();
  return request.arena.join({"http://", host, target});
}

Text text_of(PseudoField field, const Exchange& exchange, const Message* subject) {
  const Message* request = exchange.request;
  switch (field) {
    case PseudoField::status:
      return status_of(exchange);
    case PseudoField::reason:
      return exchange.response == nullptr ? Text()
                                          : unless_empty(exchange.response->start.reason());
    case PseudoField::version:
      return subject == nullptr ? Text() : unless_empty(subject->start.version());
    case PseudoField::method:
      return request == nullptr ? Text() : unless_empty(request->start.method());
    case PseudoField::url:
      return url_of(exchange);
    case PseudoField::scheme: {
      const Text url = url_of(exchange);
      return url ? unless_empty(split_url(*url).scheme) : Text();
    }
    case PseudoField::host:
      return host_of(exchange);
    case PseudoField::path: {
      const auto parts = parts_of(exchange);
      return parts ? unless_empty(parts->path) : Text();
    }
    case PseudoField::query: {
      const auto parts = parts_of(exchange);
      return parts && parts->has_query ? Text(parts->query) : Text();
    }
    case PseudoField::type:
      return subject == nullptr ? Text() : unless_empty(media_type(subject->headers));
    case PseudoField::kind:
      return kind_of(exchange, subject);
    case PseudoField::file:
      return exchange.file;
    case PseudoField::entry:
      return number(exchange.number, exchange);
    case PseudoField::message: {
      const Message* counted = subject_of(exchange);
      return counted == nullptr ? Text() : number(counted->notes.number, exchange);
    }
    case PseudoField::time:
      return unless_empty(exchange.time);
    case PseudoField::ms:
      return unless_empty(exchange.ms);
    case PseudoField::size:
    case PseudoField::body:
      break;
  }
  return std::nullopt;
}

}  // namespace rehead::http
