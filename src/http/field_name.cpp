#include "http/field_name.h"

#include "base/ascii.h"
#include "base/io.h"
#include "http/header_map.h"

namespace rehead::http {
namespace {

constexpr std::size_t kMaxFile = std::size_t{1} << 20;  // as one head, spec section 8

bool looks_like_file(std::string_view name) {
  for (const std::string_view ending : {".har", ".http", ".gz", ".json"}) {
    if (name.ends_with(ending)) return true;
  }
  return false;
}

Status refuse_pseudo(std::string_view text) {
  if (!text.starts_with(':')) return {};
  return fail({Errc::usage, "pseudo-field",
               ascii::quoted(text.substr(0, text.find(':', 1))) + " is no header field",
               "a field is named by letters, digits and !#$%&'*+-.^_`|~"});
}

}  // namespace

Selection take_side(std::string_view& text, Selection otherwise) {
  const bool request = text.starts_with("req:");
  if (!request && !text.starts_with("res:")) return otherwise;
  text.remove_prefix(4);
  return {.side = request ? Side::request : Side::response, .chosen = true};
}

Result<std::vector<FieldName>> parse_names(std::string_view text, Selection otherwise) {
  if (looks_like_file(text)) {
    return fail({Errc::usage, "names-missing",
                 "field names are missing: " + ascii::quoted(text) + " looks like a file",
                 "names come before the files: x-a,x-b FILE"});
  }
  std::vector<FieldName> names;
  while (true) {
    const std::size_t comma = text.find(',');
    std::string_view name = ascii::trim(text.substr(0, comma));
    const Selection selection = take_side(name, otherwise);
    if (name.empty()) {
      return fail({Errc::usage, "names-missing", "an empty name in the list of names",
                   "names are separated by single commas: 'x-a,x-b'"});
    }
    if (name.find(':', 1) != std::string_view::npos) {
      return fail({Errc::usage, "names-colon", "a name is needed, without colon and value",
                   "names alone, separated by commas: 'x-a,x-b'"});
    }
    names.push_back({std::string(name), selection});
    if (comma == std::string_view::npos) return names;
    text.remove_prefix(comma + 1);
  }
}

Result<FieldName> parse_name(std::string_view text, Selection otherwise) {
  text = ascii::trim(text);
  const Selection selection = take_side(text, otherwise);
  if (auto fine = refuse_pseudo(text); !fine) return fail(std::move(fine.error()));
  if (auto fine = check_field(text, {}); !fine) return fail(std::move(fine.error()));
  if (text.find('*') != std::string_view::npos) {
    return fail({Errc::usage, "field-name", "one name is needed, not a pattern",
                 "give each name a step of its own"});
  }
  return FieldName{std::string(text), selection};
}

Result<FieldName> take_name(std::string_view& text, Selection otherwise) {
  Selection selection = otherwise;
  std::string_view rest = text;
  const Selection side = take_side(rest, otherwise);
  if (const std::size_t colon = rest.find(':');
      colon == 0 || (colon != std::string_view::npos && ascii::is_token(rest.substr(0, colon)))) {
    text = rest;
    selection = side;
  }
  if (auto fine = refuse_pseudo(text); !fine) return fail(std::move(fine.error()));
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    return fail({Errc::usage, "field-colon", "a colon after the field name is missing",
                 "write 'Name: value'; to take a field out: remove NAME"});
  }
  const std::string_view name = text.substr(0, colon);
  if (auto fine = check_field(name, {}); !fine) return fail(std::move(fine.error()));
  text.remove_prefix(colon + 1);
  return FieldName{std::string(name), selection};
}

Result<NamedField> parse_field(std::string_view text, Selection otherwise) {
  auto name = take_name(text, otherwise);
  if (!name) return fail(std::move(name.error()));
  const std::string_view value = ascii::trim(text);
  if (auto fine = check_field(name->text, value); !fine) return fail(std::move(fine.error()));
  return NamedField{std::move(*name), std::string(value)};
}

Result<std::vector<NamedField>> parse_fields(const std::string& argument, Selection otherwise) {
  std::vector<NamedField> fields;
  if (!argument.starts_with('@')) {
    auto field = parse_field(argument, otherwise);
    if (!field) return fail(std::move(field.error()));
    fields.push_back(std::move(*field));
    return fields;
  }
  auto read = read_argument_file(argument, kMaxFile);
  if (!read) return fail(std::move(read.error()));
  std::string_view text = *read;
  for (std::uint64_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    auto field = parse_field(line, otherwise);
    if (!field) {
      Error error = std::move(field.error());
      error.what = argument.substr(1) + ", line " + std::to_string(number) + ": " + error.what;
      return fail(std::move(error));
    }
    fields.push_back(std::move(*field));
  }
  return fields;
}

bool glob(std::string_view pattern, std::string_view name, Case letters) {
  // The usual two-pointer walk: on a mismatch, let the last star take one byte more.
  constexpr auto kNone = std::string_view::npos;
  const auto same = [&](char a, char b) {
    return a == b || (letters == Case::ignored && ascii::lower(a) == ascii::lower(b));
  };
  std::size_t p = 0, n = 0, star = kNone, mark = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      mark = n;
    } else if (p < pattern.size() && same(pattern[p], name[n])) {
      ++p;
      ++n;
    } else if (star != kNone) {
      p = star + 1;
      n = ++mark;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace rehead::http
