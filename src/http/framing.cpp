#include "http/framing.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "http/coding.h"
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
  if (old != nullptr && old->value() == value && headers.find_after(old, name) == nullptr) return;
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
  message.log->report(
      {.id = id, .what = std::move(what), .message = message.notes.number, .repair = true});
}

/// A claim the bytes refute.
void warn_of_claim(Message& message, std::string_view id, std::string what) {
  if (!message.notes.recorded) warn(message, id, std::move(what));
}

/// Of equal lengths one is enough: a reader makes one of them.
void keep_first_length(HeaderMap& headers) {
  bool first = true;
  headers.remove_if([&](const Field& field) {
    return ascii::equal(field.name(), kLength) && !std::exchange(first, false);
  });
}

void label_head_alone(Message& message) {
  HeaderMap& headers = message.headers;
  if (message.kind == Kind::request) {
    if (!message.notes.head_complete) return;
    // A request without body gets no length, whatever a step or the input says; a true 0 stays.
    const auto length = content_length(headers);
    const bool zero = length && *length == 0;
    headers.remove_if([&](const Field& field) {
      return ascii::equal(field.name(), kTransfer) ||
             (ascii::equal(field.name(), kLength) && (!zero || field.has(Field::changed)));
    });
    return keep_first_length(headers);
  }
  if (message.start.status() == 205) {
    headers.remove(kTransfer);
    return put_length(headers, 0);
  }
  const bool never = message.interim() || message.start.status() == 204;
  if (message.start.status() == 304 || (message.notes.framing == Framing::withheld && !never)) {
    const bool beside =
        message.notes.length_label_false && message.notes.framing == Framing::withheld;
    const bool coded = headers.find(kTransfer) != nullptr;
    if (const auto length = content_length(headers); !length) {
      warn(message, "content-length-bad", "Content-Length removed: " + length.error().what);
      headers.remove(kLength);
    } else if (beside || (coded && *length)) {
      headers.remove(kLength);
    } else if (*length == 0U) {
      keep_first_length(headers);
    }
    return;
  }
  // RFC 9110 8.6, RFC 9112 6.1: no length and no coding on 1xx, 204 and a 2xx to CONNECT.
  for (const std::string_view name : {kLength, kTransfer}) {
    if (message.headers.remove(name) != 0) {
      warn(message, "framing-without-body",
           std::string(name) + " removed: " +
               (never ? "a " + std::to_string(message.start.status()) : "the answer to CONNECT") +
               " has no body");
    }
  }
}

/// A coding nobody undid keeps its label: without it the bytes would mean something else.
void put_chunked(HeaderMap& headers) {
  const TransferCodings labels = transfer_codings(headers);
  if (labels.foreign.empty() || !labels.chunked_last) put(headers, kTransfer, "chunked");
}

void drop_false_claims(Message& message, const Plan& plan) {
  HeaderMap& headers = message.headers;
  if (false_label(headers, kTransfer, message.notes.transfer_label_false) != nullptr) {
    warn_of_claim(message, "transfer-encoding-false",
         "Transfer-Encoding says chunked but the body is not chunked (curl -i removed the chunks); "
         "re-framed");
    headers.remove(kTransfer);
    headers.remove("Trailer");
  }
  if (false_label(headers, kTransfer, message.notes.inner_label_false) != nullptr) {
    warn_of_claim(message, "transfer-encoding-false",
                  "Transfer-Encoding says " + ascii::quoted(headers.find(kTransfer)->value()) +
                      " but the body is not coded so; label corrected");
    message.notes.framing == Framing::chunked ? put_chunked(headers) : void(headers.remove(kTransfer));
  }
  mend_false_coding(message);
  // Where another length stands in its place, that one has it.
  if (message.notes.length_label_false && plan.way == Plan::Way::as_found &&
      message.notes.framing == Framing::close) {
    headers.remove(kLength);
  }
}

/// The bytes after a 101 are another protocol.
bool is_opaque(const Message& message) {
  return message.notes.framing == Framing::opaque && message.kind == Kind::response &&
         message.start.status() == 101;
}

