#include "http/framing.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "http/field_value.h"

namespace rehead::http {
namespace {

constexpr std::string_view kLength = "Content-Length";
constexpr std::string_view kTransfer = "Transfer-Encoding";

Error bad_length(std::string_view id, std::string what) {
  return {Errc::syntax, id, std::move(what), "--lenient drops them and reads to the next message"};
}

/// Sets a framing field in its old place and spelling, else at the end.
void put(HeaderMap& headers, std::string_view name, std::string_view value) {
  const Field* old = headers.find(name);
  // The name is ours and the value digits or a token: this cannot fail.
  [[maybe_unused]] const auto done = headers.set(old != nullptr ? old->name() : name, value);
}

void put_length(HeaderMap& headers, std::uint64_t size) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), size).ptr;
  put(headers, kLength, {digits.data(), static_cast<std::size_t>(end - digits.data())});
}

/// A label the source found false.
const Field* false_label(const HeaderMap& headers, std::string_view name, bool noted) {
  return noted ? headers.find(name) : nullptr;
}

void warn(Message& message, std::string_view id, std::string what) {
  message.log->report({.id = id, .what = std::move(what), .message = message.number});
}

/// A claim the bytes refute.
void warn_of_claim(Message& message, std::string_view id, std::string what) {
  if (!message.recorded) warn(message, id, std::move(what));
}

void label_head_alone(Message& message) {
  HeaderMap& headers = message.headers;
  if (message.kind == Kind::request && message.framing == Framing::none) {
    // A request without body gets no length, whatever a step says.
    headers.remove_if([](const Field& field) {
      return field.has(Field::changed) &&
             (ascii::equal(field.name(), kLength) || ascii::equal(field.name(), kTransfer));
    });
    return;
  }
  if (message.status == 205) {
    if (message.body != nullptr && message.body->size().value_or(1) != 0) {
      warn(message, "body-205", "the body of a 205 dropped");
    }
    headers.remove(kTransfer);
    return put_length(headers, 0);
  }
  if (message.framing == Framing::withheld || message.status == 304) {
    const bool beside = message.length_label_false && message.framing == Framing::withheld;
    const bool coded = headers.find(kTransfer) != nullptr;
    if (const auto length = content_length(headers); !length) {
      warn(message, "content-length-bad", "Content-Length removed: " + length.error().what);
      headers.remove(kLength);
    } else if (beside || (coded && *length)) {
      headers.remove(kLength);
    }
    return;
  }
  // RFC 9110 8.6, RFC 9112 6.1: no length and no coding on 1xx, 204 and a 2xx to CONNECT.
  for (const std::string_view name : {kLength, kTransfer}) {
    if (message.headers.remove(name) != 0) {
      warn(message, "framing-without-body",
           std::string(name) + " removed: a " + std::to_string(message.status) + " has no body");
    }
  }
}

void drop_false_claims(Message& message) {
  HeaderMap& headers = message.headers;
  if (false_label(headers, kTransfer, message.transfer_label_false) != nullptr) {
    warn_of_claim(message, "transfer-encoding-false",
         "Transfer-Encoding says chunked but the body is not chunked (curl -i removed the chunks); "
         "re-framed");
    headers.remove(kTransfer);
    headers.remove("Trailer");
  }
  drop_false_coding(message);
  if (false_label(headers, kLength, message.length_label_false) != nullptr &&
      message.framing != Framing::decoded) {
    headers.remove(kLength);
  }
}

/// A coding nobody undid keeps its label: without it the bytes would mean something else.
void put_chunked(HeaderMap& headers) {
  const TransferCodings labels = transfer_codings(headers);
  if (labels.foreign.empty() || !labels.chunked_last) put(headers, kTransfer, "chunked");
}

bool leaves_as_found(const Message& message, const TransferCodings& labels) {
  const bool own_chunks_asked =
      message.delivery.framing == Delivery::Framing::chunked && message.delivery.chunk_size == 0;
  switch (message.framing) {
    case Framing::opaque:
      return true;
    case Framing::chunked:
      return labels.chunked_last && message.is_http11() &&
             (message.delivery.framing == Delivery::Framing::as_found || own_chunks_asked);
    case Framing::length:
      return message.delivery.framing != Delivery::Framing::chunked && !labels.chunked;
    case Framing::close:
      return message.delivery.framing == Delivery::Framing::as_found && !labels.chunked &&
             (message.headers.find(kLength) == nullptr ||
              false_label(message.headers, kLength, message.length_label_false) != nullptr);
    default:
      return false;
  }
}

}  // namespace

void trust_label(Message& message, std::string_view name) {
  if (ascii::equal(name, "Content-Encoding")) message.coding_label_false = false;
  if (ascii::equal(name, kTransfer)) message.transfer_label_false = false;
  if (ascii::equal(name, kLength)) message.length_label_false = false;
}

bool is_unsettled(const Message& message) {
  return message.delivery.framing != Delivery::Framing::as_found ||
         (message.body != nullptr && message.body->touched());
}

