#include "format/har_message.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "codec/content_coding.h"
#include "codec/json_check.h"
#include "format/har_layout.h"
#include "format/request_url.h"
#include "http/field_value.h"
#include "http/url.h"

namespace rehead::format {
namespace {

namespace json = codec::json;
using http::Field;
using json::Kind;

tl::unexpected<Error> syntax(std::string what, std::size_t at) {
  return fail({.code = Errc::syntax, .id = "har-entry", .what = std::move(what), .byte = at});
}

/// True for what can never stand in raw HTTP.
bool is_odd(std::string_view name, std::string_view value) {
  return !ascii::is_token(name) || value.find('\r') != value.npos || value.find('\0') != value.npos;
}

}  // namespace

Status HarMessage::read(json::Cursor& cursor, const json::Value& object, http::Kind kind,
                        std::uint64_t offset, std::uint64_t number, HarSide& side) {
  message_.clear();
  message_.kind = kind;
  message_.log = log_;
  message_.notes.number = number;
  message_.notes.offset = offset + object.offset;
  message_.notes.recorded = true;
  message_.notes.no_status = kind == http::Kind::response;  // so far
  url_ = {};
  head_size_ = 0;
  if (object.kind != Kind::object) {
    return syntax(
        std::string(kind == http::Kind::request ? "\"request\" is " : "\"response\" is ") +
            std::string(json::describe(object.kind)) + ", an object is needed",
        object.offset);
  }
  auto walked = cursor.for_each_member(
      object, [&](const json::Member& each) -> Status { return member(cursor, each, side); },
      &layout_);
  if (!walked) return walked;
  auto raw = cursor.raw(object);
  if (!raw) return fail(std::move(raw.error()));
  side.object = {object.offset, object.offset + raw->size()};
  if (kind == http::Kind::request)
    message_.start.set_target(target_of(message_.start.method(), url_));
  side.start = message_.start;
  return {};
}

Status HarMessage::member(json::Cursor& cursor, const json::Member& member, HarSide& side) {
  const json::Value& value = member.value;
  auto raw = cursor.raw(value);
  if (!raw) return fail(std::move(raw.error()));
  const HarSpan span = {value.offset, value.offset + raw->size()};
  side.parts.push_back({member.key, member.key_offset, span});
  const HarMember which = meaning(member);
  if (which == HarMember::count) return {};
  side.members[static_cast<std::size_t>(which)] = span;
  switch (which) {
    case HarMember::headers:
      return headers(cursor, value, side);
    case HarMember::url:
      return text(cursor, value, url_);
    case HarMember::method:
    case HarMember::http_version:
    case HarMember::status_text: {
      std::string_view part;
      if (auto read = text(cursor, value, part); !read) return read;
      const auto set = which == HarMember::method         ? &http::StartLine::set_method
                       : which == HarMember::http_version ? &http::StartLine::set_version
                                                          : &http::StartLine::set_reason;
      (message_.start.*set)(part);
      return {};
    }
    case HarMember::status:
      return status(cursor, value, *raw);
    default:
      return {};
  }
}

/// What a member is; HarMember::count: nothing that is known.
HarMember HarMessage::meaning(const json::Member& member) {
  if (member.note != nullptr && *member.note != 0) return static_cast<HarMember>(*member.note - 1);
  const auto found = std::ranges::find(kHarMembers, member.key) - kHarMembers.begin();
  if (member.note != nullptr) *member.note = static_cast<std::uint8_t>(found + 1);
  return static_cast<HarMember>(found);
}

/// A number in any spelling, or a string of one. 0 and anything else: there was no answer.
Status HarMessage::status(json::Cursor& cursor, const json::Value& value, std::string_view raw) {
  std::string_view number = raw;
  if (auto done = text(cursor, value, number); !done) return done;
  const std::int64_t status = json::whole_number(number).value_or(-1);
  message_.notes.no_status = status < 0 || status > 999;
  message_.start.set_status(message_.notes.no_status ? 0 : static_cast<unsigned>(status));
  return {};
}

Status HarMessage::text(json::Cursor& cursor, const json::Value& value, std::string_view& out) {
  if (value.kind != Kind::string) return {};
  auto text = cursor.string(value);
  if (!text) return fail(std::move(text.error()));
  out = *text;
  return count(out.size(), value.offset);
}

/// Holds the head against Limits::max_head.
Status HarMessage::count(std::size_t bytes, std::size_t at) {
  head_size_ += bytes;
  if (head_size_ <= policy_->limits.max_head) return {};
  return fail({.code = Errc::limit,
               .id = "max-head",
               .what = "a head of more than " + std::to_string(policy_->limits.max_head) + " bytes",
               .hint = "raise it with --max-head",
               .byte = at});
}

Status HarMessage::headers(json::Cursor& cursor, const json::Value& array, HarSide& side) {
  message_.headers.clear();
  side.headers.clear();
  if (array.kind == Kind::null) return {};
  if (array.kind != Kind::array) {
    return syntax("\"headers\" is " + std::string(json::describe(array.kind)) +
                      ", an array of {name,value} is needed",
                  array.offset);
  }
  const auto slowly = [&](const json::Value& element) { return header(cursor, element, side); };
  auto done = for_each_header(
      cursor, array, plain_,
      [&](std::span<const PlainHeader> plain) { return load_plain(cursor, plain, side); }, slowly);
  if (!done) return fail(std::move(done.error()));
  if (*done) return {};
  message_.headers.clear();
  side.headers.clear();
  head_size_ = 0;
  return cursor.for_each_element(array, slowly);
}

[[gnu::flatten]] Status HarMessage::load_plain(json::Cursor& cursor,
                                              std::span<const PlainHeader> headers, HarSide& side) {
  const auto inside = [text = cursor.text().data()](HarSpan span) -> std::string_view {
    return {text + span.begin + 1, span.end - span.begin - 2};
  };
  const http::Limits& limits = policy_->limits;
  for (const PlainHeader& plain : headers) {
    HarHeader& header = side.headers.emplace_back(plain.spans);
    const std::string_view name = inside(header.name);
    const std::string_view value = inside(header.value);
    const std::size_t size = name.size() + value.size();
    const bool fits =
        head_size_ + size <= limits.max_head && message_.headers.size() < limits.max_fields;
    if (plain.escaped || !fits) {
      if (auto done = load_escaped(cursor, header); !done) return done;
      continue;
    }
    head_size_ += size;
    header.fields = 1;
    message_.headers.load({.name_at = name.data(),
                           .value_at = value.data(),
                           .name_size = static_cast<std::uint32_t>(name.size()),
                           .value_size = static_cast<std::uint32_t>(value.size()),
                           .flags = plain.token ? std::uint8_t{0} : std::uint8_t{Field::odd}});
  }
  return {};
}

Status HarMessage::load_escaped(json::Cursor& cursor, HarHeader& header) {
  const auto name = cursor.string({header.name.begin, 0, Kind::string});
  if (!name) return fail(Error(name.error()));
  const auto value = cursor.string({header.value.begin, 0, Kind::string});
  if (!value) return fail(Error(value.error()));
  auto counted = count(name->size() + value->size(), header.element.begin);
  return counted ? load(*name, *value, header) : counted;
}

Status HarMessage::header(json::Cursor& cursor, const json::Value& element, HarSide& side) {
  HarHeader& header = side.headers.emplace_back();
  std::string_view name, value;
  const auto take = [&](const json::Value& from, HarSpan& span, std::string_view& into) -> Status {
    auto raw = cursor.raw(from);
    if (!raw) return fail(std::move(raw.error()));
    span = {from.offset, from.offset + raw->size()};
    if (from.kind == Kind::number || from.kind == Kind::other) into = *raw;
    return from.kind == Kind::string ? text(cursor, from, into) : Status();
  };
  Status walked;
  if (element.kind == Kind::object) {
    walked = cursor.for_each_member(element, [&](const json::Member& member) -> Status {
      if (member.key == "name") return take(member.value, header.name, name);
      if (member.key == "value") return take(member.value, header.value, value);
      return {};
    });
  } else if (element.kind == Kind::array) {
    std::size_t number = 0;
    walked = cursor.for_each_element(element, [&](const json::Value& part) -> Status {
      ++number;
      if (number == 1) return take(part, header.name, name);
      if (number == 2) return take(part, header.value, value);
      return {};
    });
  } else {
    return syntax(
        "a header is " + std::string(json::describe(element.kind)) + ", {name,value} is needed",
        element.offset);
  }
  if (!walked) return walked;
  auto raw = cursor.raw(element);
  if (!raw) return fail(std::move(raw.error()));
  header.element = {element.offset, element.offset + raw->size()};
  const std::string_view spelt = header.value.in(cursor.text());
  if (spelt.starts_with('[')) return load_array(cursor, name, header);
  if (spelt.starts_with('{') || spelt == "true" || spelt == "false") {
    message_.log->report({.id = "value-type",
                          .what = "the value of a header is no string; left as it is",
                          .byte = message_.notes.offset - side.object.begin + header.value.begin,
                          .message = message_.notes.number,
                          .half = half()});
  }
  return load(name, value, header);
}

/// An array of strings is a field each (Polly).
Status HarMessage::load_array(json::Cursor& cursor, std::string_view name, HarHeader& header) {
  Arena& arena = message_.arena;
  for (const std::string_view value : values_of(cursor.text(), header.value, arena)) {
    if (auto done = count(name.size() + value.size(), header.element.begin); !done) return done;
    const unsigned joined = header.fields == 0 ? 0 : Field::joined;
    const unsigned odd = is_odd(name, value) ? Field::odd : 0;
    if (auto done = load_field(name, value, joined | odd, header); !done) return done;
  }
  return {};
}

/// An LF parts the values of several fields of that name (chrome-har, Splash, old Firefox).
Status HarMessage::load(std::string_view name, std::string_view value, HarHeader& header) {
  header.fields = 0;
  while (true) {
    const std::size_t end = std::min(value.find('\n'), value.size());
    const std::string_view part = value.substr(0, end);
    unsigned flags = header.fields == 0 ? 0 : Field::joined;
    if (is_odd(name, part)) flags |= Field::odd;
    if (auto done = load_field(name, part, flags, header); !done) return done;
    if (end == value.size()) return {};
    value.remove_prefix(end + 1);
    // Where the fields are written one by one, each has its name.
    if (auto done = count(name.size(), header.element.begin); !done) return done;
  }
}

Status HarMessage::load_field(std::string_view name, std::string_view value, unsigned flags,
                              HarHeader& header) {
  if (message_.headers.size() >= policy_->limits.max_fields) {
    return fail(
        {.code = Errc::limit,
         .id = "max-fields",
         .what = "more than " + std::to_string(policy_->limits.max_fields) + " fields in one head",
         .hint = "raise it with --max-fields",
         .byte = header.element.begin});
  }
  message_.headers.load({.name_at = name.data(),
                         .value_at = value.data(),
                         .name_size = static_cast<std::uint32_t>(name.size()),
                         .value_size = static_cast<std::uint32_t>(value.size()),
                         .flags = static_cast<std::uint8_t>(flags)});
  ++header.fields;
  return {};
}

void HarMessage::settle(const http::Exchange& exchange, std::string_view entry, HarSide& side) {
  const http::Message* const request = exchange.request;
  const bool is_request = message_.kind == http::Kind::request;
  const HarSpan object = side[is_request ? HarMember::post_data : HarMember::content];
  content_.start(object.in(entry),
                 {.id = {},
                  .what = {},
                  .byte = message_.notes.offset - side.object.begin + object.begin,
                  .message = message_.notes.number,
                  .half = half()});
  message_.notes.framing = http::Framing::none;
  if (is_request) {
    if (!object.in(entry).starts_with('{')) return;
  } else if (!may_have_body(request) && content_.measure().value_or(0) == 0) {
    if (request != nullptr && request->start.method() == "HEAD" && !message_.bodiless_status()) {
      message_.notes.framing = http::Framing::withheld;
    }
    return;
  }
  message_.notes.framing = http::Framing::decoded;
  body_.start(content_, content_);
  message_.body = &body_;
  message_.notes.transfer_label_false = message_.headers.find("Transfer-Encoding") != nullptr;
  settle_codings(side);
}

/// What a browser recorded is a body, whatever status and method say (it stands beside 304, HEAD,
/// status 0); else they decide.
bool HarMessage::may_have_body(const http::Message* request) const {
  if (message_.bodiless_status()) return false;
  if (request == nullptr) return true;
  return request->start.method() != "HEAD" &&
         (request->start.method() != "CONNECT" || message_.start.status() >= 300);
}

/// The labels describe the wire, the text is decoded: of 665 real ones, 664 were.
void HarMessage::settle_codings(HarSide& side) {
  http::Codings& labels = message_.notes.codings;
  http::for_each_item(message_.headers, "Content-Encoding", [&](std::string_view token) {
    if (!ascii::equal(token, "identity")) labels.push_back(codec::coding_of(token));
  });
  if (labels.empty()) return;
  const bool has_magic = labels.back() == http::Coding::gzip || labels.back() == http::Coding::zstd;
  if (has_magic && content_.begins_coded()) return;
  labels.clear();
  message_.notes.coding_label_false = side.decoded_text = true;
}

}  // namespace rehead::format
