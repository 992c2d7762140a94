#include "report/wanted.h"

#include <algorithm>

#include "base/ascii.h"
#include "http/any_cookie.h"
#include "http/framing.h"

namespace rehead::report {
namespace {

using http::PseudoField;

/// Of one half, or of the exchange (which has no subject).
Status collect_pseudo(PseudoField field, const http::Exchange& exchange, http::Message* subject,
                      codec::Content& content, std::vector<std::string_view>& into) {
  if (field == PseudoField::size) {
    if (subject == nullptr) return {};
    auto size = content.size_of(*subject);
    if (!size) return fail(std::move(size.error()));
    if (*size) into.push_back(subject->keep(std::to_string(**size)));
    return {};
  }
  if (field == PseudoField::body) {
    if (subject == nullptr || subject->body == nullptr) return {};
    auto text = content.decoded(*subject);
    if (!text) return fail(std::move(text.error()));
    into.push_back(*text);
    return {};
  }
  if (const auto text = http::text_of(field, exchange, subject)) into.push_back(*text);
  return {};
}

Status collect_pseudo(const Wanted& wanted, http::Exchange& exchange, codec::Content& content,
                      std::vector<std::string_view>& into) {
  const http::Selection& selection = wanted.name.selection;
  if (selection.side == http::Side::both && http::is_of_message(*wanted.pseudo)) {
    return exchange.for_each([&](http::Message& message) {
      return collect_pseudo(*wanted.pseudo, exchange, &message, content, into);
    });
  }
  http::Message* subject = http::subject_of(exchange, selection.side);
  if (subject != nullptr && !wanted.name.covers(exchange, *subject)) return {};
  return collect_pseudo(*wanted.pseudo, exchange, subject, content, into);
}

}  // namespace

bool Wanted::is_framing() const {
  return !pseudo && !name.cookie && std::ranges::any_of(http::kFramingFields, [&](std::string_view field) {
    return name.matches(field);
  });
}

Result<std::vector<Wanted>> parse_wanted(std::string_view text, http::Selection otherwise) {
  auto names = http::parse_names(text, otherwise, true);
  if (!names) return fail(std::move(names.error()));
  std::vector<Wanted> all;
  for (http::FieldName& name : *names) {
    Wanted wanted{.name = std::move(name), .pseudo = {}};
    const std::string& typed = wanted.name.text;
    const bool pseudo = typed.starts_with(':') && !wanted.name.literal && !wanted.name.cookie;
    if (pseudo) wanted.pseudo = http::find_pseudo_field(typed.substr(1));
    // A prefix the user typed: no -s and no default is a choice of this one name.
    wanted.either = wanted.name.selection.chosen && !otherwise.chosen;
    if (pseudo && !wanted.pseudo && !wanted.either) {
      std::string known;
      for (const std::string_view each : http::pseudo_fields()) {
        known += (known.empty() ? ":" : " :") + std::string(each);
      }
      return fail({Errc::usage, "pseudo-field", "there is no " + ascii::quoted(typed),
                   "there are " + known});
    }
    all.push_back(std::move(wanted));
  }
  return all;
}

Status collect(const Wanted& wanted, http::Exchange& exchange, codec::Content& content,
               std::vector<std::string_view>& into) {
  const auto take = [&](const http::Field& field) {
    into.push_back(field.value());
    return false;
  };
  if (wanted.name.cookie) {
    http::any_cookie(wanted.name, exchange, [&](std::string_view value) {
      into.push_back(value);
      return false;
    });
    return {};
  }
  if (!wanted.pseudo || wanted.either) {
    for (const http::Message* message : {exchange.request, exchange.response}) {
      if (message == nullptr || !wanted.name.covers(exchange, *message)) continue;
      wanted.name.any(*message, take);
    }
  }
  if (!wanted.pseudo || !into.empty()) return {};
  return collect_pseudo(wanted, exchange, content, into);
}

}  // namespace rehead::report
