#include "pipeline/show.h"

#include <algorithm>

#include "base/ascii.h"

namespace rehead {
namespace {

constexpr std::size_t kLook = std::size_t{64} << 10;  // of a body, for a NUL

Ink ink_of(unsigned status) {
  static constexpr Ink kInks[] = {Ink::plain, Ink::dim,    Ink::green,
                                  Ink::cyan,  Ink::yellow, Ink::red};
  const unsigned kind = status / 100;
  return kind < std::size(kInks) ? kInks[kind] : Ink::plain;
}

}  // namespace

Status Show::put_text(std::string_view bytes) {
  if (!look_.harmless) return output_.write(bytes);
  held_ += bytes;
  std::string shown;
  held_.erase(0, append_harmless(shown, held_, false));
  return output_.write(shown);
}

/// Says what a body that was held back is; what comes behind is not held.
Status Show::settle_body(bool whole) {
  // However much came at once, as many bytes are looked at.
  if (coded_ || std::string_view(held_).substr(0, kLook).find('\0') != std::string_view::npos) {
    part_ = Part::binary;
    binary_ = held_.size();
    held_.clear();
    return {};
  }
  part_ = Part::text;
  if (!whole) return put_text({});
  std::string shown;
  append_harmless(shown, held_, true);
  held_.clear();
  return output_.write(shown);
}

Status Show::write(std::string_view bytes) {
  if (bytes.empty()) return output_.write({});
  switch (part_) {
    case Part::text:
      return put_text(bytes);
    case Part::binary:
      binary_ += bytes.size();
      return {};
    case Part::head:
      held_ += bytes;
      return {};
    case Part::body:
      held_ += bytes;
      return held_.size() < kLook ? Status() : settle_body(false);
  }
  return {};
}

Status Show::flush() {
  if (part_ == Part::body && !held_.empty()) {
    if (auto done = settle_body(false); !done) return done;
  }
  return output_.flush();
}

Status Show::head(const http::Message& message) {
  if (auto done = end(); !done) return done;
  part_ = Part::head;
  status_ = message.kind == http::Kind::response ? message.start.status() : 0;
  return {};
}

/// The start line by the class of the status, or the method; then names.
Status Show::put_head() {
  std::string out;
  std::string_view rest = held_;
  for (bool first = true; !rest.empty(); first = false) {
    const std::size_t size = std::min(rest.find('\n'), rest.size() - 1) + 1;
    std::string line;
    if (look_.harmless) {
      append_harmless(line, rest.substr(0, size), true);
    } else {
      line = rest.substr(0, size);
    }
    rest.remove_prefix(size);
    const std::size_t text = line.find_last_not_of("\r\n") + 1;
    const bool folded = ascii::is_blank(line.front());
    std::size_t from = 0, to = folded ? 0 : std::min(line.find(':'), text);
    Ink ink = Ink::cyan;
    if (first) {
      const std::size_t blank = std::min(line.find(' '), text);
      from = status_ != 0 ? std::min(blank + 1, text) : 0;
      to = status_ != 0 ? text : blank;
      ink = status_ != 0 ? ink_of(status_) : Ink::bold;
    }
    out.append(line, 0, from);
    paint(out, ink, std::string_view(line).substr(from, to - from), look_);
    out.append(line, to);
  }
  held_.clear();
  return output_.write(out);
}

Status Show::body(const http::Message& message) {
  if (auto done = end(); !done) return done;
  part_ = look_.harmless ? Part::body : Part::text;
  coded_ = !message.notes.codings.empty();
  return {};
}

Status Show::end() {
  Status done;
  if (part_ == Part::head) {
    done = put_head();
  } else if (!held_.empty()) {
    done = settle_body(true);
  }
  if (done && part_ == Part::binary) {
    done = output_.write("[binary, " + std::to_string(binary_) + " bytes]\n");
  }
  part_ = Part::text;
  coded_ = false;
  return done;
}

}  // namespace rehead
