// Three bytes are four signs of six bits each:   aaaaaabb bbbbcccc ccdddddd -> a b c d
// One byte over: two signs and ==; two bytes over: three signs and =. RFC 4648 3.5: bits of the
// last sign that stand for nothing are not judged.
#include "codec/base64.h"

#include <array>

namespace rehead::codec {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
enum Sign : std::uint8_t { kPad = 64, kBreak = 65, kBad = 66 };

constexpr std::array<std::uint8_t, 256> make_signs() {
  std::array<std::uint8_t, 256> signs{};
  for (auto& sign : signs) sign = kBad;
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    signs[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
  }
  signs['='] = kPad;
  for (const char blank : {' ', '\t', '\n', '\f', '\r'}) {
    signs[static_cast<unsigned char>(blank)] = kBreak;
  }
  return signs;
}
constexpr std::array<std::uint8_t, 256> kSigns = make_signs();

unsigned byte_at(std::string_view bytes, std::size_t i) {
  return static_cast<unsigned char>(bytes[i]);
}
std::uint8_t sign_at(std::string_view text, std::size_t i) {
  return kSigns[static_cast<unsigned char>(text[i])];
}

/// Appends the signs of whole groups of three.
void append_groups(std::string& out, std::string_view bytes) {
  std::size_t at = out.size();
  out.resize(at + bytes.size() / 3 * 4);
  for (std::size_t i = 0; i + 3 <= bytes.size(); i += 3) {
    const unsigned bits =
        byte_at(bytes, i) << 16 | byte_at(bytes, i + 1) << 8 | byte_at(bytes, i + 2);
    out[at++] = kAlphabet[bits >> 18];
    out[at++] = kAlphabet[bits >> 12 & 63];
    out[at++] = kAlphabet[bits >> 6 & 63];
    out[at++] = kAlphabet[bits & 63];
  }
}

/// The whole groups at the start of `text` that hold neither padding nor line ends, at most
/// `text.size() / 4 * 3` bytes into `out`. How many groups.
std::size_t decode_groups(std::string_view text, char* out) {
  std::size_t i = 0;
  for (; text.size() - i >= 4; i += 4) {
    const unsigned a = sign_at(text, i), b = sign_at(text, i + 1);
    const unsigned c = sign_at(text, i + 2), d = sign_at(text, i + 3);
    if ((a | b | c | d) >= kPad) break;
    const unsigned bits = a << 18 | b << 12 | c << 6 | d;
    *out++ = static_cast<char>(bits >> 16);
    *out++ = static_cast<char>(bits >> 8);
    *out++ = static_cast<char>(bits);
  }
  return i / 4;
}

tl::unexpected<Error> refuse(std::string what) {
  return fail({.code = Errc::syntax, .id = "base64", .what = std::move(what)});
}

}  // namespace

void Base64Encoder::feed(std::string_view bytes, std::string& out) {
  while (!held_.empty() && held_.size() < 3 && !bytes.empty()) {
    held_ += bytes.front();
    bytes.remove_prefix(1);
  }
  if (held_.size() == 3) {
    append_groups(out, held_);
    held_.clear();
  }
  const std::size_t whole = bytes.size() - bytes.size() % 3;
  append_groups(out, bytes.substr(0, whole));
  held_ += bytes.substr(whole);
}

void Base64Encoder::finish(std::string& out) {
  if (held_.empty()) return;
  const std::size_t missing = 3 - held_.size();
  held_.append(missing, '\0');
  append_groups(out, held_);
  out.replace(out.size() - missing, missing, missing, '=');
  held_.clear();
}

void append_base64(std::string& out, std::string_view bytes) {
  Base64Encoder encoder;
  encoder.feed(bytes, out);
  encoder.finish(out);
}

void Base64Source::start(ByteSource& text) {
  text_ = &text;
  rest_ = {};
  group_ = 0;
  signs_ = padding_ = 0;
  finished_ = false;
}

Status Base64Source::decode(std::string_view text) {
  std::size_t size = 0;
  out_.resize(text.size() / 4 * 3 + 3);
  while (true) {
    // Whole groups on the fast way; what is left, wrapped or padded goes sign by sign.
    if (signs_ == 0 && padding_ == 0) {
      const std::size_t groups = decode_groups(text, out_.data() + size);
      text.remove_prefix(groups * 4);
      size += groups * 3;
    }
    if (text.empty()) break;
    const std::uint8_t sign = sign_at(text, 0);
    text.remove_prefix(1);
    if (sign == kBreak) continue;
    if (sign == kBad) return refuse("not base64: a sign outside of its alphabet");
    if (sign == kPad) {
      ++padding_;
      continue;
    }
    if (padding_ != 0) return refuse("not base64: something follows the padding");
    group_ = group_ << 6 | sign;
    if (++signs_ < 4) continue;
    for (const unsigned shift : {16U, 8U, 0U}) out_[size++] = static_cast<char>(group_ >> shift);
    signs_ = 0;
    group_ = 0;
  }
  out_.resize(size);
  return {};
}

/// The end of the text: what the last group holds.
Status Base64Source::finish() {
  finished_ = true;
  if (signs_ == 1) return refuse("not base64: it is cut short");
  if (padding_ != 0 && (padding_ > 2 || signs_ + padding_ != 4)) {
    return refuse("not base64: padding in the wrong place");
  }
  if (signs_ >= 2) out_ += static_cast<char>(group_ >> (signs_ == 2 ? 4 : 10));
  if (signs_ == 3) out_ += static_cast<char>(group_ >> 2);
  return {};
}

Result<Piece> Base64Source::pull() {
  out_.clear();
  while (out_.empty()) {
    if (rest_.empty()) {
      auto piece = text_->pull();
      if (!piece || piece->kind == Piece::Kind::idle) return piece;
      if (piece->kind == Piece::Kind::end) {
        if (finished_) return piece;
        if (auto done = finish(); !done) return fail(std::move(done.error()));
        if (out_.empty()) return piece;
        break;
      }
      rest_ = piece->bytes;
    }
    const std::string_view text = rest_.substr(0, kPiece);
    rest_.remove_prefix(text.size());
    if (auto done = decode(text); !done) return fail(std::move(done.error()));
  }
  return Piece{Piece::Kind::bytes, out_};
}

Result<std::uint64_t> base64_size(ByteSource& text) {
  Base64Source bytes;
  bytes.start(text);
  std::uint64_t size = 0;
  while (true) {
    auto piece = bytes.pull();
    if (!piece) return fail(std::move(piece.error()));
    if (piece->kind == Piece::Kind::end) return size;
    size += piece->bytes.size();
  }
}

std::optional<std::string> base64_bytes(std::string_view text) {
  TextSource source;
  source.start(text);
  Base64Source base64;
  base64.start(source);
  std::string out;
  while (true) {
    const auto piece = base64.pull();
    if (!piece) return std::nullopt;
    if (piece->kind == Piece::Kind::end) return out;
    out += piece->bytes;
  }
}

}  // namespace rehead::codec
