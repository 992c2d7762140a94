#include "transform/pseudo_edit.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "http/framing.h"
#include "http/reason.h"
#include "http/url.h"
#include "transform/transform.h"

namespace rehead::transform {
namespace {

using http::Message;
using http::PseudoField;

constexpr std::array kChangeable = {PseudoField::status, PseudoField::reason, PseudoField::version,
                                    PseudoField::method, PseudoField::url,    PseudoField::host,
                                    PseudoField::path};

tl::unexpected<Error> refuse(PseudoField field, std::string_view value, std::string hint) {
  return fail({Errc::usage, "pseudo-field",
               ascii::quoted(value) + " is no " + std::string(http::name_of(field)),
               std::move(hint)});
}

/// RFC 9112 3.2: no blanks and no controls.
bool is_target(std::string_view text) {
  return !text.empty() && std::ranges::none_of(text, [](char c) {
    return c == ' ' || c == '\t' || c == '#' || ascii::is(c, ascii::kControl);
  });
}

/// The authority with another host; its user stays, its port unless `host` has one.
std::string_view with_host(Message& request, std::string_view authority, std::string_view host) {
  const std::size_t at = authority.rfind('@');
  const std::string_view user =
      at == std::string_view::npos ? std::string_view() : authority.substr(0, at + 1);
  const std::string_view old = authority.substr(user.size());
  const bool ported = http::without_port(host).size() != host.size();
  const std::string_view port =
      ported ? std::string_view() : old.substr(http::without_port(old).size());
  return request.arena.join({user, host, port});
}

std::string_view joined(Message& request, const http::Url& url, std::string_view authority,
                        std::string_view path) {
  const std::string_view mark = url.has_query ? "?" : "";
  const std::string_view hash = url.fragment.empty() ? "" : "#";
  if (url.scheme.empty()) return request.arena.join({path, mark, url.query, hash, url.fragment});
  return request.arena.join(
      {url.scheme, "://", authority, path, mark, url.query, hash, url.fragment});
}

/// Host says what the URL says (RFC 9112 3.2); an entry without it gets none.
Status put_host_field(http::Exchange& exchange, std::string_view host) {
  Message& request = *exchange.request;
  const http::Field* old = request.headers.find("Host");
  if (old == nullptr && !exchange.alone()) return {};
  return request.headers.set(old != nullptr ? old->name() : "Host", host);
}

Status put_host(http::Exchange& exchange, std::string_view host) {
  Message& request = *exchange.request;
  const http::Url target = http::split_url(request.start.target());
  if (!target.scheme.empty()) {
    request.start.set_target(
        joined(request, target, with_host(request, target.authority, host), target.path));
  } else if (request.start.method() == "CONNECT") {
    request.start.set_target(with_host(request, request.start.target(), host));
  }
  if (!exchange.url.empty()) {
    const http::Url url = http::split_url(exchange.url);
    exchange.url = joined(request, url, with_host(request, url.authority, host), url.path);
  }
  const http::Field* old = request.headers.find("Host");
  const std::string_view before = old != nullptr ? old->value() : std::string_view();
  return put_host_field(exchange, with_host(request, before, host));
}

void put_path(http::Exchange& exchange, std::string_view path) {
  Message& request = *exchange.request;
  const http::Url target = http::split_url(request.start.target());
  request.start.set_target(joined(request, target, target.authority, path));
  if (exchange.url.empty()) return;
  const http::Url url = http::split_url(exchange.url);
  exchange.url = joined(request, url, url.authority, path);
}

Status put_url(http::Exchange& exchange, std::string_view text) {
  Message& request = *exchange.request;
  const http::Url url = http::split_url(text);
  const std::string before(http::url_of(exchange).value_or(std::string_view()));
  const bool absolute = !http::split_url(request.start.target()).scheme.empty();
  const std::string_view kept = request.keep(text);
  const bool rooted = url.target().starts_with('/');
  request.start.set_target(absolute ? kept : request.arena.join({rooted ? "" : "/", url.target()}));
  exchange.url = kept;
  // A Host that is another than the URL's stays so where the authority does.
  if (http::split_url(before).authority == url.authority) return {};
  const std::size_t at = url.authority.rfind('@');
  return put_host_field(
      exchange, at == std::string_view::npos ? url.authority : url.authority.substr(at + 1));
}

/// A stand-alone response keeps the URL for the exchange it becomes; host and path change that one.
void put_url_alone(PseudoField field, std::string_view value, http::Exchange& exchange) {
  if (exchange.response == nullptr) return;  // an entry of neither half
  Message& response = *exchange.response;
  if (field == PseudoField::url) exchange.url = response.keep(value);
  if (exchange.url.empty()) return;
  const http::Url url = http::split_url(exchange.url);
  if (field == PseudoField::host) {
    exchange.url = joined(response, url, with_host(response, url.authority, value), url.path);
  }
  if (field == PseudoField::path) exchange.url = joined(response, url, url.authority, value);
}

/// A HAR of HTTP/2 has the parts of the start line among its headers, too (RFC 9113 8.3).
Status mirror(Message* message, std::string_view name, std::string_view value) {
  const http::Field* field = message == nullptr ? nullptr : message->headers.find(name);
  if (field == nullptr || field->value() == value) return {};
  return message->headers.replace(*field, field->name(), std::span(&value, 1));
}

Status mirror_all(http::Exchange& exchange) {
  if (exchange.alone()) return {};
  if (exchange.response != nullptr) {
    const std::string status = std::to_string(exchange.response->start.status());
    if (auto done = mirror(exchange.response, ":status", status); !done) return done;
  }
  if (exchange.request == nullptr) return {};
  const http::Url url = http::split_url(exchange.url);
  const std::string_view host = url.authority.substr(url.authority.rfind('@') + 1);
  for (const auto& [name, value] : {std::pair{":method", exchange.request->start.method()},
                                    {":authority", host},
                                    {":path", url.target()},
                                    {":scheme", url.scheme}}) {
    if (value.empty()) continue;
    if (auto done = mirror(exchange.request, name, value); !done) return done;
  }
  return {};
}

}  // namespace

Result<PseudoField> take_pseudo(std::string_view& text, bool with_body) {
  const std::string_view name = text.substr(1, text.find(':', 1) - 1);
  const auto field = http::find_pseudo_field(name);
  const bool fits = field && (std::ranges::find(kChangeable, *field) != kChangeable.end() ||
                              (with_body && field == PseudoField::body));
  if (!fits || name.size() + 1 == text.size()) {
    std::string known = "NAME, or one of";
    for (const PseudoField each : kChangeable) known += " :" + std::string(http::name_of(each));
    if (with_body) known += " :body";
    const std::string typed = ascii::quoted(text.substr(0, name.size() + 1));
    return fail({Errc::usage, "pseudo-field",
                 fits ? "a colon after " + typed + " is missing" : typed + " cannot be changed",
                 std::move(known)});
  }
  text.remove_prefix(name.size() + 2);
  return *field;
}

Status PseudoEdit::check(PseudoField field, std::string_view value) {
  switch (field) {
    case PseudoField::status:
      if (value.size() != 3 || !ascii::decimal(value) || value[0] == '0') {
        return refuse(field, value, "three digits: 503");
      }
      if (value == "101") return refuse(field, value, "all that follows a 101 is no HTTP");
      return {};
    case PseudoField::reason:
      return http::check_field("reason", value);
    case PseudoField::version:
      if (value != "HTTP/1.0" && value != "HTTP/1.1" && value != "HTTP/2" && value != "HTTP/3") {
        return refuse(field, value, "HTTP/1.0, HTTP/1.1, HTTP/2 or HTTP/3");
      }
      return {};
    case PseudoField::method:
      return ascii::is_token(value) ? Status() : refuse(field, value, "a word such as GET");
    case PseudoField::url: {
      const http::Url url = http::split_url(value);
      if (!is_target(value.substr(0, value.find('#'))) || url.host().empty() ||
          !http::check_field("url", url.fragment)) {
        return refuse(field, value, "http://HOST/PATH, without blanks");
      }
      return {};
    }
    case PseudoField::host:
      if (!is_target(value) || value.find_first_of("/?@") != std::string_view::npos) {
        return refuse(field, value, "HOST or HOST:PORT");
      }
      return {};
    default:
      if (!is_target(value) || value.find('?') != std::string_view::npos ||
          (!value.starts_with('/') && value != "*")) {
        return refuse(field, value, "it begins with a slash; the query stays: change :url");
      }
      return {};
  }
}

bool PseudoEdit::has_place(PseudoField field, const http::Exchange& exchange) {
  if (field == PseudoField::version || field == PseudoField::url) return true;
  if (field == PseudoField::status || field == PseudoField::reason) {
    return exchange.response != nullptr;
  }
  return exchange.request != nullptr ||
         (field != PseudoField::method && !exchange.url.empty());
}

Status PseudoEdit::put(PseudoField field, std::string_view value, http::Exchange& exchange,
                       http::Side side) {
  auto done = put_one(field, value, exchange, side);
  return done ? mirror_all(exchange) : done;
}

Status PseudoEdit::put_one(PseudoField field, std::string_view value, http::Exchange& exchange,
                           http::Side side) {
  if (field == PseudoField::version && side == http::Side::both && !exchange.alone()) {
    for (const http::Side half : {http::Side::request, http::Side::response}) {
      if (auto done = put_one(field, value, exchange, half); !done) return done;
    }
    return {};
  }
  if (field == PseudoField::version) {
    Message* message = http::subject_of(exchange, side);
    if (message == nullptr || message->start.version() == value) return {};
    message->start.set_version(message->keep(value));
    return {};
  }
  if (field == PseudoField::status || field == PseudoField::reason) {
    Message* response = exchange.response;
    if (response == nullptr) return {};
    if (field == PseudoField::status) {
      put_status(*response, static_cast<unsigned>(*ascii::decimal(value)));
    } else if (response->start.reason() != value) {
      response->start.set_reason(response->keep(value));
    }
    return {};
  }
  if (exchange.request == nullptr) {
    put_url_alone(field, value, exchange);
    return {};
  }
  Message& request = *exchange.request;
  if (field == PseudoField::method) {
    if (request.start.method() == value) return {};
    request.start.set_method(request.keep(value));
    return {};
  }
  if (http::text_of(field, exchange, &request) == value) return {};
  const bool pathless = request.start.method() == "CONNECT" || request.start.target() == "*";
  if (pathless && field != PseudoField::host) {
    report(request, exchange,
           {.id = "pseudo-field",
            .what = "the target " + ascii::quoted(request.start.target()) +
                    " has no path, left as it is"});
    return {};
  }
  if (field == PseudoField::host) return put_host(exchange, value);
  if (field == PseudoField::url) return put_url(exchange, value);
  put_path(exchange, value);
  return {};
}

/// RFC 9110 15: which statuses have content. HTTP/2 and later have no reason.
void PseudoEdit::put_status(Message& message, unsigned status) {
  if (message.start.status() == status) return;
  const bool had_none = message.body == nullptr && message.notes.framing == http::Framing::none;
  message.start.set_status(status);
  message.start.set_reason(message.start.version().starts_with("HTTP/1") ? http::reason_of(status)
                                                                         : "");
  if (message.bodiless_status() && status != 205) {
    if (status != 304) {
      for (const std::string_view name : http::kFramingFields) message.headers.remove(name);
    }
    message.delivery.discarded = message.body != nullptr;
    message.body = nullptr;
    message.notes.framing = http::Framing::none;
  } else if (had_none) {
    nothing_.start({});
    empty_.start(nothing_, nothing_, 0);
    message.body = &empty_;
    message.notes.framing = http::Framing::length;
    message.notes.declared = 0;
  }
}

}  // namespace rehead::transform
