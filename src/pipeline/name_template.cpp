#include "pipeline/name_template.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "http/pseudo_field.h"

namespace rehead {
namespace {

constexpr std::string_view kPlaces = "{host}, {entry}, {message}, {file}, {status}, {type}, {ext}";

/// Endings people expect, by media type.
constexpr auto kExtensions = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"application/gzip", ".gz"},
    {"application/javascript", ".js"},
    {"application/json", ".json"},
    {"application/pdf", ".pdf"},
    {"application/wasm", ".wasm"},
    {"application/x-javascript", ".js"},
    {"application/x-ndjson", ".ndjson"},
    {"application/xhtml+xml", ".xhtml"},
    {"application/xml", ".xml"},
    {"application/zip", ".zip"},
    {"audio/mpeg", ".mp3"},
    {"font/otf", ".otf"},
    {"font/ttf", ".ttf"},
    {"font/woff", ".woff"},
    {"font/woff2", ".woff2"},
    {"image/avif", ".avif"},
    {"image/gif", ".gif"},
    {"image/jpeg", ".jpg"},
    {"image/png", ".png"},
    {"image/svg+xml", ".svg"},
    {"image/vnd.microsoft.icon", ".ico"},
    {"image/webp", ".webp"},
    {"image/x-icon", ".ico"},
    {"text/css", ".css"},
    {"text/csv", ".csv"},
    {"text/html", ".html"},
    {"text/javascript", ".js"},
    {"text/markdown", ".md"},
    {"text/xml", ".xml"},
    {"video/mp4", ".mp4"},
    {"video/webm", ".webm"},
});

std::string_view extension_of(std::string_view type) {
  for (const auto& [known, extension] : kExtensions) {
    if (ascii::equal(type, known)) return extension;
  }
  const std::size_t suffix = type.rfind('+');  // RFC 6839
  if (suffix != type.npos && ascii::equal(type.substr(suffix), "+json")) return ".json";
  if (suffix != type.npos && ascii::equal(type.substr(suffix), "+xml")) return ".xml";
  return ascii::equal(type.substr(0, 5), "text/") ? ".txt" : ".bin";
}

std::string harmless(std::string_view value) {
  constexpr std::size_t kLongest = 100;
  std::string name(value.substr(0, kLongest));
  for (char& c : name) {
    const char low = ascii::lower(c);
    const bool plain = (low >= 'a' && low <= 'z') || ascii::is_digit(c) || c == '.' || c == '-';
    if (!plain) c = '_';
  }
  if (name.empty()) return "_";
  if (name.front() == '.') name.front() = '_';
  return name;
}

}  // namespace

bool NameTemplate::has_places(std::string_view typed) {
  return typed.find_first_of("{}") != typed.npos;
}

NameTemplate::Place NameTemplate::place_of(std::string_view name) {
  constexpr auto kNames = std::to_array<std::pair<std::string_view, Place>>({
      {"host", Place::host},
      {"entry", Place::number},
      {"message", Place::number},
      {"file", Place::file},
      {"status", Place::status},
      {"type", Place::type},
      {"ext", Place::ext},
  });
  const auto* const found =
      std::ranges::find(kNames, name, [](const auto& row) { return row.first; });
  return found == kNames.end() ? Place::none : found->second;
}

Result<NameTemplate> NameTemplate::parse(std::string_view typed) {
  NameTemplate made;
  made.typed_ = typed;
  while (true) {
    const std::size_t open = typed.find_first_of("{}");
    Part& part = made.parts_.emplace_back();
    part.text = typed.substr(0, open);
    if (open == typed.npos) return made;
    const std::size_t close = typed.find('}', open);
    if (typed[open] == '}' || close == typed.npos) {
      return fail({Errc::usage, "output-place", "--output: a brace without its other half",
                   "places are " + std::string(kPlaces)});
    }
    const std::string_view name = typed.substr(open + 1, close - open - 1);
    part.place = place_of(name);
    if (part.place == Place::none) {
      return fail({Errc::usage, "output-place", "--output: no place called " + ascii::quoted(name),
                   "places are " + std::string(kPlaces)});
    }
    typed.remove_prefix(close + 1);
  }
}

std::string NameTemplate::name_for(const http::Exchange& exchange, http::Side side,
                                   std::string_view host) const {
  using http::PseudoField;
  const http::Message* const subject = http::subject_of(exchange, side);
  const auto value = [&](PseudoField field) {
    return http::text_of(field, exchange, subject).value_or(std::string_view());
  };
  std::string name;
  for (const Part& part : parts_) {
    name += part.text;
    switch (part.place) {
      case Place::none:
        break;
      case Place::host: {
        const std::string_view own = value(PseudoField::host);
        std::string lower = harmless(own.empty() ? host : own);
        for (char& c : lower) c = ascii::lower(c);
        name += lower;
        break;
      }
      case Place::number:
        name += harmless(value(exchange.alone() ? PseudoField::message : PseudoField::entry));
        break;
      case Place::file:
        name += harmless(value(PseudoField::file));
        break;
      case Place::status:
        name += harmless(value(PseudoField::status));
        break;
      case Place::type:
        name += harmless(value(PseudoField::type));
        break;
      case Place::ext:
        name += extension_of(value(PseudoField::type));
        break;
    }
  }
  return name;
}

}  // namespace rehead