bool leaves_as_found(const Message& message, const TransferCodings& labels) {
  const bool own_chunks_asked =
      message.delivery.framing == Delivery::Framing::chunked && message.delivery.chunk_size == 0;
  switch (message.notes.framing) {
    case Framing::chunked:
      return labels.chunked_last && message.is_http11() &&
             (message.delivery.framing == Delivery::Framing::as_found || own_chunks_asked);
    case Framing::length:
      return message.delivery.framing != Delivery::Framing::chunked && !labels.chunked;
    case Framing::close:
      return message.kind == Kind::response && !labels.chunked &&
             message.delivery.framing == Delivery::Framing::as_found &&
             (message.headers.find(kLength) == nullptr ||
              false_label(message.headers, kLength, message.notes.length_label_false) != nullptr);
    default:
      return false;
  }
}

/// Puts the trailers that may be merged (RFC 9110 6.5.1: nothing about framing, routing, coding,
/// authentication or cookies) behind the header fields, or drops them, as the chain wants it.
Status settle_trailers(Message& message) {
  constexpr std::array<std::string_view, 9> kNever = {kTransfer,          "Host",
                                                      "Set-Cookie",       "Authorization",
                                                      "Cookie",           "Proxy-Authorization",
                                                      "WWW-Authenticate", "Proxy-Authenticate",
                                                      "Trailer"};
  Delivery::Trailers& wish = message.delivery.trailers;
  if (std::exchange(wish, wish == Delivery::Trailers::keep ? wish : Delivery::Trailers::drop) !=
      Delivery::Trailers::merge) {
    return {};
  }
  message.trailers.remove_if([&](const Field& trailer) {
    const auto is_it = [&](std::string_view name) { return ascii::equal(name, trailer.name()); };
    return std::ranges::any_of(kNever, is_it) || ascii::starts_with(trailer.name(), "Content-");
  });
  return message.headers.append(message.trailers);
}

Plan plan_delivery(const Message& message, const Policy& policy, const Held& held) {
  using Way = Plan::Way;
  if (message.body == nullptr) return {};
  if (is_opaque(message)) return {.way = Way::as_found};
  if (message.bodiless_status()) {
    return message.notes.recorded ? Plan{.way = Way::as_found, .keeps_fields = true} : Plan{};
  }
  const Body& body = *message.body;
  TransferCodings labels = transfer_codings(message.headers);
  if (message.notes.transfer_label_false) labels = {};
  if (!body.touched() && leaves_as_found(message, labels)) return {.way = Way::as_found};
  const bool request = message.kind == Kind::request;
  const bool length_asked = message.delivery.framing == Delivery::Framing::length;
  const bool chunked_asked =
      message.delivery.framing == Delivery::Framing::chunked || labels.chunked;
  const bool may_chunk = message.is_http11() && !length_asked;
  // RFC 9112 6.3: a request cannot end where the connection does, and what followed chunks or a
  // length would be read as the body.
  const bool may_close = !request && (message.notes.framing == Framing::close ||
                                      message.notes.framing == Framing::decoded);
  if (may_chunk && chunked_asked) return {.way = Way::chunked};
  if (held.broken) return {.way = request && message.is_http11() ? Way::chunked : Way::close};
  const bool merge = message.delivery.trailers == Delivery::Trailers::merge;
  const auto size = held.size || merge ? held.size : body.size();
  if (size) {
    const bool nothing = *size == 0 && request && !body.touched() && !length_asked;
    return {.way = nothing ? Way::head : Way::length, .size = *size};
  }
  if ((held.too_long || body.too_long()) && may_chunk) return {.way = Way::chunked};
  if (!length_asked && (may_chunk || may_close) &&
      (policy.limits.hold == 0 || is_live_type(media_type(message.headers)))) {
    return {.way = may_chunk ? Way::chunked : Way::close};
  }
  return {.way = Way::hold, .in_chunks = may_chunk};
}

void label(Message& message, const Plan& plan) {
  using Way = Plan::Way;
  HeaderMap& headers = message.headers;
  if (plan.way == Way::head || is_opaque(message)) return label_head_alone(message);
  drop_false_claims(message, plan);
  // No coding makes zero bytes of nothing.
  if (plan.way == Way::length && plan.size == 0 && message.body->touched()) {
    headers.remove("Content-Encoding");
  }
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
      if (message.notes.framing == Framing::length) {
        headers.remove(kTransfer);
        put_length(headers, message.notes.declared);
      } else if (message.notes.framing == Framing::chunked) {
        headers.remove(kLength);
        const Field* coding = headers.find(kTransfer);
        const bool plain =
            ascii::equal(coding->value(), "chunked") || !transfer_codings(headers).inner.empty();
        if (!plain || headers.find_after(coding, kTransfer) != nullptr) put_chunked(headers);
      }
      return;
    case Way::hold:
    case Way::head:
      return;
  }
}

