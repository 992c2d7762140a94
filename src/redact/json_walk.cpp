// Text::json: a JSON text, opened at every level. A member whose name is one of a secret is hidden
// with all that is in it; {name, value} pairs count by their name; a string may hold a URL, JSON of
// its own, or anything that shows by its shape. Of a HAR entry more is known: what its headers,
// cookies, parameters and bodies are. Every member counts, of repeated ones too.
#include <algorithm>

#include "base/ascii.h"
#include "codec/base64.h"
#include "codec/json.h"
#include "codec/json_writer.h"
#include "redact/text.h"

namespace rehead::redact {

namespace json = codec::json;
using json::Cursor;
using json::Member;
using json::Value;

namespace {

constexpr std::size_t kMostLevels = 1'024;

/// What an object or array is.
enum class Where : std::uint8_t {
  plain,
  entry,
  request,
  response,
  headers,     // {name, value} or [name, value], fields
  cookies,     // the same, cookies
  parameters,  // the same, of a query or a form
  post_data,
  content,
  sealed,  // stands under the name of a secret: all of it is hidden
};

struct Row {
  Where in;
  std::string_view key;
  Where is;
  std::string_view place;
};
constexpr Row kRows[] = {
    {Where::entry, "request", Where::request, {}},
    {Where::entry, "response", Where::response, {}},
    {Where::request, "headers", Where::headers, "headers"},
    {Where::request, "cookies", Where::cookies, "cookies"},
    {Where::request, "queryString", Where::parameters, "queryString"},
    {Where::request, "postData", Where::post_data, "postData"},
    {Where::post_data, "params", Where::parameters, "params"},
    {Where::response, "headers", Where::headers, "headers"},
    {Where::response, "cookies", Where::cookies, "cookies"},
    {Where::response, "content", Where::content, "content"},
};

bool is_list(Where where) {
  return where == Where::headers || where == Where::cookies || where == Where::parameters;
}

bool is_structure(std::string_view key) {
  constexpr std::string_view kKeys[] = {"name",   "mimeType",   "httpVersion", "startedDateTime",
                                        "method", "statusText", "encoding"};
  return std::ranges::find(kKeys, key) != std::end(kKeys);
}

/// Strings that are a text of their own: frames of a WebSocket, bodies under other names.
bool is_body_key(std::string_view key) {
  constexpr std::string_view kKeys[] = {"data", "body", "payload", "text", "postData", "comment"};
  return std::ranges::find(kKeys, key) != std::end(kKeys);
}

}  // namespace

class JsonWalk {
 public:
  /// `known`: of the secrets, the values hidden before alone, in names, too.
  JsonWalk(Text& text, std::string_view part, bool known)
      : text_(text),
        hider_(text.hider_),
        known_(known),
        cursor_(part, kMostLevels, hider_.arena(text.depth_, text.walked_++ != 0)) {}
  ~JsonWalk() { --text_.walked_; }

  Status run(Text::Json what) {
    entry_ = what == Text::Json::entry;
    auto root = cursor_.root();
    if (!root) return fail(std::move(root.error()));
    const bool opens = root->kind == json::Kind::object || root->kind == json::Kind::array;
    if (!opens && text_.depth_ > 0) {  // a word, a number: no JSON text but a text
      return fail({.code = Errc::syntax, .id = {}, .what = {}});
    }
    auto done = value(*root, entry_ ? Where::entry : Where::plain, {});
    return done ? cursor_.finish() : done;
  }

 private:
  /// What the members beside it say of a value.
  struct Beside {
    std::string_view name;  // of a pair
    std::string_view type;  // mimeType
    bool base64 = false;    // encoding
  };

  Status value(const Value& value, Where where, std::string_view key);
  Status object(const Value& object, Where where);
  Status member(const Member& member, Where where, const Beside& beside);
  Status array(const Value& array, Where where, std::string_view key);
  Status pair(const Value& array, Where where);
  Status pair_value(const Value& value, Where where, std::string_view name);
  Status scalar(const Value& value, std::string_view key);
  Status known_number(const Value& value);
  Status sealed(const Value& value, std::string_view name);
  Status body(const Value& value, const Beside& beside);
  Status look(const Member& member, Beside& beside);
  std::optional<Kind> kind_of_pair(Where where, std::string_view name);

  /// Calls collect(Text&, std::string_view) for the text a string stands for, or known().
  template <typename Collect>
  Status string(const Value& value, Collect collect);

