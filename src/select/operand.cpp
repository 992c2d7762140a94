#include "select/operand.h"

#include <algorithm>

#include "base/ascii.h"
#include "http/framing.h"

namespace rehead::select {
namespace {

tl::unexpected<Error> refuse(std::string what, std::string hint) {
  return fail({Errc::usage, "expression", std::move(what), std::move(hint)});
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::string all_fields() {
  std::string names;
  for (const std::string_view name : http::pseudo_fields()) names += std::string(name) + " ";
  return names + "h:NAME req:NAME res:NAME cookie:NAME";
}

bool is_plain_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    const char low = ascii::lower(c);
    return (low >= 'a' && low <= 'z') || ascii::is_digit(c) ||
           std::string_view("_.*?-").find(c) != std::string_view::npos;
  });
}

/// With the name behind the prefixes: `plain`, or what was quoted.
Result<Operand> named(Operand operand, std::string_view plain,
                      const std::optional<std::string>& quoted) {
  if (quoted && !plain.empty()) {
    return refuse("a quote inside a name", "quote all of the name: h:\"x y\"");
  }
  const std::string_view name = quoted ? std::string_view(*quoted) : plain;
  if (name.empty()) return refuse("a name is missing behind the colon", "h:NAME, cookie:NAME");
  if (!quoted && !is_plain_name(name)) {
    return refuse(ascii::quoted(name) + " is no name", "other names are quoted: h:\"" +
                                                           std::string(name.substr(0, 40)) + "\"");
  }
  operand.name.text = name;
  operand.name.literal = quoted.has_value();
  operand.name.cookie = operand.kind == Operand::Kind::cookie;
  if (operand.bare) {
    operand.name.selection = http::half_of(name, operand.name.selection);
  }
  operand.framing = operand.kind == Operand::Kind::header &&
                    std::ranges::any_of(http::kFramingFields, [&](std::string_view each) {
                      return operand.name.matches(each);
                    });
  return operand;
}

std::string hint_for(std::string_view text) {
  const std::string_view plain = text.substr(text.starts_with(':') ? 1 : 0);
  if (plain != text && http::find_pseudo_field(plain)) {
    return "it is written without the colon: " + std::string(plain);
  }
  if (ascii::equal(text, "not")) return "it is written not: not has:etag";
  for (const std::string_view other : {"header:", "headers:", "field:", "request:", "response:"}) {
    std::string_view name = text;
    if (!take(name, other)) continue;
    const std::string prefix = other.starts_with("req") ? "req:" : other.starts_with("res") ? "res:" : "h:";
    return "a header field is written " + prefix + std::string(name);
  }
  if (is_plain_name(text)) {
    const bool header = text.find('-') != std::string_view::npos;
    return "a header field is written h:" + std::string(text) +
           (header ? "" : "; there are: " + all_fields());
  }
  return "there are: " + all_fields();
}

}  // namespace

Result<Operand> parse_operand(const TypedField& typed, bool has, http::Selection otherwise) {
  std::string_view text = typed.plain;
  Operand operand;
  operand.every = take(text, "all:");
  operand.name.selection = otherwise;
  if (take(text, "cookie:")) {
    operand.kind = Operand::Kind::cookie;
    return named(std::move(operand), text, typed.quoted);
  }
  const bool header = take(text, "h:");
  const std::size_t before = text.size();
  operand.name.selection = http::take_side(text, otherwise);
  operand.bare = text.size() == before;
  const bool bare = operand.bare;
  operand.kind = Operand::Kind::header;
  if (header || !bare) return named(std::move(operand), text, typed.quoted);
  if (const auto pseudo = typed.quoted ? std::nullopt : http::find_pseudo_field(text)) {
    operand.kind = Operand::Kind::pseudo;
    operand.pseudo = *pseudo;
    operand.bare = false;
    return operand;
  }
  if (has && (typed.quoted || is_plain_name(text))) return named(std::move(operand), text, typed.quoted);
  return refuse("no field called " + ascii::quoted(text), hint_for(text));
}

}  // namespace rehead::select
