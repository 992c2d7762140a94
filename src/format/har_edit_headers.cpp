// The headers of an entry, and what mirrors them: cookies[], mimeType, redirectURL, sizes.
#include <map>

#include "codec/json_check.h"
#include "codec/json_writer.h"
#include "format/har_edit.h"
#include "format/request_url.h"

namespace rehead::format {
namespace {

using http::Field;

}  // namespace

void HarEditor::edit_headers(const Half& half) {
  const HarSpan old = half.side[HarMember::headers];
  const bool there = old.in(text_).starts_with('[');
  if (!there && half.message.headers.empty()) return;
  if (const auto added = only_added(half)) {
    if (!add_headers(half, *added)) return;
  } else {
    const std::string made = headers_text(half, layout_near(half));
    if (there && made == old.in(text_)) return;
    half.object.set("headers", kept(made));
  }
  const std::string_view size = half.side[HarMember::headers_size].in(text_);
  if (codec::json::is_number(size) && size != "-1") half.object.set("headersSize", "-1");
}

/// Where the fields begin that were added behind the headers, if those stand as they were read.
std::optional<http::HeaderMap::Iterator> HarEditor::only_added(const Half& half) const {
  if (half.side.headers.empty() || half.message.delivery.cookies_in_one) return std::nullopt;
  const auto end = half.message.headers.end();
  auto field = half.message.headers.begin();
  std::uint32_t origin = 0;
  for (const HarHeader& header : half.side.headers) {
    for (std::uint32_t i = 0; i < header.fields; ++i, ++field) {
      if (field == end || field->origin != origin || field->has(Field::changed)) {
        return std::nullopt;
      }
    }
    ++origin;
  }
  const auto added = field;
  for (; field != end; ++field) {
    if (field->origin != Field::kNew) return std::nullopt;
  }
  return added;
}

/// Puts what was added behind the last header. False: nothing was.
bool HarEditor::add_headers(const Half& half, http::HeaderMap::Iterator field) {
  const auto end = half.message.headers.end();
  if (field == end) return false;
  added_.clear();
  const HarLayout layout = layout_near(half);
  for (; field != end; ++field) {
    touch(field->name());
    added_ += layout.between;
    append_header(added_, half, *field, field->value(), nullptr, layout);
  }
  half.object.insert("headers", half.side.headers.back().element.end, kept(added_));
  return true;
}

/// Notes which mirrors follow the fields of that name.
void HarEditor::touch(std::string_view name) {
  for (std::size_t row = 0; row < std::size(kHarMirrors); ++row) {
    if (ascii::equal(kHarMirrors[row].field, name)) touched_ |= 1U << row;
  }
}

std::string HarEditor::headers_text(const Half& half, const HarLayout& layout) {
  std::string out;
  const std::vector<HarHeader>& headers = half.side.headers;
  elements_.clear();
  for (const HarHeader& header : headers) elements_.push_back(header.element);
  kept_.assign(headers.size(), false);
  fields_.clear();
  std::vector<const Field*> cookies;
  const bool in_one = half.message.delivery.cookies_in_one;
  for (const Field& field : half.message.headers) {
    fields_.push_back(&field);
    if (in_one && ascii::equal(field.name(), "Set-Cookie")) cookies.push_back(&field);
  }
  const bool one_cookie_header = cookies.size() > 1;
  HarArray array(out, text_, half.side[HarMember::headers], elements_, layout);
  std::vector<bool> begun(headers.size(), false);
  std::size_t group = 0;  // fields as read that follow, of one header
  for (std::size_t i = 0; i < fields_.size(); ++i, group -= group == 0 ? 0 : 1) {
    const Field& field = *fields_[i];
    while (i + group < fields_.size() && fields_[i + group]->origin == field.origin &&
           !fields_[i + group]->has(Field::changed)) {
      ++group;
    }
    const bool known = field.origin != Field::kNew;
    const bool cookie = one_cookie_header && ascii::equal(field.name(), "Set-Cookie");
    if (known && group == headers[field.origin].fields && (!cookie || group == cookies.size())) {
      array.keep(field.origin);
      kept_[field.origin] = true;
      i += group - 1;
      group = 1;
      continue;
    }
    touch(field.name());
    if (cookie && &field != cookies.front()) continue;
    const bool first = known && !begun[field.origin];
    if (known && !cookie && headers[field.origin].value.in(text_).starts_with('[')) {
      if (first) {
        array.begin(field.origin);
        append_array(out, half, field, headers[field.origin]);
      }
      begun[field.origin] = true;
      continue;
    }
    std::string joined(field.value());
    for (std::size_t k = 1; cookie && k < cookies.size(); ++k) {
      joined += '\n';
      joined += cookies[k]->value();
    }
    array.begin(known ? std::optional<std::size_t>(field.origin) : std::nullopt);
    // What else a header object holds stays with the first of its values.
    append_header(out, half, field, joined, first ? &headers[field.origin] : nullptr, layout);
    if (known) begun[field.origin] = true;
  }
  array.end();
  for (std::size_t i = 0; i < headers.size(); ++i) {
    if (!kept_[i]) touch(text_at(text_, headers[i].name, arena_));
  }
  return out;
}

/// A header whose value is an array of strings: those of its fields that are left.
void HarEditor::append_array(std::string& out, const Half& half, const Field& field,
                             const HarHeader& old) {
  std::string values;
  codec::JsonWriter json(values);
  json.open('[');
  for (const Field* each : fields_) {
    if (each->origin == field.origin) json.raw(quoted(half, each->value()));
  }
  json.close(']');
  ObjectEdit header;
  header.start(text_, old.element, arena_);
  MemorySink made;
  if (text_at(text_, old.name, arena_) != field.name()) {
    header.set("name", quoted(half, field.name()));
  }
  header.set("value", values);
  static_cast<void>(header.write(made));
  out += made.text();
}

/// One header: the text it had with another name or value in it, or a new one if `old` is null.
void HarEditor::append_header(std::string& out, const Half& half, const Field& field,
                              std::string_view value, const HarHeader* old,
                              const HarLayout& layout) {
  const std::vector<HarHeader>& headers = half.side.headers;
  const auto spelt = [&](HarSpan span, std::string_view now) {
    return text_at(text_, span, arena_) == now ? span.in(text_) : quoted(half, now);
  };
  const bool pair = !headers.empty() && headers.front().element.in(text_).starts_with('[');
  if (old != nullptr && old->name && old->value) {
    const bool swap = old->value.begin < old->name.begin;
    const HarSpan first = swap ? old->value : old->name;
    const HarSpan second = swap ? old->name : old->value;
    out += text_.substr(old->element.begin, first.begin - old->element.begin);
    out += spelt(first, swap ? value : field.name());
    out += text_.substr(first.end, second.begin - first.end);
    out += spelt(second, swap ? field.name() : value);
    out += text_.substr(second.end, old->element.end - second.end);
  } else if (pair) {
    codec::JsonWriter json(out);
    json.open('[').raw(quoted(half, field.name())).raw(quoted(half, value)).close(']');
  } else {
    append_object(out, layout,
                  {{"name", quoted(half, field.name())}, {"value", quoted(half, value)}});
  }
}

/// How headers are laid out here; if there are none, in the other half.
HarLayout HarEditor::layout_near(const Half& half) {
  for (const HarSide* side : {&half.side, &entry_->sides[http::Kind::request],
                              &entry_->sides[http::Kind::response]}) {
    if (side->headers.empty()) continue;
    const std::vector<HarHeader>& headers = side->headers;
    const std::size_t number = std::min(headers.size(), std::size_t{3});
    const std::array<HarSpan, 3> some = {headers.front().element, headers[number / 2].element,
                                         headers.back().element};
    const std::span elements = std::span(some).first(number);
    return layout_of(text_, (*side)[HarMember::headers], elements, arena_).value_or(HarLayout());
  }
  return {};
}

/// The values a field was loaded with.
std::vector<std::string_view> HarEditor::loaded(const Half& half, std::string_view name) {
  std::vector<std::string_view> values;
  for (const HarHeader& header : half.side.headers) {
    if (!ascii::equal(text_at(text_, header.name, arena_), name)) continue;
    const auto more = values_of(text_, header.value, arena_);
    values.insert(values.end(), more.begin(), more.end());
  }
  return values;
}

void HarEditor::edit_mirrors(const Half& half) {
  const HarMirrored& mirrored = entry_->mirrors[half.message];
  const bool only_there = mirrored.message.headers.changed();
  for (std::size_t row = 0; row < std::size(kHarMirrors); ++row) {
    const HarMirror& mirror = kHarMirrors[row];
    const bool touched = (touched_ >> row & 1) != 0;
    if (mirror.kind != half.message.kind || (!touched && !only_there)) continue;
    std::vector<std::string_view> now;
    half.message.headers.for_each(mirror.field,
                                  [&](const Field& field) { now.push_back(field.value()); });
    const bool changed = touched && now != loaded(half, mirror.field);
    if (!changed && !only_there) continue;
    const std::string_view value = now.empty() ? std::string_view() : now.front();
    if (mirror.how == HarMirror::How::cookies) {
      follow_cookies(half, mirror, mirrored);
    } else if (mirror.how == HarMirror::How::length) {
      if (changed) follow_length(half, value);
    } else if (changed) {
      follow_text(half, mirror, value);
    } else {
      const auto fields = mirrored.fields();
      for (std::size_t i = 0; i < fields.size(); ++i) {
        if (mirrored.origins[i].mirror != row) continue;
        follow_text(half, mirror, fields[i] != nullptr ? fields[i]->value() : std::string_view());
      }
    }
  }
}

/// redirectURL, mimeType.
void HarEditor::follow_text(const Half& half, const HarMirror& mirror, std::string_view value) {
  ObjectEdit& object = mirror.inside.empty() ? half.object : half.body;
  const std::string_view key =
      mirror.inside.empty() ? kHarMembers[static_cast<std::size_t>(mirror.member)] : mirror.inside;
  std::string now(value);
  if (mirror.member == HarMember::redirect_url) {
    // Some producers write the URL resolved.
    const std::string_view old = text_at(text_, half.side[mirror.member], arena_);
    const auto before = loaded(half, mirror.field);
    if (!before.empty() && !old.empty() && old != before.front()) {
      now = absolute_url(now, entry_->url);
    }
  }
  object.set_if_there(key, quoted(half, now));
}

void HarEditor::follow_cookies(const Half& half, const HarMirror& mirror,
                               const HarMirrored& mirrored) {
  const http::Kind kind = mirror.kind;
  const HarSpan list = half.side[mirror.member];
  if (!list.in(text_).starts_with('[')) return;
  auto before = cookies_read(text_, half.side, kind, arena_);
  auto after = cookies_in(half.message.headers, kind);
  std::map<std::string_view, std::ptrdiff_t> added;  // to the headers, by name
  for (const HarPair& pair : after) ++added[pair.name];
  for (const HarPair& pair : before) --added[pair.name];
  const auto elements = elements_of(text_, list, arena_);
  const auto fields = mirrored.fields();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (&kHarMirrors[mirrored.origins[i].mirror] != &mirror) continue;
    const std::size_t element = mirrored.origins[i].element;
    HarPair was =
        cookie_of(cookie_text(text_, elements[element], kind, arena_), kind).value_or(HarPair());
    was.element = element;
    before.push_back(was);
    if (fields[i] == nullptr) continue;
    const bool changed = fields[i]->has(Field::changed);
    const auto now = changed ? cookie_of(fields[i]->value(), kind) : std::optional(was);
    // A header that was added for it says what it is now.
    if (now && --added[now->name] < 0) after.push_back(*now);
  }
  std::string out;
  append_mirror(out, text_, list, before, after, layout_near(half), arena_);
  if (out != list.in(text_)) half.object.set("cookies", kept(out));
}

/// bodySize, where the length was changed by hand: one that a step took from the body has its size
/// already.
void HarEditor::follow_length(const Half& half, std::string_view value) {
  const http::Message& message = half.message;
  const bool by_hand = message.delivery.framing == http::Delivery::Framing::as_found &&
                       (message.body == nullptr || !message.body->touched()) &&
                       half.side.decoded_text == message.notes.coding_label_false;
  const auto size = ascii::decimal(value);
  if (by_hand && size) half.object.set_if_there("bodySize", kept(std::to_string(*size)));
}

}  // namespace rehead::format
