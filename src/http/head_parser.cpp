#include "http/head_parser.h"

#include <utility>

#include "base/ascii.h"
#include "base/io.h"
#include "http/start_line.h"

namespace rehead::http {
namespace {

tl::unexpected<Error> bad(std::string_view id, std::string what, std::uint64_t byte,
                          std::uint64_t line, std::string hint = {}) {
  return fail({.code = Errc::syntax,
               .id = id,
               .what = std::move(what),
               .hint = std::move(hint),
               .byte = byte,
               .line = line});
}

/// What people feed a header tool by mistake, told from the first line.
std::string hint_for(std::string_view line) {
  const std::string_view text = ascii::trim(line);
  if (line.find('\x1b') != std::string_view::npos) {
    return "terminal escapes: pipe curl into rehead instead of saving a screen (or: curl "
           "--no-styled-output)";
  }
  if (line.starts_with("* ") || line.starts_with("> ") || line.starts_with("< ") ||
      line.starts_with("{ [") || line.starts_with("} [")) {
    return "this is curl -v text: use curl -i, which prints the head itself";
  }
  if (line.starts_with("###") || line.starts_with("@")) return std::string(kScriptHint);
  if (line.starts_with("  % Total") || line.starts_with("\r")) {
    return "this begins with curl's progress meter or -v text: use curl -si, without 2>&1";
  }
  if (line.starts_with("--") || (text != line && parse_status_line(text))) {
    return "this is what wget -S prints: use curl -si, or wget --save-headers";
  }
  if (line.starts_with("WARC/")) {
    return "this is a WARC file: take the HTTP messages out of its records first";
  }
  if (ascii::is_token(line.substr(0, line.find(':'))) && line.find(':') != std::string_view::npos) {
    return "a head without its start line (as CGI programs and curl -i file:// print it): put a "
           "line such as 'HTTP/1.1 200 OK' before it";
  }
  return "a message begins with a line such as 'HTTP/1.1 200 OK'; curl prints it with -i";
}

/// Why a line that looks like a request line is none.
bool is_nearly_request_line(std::string_view line) {
  const std::size_t last = line.rfind(' ');
  return last != std::string_view::npos && ascii::is_token(line.substr(0, line.find(' '))) &&
         is_version(line.substr(last + 1));
}

}  // namespace

/// An Error with --strict, else a finding that also says what was `done` about it (nothing:
/// silent).
Status HeadParser::oddity(const Line& line, std::string_view id, const std::string& what,
                          std::string_view done, std::string_view detail) {
  if (policy_->strict()) return bad(id, what + std::string(detail), line.at, line.number);
  std::string told = what;
  if (!done.empty()) told.append(" ").append(done).append(detail);
  findings_.push_back({.level = done.empty() ? Level::note : Level::warning,
                       .id = id,
                       .what = std::move(told),
                       .byte = line.at,
                       .line = line.number});
  return {};
}

Status HeadParser::start_line(const Line& line, Message& message) {
  auto start = parse_status_line(line.text);
  if (!start) start = parse_request_line(line.text);
  if (!start && is_nearly_request_line(line.text)) {
    return bad("start-line", "a request target that is empty or holds a blank or a control byte",
               line.at, line.number);
  }
  if (!start) {
    return bad("start-line",
               "no HTTP start line (begins " + ascii::quoted(line.text.substr(0, 12)) + ")",
               line.at, line.number, hint_for(line.text));
  }
  message.kind = start->status() == 0 ? Kind::request : Kind::response;
  message.start = *start;
  if (!start->as_read().empty()) {
    message.start.read_from(line.all);
    return {};
  }
  return oddity(line, "start-line-spelling", "a start line of unusual spelling", "mended",
                " (" + ascii::quoted(line.text) + ")");
}

tl::unexpected<Error> HeadParser::escape(const Line& line) {
  return bad("head-escape", "a terminal escape in a header line", line.at, line.number,
             hint_for(line.text));
}

/// NUL and bare CR never pass (RFC 9112 2.2); other controls do, unless --strict.
Result<HeadParser::Line> HeadParser::without_controls(Line line, Message& message) {
  const std::string_view name = line.text.substr(0, line.text.find(':'));
  if (name.find('\x1b') != std::string_view::npos) return escape(line);
  const bool nul = line.text.find('\0') != std::string_view::npos;
  const bool cr = line.text.find('\r') != std::string_view::npos;
  if (nul || cr) {
    std::string what = nul ? "NUL in a header line" : "a bare CR in a header line";
    if (!policy_->lenient()) {
      return bad(nul ? "head-nul" : "head-cr", std::move(what), line.at, line.number,
                 "--lenient makes it a blank");
    }
    findings_.push_back({.id = "head-control",
                         .what = what + " made a blank",
                         .byte = line.at,
                         .line = line.number});
    const std::span<char> copy = message.arena.allocate(line.text.size() + 2);
    for (std::size_t i = 0; i < line.text.size(); ++i) {
      const char c = line.text[i];
      copy[i] = c == '\0' || c == '\r' ? ' ' : c;
    }
    copy[line.text.size()] = '\r';
    copy[line.text.size() + 1] = '\n';
    line.text = {copy.data(), line.text.size()};
    line.all = {copy.data(), copy.size()};
    line.crlf = true;
  }
  if (policy_->strict()) {
    for (const char c : line.text) {
      if (ascii::is(c, ascii::kControl)) {
        return bad("head-control", "a control byte in a header line", line.at, line.number);
      }
    }
  }
  return line;
}

Field HeadParser::as_read(const Line& line, std::size_t colon) {
  const std::string_view value = ascii::trim(line.text.substr(colon + 1));
  return {.name_at = line.text.data(),
          .value_at = value.data(),
          .name_size = static_cast<std::uint32_t>(colon),
          .value_size = static_cast<std::uint32_t>(value.size()),
          .line_size = static_cast<std::uint32_t>(line.all.size()),
          .flags = static_cast<std::uint8_t>(line.crlf ? Field::clean : 0)};
}

/// A field whose line cannot leave as it came.
Field HeadParser::respelt(std::string_view name, std::string_view value, Message& message) {
  const std::string_view all = message.arena.join({name, ": ", value, "\r\n"});
  return {.name_at = all.data(),
          .value_at = all.data() + name.size() + 2,
          .name_size = static_cast<std::uint32_t>(name.size()),
          .value_size = static_cast<std::uint32_t>(value.size()),
          .line_size = static_cast<std::uint32_t>(all.size()),
          .flags = Field::clean};
}

/// Gives the last field the value that its folds have made; only once all of them are read, so that
/// many folds take time and memory in proportion to their bytes.
void HeadParser::unfold(Message& message) {
  if (!std::exchange(folding_, false)) return;
  message.headers.reload(respelt(message.headers.last().name(), folded_, message));
}

Status HeadParser::fold(const Line& line, Message& message) {
  if (!foldable_) {
    return bad("fold-first", "a line begins with a blank but has no field to continue", line.at,
               line.number);
  }
  if (auto fine = oddity(line, "fold", "a folded header line", {}); !fine) return fine;
  // RFC 9112 5.2: one SP for each fold; a value that starts by folding has none before it.
  if (!folding_) folded_ = message.headers.last().value();
  folding_ = true;
  const std::string_view more = ascii::trim(line.text);
  if (!folded_.empty() && !more.empty()) folded_ += ' ';
  folded_ += more;
  return {};
}

/// A line before the empty one: the start line or a field line.
Status HeadParser::one_line(Line line, Message& message) {
  if (careful_) {
    auto cleaned = without_controls(line, message);
    if (!cleaned) return fail(std::move(cleaned.error()));
    line = *cleaned;
  }
  if (line.number == 0) return start_line(line, message);
  if (!ascii::is_blank(line.text.front())) unfold(message);
  return field_line(line, message);
}

Status HeadParser::field_line(const Line& line, Message& message) {
  std::size_t colon = 0;  // or the first byte that is no token character
  while (colon < line.text.size() && ascii::is(line.text[colon], ascii::kToken)) ++colon;
  if (colon == 0 || colon == line.text.size() || line.text[colon] != ':') {
    return unusual_line(line, colon, message);
  }
  if (message.headers.size() >= policy_->limits.max_fields) {
    return fail({Errc::limit, "max-fields",
                 "more than " + std::to_string(policy_->limits.max_fields) + " header fields",
                 "raise it with --max-fields", line.at, line.number});
  }
  message.headers.load(as_read(line, colon));
  foldable_ = true;
  return {};
}

/// A line that does not begin with a token and a colon.
Status HeadParser::unusual_line(const Line& line, std::size_t colon, Message& message) {
  if (ascii::is_blank(line.text.front())) return fold(line, message);
  foldable_ = false;
  if (parse_status_line(line.text) || parse_request_line(line.text)) {
    return bad("start-line-in-head", "a start line inside a head", line.at, line.number,
               "curl -i together with -D - prints every line twice: use one of them");
  }
  if (line.text.front() == ':') {
    return bad("empty-name", "a header line with an empty name", line.at, line.number);
  }
  const std::size_t end = line.text.find(':');
  const std::string_view name = line.text.substr(0, end);
  if (name.find('\x1b') != std::string_view::npos) return escape(line);
  const auto begins = [&](std::string_view text) {
    return " (" + std::to_string(line.text.size()) + " bytes, begins " + ascii::quoted(text) + ")";
  };
  const bool no_field = end == std::string_view::npos || !ascii::is_token(ascii::trim(name));
  if (no_field) ++message.notes.lines_dropped;
  if (end == std::string_view::npos) {
    return oddity(line, "no-colon", "header line without a colon", "dropped",
                  begins(line.text.substr(0, 6)));
  }
  if (no_field) {
    return oddity(line, "name-no-token", "header line whose name is no token", "dropped",
                  begins(name));
  }
  // RFC 9112 5.1: blank before the colon is refused in requests, removed in responses.
  const std::string_view token = line.text.substr(0, colon);
  if (message.kind == Kind::request) {
    return bad("blank-before-colon", "a blank before the colon of " + std::string(token), line.at,
               line.number);
  }
  auto fine = oddity(line, "blank-before-colon",
                     "a blank before the colon of " + std::string(token), "removed");
  if (!fine) return fine;
  message.headers.load(respelt(token, ascii::trim(line.text.substr(end + 1)), message));
  foldable_ = true;
  return {};
}

Result<HeadParser::Outcome> HeadParser::input_ended(const Line& rest, Message& message) {
  const bool cr_of_empty_line = rest.text == "\r";
  const bool lf_line_cut =
      !rest.text.empty() && crlf_lines_ == 0 && rest.number > 0 && rest.text.back() != '\r';
  if (cr_of_empty_line || lf_line_cut) {
    if (lf_line_cut) {
      if (auto fine = one_line(rest, message); !fine) return fail(std::move(fine.error()));
    }
    if (auto fine =
            oddity(rest, "head-end", "no empty line after the head", "at the end of the input");
        !fine) {
      return fail(std::move(fine.error()));
    }
    message.notes.lf_head = crlf_lines_ == 0;
  } else if (policy_->strict() || rest.number == 0) {
    return bad("head-incomplete", "head incomplete: the input ends inside it",
               rest.at + rest.text.size(), rest.number);
  } else {
    message.notes.head_complete = false;
  }
  unfold(message);
  return Outcome{.size = rest.at + rest.text.size(), .lines = rest.number};
}

/// An ordinary head in one pass; nothing if the line reader has to look at it.
Result<std::optional<HeadParser::Outcome>> HeadParser::plain(std::string_view window,
                                                             Message& message) {
  if (policy_->strict()) return std::nullopt;
  message.headers.clear();
  const auto sizes = plain_.read(window, policy_->limits.max_fields, message.headers);
  if (!sizes || sizes->head > policy_->limits.max_head) return std::nullopt;
  findings_.clear();
  const std::string_view line = window.substr(0, sizes->start_line);
  if (auto fine = start_line({.text = line.substr(0, line.size() - 2), .all = line, .crlf = true},
                             message);
      !fine) {
    return fail(std::move(fine.error()));
  }
  message.blank_line = window.substr(sizes->head - 2, 2);
  message.notes.lf_head = false;
  return Outcome{.size = sizes->head, .lines = sizes->lines};
}

Result<HeadParser::Outcome> HeadParser::parse(std::string_view window, bool at_end,
                                              Message& message) {
  auto ordinary = plain(window, message);
  if (!ordinary) return fail(std::move(ordinary.error()));
  if (*ordinary) return **ordinary;
  return parse_by_line(window, at_end, message);
}

Result<HeadParser::Outcome> HeadParser::parse_by_line(std::string_view window, bool at_end,
                                                      Message& message) {
  // One pass for the head as a whole tells whether any line has to be searched for NUL and bare CR.
  careful_ = policy_->strict();
  if (!careful_) {
    auto head = lines(window, at_end, message);
    if (head && head->more) return head;
    if (head) {
      const std::string_view bytes = window.substr(0, head->size);
      if (bytes.find('\0') == std::string_view::npos && count(bytes, '\r') == crlf_lines_)
        return head;
    }
  }
  careful_ = true;
  return lines(window, at_end, message);
}

/// Reads line by line until the empty one.
Result<HeadParser::Outcome> HeadParser::lines(std::string_view window, bool at_end,
                                              Message& message) {
  findings_.clear();
  message.headers.clear();
  message.notes.lines_dropped = 0;  // the head may be parsed again once more of it has come
  foldable_ = folding_ = false;
  crlf_lines_ = 0;
  bool any_lf = false;
  Line line;
  while (true) {
    const std::string_view rest = window.substr(line.at);
    const std::size_t lf = rest.find('\n');
    if (lf == std::string_view::npos || line.at + lf >= policy_->limits.max_head) {
      if (window.size() > policy_->limits.max_head) {
        return fail({Errc::limit, "max-head",
                     "a head larger than " + std::to_string(policy_->limits.max_head) + " bytes",
                     "raise it with --max-head", policy_->limits.max_head, line.number});
      }
      if (!at_end) return Outcome{.more = true};
      line.text = line.all = rest;
      line.crlf = false;
      return input_ended(line, message);
    }
    line.all = rest.substr(0, lf + 1);
    line.text = rest.substr(0, lf);
    line.crlf = line.text.ends_with('\r');
    if (line.crlf) line.text.remove_suffix(1);
    crlf_lines_ += line.crlf ? 1 : 0;
    any_lf = any_lf || !line.crlf;
    if (line.text.empty() && line.number > 0) break;
    if (auto fine = one_line(line, message); !fine) {
      return fail(std::move(fine.error()));
    }
    line.at += lf + 1;
    ++line.number;
  }
  unfold(message);
  message.blank_line = line.all;
  message.notes.lf_head = crlf_lines_ == 0;
  if (any_lf) {
    if (auto fine = oddity({}, "bare-lf", "a line of the head ends in a bare LF", {}); !fine) {
      return fail(std::move(fine.error()));
    }
  }
  return Outcome{.size = line.at + line.all.size(), .lines = line.number + 1};
}

}  // namespace rehead::http