/// Of a body that nobody reads any more: it is read to its end, where its faults show.
Result<bool> has_bytes(const Body& body) {
  if (body.size()) return *body.size() != 0;
  bool any = false;
  while (true) {
    const auto piece = body.content().pull();
    if (!piece) return fail(Error(piece.error()));
    if (piece->kind == Piece::Kind::end) return any;
    any = any || piece->kind == Piece::Kind::bytes;
  }
}

}  // namespace

void trust_label(Message& message, std::string_view name) {
  if (ascii::equal(name, "Content-Encoding")) message.notes.coding_label_false = false;
  if (ascii::equal(name, kTransfer)) message.notes.transfer_label_false = false;
  if (ascii::equal(name, kLength)) message.notes.length_label_false = false;
}

bool is_unsettled(const Message& message) {
  return message.delivery.framing != Delivery::Framing::as_found ||
         message.delivery.trailers != Delivery::Trailers::keep ||
         (message.body != nullptr && message.body->touched()) ||
         // A step took the coding's label away, whose length it was.
         (message.notes.length_label_false && !message.notes.recorded && message.headers.changed() &&
          message.headers.find("Content-Encoding") == nullptr);
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
        codings.inner.push_back(Coding::gzip);
      } else if (ascii::equal(token, "deflate")) {
        codings.inner.push_back(Coding::deflate);
      } else if (!codings.chunked_last) {
        codings.odd = true;
        codings.foreign = item;
        codings.inner.clear();  // what stands beneath it cannot be reached
      }
    });
  });
  return codings;
}

Result<Plan> settle(Message& message, const Policy& policy, const Held& held) {
  const Plan plan = plan_delivery(message, policy, held);
  if (plan.way == Plan::Way::hold || plan.keeps_fields) return plan;
  if (plan.way == Plan::Way::length) {
    if (auto done = settle_trailers(message); !done) return fail(std::move(done.error()));
  }
  label(message, plan);
  return plan;
}

Framing framing_of(const Message& message, const Plan& plan) {
  switch (plan.way) {
    case Plan::Way::length:
      return Framing::length;
    case Plan::Way::chunked:
      return Framing::chunked;
    case Plan::Way::close:
      return Framing::close;
    default:
      return message.notes.framing;
  }
}

Status leave_out_body(Message& message, const Policy& policy) {
  const bool request = message.kind == Kind::request;
  if (message.body == nullptr) {
    if (!request || !message.notes.head_complete) return {};
    const auto length = content_length(message.headers);
    const bool named =
        message.notes.framing == Framing::withheld || !length || length->value_or(0) != 0;
    const Field* changed = message.headers.find(kLength);
    const bool by_hand = changed != nullptr && changed->has(Field::changed);
    if (!named || (by_hand && message.notes.framing != Framing::withheld)) return {};
    return fail({Errc::transform, "body-missing",
                 "the body of this request was left out of the input, nothing can stand for it",
                 "make the NDJSON without --no-body"});
  }
  if (!message.bodiless_status() || is_opaque(message)) return {};
  const auto any = has_bytes(*message.body);
  if (!any) return fail(Error(any.error()));
  if (*any && !message.notes.recorded && (policy.strict() || policy.in_place)) {
    return fail({Errc::syntax, "body-205",
                 "a " + std::to_string(message.start.status()) + " with a body",
                 "without -I and --strict it is left out"});
  }
  if (*any) {
    message.log->report(
        {.level = message.notes.recorded ? Level::note : Level::warning,
         .id = "body-left-out",
         .what = "the body of a " + std::to_string(message.start.status()) + " left out",
         .message = message.notes.number,
         .repair = true});
  }
  message.body = nullptr;
  if (message.notes.framing != Framing::withheld) message.notes.framing = Framing::none;
  return {};
}

bool may_be_trailer(std::string_view name) {
  return !ascii::equal(name, kLength) && !ascii::equal(name, kTransfer);
}

}  // namespace rehead::http
