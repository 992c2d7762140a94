#include "http/field_value.h"

#include <algorithm>
#include <array>
#include <optional>

namespace rehead::http {
namespace {

/// The weight after `q=`: 0 to 1 with at most three decimals (RFC 9110 12.4.2).
std::optional<unsigned> weight(std::string_view text) {
  if (text.empty() || (text[0] != '0' && text[0] != '1')) return std::nullopt;
  unsigned thousandths = text[0] == '1' ? 1000 : 0;
  if (text.size() == 1) return thousandths;
  if (text[1] != '.' || text.size() > 5) return std::nullopt;
  unsigned step = 100;
  for (const char c : text.substr(2)) {
    if (!ascii::is_digit(c)) return std::nullopt;
    thousandths += static_cast<unsigned>(c - '0') * step;
    step /= 10;
  }
  return thousandths <= 1000 ? std::optional(thousandths) : std::nullopt;
}

}  // namespace

bool next_part(std::string_view& rest, char separator, std::string_view& part) {
  if (rest.data() == nullptr) return false;
  bool quoted = false;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (quoted && rest[i] == '\\') {
      ++i;
    } else if (rest[i] == '"') {
      quoted = !quoted;
    } else if (rest[i] == separator && !quoted) {
      part = ascii::trim(rest.substr(0, i));
      rest.remove_prefix(i + 1);
      return true;
    }
  }
  part = ascii::trim(rest);
  rest = {};
  return true;
}

std::string_view media_type(const HeaderMap& headers) {
  const Field* field = headers.find("Content-Type");
  return field == nullptr ? std::string_view{} : media_type(field->value());
}

bool contains_token(std::string_view list, std::string_view token) {
  bool found = false;
  for_each_item(list, [&](std::string_view item) {
    found = found || ascii::equal(without_parameters(item), token);
  });
  return found;
}

bool contains_token(const HeaderMap& headers, std::string_view name, std::string_view token) {
  bool found = false;
  headers.for_each(
      name, [&](const Field& field) { found = found || contains_token(field.value(), token); });
  return found;
}

std::string_view multipart_boundary(const HeaderMap& headers) {
  const Field* type = headers.find("Content-Type");
  return type == nullptr ? std::string_view() : multipart_boundary(type->value());
}

std::string_view multipart_boundary(std::string_view content_type) {
  constexpr std::string_view kName = "boundary=";
  if (!ascii::starts_with(media_type(content_type), "multipart/")) return {};
  std::string_view rest = content_type;
  for (std::string_view part; next_part(rest, ';', part);) {
    if (!ascii::starts_with(part, kName)) continue;
    part.remove_prefix(kName.size());
    if (part.size() > 1 && part.starts_with('"') && part.ends_with('"')) {
      part = part.substr(1, part.size() - 2);
    }
    return part;
  }
  return {};
}

unsigned quality(std::string_view item) {
  std::string_view part;
  next_part(item, ';', part);
  while (next_part(item, ';', part)) {
    if (ascii::starts_with(part, "q=")) return weight(part.substr(2)).value_or(0);
  }
  return 1000;
}

Acceptance acceptance(const HeaderMap& request, std::string_view coding) {
  if (request.find("Accept-Encoding") == nullptr) return {};
  std::optional<unsigned> named, identity, star;
  for_each_item(request, "Accept-Encoding", [&](std::string_view item) {
    std::string_view token = without_parameters(item);
    if (ascii::equal(token, "x-gzip")) token = "gzip";  // RFC 9110 8.4.1.3
    auto* weight = ascii::equal(token, coding)       ? &named
                   : ascii::equal(token, "identity") ? &identity
                   : token == "*"                    ? &star
                                                     : nullptr;
    if (weight != nullptr) *weight = std::max(weight->value_or(0), quality(item));
  });
  // Uncoded content that nobody names is still acceptable, though after all that is named.
  return {named.value_or(star.value_or(0)), identity.value_or(star.value_or(1))};
}

Status append_to_list(HeaderMap& headers, Arena& arena, std::string_view name,
                      std::string_view item) {
  std::size_t size = item.size();
  headers.for_each(name, [&](const Field& field) { size += field.value_size + 2; });
  const std::span<char> space = arena.allocate(size);
  char* end = space.data();
  headers.for_each(name, [&](const Field& field) {
    const std::string_view value = ascii::trim(field.value());
    if (value.empty()) return;
    end = std::ranges::copy(value, end).out;
    end = std::ranges::copy(std::string_view(", "), end).out;
  });
  end = std::ranges::copy(item, end).out;
  const Field* first = headers.find(name);
  return headers.set(first != nullptr ? first->name() : name,
                     {space.data(), static_cast<std::size_t>(end - space.data())});
}

Status add_to_list(HeaderMap& headers, Arena& arena, std::string_view name, std::string_view item) {
  if (contains_token(headers, name, item) || contains_token(headers, name, "*")) return {};
  return append_to_list(headers, arena, name, item);
}

bool is_entity_tag(std::string_view value) {
  if (value.starts_with("W/")) value.remove_prefix(2);
  return value.size() >= 2 && value.front() == '"' && value.back() == '"' &&
         value.substr(1, value.size() - 2).find('"') == std::string_view::npos;
}

bool is_live_type(std::string_view media_type) {
  constexpr std::array<std::string_view, 3> kLive = {
      "text/event-stream", "multipart/x-mixed-replace", "application/x-ndjson"};
  return std::ranges::any_of(kLive,
                             [&](std::string_view live) { return ascii::equal(live, media_type); });
}

}  // namespace rehead::http
