// The entry as a whole, its start lines, its members. The body stands in har_edit_content.cpp, the
// headers in har_edit_headers.cpp.
#include "format/har_edit.h"

#include <algorithm>

#include "codec/json.h"
#include "codec/json_writer.h"
#include "format/har_mirror.h"
#include "http/url.h"

namespace rehead::format {

namespace json = codec::json;

Status HarEdits::write(std::string_view entry, ByteSink& output) {
  std::ranges::stable_sort(edits_, {}, [](const Edit& edit) { return edit.span.begin; });
  std::size_t at = 0;
  for (const Edit& edit : edits_) {
    if (auto done = output.write(entry.substr(at, edit.span.begin - at)); !done) return done;
    auto done =
        edit.content != nullptr
            ? edit.content->write(output)
            : output.write(std::string_view(made_).substr(edit.begin, edit.end - edit.begin));
    if (!done) return done;
    at = edit.span.end;
  }
  return output.write(entry.substr(at));
}

HarEditor::HarEditor(const http::Policy& policy, Diagnostics& log)
    : policy_(&policy),
      request_content_(policy),
      response_content_(policy),
      original_(policy, log) {}

Status HarEditor::write(http::Exchange& exchange, const HarEntry& entry, std::string_view pageref,
                        ByteSink& output) {
  text_ = entry.piece.bytes;
  entry_ = &entry;
  arena_.reset();
  edits_.clear();
  if (!pageref.empty()) {
    std::string json;
    codec::JsonWriter(json).text(pageref);
    put({0, text_.size()}, "pageref", json);
  }
  Status first;  // a body that broke off; the entry is written all the same
  if (exchange.request != nullptr) {
    edit_url(exchange, entry);
    first = exchange.placed(edit({*exchange.request, entry.request, request_content_}),
                            *exchange.request);
  }
  if (exchange.response != nullptr) {
    auto done = exchange.placed(edit({*exchange.response, entry.response, response_content_}),
                                *exchange.response);
    if (first) first = std::move(done);
  }
  auto written = edits_.empty() ? output.write(text_) : edits_.write(text_, output);
  return written ? first : written;
}

Status HarEditor::edit(const Half& half) {
  touched_ = 0;
  edit_start_line(half);
  auto done = edit_content(half);  // may set a length
  if (half.message.headers.changed() || half.message.delivery.cookies_in_one) {
    edit_headers(half);
    edit_mirrors(half);
  }
  return done;
}

void HarEditor::edit_start_line(const Half& half) {
  const http::Message& message = half.message;
  const HarSide& side = half.side;
  if (message.version != side.version) {
    put(half, HarMember::http_version, quoted(half, message.version));
  }
  if (half.is_request()) {
    if (message.method != side.method) put(half, HarMember::method, quoted(half, message.method));
    return;
  }
  if (message.status != side.status) {
    put(half, HarMember::status, std::to_string(message.status));
  }
  if (message.reason != side.reason) {
    put(half, HarMember::status_text, quoted(half, message.reason));
  }
}

void HarEditor::edit_url(const http::Exchange& exchange, const HarEntry& entry) {
  const Half half{*exchange.request, entry.request, request_content_};
  std::string url(exchange.url);
  if (exchange.url == entry.url) {
    const std::string_view target = exchange.request->target;
    if (target == entry.request.target) return;
    const http::Url old = http::split_url(entry.url);
    url.clear();
    if (target.starts_with('/') && !old.scheme.empty()) {
      ((url += old.scheme) += "://") += old.authority;
    }
    url += target;
  }
  put(half, HarMember::url, quoted(half, url));
  const HarSpan list = half.side[HarMember::query_string];
  if (!list.in(text_).starts_with('[')) return;
  const std::size_t from = edits_.text().size();
  append_mirror(edits_.text(), text_, list, query_of(entry.url, arena_), query_of(url, arena_),
                layout_near(half), arena_);
  edits_.replace(list, from);
}

void HarEditor::put(const Half& half, HarMember member, std::string_view json_text) {
  const HarSpan span = half.side[member];
  if (span) return edits_.replace(span, json_text);
  put(half.side.object, kHarMembers[static_cast<std::size_t>(member)], json_text);
}

/// Gives a member of `object` a value; without it, it is put in at the end.
void HarEditor::put(HarSpan object, std::string_view key, std::string_view json_text) {
  const auto parts = members_of(text_, object, arena_);
  if (const HarPart* part = find_part(parts, key)) return edits_.replace(part->value, json_text);
  const std::size_t end = parts.empty() ? object.begin + 1 : parts.back().value.end;
  const std::size_t from = edits_.text().size();
  std::string& out = edits_.text();
  if (!parts.empty() || edits_.inserted(end)) out += ',';
  std::string_view colon = ":";
  if (!parts.empty()) {
    const HarPart& first = parts.front();
    out += text_.substr(object.begin + 1, first.begin - object.begin - 1);
    const std::size_t key_end = text_.rfind('"', first.value.begin - 1) + 1;
    colon = text_.substr(key_end, first.value.begin - key_end);
  }
  codec::JsonWriter(out).string(key);
  out += colon;
  out += json_text;
  edits_.replace({end, end}, from);
}

void HarEditor::put_number(HarSpan object, std::string_view key, std::int64_t number) {
  put(object, key, std::to_string(number));
}

void HarEditor::put_if_there(HarSpan object, std::string_view key, std::string_view json_text) {
  const auto parts = members_of(text_, object, arena_);
  if (const HarPart* part = find_part(parts, key)) edits_.replace(part->value, json_text);
}

/// Takes members out of an object, each with one of the commas beside it.
void HarEditor::take_out(HarSpan object, std::initializer_list<std::string_view> keys) {
  const auto parts = members_of(text_, object, arena_);
  const auto goes = [&](std::size_t i) {
    return i < parts.size() && std::ranges::find(keys, parts[i].key) != keys.end();
  };
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!goes(i)) continue;
    const std::size_t first = i;
    while (goes(i + 1)) ++i;
    if (first > 0) {
      edits_.replace({parts[first - 1].value.end, parts[i].value.end}, std::string_view());
    } else if (i + 1 < parts.size()) {
      edits_.replace({parts[0].begin, parts[i + 1].begin}, std::string_view());
    } else {
      edits_.replace({parts[0].begin, parts[i].value.end}, std::string_view());
    }
  }
}

