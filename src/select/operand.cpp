#include "select/operand.h"

#include <algorithm>

#include "base/ascii.h"
#include "http/framing.h"

namespace rehead::select {
namespace {

struct Prefix {
  std::string_view text;
  Operand::Kind kind;
};
constexpr Prefix kPrefixes[] = {
    {"h:", Operand::Kind::header},
    {"req:", Operand::Kind::request},
    {"res:", Operand::Kind::response},
    {"cookie:", Operand::Kind::cookie},
};

std::string all_fields() {
  std::string names;
  for (const std::string_view name : http::pseudo_fields()) names += std::string(name) + " ";
  return names + "h:NAME req:NAME res:NAME cookie:NAME";
}

Operand field(Operand::Kind kind, std::string_view name) {
  const bool framing = kind != Operand::Kind::cookie &&
                       std::ranges::any_of(http::kFramingFields, [&](std::string_view each) {
                         return ascii::equal(each, name);
                       });
  return {.kind = kind, .name = std::string(name), .framing = framing};
}

}  // namespace

Result<Operand> parse_operand(std::string_view text, bool bare) {
  for (const Prefix& prefix : kPrefixes) {
    if (!text.starts_with(prefix.text)) continue;
    const std::string_view name = text.substr(prefix.text.size());
    if (name.empty()) {
      return fail(
          {Errc::usage, "expression", "a name is missing behind " + ascii::quoted(prefix.text)});
    }
    return field(prefix.kind, name);
  }
  if (const auto pseudo = http::find_pseudo_field(text)) {
    return Operand{.kind = Operand::Kind::pseudo, .pseudo = *pseudo, .name = {}};
  }
  if (bare && !text.empty() && text.find(':') == std::string_view::npos) {
    return field(Operand::Kind::header, text);
  }
  const std::string_view plain = text.substr(text.starts_with(':') ? 1 : 0);
  const bool known = plain != text && http::find_pseudo_field(plain);
  std::string hint = "a header field is written h:" + std::string(text);
  if (known) hint = "it is written without the colon: " + std::string(plain);
  if (!known && (!ascii::is_token(text) || text.find('-') == std::string_view::npos)) {
    hint = "there are: " + all_fields();
  }
  return fail(
      {Errc::usage, "expression", "no field called " + ascii::quoted(text), std::move(hint)});
}

}  // namespace rehead::select
