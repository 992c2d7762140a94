// Text::body: a body by its media type. JSON, forms and multipart bodies are taken apart; in any
// other text the values of assignments count too: "token": "x", token=x, <token>x</token>, and the
// value of <input name=token value=x>.
#include <algorithm>

#include "base/ascii.h"
#include "http/field_value.h"
#include "redact/text.h"

namespace rehead::redact {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

bool is_name_byte(char c) { return ascii::is(c, ascii::kToken) && c != '\'' && c != '`'; }

std::string_view past_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text;
}

/// What stands before JSON so that no other page can load it as a script: )]}' and the like, to the
/// end of the line.
std::string_view past_guard(std::string_view text) {
  for (const std::string_view guard :
       {")]}'", "for(;;);", "while(1);", "for (;;);", "while (1);"}) {
    if (text.starts_with(guard)) {
      text.remove_prefix(guard.size());
      if (text.starts_with(',')) text.remove_prefix(1);
      return past_blanks(text);
    }
  }
  return text;
}

/// name=value pairs parted by '&' and nothing else.
bool looks_like_form(std::string_view text) {
  const std::size_t equals = text.find('=');
  return equals != text.npos && equals != 0 && text.find_first_of(" \t\r\n<>\"{") == text.npos;
}

/// The value behind `name:` or `name=` that stands in no quotes, of `text`.
std::string_view bare_value(std::string_view text, Kind kind) {
  if (kind != Kind::credentials && kind != Kind::cookie) {
    return text.substr(0, text.find_first_of(" \t\r\n&;,<>\"'`)}]"));
  }
  const std::string_view line = text.substr(0, text.find_first_of("\r\n\"'"));
  const std::size_t scheme = line.find(' ');
  for (const std::string_view each : {"bearer", "basic", "token"}) {  // one word follows
    if (ascii::equal(line.substr(0, scheme), each))
      return line.substr(0, line.find(' ', scheme + 1));
  }
  return line;
}

/// The value of an attribute of a tag, `wanted` with the = behind it; empty if there is none.
std::string_view attribute_of(std::string_view tag, std::string_view wanted) {
  for (std::size_t at = tag.find(wanted); at != tag.npos; at = tag.find(wanted, at + 1)) {
    if (at != 0 && kBlanks.find(tag[at - 1]) == kBlanks.npos) continue;
    std::string_view value = tag.substr(at + wanted.size());
    const bool quoted = value.starts_with('"') || value.starts_with('\'');
    if (!quoted) return value.substr(0, value.find_first_of(" \t\r\n>/"));
    return value.substr(1, value.find(value.front(), 1) - 1);
  }
  return {};
}

/// True for a media type whose bytes are no text.
bool is_binary(std::string_view type) {
  for (const std::string_view each : {"image/", "audio/", "video/", "font/"}) {
    if (type.starts_with(each)) return !type.starts_with("image/svg");
  }
  return false;
}

}  // namespace

void Text::body(std::string_view type, std::string_view part) {
  const std::string media = ascii::lowered(http::media_type(type));
  const std::string_view begun = past_blanks(part);
  if (begun.empty() || is_binary(media)) return;
  const std::string parameters_of_type = ascii::lowered(type);
  if (parameters_of_type.find("utf-16") != type.npos ||
      parameters_of_type.find("utf-32") != type.npos) {
    return whole(begun, Kind::opaque, {});
  }
  if (media == "application/x-www-form-urlencoded") return parameters(part);
  if (media.starts_with("multipart/")) return multipart(type, part);
  if (media.find("json") != media.npos) {
    const std::string_view text = past_guard(begun);
    if (text.empty() || json(text)) return;
    const std::size_t known = secrets_.size();
    for (std::string_view rest = text; !rest.empty();) {  // a value a line
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
      if (past_blanks(line).empty() || json(line)) continue;
      secrets_.resize(known);
      return whole(begun, Kind::opaque, {});
    }
    return;
  }
  // A file of no type that is known for text.
  if (part.find('\0') != part.npos && !media.starts_with("text/")) return;
  const bool code = media.find("script") != media.npos || media.find("html") != media.npos ||
                    media.find("css") != media.npos;
  if (!code) {
    const std::string_view text = past_guard(begun);
    if ((text.starts_with('{') || text.starts_with('[')) && json(text)) return;
    if (looks_like_form(begun))
      return parameters(begun.substr(0, begun.find_last_not_of(kBlanks) + 1));
  }
  shapes(part);
  addresses(part);
  assignments(part, code);
}

/// The text behind a tag, if the element is called like a secret, whatever its prefix.
void Text::element(std::string_view tag, std::string_view behind) {
  std::string_view name = tag.substr(1, tag.find_first_of(" \t\r\n/>", 1) - 1);
  name.remove_prefix(name.find(':') + 1);
  if (name.empty() || tag.ends_with('/') || !hider_.kind_of(name, in_member)) return;
  named(name, in_member, ascii::trim(behind.substr(0, behind.find('<'))));
}

