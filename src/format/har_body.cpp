#include "format/har_body.h"

#include "base/ascii.h"
#include "http/field_value.h"

namespace rehead::format {
namespace {

namespace json = codec::json;
using json::Kind;

bool is_form(std::string_view mime_type) {
  const std::string_view type = http::media_type(mime_type);
  return type.empty() || ascii::equal(type, "application/x-www-form-urlencoded");
}

}  // namespace

void HarBody::start(std::string_view object, const Finding& place) {
  object_ = object;
  place_ = place;
  opened_.reset();
  source_ = nullptr;
  size_ = 0;
  told_.reset();
}

Status HarBody::open() {
  if (!opened_) opened_ = read();
  return *opened_;
}

Status HarBody::read() {
  if (!object_.starts_with('{')) return {};
  arena_.reset();
  json::Cursor cursor(object_, policy_->limits.max_depth, arena_);
  auto root = cursor.root();
  if (!root) return fail(std::move(root.error()));
  std::optional<json::Value> text, params;
  std::string_view encoding, mime_type;
  auto walked = cursor.for_each_member(*root, [&](const json::Member& member) -> Status {
    const Kind kind = member.value.kind;
    if (member.key == "text") text = member.value;
    if (member.key == "params" && kind == Kind::array) params = member.value;
    if (member.key == "size" && kind == Kind::number) {
      told_ = ascii::decimal(cursor.raw(member.value).value_or(std::string_view()));
    }
    std::string_view* const part = member.key == "encoding"   ? &encoding
                                   : member.key == "mimeType" ? &mime_type
                                                              : nullptr;
    if (part == nullptr || kind != Kind::string) return {};
    auto value = cursor.string(member.value);
    if (!value) return fail(std::move(value.error()));
    *part = *value;
    return {};
  });
  if (!walked) return walked;
  const bool base64 = ascii::equal(encoding, "base64");
  if (!base64 && !encoding.empty()) {
    report(Level::note, "encoding-unknown",
           "the encoding " + ascii::quoted(encoding, 60) + " is not known; the text is kept as it is");
  }
  if (text && text->kind == Kind::string) return take_text(cursor, *text, base64);
  if (text && text->kind == Kind::number) {
    form_.start(*cursor.raw(*text));
    size_ = form_.text.size();
    source_ = &form_;
    return {};
  }
  if (text && text->kind != Kind::null) {
    report(Level::warning, "text-type",
           "the text is " + std::string(json::describe(text->kind)) + ", not a string; ignored");
  }
  if (!params) return {};
  if (is_form(mime_type)) return take_params(cursor, *params);
  report(Level::warning, "params-alone", "postData of type " + ascii::quoted(mime_type, 60) +
                           " has params and no text; the body is left empty");
  return {};
}

Status HarBody::take_text(json::Cursor& cursor, const json::Value& text, bool in_base64) {
  auto size = cursor.string_size(text);
  if (!size) return fail(std::move(size.error()));
  size_ = *size;
  const std::string_view quoted = *cursor.raw(text);
  string_.start(quoted);
  source_ = &string_;
  if (!in_base64) return {};
  if (const auto bytes = codec::base64_size(string_)) {
    size_ = *bytes;
    string_.start(quoted);
    base64_.start(string_);
    source_ = &base64_;
    return {};
  }
  // Somebody put words in the place of the data and left the flag.
  report(Level::warning, "text-no-base64", "the text is said to be base64 and is not; taken as it stands");
  string_.start(quoted);
  return {};
}

Status HarBody::take_params(json::Cursor& cursor, const json::Value& params) {
  form_.start({});
  auto walked = cursor.for_each_element(params, [&](const json::Value& each) -> Status {
    if (each.kind != Kind::object) return {};
    if (!form_.text.empty()) form_.text += '&';
    for (const std::string_view key : {"name", "value"}) {
      auto found = cursor.find(each, key);
      if (!found) return fail(std::move(found.error()));
      if (key == "value") form_.text += '=';
      if (!*found || (*found)->kind != Kind::string) continue;
      auto part = cursor.string(**found);
      if (!part) return fail(std::move(part.error()));
      form_.add(*part);
    }
    return {};
  });
  size_ = form_.text.size();
  source_ = &form_;
  return walked;
}

Result<Piece> HarBody::pull() {
  if (auto done = open(); !done) {
    Error error = done.error();
    error.byte = place_.byte.value_or(0) + error.byte.value_or(0);
    error.half = place_.half;
    return fail(std::move(error));
  }
  return source_ == nullptr ? Piece{} : source_->pull();
}

std::optional<std::uint64_t> HarBody::measure() {
  if (!open()) return std::nullopt;
  return size_;
}

std::optional<std::uint64_t> HarBody::told() {
  return open() && source_ == nullptr ? told_ : std::nullopt;
}

bool HarBody::begins_coded() {
  // 1F 8B 08 and 28 B5 2F FD; the last signs hold bits of the byte behind them.
  constexpr std::string_view kGzip = "\"H4sI";
  constexpr std::string_view kZstd = "\"KLUv/";
  if (!object_.starts_with('{')) return false;
  arena_.reset();
  json::Cursor cursor(object_, policy_->limits.max_depth, arena_);
  const auto root = cursor.root();
  const auto text = root ? cursor.find(*root, "text") : Result<std::optional<json::Value>>();
  if (!text || !*text) return false;
  const std::string_view start = object_.substr((*text)->offset);
  if (!start.starts_with(kGzip) && !start.starts_with(kZstd)) return false;
  return recorded() && source_ == &base64_;
}

void HarBody::report(Level level, std::string_view id, std::string what) const {
  Finding finding = place_;
  finding.level = level;
  finding.id = id;
  finding.what = std::move(what);
  log_->report(finding);
}

/// One name or value: blanks become +, all but letters, digits and *-._ become %XX.
void HarBody::Form::add(std::string_view part) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  constexpr std::string_view kPlain = "*-._";
  for (const char c : part) {
    const char low = ascii::lower(c);
    const auto byte = static_cast<unsigned char>(c);
    if ((low >= 'a' && low <= 'z') || ascii::is_digit(c) || kPlain.find(c) != kPlain.npos) {
      text += c;
    } else if (c == ' ') {
      text += '+';
    } else {
      text += '%';
      text += kDigits[byte >> 4];
      text += kDigits[byte & 15];
    }
  }
}

Result<Piece> HarBody::Form::pull() {
  if (std::exchange(given, true) || text.empty()) return Piece{};
  return Piece{Piece::Kind::bytes, text};
}

}  // namespace rehead::format