std::optional<std::int64_t> HarEditor::number(HarSpan span) const {
  std::string_view digits = span.in(text_);
  const bool minus = digits.starts_with('-');
  if (minus) digits.remove_prefix(1);
  const auto value = ascii::decimal(digits);
  if (!value) return std::nullopt;
  return minus ? -static_cast<std::int64_t>(*value) : static_cast<std::int64_t>(*value);
}

std::string_view HarEditor::decode(HarSpan string) {
  const std::string_view raw = string.in(text_);
  if (!raw.starts_with('"')) return raw;
  if (raw.find('\\') == std::string_view::npos) return raw.substr(1, raw.size() - 2);
  json::Cursor cursor(text_.substr(0, string.end), 1, arena_);
  return cursor.string({.offset = string.begin, .kind = json::Kind::string})
      .value_or(std::string_view());
}

/// A JSON string of these bytes, in the arena.
std::string_view HarEditor::quoted(const Half& half, std::string_view bytes) {
  std::string out;
  if (!codec::JsonWriter(out).text(bytes)) {
    half.message.log->report(
        {.id = "value-latin1",
         .what = "a value that is not UTF-8 written as Latin-1",
         .message = half.message.number,
         .half = half.is_request() ? rehead::Half::request : rehead::Half::response});
  }
  return arena_.keep(out);
}

}  // namespace rehead::format
