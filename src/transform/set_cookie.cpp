// set-cookie SPEC: 'NAME=VALUE; ATTRIBUTES' sets that cookie: in a response the Set-Cookie of that
// name (and Domain, Path, where SPEC has them) becomes SPEC, in a request its pair in Cookie.
// 'GLOB; ATTRIBUTES' changes attributes of the cookies that are there; !ATTRIBUTE takes one out.
// Leaves alone: other cookies and other attributes, byte for byte; the body.
#include <algorithm>
#include <array>
#include <vector>

#include "base/ascii.h"
#include "http/field_name.h"
#include "http/set_cookies.h"
#include "transform/transform.h"

namespace rehead::transform {
namespace {

class SetWhole final : public MessageTransform {
 public:
  SetWhole(http::Selection selection, std::string text)
      : MessageTransform(selection),
        text_(std::move(text)),
        wanted_(http::parse_set_cookie(text_)),
        pair_(ascii::trim(std::string_view(text_).substr(0, text_.find(';')))) {}

 private:
  bool edits_mirrored() const override { return true; }
  Status apply(http::Message& message, http::Exchange&) override {
    return message.kind == http::Kind::response ? set_response(message.headers)
                                                : set_request(message.headers);
  }

  bool is_meant(const http::SetCookie& cookie) const {
    return cookie.name == wanted_.name &&
           (!wanted_.attribute("Domain") || ascii::equal(cookie.domain(), wanted_.domain())) &&
           (!wanted_.attribute("Path") || cookie.path() == wanted_.path());
  }

  Status set_response(http::HeaderMap& headers) {
    cookies_.load(headers);
    bool placed = false;
    for (http::SetCookies::Entry& entry : cookies_.entries()) {
      if (!is_meant(entry.cookie)) continue;
      entry.gone = placed;
      placed = true;
      if (entry.gone || entry.cookie.text == wanted_.text) continue;
      entry.cookie = wanted_;
      entry.changed = true;
    }
    if (auto done = cookies_.store(headers, false); !done) return done;
    return placed ? Status() : headers.append("Set-Cookie", text_);
  }

  Status set_request(http::HeaderMap& headers) {
    bool placed = false;
    const http::Field* last = nullptr;
    for (const http::Field* field = headers.find("Cookie"); field != nullptr;
         field = headers.find_after(field, "Cookie")) {
      if (field->has(http::Field::odd)) continue;
      const bool changed =
          http::edit_cookie(field->value(), line_,
                            [&](const http::CookiePart& pair) -> std::optional<std::string_view> {
                              if (pair.name != wanted_.name) return ascii::trim(pair.text);
                              if (placed) return std::nullopt;
                              placed = true;
                              return pair_;
                            });
      if (changed) {
        const std::string_view value = line_;
        const std::span<const std::string_view> values(&value, value.empty() ? 0 : 1);
        if (auto done = headers.replace(*field, field->name(), values); !done) return done;
      }
      last = field;
    }
    if (placed) return {};
    if (last == nullptr) return headers.append("Cookie", pair_);
    line_ = last->value();
    while (line_.ends_with(';') || line_.ends_with(' ')) line_.pop_back();
    if (!line_.empty()) line_ += "; ";
    line_ += pair_;
    const std::string_view value = line_;
    return headers.replace(*last, last->name(), std::span(&value, 1));
  }

  const std::string text_;
  const http::SetCookie wanted_;  // views into text_
  const std::string_view pair_;   // of text_: NAME=VALUE
  http::SetCookies cookies_;
  std::string line_;
};

struct Attribute {
  std::string name;
  std::string text;  // as it is written, after a blank
  bool gone = false;
};

class SetAttributes final : public MessageTransform {
 public:
  SetAttributes(http::Selection selection, std::string name, std::vector<Attribute> attributes)
      : MessageTransform(selection), name_(std::move(name)), attributes_(std::move(attributes)) {}

 private:
  bool edits_mirrored() const override { return true; }
  Status apply(http::Message& message, http::Exchange&) override {
    cookies_.load(message.headers);
    for (http::SetCookies::Entry& entry : cookies_.entries()) {
      if (!http::glob(name_, entry.cookie.name, http::Case::exact) || entry.cookie.blank())
        continue;
      edit(entry.cookie);
      if (text_ == entry.cookie.text) continue;
      entry.cookie = http::parse_set_cookie(message.keep(text_));
      entry.changed = true;
    }
    return cookies_.store(message.headers, false);
  }

