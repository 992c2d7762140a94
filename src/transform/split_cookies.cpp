// split-cookies: one Set-Cookie field a cookie. Values separated by LF are split, folded comma
// lists where a new cookie begins (never in a date); blank cookies go, which user agents ignore.
// Leaves alone: fields that hold one cookie, repeated cookies, Cookie in requests, the body.
#include <array>

#include "http/set_cookies.h"
#include "transform/transform.h"

namespace rehead::transform {
namespace {

class SplitCookies final : public MessageTransform {
 public:
  using MessageTransform::MessageTransform;

 private:
  Status apply(http::Message& message, http::Exchange& exchange) override {
    if (message.headers.find("Set-Cookie") == nullptr) return {};
    cookies_.load(message.headers);
    if (const std::size_t blank = cookies_.drop_blank(); blank != 0) {
      report(message, exchange, http::blank_cookies(blank));
    }
    return cookies_.store(message.headers, true);
  }

  http::SetCookies cookies_;
};

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead split-cookies examples/data/cookies.http",
    "rehead split-cookies then keep set-cookie examples/data/cookies.http",
};

}  // namespace

extern const TransformInfo kSplitCookies = {
    .name = "split-cookies",
    .side = http::Side::both,
    .streaming = Streaming::heads,
    .group = "cookies",
    .summary = "one Set-Cookie field for each cookie",
    .help =
        "Set-Cookie values that hold several cookies, separated by newlines or folded into a "
        "comma list, become one field a cookie; blank ones go. A comma splits only where a "
        "name and = follow, so a date stays whole. Repeated cookies and the body are not "
        "touched.",
    .examples = kExamples,
    .make = make_plain<SplitCookies>,
};

}  // namespace rehead::transform