void Text::assignments(std::string_view part, bool code) {
  for (std::size_t at = part.find_first_of("=:<"); at != part.npos;
       at = part.find_first_of("=:<", at + 1)) {
    const char sign = part[at];
    if (sign == '<') {
      constexpr std::size_t kLongestTag = 2'048;
      const std::size_t size = part.substr(at, kLongestTag).find('>');
      if (size == part.npos) continue;
      const std::string_view tag = part.substr(at, size);
      element(tag, part.substr(std::min(at + tag.size() + 1, part.size())));
      const std::string_view name = attribute_of(tag, "name=");
      if (name.empty() || !hider_.kind_of(name, in_parameter)) continue;
      for (const std::string_view where : {"value=", "content="}) {
        const std::string_view value = attribute_of(tag, where);
        if (!value.empty()) named(name, in_parameter, value);
      }
      continue;
    }
    // The name before the sign, bare or in quotes.
    std::size_t end = at;
    while (end > 0 && ascii::is_blank(part[end - 1])) --end;
    if (end > 0 && (part[end - 1] == '"' || part[end - 1] == '\'')) --end;
    if (end > 0 && part[end - 1] == '\\') --end;
    std::size_t begin = end;
    while (begin > 0 && end - begin < 64 && is_name_byte(part[begin - 1])) --begin;
    const std::string_view name = part.substr(begin, end - begin);
    if (name.empty() || is_pseudonym(part.substr(begin, at + 17 - begin))) continue;
    const auto kind = hider_.kind_of(name, in_member);
    if (!kind) continue;
    std::string_view value = part.substr(at + 1);
    if (value.starts_with('=') || value.starts_with('>') || value.starts_with("//")) continue;
    value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
    if (value.starts_with('\\')) value.remove_prefix(1);
    const bool quoted = !value.empty() && std::string_view("\"'`").find(value[0]) != part.npos;
    if (quoted) {
      value = value.substr(1, value.find(value[0], 1) - 1);
      if (value.ends_with('\\')) value.remove_suffix(1);
      named(name, in_member, value);
    } else if (!code) {
      named(name, in_member, bare_value(value, *kind));
    }
  }
}

/// RFC 7578: parts between lines of "--" and the boundary, each with a head of its own.
void Text::multipart(std::string_view type, std::string_view part) {
  const std::string_view boundary = http::multipart_boundary(type);
  const std::string line = "--" + std::string(boundary);
  std::size_t at = part.find(line);
  if (boundary.empty() || at == part.npos) return whole(part, Kind::opaque, {});
  while (at != part.npos) {
    std::string_view rest = part.substr(at + line.size());
    at = part.find(line, at + line.size());
    rest = rest.substr(
        0, at == part.npos ? rest.npos : static_cast<std::size_t>(part.data() + at - rest.data()));
    if (rest.starts_with("--")) return;
    const std::size_t crlf = rest.find("\r\n\r\n");
    const std::size_t lf = rest.find("\n\n");
    const std::size_t gap = std::min(crlf, lf);
    if (gap == rest.npos) continue;
    const std::string_view head = rest.substr(0, gap);
    std::string_view content = rest.substr(gap + (crlf < lf ? 4 : 2));
    if (content.ends_with('\n')) content.remove_suffix(1);
    if (content.ends_with('\r')) content.remove_suffix(1);
    std::string_view name, own;
    bool file = false;
    for (std::string_view lines = head; !lines.empty();) {
      std::string_view each = lines.substr(0, lines.find('\n'));
      lines.remove_prefix(std::min(each.size() + 1, lines.size()));
      if (ascii::starts_with(each, "content-disposition:")) {
        std::string_view parameters = each.substr(each.find(':') + 1);
        for (std::string_view item; http::next_part(parameters, ';', item);) {
          while (item.ends_with('\r')) item.remove_suffix(1);
          if (ascii::starts_with(item, "filename")) file = true;
          if (ascii::starts_with(item, "name=")) name = item.substr(5);
        }
        if (name.size() > 1 && name.starts_with('"')) name = name.substr(1, name.size() - 2);
      } else if (ascii::starts_with(each, "content-type:")) {
        own = ascii::trim(each.substr(each.find(':') + 1));
        while (own.ends_with('\r')) own.remove_suffix(1);
      }
    }
    if (!name.empty() && !file && (hider_.keeps(name) || hider_.kind_of(name, in_parameter))) {
      named(name, in_parameter, content);
    } else {
      body(own, content);
    }
  }
}

}  // namespace rehead::redact