Result<std::optional<std::uint64_t>> content_length(const HeaderMap& headers) {
  std::optional<std::uint64_t> length;
  std::optional<Error> error;
  headers.for_each(kLength, [&](const Field& field) {
    std::string_view rest = field.value();
    while (!error) {
      const std::size_t comma = rest.find(',');
      const std::string_view member = ascii::trim(rest.substr(0, comma));
      const auto number = ascii::decimal(member);
      if (!number) {
        error = bad_length("content-length-bad", "Content-Length is no number");
      } else if (length && *length != *number) {
        error = bad_length("content-length-differs", "two different Content-Length values");
      }
      length = number;
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
  });
  if (error) return fail(std::move(*error));
  return length;
}

TransferCodings transfer_codings(const HeaderMap& headers) {
  TransferCodings codings;
  headers.for_each(kTransfer, [&](const Field& field) {
    codings.odd = codings.odd || field.value().starts_with(',') || field.value().ends_with(',');
    for_each_item(field.value(), [&](std::string_view item) {
      const std::string_view token = without_parameters(item);
      if (ascii::equal(token, "identity")) {
        codings.chunked_last = false;
        codings.odd = true;
        return;
      }
      codings.any = true;
      codings.odd = codings.odd || codings.chunked;
      codings.chunked_last = ascii::equal(token, "chunked");
      codings.chunked = codings.chunked || codings.chunked_last;
      if (ascii::equal(token, "gzip") || ascii::equal(token, "x-gzip")) {
        codings.inner = Coding::gzip;
      } else if (ascii::equal(token, "deflate")) {
        codings.inner = Coding::deflate;
      } else if (!codings.chunked_last) {
        codings.odd = true;
        codings.foreign = item;
      }
    });
  });
  return codings;
}

void drop_false_coding(Message& message) {
  const Field* coding =
      false_label(message.headers, "Content-Encoding", message.coding_label_false);
  if (coding == nullptr) return;
  warn_of_claim(message, "content-encoding-false",
       "Content-Encoding says " + ascii::quoted(coding->value()) +
           " but the body is not coded (curl --compressed decoded it); label dropped");
  message.headers.remove("Content-Encoding");
}

Status merge_trailers(Message& message) {
  constexpr std::array<std::string_view, 9> kNever = {kTransfer,          "Host",
                                                      "Set-Cookie",       "Authorization",
                                                      "Cookie",           "Proxy-Authorization",
                                                      "WWW-Authenticate", "Proxy-Authenticate",
                                                      "Trailer"};
  for (const Field& trailer : message.trailers) {
    const auto is_trailer = [&](std::string_view name) {
      return ascii::equal(name, trailer.name());
    };
    if (std::ranges::any_of(kNever, is_trailer) || ascii::starts_with(trailer.name(), "Content-")) {
      continue;
    }
    if (auto done = message.headers.append(trailer.name(), trailer.value()); !done) return done;
  }
  return {};
}

Plan plan_delivery(const Message& message, const Policy& policy) {
  using Way = Plan::Way;
  if (message.body == nullptr || message.status == 205) return {};
  if (message.framing == Framing::opaque) return {.way = Way::as_found};
  const Body& body = *message.body;
  const bool claim_false =
      false_label(message.headers, kTransfer, message.transfer_label_false) != nullptr;
  TransferCodings labels = transfer_codings(message.headers);
  if (claim_false) labels = {};
  if (!body.touched() && leaves_as_found(message, labels)) return {.way = Way::as_found};
  const bool length_asked = message.delivery.framing == Delivery::Framing::length;
  const bool chunked_asked =
      message.delivery.framing == Delivery::Framing::chunked || labels.chunked;
  const bool may_chunk = message.is_http11() && !length_asked;
  const bool may_close = message.kind == Kind::response;  // RFC 9112 6.3: a request cannot be
  if (may_chunk && chunked_asked) return {.way = Way::chunked};
  if (body.size()) return {.way = Way::length, .size = *body.size()};
  if (!length_asked && (may_chunk || may_close) &&
      (policy.limits.hold == 0 || is_live_type(media_type(message.headers)))) {
    return {.way = may_chunk ? Way::chunked : Way::close};
  }
  return {.way = Way::hold, .too_long = may_chunk ? Way::chunked : Way::length};
}

void label(Message& message, const Plan& plan) {
  using Way = Plan::Way;
  HeaderMap& headers = message.headers;
  const bool opaque = message.framing == Framing::opaque;  // the head of a 101 stands alone
  if (plan.way == Way::head || opaque) return label_head_alone(message);
  drop_false_claims(message);
  switch (plan.way) {
    case Way::length:
      if (headers.remove(kTransfer) != 0) headers.remove("Trailer");
      return put_length(headers, plan.size);
    case Way::chunked:
      headers.remove(kLength);
      return put_chunked(headers);
    case Way::close:
      headers.remove(kLength);
      headers.remove(kTransfer);
      return;
    case Way::as_found:
      if (message.framing == Framing::length) {
        headers.remove(kTransfer);
        put_length(headers, message.declared);
      } else if (message.framing == Framing::chunked) {
        headers.remove(kLength);
        const Field* coding = headers.find(kTransfer);
        const bool plain =
            ascii::equal(coding->value(), "chunked") || transfer_codings(headers).inner.has_value();
        if (!plain || headers.find_after(coding, kTransfer) != nullptr) put_chunked(headers);
      }
      return;
    case Way::hold:
    case Way::head:
      return;
  }
}

}  // namespace rehead::http
