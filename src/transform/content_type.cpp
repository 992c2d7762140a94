// content-type TYPE: states the media type where none is stated (RFC 9110 8.3); an empty value
// counts as none. No type is ever guessed. Leaves alone: messages that cannot have content (1xx,
// 204, 205, 304; requests without a body); another type that is there, unless --force; the body.
#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "http/field_value.h"
#include "transform/transform.h"

namespace rehead::transform {
namespace {

class ContentType final : public MessageTransform {
 public:
  ContentType(http::Selection selection, std::string type, std::string charset, bool force)
      : MessageTransform(selection),
        type_(std::move(type)),
        value_(charset.empty() ? type_ : type_ + "; charset=" + charset),
        adds_charset_(!charset.empty()),
        force_(force) {}

 private:
  Status apply(http::Message& message, http::Exchange&) override {
    if (message.bodiless_status()) return {};
    if (message.kind == http::Kind::request && message.body == nullptr) return {};
    std::string_view there;
    message.headers.for_each("Content-Type", [&](const http::Field& field) {
      if (there.empty()) there = field.value();
    });
    const bool lacks_charset = adds_charset_ && !has_charset(there) &&
                               ascii::equal(http::media_type(there), http::media_type(type_));
    if (!there.empty() && !force_ && !lacks_charset) return {};
    return message.headers.set("Content-Type", value_);
  }

  static bool has_charset(std::string_view value) {
    std::string_view part;
    http::next_part(value, ';', part);
    while (http::next_part(value, ';', part)) {
      if (ascii::starts_with(part, "charset=")) return true;
    }
    return false;
  }

  std::string type_;
  std::string value_;
  bool adds_charset_;
  bool force_;
};

/// type "/" subtype, then parameters as they come.
bool is_media_type(std::string_view value) {
  const std::string_view type = http::media_type(value);
  const std::size_t slash = type.find('/');
  return slash != std::string_view::npos && ascii::is_token(type.substr(0, slash)) &&
         ascii::is_token(type.substr(slash + 1));
}

Result<std::unique_ptr<Transform>> make(const Arguments& arguments) {
  if (!is_media_type(arguments.argument)) {
    return fail({Errc::usage, "media-type", ascii::quoted(arguments.argument) + " is no media type",
                 "content-type text/html, content-type 'text/plain; charset=utf-8'"});
  }
  if (auto fine = http::check_field("Content-Type", arguments.argument); !fine) {
    return fail(std::move(fine.error()));
  }
  const std::string charset = arguments.get("charset");
  if (arguments.has("charset") && !ascii::is_token(charset)) {
    return fail({Errc::usage, "option-value", "--charset is a name such as utf-8", {}});
  }
  if (!charset.empty() && arguments.argument.find(';') != std::string::npos) {
    return fail({Errc::usage, "option-conflict", "--charset needs a type without parameters",
                 "content-type text/html --charset utf-8"});
  }
  return std::make_unique<ContentType>(arguments.selection, arguments.argument, charset,
                                       arguments.has("force"));
}

constexpr std::array<Option, 2> kOptions = {{
    {"charset", "NAME", "with a charset parameter, added to the same type where it has none"},
    {"force", "", "replace the type that is there"},
}};

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead content-type text/html --charset utf-8 examples/data/redirect.http",
    "rehead content-type text/plain --force examples/data/chunked.http",
};

}  // namespace

extern const TransformInfo kContentType = {
    .name = "content-type",
    .argument = "TYPE",
    .options = kOptions,
    .side = http::Side::response,
    .streaming = Streaming::heads,
    .group = "framing and body",
    .summary = "state the media type where there is none",
    .help =
        "Where a message that may have content states no Content-Type, or an empty one, it "
        "gets TYPE. 1xx, 204, 205 and 304 and requests without a body stay as they are. The "
        "body is not touched.",
    .examples = kExamples,
    .make = make,
};

}  // namespace rehead::transform
