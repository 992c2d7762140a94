#include "report/wanted.h"

#include <algorithm>

#include "base/ascii.h"
#include "http/framing.h"

namespace rehead::report {
namespace {

using http::PseudoField;

Status collect_pseudo(const Wanted& wanted, http::Exchange& exchange, codec::Content& content,
                      std::vector<std::string_view>& into) {
  http::Message* subject = http::subject_of(exchange, wanted.name.selection.side);
  if (subject != nullptr && !wanted.name.covers(exchange, *subject)) return {};
  if (wanted.is(PseudoField::size)) {
    if (subject == nullptr) return {};
    auto size = content.size_of(*subject);
    if (!size) return fail(std::move(size.error()));
    if (*size) into.push_back(subject->keep(std::to_string(**size)));
    return {};
  }
  if (wanted.is(PseudoField::body)) {
    if (subject == nullptr || subject->body == nullptr) return {};
    auto text = content.decoded(*subject);
    if (!text) return fail(std::move(text.error()));
    into.push_back(*text);
    return {};
  }
  if (const auto text = http::text_of(*wanted.pseudo, exchange, subject)) into.push_back(*text);
  return {};
}

}  // namespace

bool Wanted::is_framing() const {
  return !pseudo && std::ranges::any_of(http::kFramingFields, [&](std::string_view field) {
    return http::glob(name.text, field);
  });
}

Result<std::vector<Wanted>> parse_wanted(std::string_view text, http::Selection otherwise) {
  auto names = http::parse_names(text, otherwise);
  if (!names) return fail(std::move(names.error()));
  std::vector<Wanted> all;
  for (http::FieldName& name : *names) {
    Wanted wanted{.name = std::move(name), .pseudo = {}};
    const std::string& typed = wanted.name.text;
    if (typed.starts_with(':')) wanted.pseudo = http::find_pseudo_field(typed.substr(1));
    if (typed.starts_with(':') && !wanted.pseudo) {
      std::string known;
      for (const std::string_view pseudo : http::pseudo_fields()) {
        known += (known.empty() ? ":" : " :") + std::string(pseudo);
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
  if (wanted.pseudo) return collect_pseudo(wanted, exchange, content, into);
  return exchange.for_each([&](http::Message& message) -> Status {
    if (!wanted.name.covers(exchange, message)) return {};
    for_each_field(wanted.name, message, [&](std::string_view value) { into.push_back(value); });
    return {};
  });
}

}  // namespace rehead::report
