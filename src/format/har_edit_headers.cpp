// The headers of an entry, and what mirrors them: cookies[], mimeType, redirectURL, sizes.
#include <algorithm>

#include "format/har_edit.h"
#include "format/har_mirror.h"
#include "format/request_url.h"

namespace rehead::format {
namespace {

using http::Field;

}  // namespace

void HarEditor::edit_headers(const Half& half) {
  const HarSpan old = half.side[HarMember::headers];
  const bool there = old.in(text_).starts_with('[');
  if (!there && half.message.headers.empty()) return;
  const HarLayout layout = layout_near(half);
  const std::size_t from = edits_.text().size();
  append_headers(half, layout);
  const std::string_view made = std::string_view(edits_.text()).substr(from);
  if (there && made == old.in(text_)) return;
  if (old) {
    edits_.replace(old, from);
  } else {
    put(half, HarMember::headers, std::string(made));
  }
  const auto size = number(half.side[HarMember::headers_size]);
  if (size && *size != -1) put(half, HarMember::headers_size, "-1");
}

void HarEditor::append_headers(const Half& half, const HarLayout& layout) {
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
  touched_ = 0;
  HarArray array(edits_.text(), text_, half.side[HarMember::headers], elements_, layout);
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
    std::string joined(field.value());
    for (std::size_t k = 1; cookie && k < cookies.size(); ++k) {
      joined += '\n';
      joined += cookies[k]->value();
    }
    array.begin(known ? std::optional<std::size_t>(field.origin) : std::nullopt);
    // What else a header object holds stays with the first of its values.
    const bool first = known && !begun[field.origin];
    append_header(half, field, joined, first ? &headers[field.origin] : nullptr, layout);
    if (known) begun[field.origin] = true;
  }
  array.end();
  for (std::size_t i = 0; i < headers.size(); ++i) {
    if (!kept_[i]) touch(decode(headers[i].name));
  }
}

void HarEditor::touch(std::string_view name) {
  constexpr std::pair<std::string_view, Mirrored> kNames[] = {{"Set-Cookie", kCookies},
                                                              {"Cookie", kCookies},
                                                              {"Content-Type", kType},
                                                              {"Location", kLocation},
                                                              {"Content-Length", kLength}};
  for (const auto& [known, bit] : kNames) {
    if (ascii::equal(known, name)) touched_ |= bit;
  }
}

/// One header: the text it had with another name or value in it, or a new one if `old` is null.
void HarEditor::append_header(const Half& half, const Field& field, std::string_view value,
                              const HarHeader* old, const HarLayout& layout) {
  std::string& out = edits_.text();
  const std::vector<HarHeader>& headers = half.side.headers;
  const auto spelt = [&](HarSpan span, std::string_view now) {
    return span && decode(span) == now ? span.in(text_) : quoted(half, now);
  };
  if (old != nullptr && old->name && old->value) {
    const bool swap = old->value.begin < old->name.begin;
    const HarSpan first = swap ? old->value : old->name;
    const HarSpan second = swap ? old->name : old->value;
    out += text_.substr(old->element.begin, first.begin - old->element.begin);
    out += spelt(first, swap ? value : field.name());
    out += text_.substr(first.end, second.begin - first.end);
    out += spelt(second, swap ? field.name() : value);
    out += text_.substr(second.end, old->element.end - second.end);
    return;
  }
  const std::string_view name_text = quoted(half, field.name());
  const std::string_view value_text = quoted(half, value);
  if (!headers.empty() && headers.front().element.in(text_).starts_with('[')) {
    out += '[';
    out += name_text;
    out += ',';
    out += value_text;
    out += ']';
    return;
  }
  append_object(out, layout, {{"name", name_text}, {"value", value_text}});
}

/// How headers are laid out here; if there are none, in the other half.
HarLayout HarEditor::layout_near(const Half& half) {
  for (const HarSide* side : {&half.side, &entry_->request, &entry_->response}) {
    if (side->headers.empty()) continue;
    std::vector<HarSpan> elements;
    for (const HarHeader& header : side->headers) elements.push_back(header.element);
    return layout_of(text_, (*side)[HarMember::headers], elements, arena_).value_or(HarLayout());
  }
  return {};
}

/// The values a field was loaded with.
std::vector<std::string_view> HarEditor::loaded(const Half& half, std::string_view name) {
  std::vector<std::string_view> values;
  for (const HarHeader& header : half.side.headers) {
    if (!ascii::equal(decode(header.name), name)) continue;
    std::string_view rest = decode(header.value);
    while (true) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      values.push_back(rest.substr(0, end));
      if (end == rest.size()) break;
      rest.remove_prefix(end + 1);
    }
  }
  return values;
}

bool HarEditor::changed(const Half& half, std::string_view name) {
  const auto before = loaded(half, name);
  std::size_t same = 0, now = 0;
  half.message.headers.for_each(name, [&](const Field& field) {
    same += now < before.size() && before[now] == field.value() ? 1U : 0U;
    ++now;
  });
  return same != before.size() || now != before.size();
}

void HarEditor::edit_mirrors(const Half& half) {
  const http::HeaderMap& headers = half.message.headers;
  if ((touched_ & kCookies) != 0) edit_cookies(half);
  if ((touched_ & kType) != 0 && changed(half, "Content-Type")) {
    const Field* type = headers.find("Content-Type");
    put_if_there(half.content_object(), "mimeType",
                 quoted(half, type != nullptr ? type->value() : std::string_view()));
  }
  if ((touched_ & kLocation) != 0 && !half.is_request() && changed(half, "Location")) {
    edit_location(half);
  }
  // A length that a step took from the body has its size already.
  const bool by_hand = half.message.delivery.framing == http::Delivery::Framing::as_found &&
                       (half.message.body == nullptr || !half.message.body->touched()) &&
                       half.side.decoded_text == half.message.coding_label_false;
  const Field* length = headers.find("Content-Length");
  if ((touched_ & kLength) != 0 && by_hand && length != nullptr &&
      changed(half, "Content-Length") && half.side[HarMember::body_size]) {
    if (const auto size = ascii::decimal(length->value())) {
      put(half, HarMember::body_size, std::to_string(*size));
    }
  }
}

void HarEditor::edit_cookies(const Half& half) {
  const http::Kind kind = half.message.kind;
  const HarSpan list = half.side[HarMember::cookies];
  if (!list.in(text_).starts_with('[')) return;
  if (!changed(half, half.is_request() ? "Cookie" : "Set-Cookie")) return;
  const std::size_t from = edits_.text().size();
  append_mirror(edits_.text(), text_, list, cookies_read(text_, half.side, kind, arena_),
                cookies_in(half.message.headers, kind), layout_near(half), arena_);
  if (std::string_view(edits_.text()).substr(from) != list.in(text_)) edits_.replace(list, from);
}

void HarEditor::edit_location(const Half& half) {
  const HarSpan redirect = half.side[HarMember::redirect_url];
  if (!redirect) return;
  const Field* location = half.message.headers.find("Location");
  const auto before = loaded(half, "Location");
  const std::string_view old = decode(redirect);
  std::string now(location != nullptr ? location->value() : std::string_view());
  // Some producers write the URL resolved.
  if (!before.empty() && !old.empty() && old != before.front())
    now = absolute_url(now, entry_->url);
  put(half, HarMember::redirect_url, quoted(half, now));
}

}  // namespace rehead::format