  /// Writes the cookie with its new attributes to text_: each in the place of the first of its
  /// name, else at the end.
  void edit(const http::SetCookie& cookie) {
    std::string_view rest = cookie.text;
    text_ = http::take_cookie_part(rest).text;
    written_.assign(attributes_.size(), false);
    while (!rest.empty()) {
      const http::CookiePart part = http::take_cookie_part(rest);
      const auto wanted = std::ranges::find_if(attributes_, [&](const Attribute& attribute) {
        return ascii::equal(attribute.name, part.name);
      });
      if (wanted == attributes_.end()) {
        write(part.text);
        continue;
      }
      const auto index = static_cast<std::size_t>(wanted - attributes_.begin());
      if (!wanted->gone && !written_[index]) {
        const bool same = ascii::trim(part.text) == ascii::trim(wanted->text);
        write(same ? part.text : std::string_view(wanted->text));
      }
      written_[index] = true;
    }
    for (std::size_t i = 0; i < attributes_.size(); ++i) {
      if (!attributes_[i].gone && !written_[i]) write(attributes_[i].text);
    }
  }

  void write(std::string_view part) {
    text_ += ';';
    text_ += part;
  }

  std::string name_;
  std::vector<Attribute> attributes_;
  http::SetCookies cookies_;
  std::string text_;
  std::vector<bool> written_;  // by attribute
};

tl::unexpected<Error> refuse(std::string what) {
  return fail({Errc::usage, "cookie-form", std::move(what),
               "set-cookie 'sid=abc; Path=/' or set-cookie '*; SameSite=None; Secure; !Domain'"});
}

Result<std::unique_ptr<Transform>> make(const Arguments& arguments) {
  const std::string text(ascii::trim(arguments.argument));
  // RFC 6265bis 5.6: a cookie with a control byte is ignored whole.
  const auto is_control = [](char c) { return ascii::is(c, ascii::kControl); };
  if (std::ranges::any_of(text, is_control)) return refuse("a control byte in the cookie");
  std::string_view rest = text;
  const http::CookiePart first = http::take_cookie_part(rest);
  if (first.name.empty()) return refuse("the cookie's name is missing");
  if (first.has_value && !ascii::is_token(first.name)) {
    return refuse("cookie name is no token: " + ascii::quoted(first.name));
  }
  std::vector<Attribute> attributes;
  while (!rest.empty()) {
    const http::CookiePart part = http::take_cookie_part(rest);
    std::string_view name = part.name;
    const bool gone = name.starts_with('!');
    if (gone && first.has_value)
      return refuse("!ATTRIBUTE is for cookies that are there: no =VALUE");
    if (gone) name = ascii::trim(name.substr(1));
    if (name.empty()) continue;
    attributes.push_back({std::string(name), " " + std::string(ascii::trim(part.text)), gone});
  }
  if (first.has_value) return std::make_unique<SetWhole>(arguments.selection, text);
  if (attributes.empty()) return refuse("neither a value nor an attribute to set");
  return std::make_unique<SetAttributes>(arguments.selection, std::string(first.name),
                                         std::move(attributes));
}

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead set-cookie 'sid=test; Path=/; HttpOnly' examples/data/cookies.http",
    "rehead set-cookie '*; Secure; !Domain' examples/data/cookies.http",
};

}  // namespace

extern const TransformInfo kSetCookie = {
    .name = "set-cookie",
    .argument = "SPEC",
    .side = http::Side::both,
    .streaming = Streaming::heads,
    .group = "cookies",
    .summary = "set a cookie, or attributes of cookies",
    .help =
        "'NAME=VALUE; ATTRIBUTES' sets that cookie. In a response the Set-Cookie of that name "
        "becomes SPEC, or of that name, Domain and Path where SPEC has them; in a request the "
        "value in Cookie changes. Where there is none it is added.\n\n"
        "'GLOB; ATTRIBUTES', without =VALUE after the first word, changes attributes of the "
        "cookies in Set-Cookie that match GLOB: each is set in its place or added, !ATTRIBUTE "
        "takes it out. Other cookies and the body are not touched.",
    .examples = kExamples,
    .make = make,
};

}  // namespace rehead::transform
