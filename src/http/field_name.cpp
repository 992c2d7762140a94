#include "http/field_name.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/io.h"
#include "http/header_map.h"

namespace rehead::http {
namespace {

constexpr std::size_t kMaxFile = std::size_t{1} << 20;  // bytes, as one head

constexpr std::array<std::string_view, 31> kRequestFields = {
    "Accept",
    "Accept-Charset",
    "Accept-Datetime",
    "Accept-Encoding",
    "Accept-Language",
    "Access-Control-Request-*",
    "Authorization",
    "Cookie",
    "DNT",
    "Expect",
    "Forwarded",
    "From",
    "Host",
    "If-*",
    "Max-Forwards",
    "Origin",
    "Proxy-Authorization",
    "Range",
    "Referer",
    "Sec-CH-*",
    "Sec-Fetch-*",
    "Sec-GPC",
    "Sec-Purpose",
    "Sec-WebSocket-Key",
    "TE",
    "Upgrade-Insecure-Requests",
    "User-Agent",
    "X-CSRF-Token",
    "X-Forwarded-*",
    "X-Requested-With",
    "X-XSRF-Token",
};

constexpr std::array<std::string_view, 15> kSecrets = {
    "Authorization",   "Proxy-Authorization", "Cookie",        "Set-Cookie",
    "X-Api-Key",       "Api-Key",             "X-Auth-Token",  "X-Access-Token",
    "X-Client-Secret", "X-Session-Token",     "X-CSRF-Token",  "X-XSRF-Token",
    "X-Amz-Signature", "X-Amz-Credential",    "X-Amz-Security-Token",
};

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

/// Takes a name off the front, quoted or up to `end`, which stays.
FieldName take_text(std::string_view& text, char end, Selection otherwise) {
  const std::size_t before = text.size();
  FieldName name{.text = {}, .selection = take_side(text, otherwise)};
  const bool prefixed = text.size() != before;
  const char quote = text.empty() ? '\0' : text.front();
  const std::size_t close = quote == '"' || quote == '\'' ? text.find(quote, 1) : text.npos;
  if (close != std::string_view::npos) {
    name.text = text.substr(1, close - 1);
    name.literal = true;
    text.remove_prefix(close + 1);
  } else {
    const std::size_t size = std::min(text.find(end, text.starts_with(':') ? 1 : 0), text.size());
    name.text = end == ',' ? ascii::trim(text.substr(0, size)) : text.substr(0, size);
    text.remove_prefix(size);
  }
  if (!prefixed) name.selection = half_of(name.text, name.selection);
  return name;
}

Status refuse_blank(const FieldName& name) {
  if (name.literal || name.text.find_first_of(" \t") == std::string::npos) return {};
  return fail({Errc::usage, "names-comma", ascii::quoted(name.text) + " holds a blank",
               "names are separated by commas: 'x-a,x-b'; a name with a blank is quoted: '\"" +
                   name.text.substr(0, 40) + "\"'"});
}

Status refuse_pattern(const FieldName& name) {
  if (!name.is_pattern()) return {};
  return fail({Errc::usage, "field-name", "one name is needed, not a pattern",
               "give each name its own step; a literal * is quoted: '\"" + name.text + "\"'"});
}

}  // namespace

std::span<const std::string_view> request_fields() { return kRequestFields; }

bool is_secret(std::string_view name) {
  return std::ranges::any_of(kSecrets,
                             [&](std::string_view each) { return ascii::equal(each, name); });
}

Selection half_of(std::string_view name, Selection otherwise) {
  if (otherwise.chosen || otherwise.side != Side::response) return otherwise;
  const bool request = std::ranges::any_of(
      kRequestFields, [&](std::string_view each) { return glob(each, name); });
  return {.side = request ? Side::request : Side::response, .chosen = false};
}

bool FieldName::matches(std::string_view name) const {
  return is_pattern() ? glob(text, name) : ascii::equal(text, name);
}

bool FieldName::matches_cookie(std::string_view name) const {
  return is_pattern() ? glob(text, name, Case::exact) : text == name;
}

void Sightings::look(const FieldName& name, const Exchange& exchange) {
  for (const Message* message : {exchange.request, exchange.response}) {
    if (message != nullptr) look(name, exchange, *message);
  }
}

void Sightings::look(const FieldName& name, const Exchange& exchange, const Message& message) {
  if (found_ || !name.any(message, [](const Field&) { return true; })) return;
  if (name.covers(exchange, message)) {
    found_ = true;
  } else {
    ++elsewhere_;
  }
}

void Sightings::tell(const FieldName& name, std::string_view how, std::string_view rest,
                     Diagnostics& log) {
  const bool request = name.selection.side == Side::request;
  if (!found_ && elsewhere_ != 0) {
    log.report({.level = Level::note,
                .id = "other-side",
                .what = std::string(request ? "no request" : "no response") + " has " + name.text,
                .hint = std::to_string(elsewhere_) + (request ? " response" : " request") +
                        (elsewhere_ == 1 ? " has it: " : "s have it: ") + std::string(how) +
                        (request ? "res:" : "req:") + name.text + std::string(rest),
                .always = true});
  }
  *this = {};
}

Selection take_side(std::string_view& text, Selection otherwise) {
  const bool request = text.starts_with("req:");
  if (!request && !text.starts_with("res:")) return otherwise;
  text.remove_prefix(4);
  return {.side = request ? Side::request : Side::response, .chosen = true};
}

Result<std::vector<FieldName>> parse_names(std::string_view text, Selection otherwise,
                                           bool cookies) {
  if (looks_like_file(text)) {
    return fail({Errc::usage, "names-missing",
                 "field names are missing: " + ascii::quoted(text) + " looks like a file",
                 "names come before the files: x-a,x-b FILE"});
  }
  std::vector<FieldName> names;
  while (true) {
    constexpr std::string_view kCookie = "cookie:";
    text = ascii::trim(text);
    const bool cookie = cookies && text.starts_with(kCookie);
    if (cookie) text.remove_prefix(kCookie.size());
    FieldName name = take_text(text, ',', otherwise);
    name.cookie = cookie;
    text = ascii::trim(text);
    if (name.text.empty()) {
      return fail({Errc::usage, "names-missing", "an empty name in the list of names",
                   "names are separated by single commas: 'x-a,x-b'"});
    }
    if (!name.literal && name.text.find(':', 1) != std::string::npos) {
      return fail({Errc::usage, "names-colon", "a name is needed, without colon and value",
                   "names alone, separated by commas: 'x-a,x-b'"});
    }
    if (!text.empty() && text.front() != ',') {
      return fail({Errc::usage, "names-comma", "a comma is missing after the quoted name " +
                   ascii::quoted(name.text), "names are separated by single commas: 'x-a,x-b'"});
    }
    if (auto fine = refuse_blank(name); !fine) return fail(std::move(fine.error()));
    names.push_back(std::move(name));
    if (text.empty()) return names;
    text.remove_prefix(1);
  }
}

Result<FieldName> parse_name(std::string_view text, Selection otherwise) {
  text = ascii::trim(text);
  FieldName name = take_text(text, '\0', otherwise);
  if (auto fine = refuse_pseudo(name.text); !fine) return fail(std::move(fine.error()));
  if (auto fine = check_field(name.text, {}); !fine) return fail(std::move(fine.error()));
  if (auto fine = refuse_pattern(name); !fine) return fail(std::move(fine.error()));
  return name;
}

Result<FieldName> take_names(std::string_view& text, Selection otherwise) {
  std::string_view rest = text;
  static_cast<void>(take_side(rest, otherwise));
  const std::string_view bare = rest.substr(rest.starts_with(':') ? 1 : 0);
  const std::size_t colon = bare.find(':');
  const bool named = rest.starts_with('"') || rest.starts_with('\'') ||
                     (colon != std::string_view::npos && ascii::is_token(bare.substr(0, colon)));
  FieldName name;
  if (rest.size() != text.size() && !named) {  // a field called "req"
    name = {.text = std::string(text.substr(0, 3)), .selection = otherwise};
    text.remove_prefix(3);
  } else {
    name = take_text(text, ':', otherwise);
  }
  if (!text.starts_with(':')) {
    return fail({Errc::usage, "field-colon", "a colon after the field name is missing",
                 "write 'Name: value'; to remove a field: remove NAME"});
  }
  text.remove_prefix(1);
  return name;
}

Result<FieldName> take_name(std::string_view& text, Selection otherwise) {
  if (auto fine = refuse_pseudo(text); !fine) return fail(std::move(fine.error()));
  auto name = take_names(text, otherwise);
  if (!name) return name;
  if (!name->literal) {
    if (auto fine = refuse_pseudo(name->text); !fine) return fail(std::move(fine.error()));
  }
  if (auto fine = check_field(name->text, {}); !fine) return fail(std::move(fine.error()));
  if (auto fine = refuse_pattern(*name); !fine) return fail(std::move(fine.error()));
  return name;
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

bool glob(std::string_view pattern, std::string_view name, Case letters, char one) {
  // The usual two-pointer walk: on a mismatch, let the last star take one byte more.
  constexpr auto kNone = std::string_view::npos;
  const auto same = [&](char a, char b) {
    return a == b || (a == one && one != '\0') ||
           (letters == Case::ignored && ascii::lower(a) == ascii::lower(b));
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
