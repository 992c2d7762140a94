#include "codec/judge.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "codec/content_coding.h"
#include "codec/utf8.h"
#include "http/field_value.h"
#include "http/framing.h"

namespace rehead::codec {
namespace {

using http::Coding;

/// UTF-8 without controls but TAB, LF, FF and CR. A character that the window cuts is none.
bool is_text(std::string_view start, bool all) {
  const auto is_control = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == 0x7F ||
           (byte < 0x20 && std::string_view("\t\n\f\r").find(c) == std::string_view::npos);
  };
  if (std::ranges::any_of(start, is_control)) return false;
  Utf8Check utf8;
  return utf8.feed(start) && (!all || utf8.complete());
}

/// A range that begins at 0 (RFC 9110 14.4) is judged as any other content.
bool begins_at_zero(const http::Message& message) {
  const http::Field* range = message.headers.find("Content-Range");
  if (range == nullptr) return false;
  std::string_view value = ascii::trim(range->value());
  constexpr std::string_view kUnit = "bytes";
  if (!ascii::starts_with(value, kUnit)) return false;
  value = ascii::trim(value.substr(kUnit.size()));
  return value.starts_with("0-");
}

/// Slices of coded bytes: their start shows nothing (RFC 9110 14.1.2, 15.3.7.2).
bool is_slice(const http::Message& message) {
  if (message.kind == http::Kind::request) return false;
  if (ascii::equal(http::media_type(message.headers), "multipart/byteranges")) return true;
  return message.start.status() == 206 && !begins_at_zero(message);
}

}  // namespace

Coding coding_shown(std::string_view start) {
  constexpr char kDeflate = 8;               // RFC 1952 2.3.1: the only method
  constexpr unsigned char kReserved = 0xE0;  // flags that are never set
  if (start.size() < kFirst) return Coding::other;
  const bool gzip = magic(Coding::gzip, start, true) == Magic::shown && start[2] == kDeflate &&
                    (static_cast<unsigned char>(start[3]) & kReserved) == 0;
  if (gzip) return Coding::gzip;
  return magic(Coding::zstd, start, true) == Magic::shown ? Coding::zstd : Coding::other;
}

Coding coding_of_type(std::string_view media_type) {
  constexpr std::array<std::string_view, 2> kGzip = {"application/gzip", "application/x-gzip"};
  const auto is = [&](std::string_view type) { return ascii::equal(type, media_type); };
  if (std::ranges::any_of(kGzip, is)) return Coding::gzip;
  return is("application/zstd") ? Coding::zstd : Coding::other;
}

/// A later error is one of broken data; a limit, a size or no memory says nothing against the
/// coding.
bool Judge::decodes(Coding coding, std::string_view start) {
  constexpr std::size_t kRoom = std::size_t{4} << 10;
  constexpr std::size_t kEnough = std::size_t{1} << 20;  // decoded bytes
  std::unique_ptr<Coder>& coder = coding == Coding::br ? br_ : deflate_;
  if (!coder) coder = make_decoder(coding);
  coder->start(false);
  std::array<char, kRoom> room;
  for (std::size_t given = 0; given < kEnough;) {
    const auto did = coder->run(start, room, Flush::none);
    if (!did) return did.error().code != Errc::transform;
    start.remove_prefix(did->taken);
    given += did->given;
    if (did->then != Progress::Then::repeat) break;
  }
  return true;
}

std::size_t Judge::look_ahead(const http::Codings& codings) {
  const bool has_magic = std::ranges::none_of(
      codings, [](Coding coding) { return coding == Coding::deflate || coding == Coding::br; });
  return has_magic ? kFirst : look_ahead();
}

Judge::Answer Judge::shows(Coding coding, std::string_view start, bool all) {
  if (coding == Coding::other || (start.empty() && all)) return Answer::yes;
  if (coding == Coding::gzip || coding == Coding::zstd) {
    const Magic seen = magic(coding, start, all);
    if (seen == Magic::more) return Answer::more;
    return seen == Magic::refuted ? Answer::no : Answer::yes;
  }
  start = start.substr(0, look_ahead());
  all = all && start.size() < look_ahead();
  if (!all && start.size() < look_ahead()) return Answer::more;
  if (coding == Coding::br && all && start == ";") return Answer::yes;  // an empty body, RFC 7932 9
  if (is_text(start, all) || coding_shown(start) != Coding::other) return Answer::no;
  return decodes(coding, start) ? Answer::yes : Answer::no;
}

bool Judge::settle(http::Message& message, std::string_view start, bool all) {
  http::Notes& notes = message.notes;
  notes.codings = http::content_codings(message.headers);
  notes.coding_label_false = false;
  notes.slice = is_slice(message);
  std::size_t there = notes.codings.size();
  // An empty body proves nothing; what has too many codings is decoded by nobody.
  if (notes.slice || there > http::Codings::kMost || (all && start.empty())) return true;
  while (there != 0) {
    const Answer answer = shows(notes.codings[there - 1], start, all);
    if (answer == Answer::more) return false;
    if (answer == Answer::yes) break;
    --there;
  }
  if (there == notes.codings.size()) return true;
  if (!all && start.size() < kFirst) return false;
  notes.coding_label_false = true;
  notes.codings.resize(there);
  const Coding shown = coding_shown(start);
  const bool content = shown == coding_of_type(http::media_type(message.headers));
  if (there == 0 && shown != Coding::other && !content) notes.codings.push_back(shown);
  return true;
}

}  // namespace rehead::codec
