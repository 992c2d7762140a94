// What the head says about the body, and what the head must say on the way out.
// In: the labels Content-Length, Transfer-Encoding, Content-Encoding (RFC 9112 6, RFC
// 9110 8.4, 8.6). Out: fields that are true of what is written. Which of the labels the bytes
// bear out is the source's to find.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "http/message.h"
#include "http/policy.h"

namespace rehead::http {

/// The one length all Content-Length fields agree on (`6,06,6` is 6), none if there is no such
/// field. Error: two different lengths, a sign, a base, an empty value, more than 2^63-1.
Result<std::optional<std::uint64_t>> content_length(const HeaderMap& headers);

/// Transfer-Encoding over all its fields, empty list members ignored, names in any case.
struct TransferCodings {
  bool any = false;           // there is a coding besides identity
  bool chunked = false;       // chunked is among them; the bytes decide whether it is so
  bool chunked_last = false;  // and is the last one (RFC 9112 6.1)
  bool odd = false;  // chunked is not last, a coding is unknown, or the list is badly written
  Codings inner;  // gzip and deflate beneath chunked or alone, outermost last
  std::string_view foreign;     // a coding that is none of these: its bytes stay as they are
};
TransferCodings transfer_codings(const HeaderMap& headers);

/// How a message leaves.
struct Plan {
  enum class Way : std::uint8_t {
    head,      // the head alone
    as_found,  // Body::coded(), under the labels it came with
    length,    // Body::content() under Content-Length `size`
    chunked,   // Body::content() in chunks of our own
    close,     // Body::content() to the end, no label
    hold,      // the size is unknown: hold Body::content() and ask again
  };
  Way way = Way::head;
  std::uint64_t size = 0;    // Way::length
  bool in_chunks = false;    // Way::hold: not beyond Limits::hold, longer content leaves in chunks
  bool keeps_fields = false;  // the fields tell of the wire and stay, whatever leaves
};

/// What is known of the content when its framing is settled.
struct Held {
  std::optional<std::uint64_t> size = {};  // it is held whole: its bytes
  bool too_long = false;                   // more than Limits::hold of it
  bool broken = false;                     // it broke off: nothing may claim that it is complete
};

/// The one settling of framing, for every output: decides from the bytes at hand, status, method
/// and version how the message leaves, and makes the framing fields say so: exactly one of
/// Content-Length and Transfer-Encoding, or none. What the input claimed is a hint. Reports a claim
/// that was found false, once. Way::hold: nothing is settled yet, call again with what was held.
/// A recorded body beside a status that has none (HAR: 304) keeps its fields: Plan::keeps_fields;
/// raw HTTP leaves such a body out first (leave_out_body).
Result<Plan> settle(Message& message, const Policy& policy, const Held& held = {});

/// How a body that leaves by `plan` stands in the output.
Framing framing_of(const Message& message, const Plan& plan);

/// For raw HTTP: takes away a body that status rules out, with a finding. Error: a request whose
/// head tells of a body that was left out of the input (--no-body); its reader would take what
/// follows for it.
Status leave_out_body(Message& message, const Policy& policy);

/// False for the fields that frame a message: a trailer section never holds them (RFC 9110 6.5.1).
bool may_be_trailer(std::string_view name);

/// A step gave the field of that name its value by hand: what the source found out about the label
/// no longer counts.
void trust_label(Message& message, std::string_view name);

/// What settle() writes and takes out.
inline constexpr std::array<std::string_view, 3> kFramingFields = {"Content-Length",
                                                                   "Transfer-Encoding", "Trailer"};

/// True if a step changed how the message leaves, so that its framing fields do not say it yet.
bool is_unsettled(const Message& message);

}  // namespace rehead::http