  Text& text_;
  Hider& hider_;
  bool known_;
  bool entry_ = false;  // of a HAR
  Cursor cursor_;
  std::vector<Member> waiting_;  // of the objects around
  Kind seal_ = Kind::opaque;     // Where::sealed: what is hidden
};

template <typename Collect>
Status JsonWalk::string(const Value& value, Collect collect) {
  auto raw = cursor_.raw(value);
  if (!raw) return fail(std::move(raw.error()));
  const std::string_view inside = raw->substr(1, raw->size() - 2);
  if (inside.empty()) return {};
  const auto all = [&](Text& text, std::string_view part) {
    known_ ? text.known(part) : collect(text, part);
  };
  if (inside.find('\\') == inside.npos) {
    all(text_, inside);
    return {};
  }
  auto decoded = cursor_.string(value);
  if (!decoded) return fail(std::move(decoded.error()));
  Text inner(hider_, *decoded, text_.depth_ + 1);
  all(inner, inner.all());
  std::string out;
  if (!inner.apply(out)) return {};
  std::string spelt;
  codec::JsonWriter(spelt).text(out);
  text_.respelt(*raw, std::move(spelt));
  return {};
}

Status JsonWalk::value(const Value& value, Where where, std::string_view key) {
  switch (value.kind) {
    case json::Kind::object:
      return object(value, where);
    case json::Kind::array:
      return array(value, where, key);
    default:
      if (is_list(where) && value.kind == json::Kind::string) {  // it should be a list
        return string(
            value, [](Text& text, std::string_view part) { text.whole(part, Kind::opaque, {}); });
      }
      return where == Where::sealed ? sealed(value, key) : scalar(value, key);
  }
}

/// What stands beside a value may say what it is, before it or behind it: such values wait.
Status JsonWalk::object(const Value& object, Where where) {
  Beside beside;
  const std::size_t first = waiting_.size();
  auto walked = cursor_.for_each_member(
      object,
      [&](const Member& each) -> Status {
        if (each.key == "value" || each.key == "text" || each.key == "data") {
          waiting_.push_back(each);
          return {};
        }
        if (auto done = look(each, beside); !done) return done;
        return member(each, where, beside);
      },
      &hider_.layout(static_cast<std::size_t>(where)));
  if (!walked || waiting_.size() == first) return walked;
  const auto raw = cursor_.raw(object);  // known: it was walked just now
  if (!raw) return fail(Error(raw.error()));
  const std::size_t end = object.offset + raw->size();
  for (std::size_t at = first; at < waiting_.size(); ++at) {
    if (auto done = member(Member(waiting_[at]), where, beside); !done) return done;
  }
  waiting_.resize(first);
  cursor_.remember(object, end);
  return {};
}

Status JsonWalk::look(const Member& member, Beside& beside) {
  const bool string = member.value.kind == json::Kind::string;
  if (member.key == "opcode" && !string) {  // RFC 6455 5.2: 2 is for bytes
    auto raw = cursor_.raw(member.value);
    if (!raw) return fail(std::move(raw.error()));
    beside.base64 = *raw == "2";
  }
  if (!string || (member.key != "name" && member.key != "mimeType" && member.key != "encoding")) {
    return {};
  }
  auto text = cursor_.string(member.value);
  if (!text) return fail(std::move(text.error()));
  if (member.key == "name") beside.name = *text;
  if (member.key == "mimeType") beside.type = *text;
  if (member.key == "encoding") beside.base64 = ascii::equal(*text, "base64");
  return {};
}

Status JsonWalk::member(const Member& member, Where where, const Beside& beside) {
  const Value& value = member.value;
  const std::string_view key = member.key;
  if (where == Where::sealed) return this->value(value, where, key);
  if (!known_ && is_list(where) && key == "name") return {};
  // What an entry is made of is never a value that was hidden.
  if (known_ && entry_ && is_structure(key)) return {};
  if (known_ && !entry_) {
    auto done = string({.offset = member.key_offset, .kind = json::Kind::string},
                       [](Text&, std::string_view) {});
    if (!done) return done;
  }
  const Spot outer = hider_.spot();
  for (const Row& row : kRows) {
    if (row.in != where || row.key != key) continue;
    if (row.in == Where::entry) {
      if (!hider_.choice().covers(row.is == Where::request)) return {};
      hider_.at({.half = row.key, .place = "other"});
    } else {
      hider_.place(row.place);
    }
    auto done = this->value(value, row.is, key);
    hider_.at(outer);
    return done;
  }
  const bool string = value.kind == json::Kind::string;
  if ((where == Where::post_data || where == Where::content) && key == "text" && string) {
    if (where == Where::content && !hider_.choice().text) return {};
    return body(value, beside);
  }
  if (key == "data" && beside.base64 && string) return body(value, beside);
  if (key == "value" && (is_list(where) || !beside.name.empty())) {
    return pair_value(value, where, beside.name);
  }
  if (where == Where::request && key == "url") hider_.place("url");
  if (where == Where::response && key == "redirectURL") hider_.place("redirectURL");
  const bool secret =
      where != Where::entry && !known_ && hider_.kind_of(key, in_member).has_value();
  if (!secret || string) {
    auto done = this->value(value, Where::plain, key);
    hider_.at(outer);
    return done;
  }
  seal_ = *hider_.kind_of(key, in_member);
  return this->value(value, Where::sealed, key);
}

Status JsonWalk::array(const Value& array, Where where, std::string_view key) {
  return cursor_.for_each_element(array, [&](const Value& each) -> Status {
    if (is_list(where) && each.kind == json::Kind::array) return pair(each, where);
    return value(each, where, key);
  });
}

/// [name, value]
Status JsonWalk::pair(const Value& array, Where where) {
  std::string_view name;
  bool first = true;
  return cursor_.for_each_element(array, [&](const Value& each) -> Status {
    if (!first) return pair_value(each, where, name);
    first = false;
    if (each.kind != json::Kind::string) return {};
    auto text = cursor_.string(each);
    if (!text) return fail(std::move(text.error()));
    name = *text;
    return {};
  });
}

std::optional<Kind> JsonWalk::kind_of_pair(Where where, std::string_view name) {
  if (where == Where::cookies) return hider_.cookie(name);
  if (where == Where::headers) return hider_.kind_of(name, in_field);
  if (where == Where::parameters) return hider_.kind_of(name, in_parameter);
  for (const Place place : {in_field, in_member}) {
    if (const auto kind = hider_.kind_of(name, place)) return kind;
  }
  return std::nullopt;
}

Status JsonWalk::pair_value(const Value& value, Where where, std::string_view name) {
  const bool is_string = value.kind == json::Kind::string;
  // Text::field() asks for itself.
  const auto kind = is_string && where == Where::headers ? std::nullopt : kind_of_pair(where, name);
  if (is_string) {
    return string(value, [&](Text& text, std::string_view part) {
      if (where == Where::cookies) {
        kind ? text.whole(part, *kind, name) : void();
      } else if (where == Where::parameters) {
        kind ? text.whole(part, *kind, name) : text.value(part);
      } else if (where == Where::headers) {
        text.field(name, part);
      } else {
        text.named(name, hider_.kind_of(name, in_field) ? in_field : in_member, part);
      }
    });
  }
  if (value.kind == json::Kind::array && where == Where::headers) {  // a field a string
    return cursor_.for_each_element(value, [&](const Value& each) -> Status {
      return each.kind == json::Kind::array ? Status() : pair_value(each, where, name);
    });
  }
  if (!kind || known_) return this->value(value, Where::plain, name);
  seal_ = *kind;
  return this->value(value, Where::sealed, name);
}

Status JsonWalk::scalar(const Value& value, std::string_view key) {
  if (value.kind != json::Kind::string) {
    if (known_) return known_number(value);
    const auto kind = hider_.kind_of(key, in_member);
    if (!kind) return {};
    seal_ = *kind;
    return sealed(value, key);
  }
  return string(value, [&](Text& text, std::string_view part) {
    if (hider_.kind_of(key, in_member)) return text.named(key, in_member, part);
    if (hider_.keeps(key)) return;
    is_body_key(key) ? text.body({}, part) : text.value(part);
  });
}

Status JsonWalk::known_number(const Value& value) {
  auto raw = cursor_.raw(value);
  if (!raw) return fail(std::move(raw.error()));
  std::vector<Found> shown;
  hider_.find_known(*raw, shown);
  if (shown.empty()) return {};
  seal_ = shown.front().kind;
  return sealed(value, {});
}

/// null tells nothing and stays; numbers and words become strings.
Status JsonWalk::sealed(const Value& value, std::string_view name) {
  if (value.kind == json::Kind::null) return {};
  if (value.kind == json::Kind::string) {
    return string(value, [&](Text& text, std::string_view part) {
      if (seal_ == Kind::credentials || seal_ == Kind::cookie)
        return text.named(name, in_field, part);
      text.whole(part, seal_, name);
    });
  }
  auto raw = cursor_.raw(value);
  if (!raw) return fail(std::move(raw.error()));
  text_.whole(*raw, seal_, name);
  text_.secrets_.back().quoted = true;
  return {};
}

Status JsonWalk::body(const Value& value, const Beside& beside) {
  auto raw = cursor_.raw(value);
  if (!raw) return fail(std::move(raw.error()));
  const auto open = [&](Text& text, std::string_view part) {
    known_ ? text.known(part) : text.body(beside.type, part);
  };
  const auto bytes =
      beside.base64 ? codec::base64_bytes(raw->substr(1, raw->size() - 2)) : std::nullopt;
  if (!bytes) return string(value, open);
  Text inner(hider_, *bytes, text_.depth_ + 1);
  open(inner, inner.all());
  std::string out;
  if (!inner.apply(out)) return {};
  std::string spelt = "\"";
  codec::append_base64(spelt, out);
  text_.respelt(*raw, spelt += '"');
  return {};
}

bool Text::json(std::string_view part, Json what) {
  // What stands in a string without escapes holds no string: two walks are the most.
  if (depth_ >= kDeepest || walked_ > 1) return false;
  const std::size_t known = secrets_.size();
  look_through(part);
  const bool good = JsonWalk(*this, part, false).run(what).has_value();
  if (!good) secrets_.resize(known);
  return good;
}

void Text::known_in_json(std::string_view part, Json what) {
  std::vector<Found> shown;
  hider_.find_known(part, shown);
  if (shown.empty()) return;
  [[maybe_unused]] const auto done = JsonWalk(*this, part, true).run(what);
}

}  // namespace rehead::redact
