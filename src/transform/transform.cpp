#include "transform/transform.h"

#include "base/ascii.h"

namespace rehead::transform {

Result<Verdict> MessageTransform::apply(http::Exchange& exchange) {
  auto done = exchange.for_each([&](http::Message& message) -> Status {
    if (!selection_.covers(exchange, message.kind)) return {};
    return apply(message, exchange);
  });
  if (!done) return fail(std::move(done.error()));
  return Verdict::keep;
}

Result<std::vector<std::string>> parse_names(std::string_view text) {
  for (const std::string_view ending : {".har", ".http", ".gz", ".json"}) {
    if (text.ends_with(ending)) {
      return fail({Errc::usage, "names-missing",
                   "field names are missing: " + ascii::quoted(text) + " looks like a file"});
    }
  }
  std::vector<std::string> names;
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string_view name = ascii::trim(text.substr(0, comma));
    if (name.empty()) {
      return fail({Errc::usage, "names-missing", "an empty field name in the list",
                   "names are separated by single commas: 'x-a,x-b'"});
    }
    names.emplace_back(name);
    if (comma == std::string_view::npos) return names;
    text.remove_prefix(comma + 1);
  }
}

bool glob(std::string_view pattern, std::string_view name) {
  // The usual two-pointer walk: on a mismatch, let the last star take one byte more.
  constexpr auto kNone = std::string_view::npos;
  std::size_t p = 0, n = 0, star = kNone, mark = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      mark = n;
    } else if (p < pattern.size() && ascii::lower(pattern[p]) == ascii::lower(name[n])) {
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

}  // namespace rehead::transform
