// merge-cookies: one Set-Cookie field a cookie, as split-cookies, and of equal cookies (name,
// domain, path, partitioned or not) only the last, in the place of the first (RFC 6265bis 5.7).
// Cookie lines of a request become one, joined by "; " (RFC 9113 8.2.3). Cookies are never
// comma-joined. Leaves alone: cookies that differ, byte for byte; the body.
#include <array>

#include "http/set_cookies.h"
#include "transform/transform.h"

namespace rehead::transform {
namespace {

class MergeCookies final : public MessageTransform {
 public:
  MergeCookies(http::Selection selection, bool keep_duplicates, bool join_lf)
      : MessageTransform(selection), keep_duplicates_(keep_duplicates), join_lf_(join_lf) {}

 private:
  Status apply(http::Message& message, http::Exchange& exchange) override {
    if (message.headers.find("Set-Cookie") != nullptr) {
      if (auto done = merge(message, exchange); !done) return done;
    }
    return join_cookie_lines(message.headers);
  }

  Status merge(http::Message& message, const http::Exchange& exchange) {
    cookies_.load(message.headers);
    if (const std::size_t blank = cookies_.drop_blank(); blank != 0) {
      report(message, exchange, http::blank_cookies(blank));
    }
    if (!keep_duplicates_) cookies_.drop_repeated();
    message.delivery.cookies_in_one = join_lf_;
    return cookies_.store(message.headers, true);
  }

  Status join_cookie_lines(http::HeaderMap& headers) {
    const http::Field* first = headers.find("Cookie");
    if (first == nullptr || headers.find_after(first, "Cookie") == nullptr) return {};
    text_.clear();
    bool writable = true;
    headers.for_each("Cookie", [&](const http::Field& field) {
      writable = writable && !field.has(http::Field::odd);
      if (field.value().empty()) return;
      if (!text_.empty()) text_ += "; ";
      text_ += field.value();
    });
    return writable ? headers.set(first->name(), text_) : Status();
  }

  bool keep_duplicates_;
  bool join_lf_;
  http::SetCookies cookies_;
  std::string text_;
};

Result<std::unique_ptr<Transform>> make(const Arguments& arguments) {
  return std::make_unique<MergeCookies>(arguments.selection, arguments.has("keep-duplicates"),
                                        arguments.has("join-lf"));
}

constexpr std::array<Option, 2> kOptions = {{
    {"keep-duplicates", "", "keep every one of equal cookies"},
    {"join-lf", "", "in HAR output: all values in one Set-Cookie header, separated by LF"},
}};

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead merge-cookies examples/data/cookies.http",
    "rehead merge-cookies examples/data/post.http",
};

}  // namespace

extern const TransformInfo kMergeCookies = {
    .name = "merge-cookies",
    .options = kOptions,
    .side = http::Side::both,
    .streaming = Streaming::heads,
    .group = "cookies",
    .summary = "clean up cookies: split, without blanks and repeats",
    .help =
        "Set-Cookie values that hold several cookies become one field a cookie, blank ones go, "
        "and of cookies equal in name, domain, path and Partitioned only the last stays, in the "
        "place "
        "of the first. Cookie lines of a request become one. The body is not touched.",
    .examples = kExamples,
    .make = make,
};

}  // namespace rehead::transform
