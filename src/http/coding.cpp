#include "http/coding.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "http/field_value.h"

namespace rehead::http {
namespace {

constexpr std::string_view kLabel = "Content-Encoding";

constexpr std::array<std::pair<Coding, std::string_view>, 4> kTokens = {{
    {Coding::gzip, "gzip"},
    {Coding::deflate, "deflate"},
    {Coding::br, "br"},
    {Coding::zstd, "zstd"},
}};

template <typename Visit>
void for_each_coding(const HeaderMap& headers, Visit visit) {
  for_each_item(headers, kLabel, [&](std::string_view item) {
    if (!ascii::equal(item, "identity")) visit(item);
  });
}

}  // namespace

Coding coding_of(std::string_view token) {
  if (ascii::equal(token, "x-gzip")) return Coding::gzip;  // RFC 9110 8.4.1.3
  for (const auto& [coding, name] : kTokens) {
    if (ascii::equal(token, name)) return coding;
  }
  return Coding::other;
}

std::string_view token_of(Coding coding) {
  const auto row = std::ranges::find(kTokens, coding, [](const auto& each) { return each.first; });
  return row == kTokens.end() ? std::string_view{} : row->second;
}

Codings content_codings(const HeaderMap& headers) {
  Codings codings;
  for_each_coding(headers, [&](std::string_view item) { codings.push_back(coding_of(item)); });
  return codings;
}

std::string_view outermost_coding(const HeaderMap& headers) {
  std::string_view outermost;
  for_each_coding(headers, [&](std::string_view item) { outermost = item; });
  return outermost;
}

void label_codings(Message& message) {
  const Codings& codings = message.notes.codings;
  if (codings.empty()) {
    message.headers.remove(kLabel);
    return;
  }
  std::string_view label;
  std::size_t at = 0;
  for_each_coding(message.headers, [&](std::string_view item) {
    if (at == codings.size()) return;
    const Coding coding = codings[at++];
    const std::string_view token = coding == coding_of(item) ? item : token_of(coding);
    label = label.empty() ? token : message.arena.join({label, ", ", token});
  });
  const Field* old = message.headers.find(kLabel);
  // Tokens of a label that stood there: this cannot fail.
  [[maybe_unused]] const auto done =
      message.headers.set(old != nullptr ? old->name() : kLabel, label);
}

void mend_false_coding(Message& message) {
  const Field* old = message.notes.coding_label_false ? message.headers.find(kLabel) : nullptr;
  if (old == nullptr) return;
  std::string what = "Content-Encoding says " + ascii::quoted(old->value());
  label_codings(message);
  const Field* label = message.headers.find(kLabel);
  what += label == nullptr
              ? " but the body is not coded (curl --compressed decoded it); label dropped"
              : " but the body is coded as " + ascii::quoted(label->value()) + "; label corrected";
  if (message.notes.recorded) return;  // its labels tell of the wire, which is no fault
  message.log->report(
      {.id = "content-encoding-false",
       .what = std::move(what),
       .message = message.notes.number,
       .repair = true});
}

}  // namespace rehead::http
