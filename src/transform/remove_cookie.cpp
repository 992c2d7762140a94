// remove-cookie NAMES: takes out the cookies of these names (globs, exact case), in Set-Cookie and
// in Cookie. A field that holds no other goes with them.
// Leaves alone: the other cookies, byte for byte; the body.
#include <algorithm>
#include <array>
#include <vector>

#include "http/set_cookies.h"
#include "transform/of_names.h"

namespace rehead::transform {
namespace {

class RemoveCookie final : public OfNames {
 public:
  using OfNames::OfNames;

 private:
  bool edits_mirrored() const override { return true; }
  Status apply(http::Message& message, http::Exchange& exchange) override {
    const auto wanted = [&](std::string_view cookie) {
      return any_name(message, exchange,
                      [&](const http::FieldName& name) { return name.matches_cookie(cookie); });
    };
    http::HeaderMap& headers = message.headers;
    cookies_.load(headers);
    for (http::SetCookies::Entry& entry : cookies_.entries()) {
      entry.gone = wanted(entry.cookie.name);
    }
    if (auto done = cookies_.store(headers, false); !done) return done;

    // No value becomes two here, so no field moves.
    for (const http::Field* field = headers.find("Cookie"); field != nullptr;
         field = headers.find_after(field, "Cookie")) {
      if (field->has(http::Field::odd)) continue;
      const bool changed =
          http::edit_cookie(field->value(), text_,
                            [&](const http::CookiePart& pair) -> std::optional<std::string_view> {
                              if (wanted(pair.name)) return std::nullopt;
                              return ascii::trim(pair.text);
                            });
      if (!changed) continue;
      const std::string_view value = text_;
      const std::span<const std::string_view> values(&value, value.empty() ? 0 : 1);
      if (auto done = headers.replace(*field, field->name(), values); !done) return done;
    }
    return {};
  }

  http::SetCookies cookies_;
  std::string text_;
};

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead remove-cookie '__utm*,cart' examples/data/cookies.http",
    "rehead remove-cookie sid -t headers examples/data/api.http",
};

}  // namespace

extern const TransformInfo kRemoveCookie = {
    .name = "remove-cookie",
    .argument = "NAMES",
    .side = http::Side::both,
    .streaming = Streaming::heads,
    .group = "cookies",
    .summary = "remove cookies by name",
    .help =
        "Every cookie whose name matches one of NAMES goes, from Set-Cookie and from Cookie: a "
        "comma list, exact case, * for any run of characters. Other cookies stay byte for "
        "byte. The body is not touched.",
    .examples = kExamples,
    .make = make_of_names<RemoveCookie>,
};

}  // namespace rehead::transform
