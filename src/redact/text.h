// One text and the secrets in it: a collector for each way a text is written, then apply(), which
// gives the text without them.
//
//   Text text(hider, "sid=31d4; lang=en");
//   text.field("Cookie", text.all());
//   std::string out;
//   if (text.apply(out)) ...                  // "sid=REDACTED; lang=REDACTED"
//
// A part that was decoded (percent-coded, JSON in a JSON string, base64) is a Text of its own, put
// back coded as it was. Parts handed to a collector are views into the text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/exchange.h"
#include "redact/hider.h"

namespace rehead::redact {

class Text {
 public:
  /// `depth`: texts that it was decoded from. `text` and `hider` outlive it.
  Text(Hider& hider, std::string_view text, int depth = 0)
      : hider_(hider), text_(text), depth_(depth) {}

  std::string_view all() const { return text_; }

  /// The value of a header field. Values parted by LF are values of their own.
  void field(std::string_view name, std::string_view part);
  /// A URL or a request target: user, query, fragment.
  void url(std::string_view part);
  /// name=value pairs parted by '&', percent-coded.
  void parameters(std::string_view part);
  /// What stands under a name: all of it if the name is one of a secret, else as prose().
  void named(std::string_view name, Place place, std::string_view part);
  /// A text that may be JSON; else as prose().
  void value(std::string_view part);
  /// Any text: URLs in it, shapes, known values.
  void prose(std::string_view part);
  /// A body of that media type; an empty one is guessed. What claims to be JSON or a multipart body
  /// and is none is one secret.
  void body(std::string_view type, std::string_view part);
  /// A JSON text, as a body or a HAR entry has it. False if it is none: then nothing was collected.
  enum class Json : std::uint8_t { body, entry };
  bool json(std::string_view part, Json what = Json::body);
  /// All of a part. `value`: what it stands for, if it is coded.
  void whole(std::string_view part, Kind kind, std::string_view name, std::string_view value = {});
  /// The values hidden before.
  void known(std::string_view part);
  /// The same wherever a JSON text has them: in names and numbers, too.
  void known_in_json(std::string_view part, Json what = Json::body);

  /// Writes the text without its secrets to `out`; false, and `out` is as it was, if it has none.
  bool apply(std::string& out);
  bool clean() const { return secrets_.empty(); }
  /// What apply() puts where, in order of the text.
  std::vector<http::TextEdit> edits();

 private:
  friend class JsonWalk;
  struct Secret {
    std::size_t at = 0;
    std::size_t size = 0;
    Kind kind = Kind::opaque;
    Spot spot = {};
    std::string name = {};
    std::string value = {};  // what it stands for, where that is not what is written
    bool quoted = false;     // a JSON number or word: becomes a string
    bool done = false;       // `value` is what stands there from now on; counted already
  };
  static constexpr int kDeepest = Hider::kDeepest;

  void cookies(std::string_view part);
  void set_cookies(std::string_view part);
  void credentials(std::string_view name, std::string_view part);
  void shapes(std::string_view part);
  /// Looks for shapes() in all of a part at once, before it is taken apart.
  void look_through(std::string_view part);
  void found(std::string_view part, const std::vector<Found>& found);
  void addresses(std::string_view part);
  void user(std::string_view part);
  void path(std::string_view part);
  void fragment(std::string_view part);
  void parts_of_url(std::string_view part);
  void pairs(std::string_view part);
  bool hide_parameter(std::string_view part, std::size_t equals);
  void value_of_parameter(std::string_view raw);
  void multipart(std::string_view type, std::string_view part);
  void element(std::string_view tag, std::string_view behind);
  void assignments(std::string_view part, bool code);
  void respelt(std::string_view part, std::string spelt);
  std::size_t offset(std::string_view part) const {
    return static_cast<std::size_t>(part.data() - text_.data());
  }

  Hider& hider_;
  std::string_view text_;
  int depth_;
  int walked_ = 0;  // walks over it that are under way
  // What shows in the text as it is spelt, by place, once all of it was looked through.
  std::optional<std::vector<Found>> shown_;
  std::vector<Secret> secrets_;
};

/// %XX undone, and + as a blank where `form`.
std::string percent_decoded(std::string_view text, bool form);

}  // namespace rehead::redact
