// Members may come in any order, unknown ones are passed over, of repeated ones the last counts,
// null counts as missing. Headers are loaded as they are: what could not stand in raw HTTP is
// flagged, for the sinks to refuse.
//
// The body member decides how the message is framed, `wire` only where the two agree: content that
// a person added or took away is framed by what is there. Labels are compared with the content, so
// that the sinks can mend them.
#include "format/ndjson_message.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "codec/content_coding.h"
#include "codec/json_check.h"
#include "http/field_value.h"
#include "http/framing.h"

namespace rehead::format {
namespace {

namespace json = codec::json;
using http::Framing;
using json::Kind;

tl::unexpected<Error> syntax(std::string what, const json::Value& at) {
  return fail({.code = Errc::syntax, .id = "ndjson", .what = std::move(what), .byte = at.offset});
}
tl::unexpected<Error> mistaken(std::string_view name, const json::Value& at, std::string wanted) {
  return syntax(ascii::quoted(name) + " is " + std::string(json::describe(at.kind)) + ", " +
                    std::move(wanted) + " is needed",
                at);
}

std::optional<Framing> framing_of(std::string_view name) {
  for (const auto& [framing, known] : kFramingNames) {
    if (name == known) return framing;
  }
  return std::nullopt;
}

}  // namespace

Result<std::string_view> read_text(json::Cursor& cursor, const json::Member& member) {
  const json::Value& value = member.value;
  if (value.kind == Kind::string) return cursor.string(value);
  if (value.kind == Kind::number) return cursor.raw(value);
  if (value.kind != Kind::array) return mistaken(member.key, value, "a string");
  std::optional<json::Value> first;
  auto done = cursor.for_each_element(value, [&](const json::Value& element) -> Status {
    if (!first) first = element;
    return {};
  });
  if (!done) return fail(std::move(done.error()));
  if (!first) return mistaken(member.key, value, "a string");
  return cursor.latin1(*first);
}

Result<std::uint64_t> read_number(json::Cursor& cursor, const json::Member& member,
                                  std::uint64_t limit) {
  const json::Value& value = member.value;
  if (value.kind != Kind::number) return mistaken(member.key, value, "a number");
  auto raw = cursor.raw(value);
  if (!raw) return fail(std::move(raw.error()));
  const auto number = json::whole_number(*raw);
  if (number && *number >= 0 && static_cast<std::uint64_t>(*number) <= limit) {
    return static_cast<std::uint64_t>(*number);
  }
  return syntax(
      ascii::quoted(member.key) + " is no whole number from 0 to " + std::to_string(limit), value);
}

void NdjsonMessage::clear() {
  message_.clear();
  content_at_.reset();
  content_ = {};
  size_ = 0;
  in_base64_ = codings_given_ = status_given_ = mended_ = false;
  framing_.reset();
  head_size_ = 0;
}

Status NdjsonMessage::read(json::Cursor& cursor, const json::Value& object, http::Kind kind,
                           std::uint64_t number, bool recorded) {
  clear();
  message_.notes.recorded = recorded;
  message_.notes.number = number;
  message_.kind = kind;
  message_.log = log_;
  message_.start.set_version("HTTP/1.1");
  auto done = cursor.for_each_member(
      object, [&](const json::Member& each) -> Status { return member(cursor, each); }, &layout_);
  if (!done) return done;
  // A recorded response may have no status, a request no method, and an empty URL and so an empty
  // target.
  message_.notes.no_status = kind == http::Kind::response && !status_given_;
  if (message_.notes.no_status && !recorded) return syntax("\"status\" is missing", object);
  const bool no_target = message_.start.target().data() == nullptr;
  if (kind == http::Kind::request &&
      ((message_.start.method().empty() && !recorded) || no_target)) {
    return syntax("\"method\" or \"target\" is missing", object);
  }
  if (content_at_) {
    if (auto sized = content(cursor); !sized) return sized;
  }
  settle_framing();
  settle_labels();
  return {};
}

Status NdjsonMessage::member(json::Cursor& cursor, const json::Member& member) {
  const std::string_view key = member.key;
  const json::Value& value = member.value;
  if (value.kind == Kind::null) return {};
  if (key == "headers") return fields(cursor, value, message_.headers);
  if (key == "trailers") return fields(cursor, value, message_.trailers);
  if (key == "wire") return found(cursor, value);
  if (key == "body" || key == "body64") {
    if (value.kind != Kind::string) return mistaken(key, value, "a string");
    content_at_ = value;
    in_base64_ = key == "body64";
    return {};
  }
  const bool request = message_.kind == http::Kind::request;
  if (key == "status" && !request) {
    auto status = read_number(cursor, member, 999);
    if (!status) return fail(std::move(status.error()));
    message_.start.set_status(static_cast<unsigned>(*status));
    status_given_ = true;
    return {};
  }
  using http::StartLine;
  const auto set = key == "version"              ? &StartLine::set_version
                   : key == "method" && request  ? &StartLine::set_method
                   : key == "target" && request  ? &StartLine::set_target
                   : key == "reason" && !request ? &StartLine::set_reason
                                                 : nullptr;
  if (set == nullptr) return {};
  auto text = read_text(cursor, member);
  if (!text) return fail(std::move(text.error()));
  (message_.start.*set)(*text);
  return count(text->size(), value);
}

/// Holds the head against Limits::max_head.
Status NdjsonMessage::count(std::size_t bytes, const json::Value& at) {
  head_size_ += bytes;
  if (head_size_ <= policy_->limits.max_head) return {};
  return fail({.code = Errc::limit,
               .id = "max-head",
               .what = "a head of more than " + std::to_string(policy_->limits.max_head) + " bytes",
               .hint = "raise it with --max-head",
               .byte = at.offset});
}

Status NdjsonMessage::fields(json::Cursor& cursor, const json::Value& array, http::HeaderMap& map) {
  if (array.kind != Kind::array) return mistaken("headers", array, "an array of [name, value]");
  map.clear();
  const auto slowly = [&](const json::Value& each) -> Status {
    if (map.size() == policy_->limits.max_fields) {
      return fail({.code = Errc::limit,
                   .id = "max-fields",
                   .what = "more than " + std::to_string(map.size()) + " fields in one head",
                   .hint = "raise it with --max-fields",
                   .byte = each.offset});
    }
    return field(cursor, each, map);
  };
  const std::size_t before = head_size_;
  // Where the end is known the brackets inside are right, and not too deep.
  if (cursor.knows(array)) {
    auto done = for_each_header(
        cursor, array, plain_,
        [&](std::span<const PlainHeader> fields) -> Status {
          for (const PlainHeader& each : fields) {
            if (load_plain(cursor.text(), each, map)) continue;
            const std::size_t at = each.spans.element.begin;
            const Kind kind = cursor.text()[at] == '[' ? Kind::array : Kind::object;
            const json::Value element{at, array.depth + 1, kind};
            if (auto loaded = slowly(element); !loaded) return loaded;
          }
          return {};
        },
        slowly);
    if (!done) return fail(std::move(done.error()));
    if (*done) return {};
    map.clear();
    head_size_ = before;
  }
  return cursor.for_each_element(array, slowly);
}

/// Loads a field whose value stands as it is; false: it takes a closer look.
bool NdjsonMessage::load_plain(std::string_view text, const PlainHeader& field,
                               http::HeaderMap& map) {
  const auto inside = [&](HarSpan span) -> std::string_view {
    return {text.data() + span.begin + 1, span.end - span.begin - 2};
  };
  const std::string_view name = inside(field.spans.name);
  const std::string_view value = inside(field.spans.value);
  const std::size_t size = name.size() + value.size() + 4;
  if (field.escaped || map.size() == policy_->limits.max_fields ||
      head_size_ + size > policy_->limits.max_head || text[field.spans.element.begin] != '[') {
    return false;
  }
  head_size_ += size;
  map.load({.name_at = name.data(),
            .value_at = value.data(),
            .name_size = static_cast<std::uint32_t>(name.size()),
            .value_size = static_cast<std::uint32_t>(value.size()),
            .flags = field.token ? std::uint8_t{0} : std::uint8_t{http::Field::odd}});
  return true;
}

/// ["Name","value"], or with "latin1" as the third ["Name","caf\u00e9","latin1"].
Status NdjsonMessage::field(json::Cursor& cursor, const json::Value& value, http::HeaderMap& map) {
  if (value.kind != Kind::array) return mistaken("headers", value, "[name, value] in it");
  std::array<json::Value, 3> parts;
  std::size_t number = 0;
  auto done = cursor.for_each_element(value, [&](const json::Value& part) -> Status {
    if (number < parts.size()) parts[number] = part;
    ++number;
    return {};
  });
  if (!done) return done;
  if (number < 2 || number > 3) return syntax("a field is not [name, value]", value);
  const auto part = [&](std::size_t i) {
    return number == 3 ? cursor.latin1(parts[i])
                       : read_text(cursor, {.key = i == 0 ? "name" : "value", .value = parts[i]});
  };
  auto name = part(0);
  if (!name) return fail(std::move(name.error()));
  auto text = part(1);
  if (!text) return fail(std::move(text.error()));
  if (auto counted = count(name->size() + text->size() + 4, value); !counted) return counted;
  http::Field loaded{.name_at = name->data(),
                     .value_at = text->data(),
                     .name_size = static_cast<std::uint32_t>(name->size()),
                     .value_size = static_cast<std::uint32_t>(text->size())};
  if (!http::check_field(*name, *text)) loaded.flags |= http::Field::odd;
  map.load(loaded);
  return {};
}

/// The member `wire`: how the body was found.
Status NdjsonMessage::found(json::Cursor& cursor, const json::Value& object) {
  return cursor.for_each_member(object, [&](const json::Member& member) -> Status {
    const json::Value& value = member.value;
    if (member.key == "framing") {
      auto name = read_text(cursor, member);
      if (!name) return fail(std::move(name.error()));
      framing_ = framing_of(*name);
      return framing_ ? Status() : syntax("a \"framing\" that is not known", value);
    }
    if (member.key != "codings") return {};
    message_.notes.codings.clear();
    codings_given_ = true;
    return cursor.for_each_element(value, [&](const json::Value& each) -> Status {
      auto token = cursor.string(each);
      if (!token) return fail(std::move(token.error()));
      message_.notes.codings.push_back(codec::coding_of(*token));
      return {};
    });
  });
}

/// Checks the whole content, so that pulling it cannot fail, and learns its size.
Status NdjsonMessage::content(json::Cursor& cursor) {
  auto text_size = cursor.string_size(*content_at_);
  if (!text_size) return fail(std::move(text_size.error()));
  content_ = *cursor.raw(*content_at_);
  size_ = *text_size;
  if (!in_base64_) return {};
  string_.start(content_);
  auto size = codec::base64_size(string_);
  if (!size) return syntax("\"body64\" is " + std::move(size.error().what), *content_at_);
  size_ = *size;
  return {};
}

ByteSource& NdjsonMessage::start_content() {
  string_.start(content_);
  if (!in_base64_) return string_;
  base64_.start(string_);
  return base64_;
}

/// True if a reader might find a head in the content.
bool NdjsonMessage::holds_head() {
  constexpr std::string_view kMark = "HTTP/";
  std::string rest;  // a mark may lie across two pieces
  ByteSource& content = start_content();
  while (true) {
    const auto piece = content.pull();
    if (!piece || piece->kind != Piece::Kind::bytes) return false;
    rest += piece->bytes;
    if (rest.find(kMark) != std::string::npos || ascii::starts_with(rest, kMark)) return true;
    rest.erase(0, rest.size() - std::min(rest.size(), kMark.size() - 1));
  }
}

void NdjsonMessage::settle_framing() {
  const bool none = message_.kind == http::Kind::request ||
                    (message_.bodiless_status() && message_.start.status() != 205 &&
                     message_.start.status() != 0);
  if (!content_at_) {
    // --no-body leaves the body out of any framing: what is left is a head whose body is elsewhere.
    message_.notes.framing = framing_.value_or(none ? Framing::none : Framing::withheld);
    if (message_.notes.framing != Framing::none) message_.notes.framing = Framing::withheld;
    return;
  }
  const bool opaque = message_.start.status() == 101 && framing_ == Framing::opaque;
  if (message_.kind == http::Kind::response && none && !message_.notes.recorded && !opaque &&
      size_ != 0) {
    mended_ = true;
    log_->report({.id = "body-left-out",
                  .what = "the body of a " + std::to_string(message_.start.status()) + " left out",
                  .message = message_.notes.number});
    return;
  }
  if (size_ == 0 && framing_.value_or(none ? Framing::none : Framing::length) == Framing::none) {
    message_.notes.framing = Framing::none;
    return;
  }
  message_.notes.framing = framing_.value_or(Framing::length);
  if (message_.notes.framing == Framing::none || message_.notes.framing == Framing::withheld) {
    message_.notes.framing = Framing::length;
  }
  const bool to_next_head =
      message_.notes.framing == Framing::close || message_.notes.framing == Framing::decoded;
  if (to_next_head && holds_head()) message_.notes.framing = Framing::length;
  message_.notes.declared = size_;
  ByteSource& bytes = start_content();
  wire_.start(bytes, message_);
  if (message_.notes.framing == Framing::chunked) {
    unframe_.expect_chunks();
  } else {
    unframe_.expect_front(size_);
  }
  body_.start(wire_, bytes, size_, &unframe_);
  // The content has no gzip beneath the chunks any more: the sinks have to say so.
  const bool inner = !http::transfer_codings(message_.headers).inner.empty();
  if (message_.notes.framing == Framing::chunked && inner) body_.replace(bytes, size_);
  message_.body = &body_;
}

void NdjsonMessage::settle_labels() {
  if (message_.body == nullptr) return;
  const http::HeaderMap& headers = message_.headers;
  const http::TransferCodings transfer = http::transfer_codings(headers);
  message_.notes.transfer_label_false =
      transfer.any && message_.notes.framing != Framing::chunked &&
      (message_.notes.framing == Framing::decoded || !transfer.inner.empty());
  const http::Field* length = headers.find("Content-Length");
  message_.notes.length_label_false =
      length != nullptr && ascii::decimal(ascii::trim(length->value())) != size_;
  const bool none_found = codings_given_ && message_.notes.codings.empty();
  if (headers.find("Content-Encoding") == nullptr) return message_.notes.codings.clear();
  std::string start;
  ByteSource& content = start_content();
  while (start.size() < codec::Judge::look_ahead()) {
    const auto piece = content.pull();
    if (!piece || piece->kind == Piece::Kind::end) break;
    start += piece->bytes;
  }
  start_content();
  judge_.settle(message_, start, start.size() == size_);
  // What the writer found goes where the bytes do not show the contrary.
  if (!none_found || message_.notes.codings.empty()) return;
  if (codec::coding_shown(start) == message_.notes.codings.back()) return;
  message_.notes.codings.clear();
  message_.notes.coding_label_false = true;
}

}  // namespace rehead::format
