#include "http/head_parser.h"

#include <cstring>

#include "base/ascii.h"
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
  if (line.find('\x1b') != std::string_view::npos) {
    return "terminal escapes: pipe curl into rehead instead of saving a screen (or: curl "
           "--no-styled-output)";
  }
  if (line.starts_with("* ") || line.starts_with("> ") || line.starts_with("< ") ||
      line.starts_with("{ [") || line.starts_with("} [")) {
    return "this is curl -v text: use curl -i, which prints the head itself";
  }
  if (line.starts_with("###") || line.starts_with("@")) {
    return "this is a request script: send it first, or keep one plain request a file";
  }
  return "a message begins with a line such as 'HTTP/1.1 200 OK'; curl prints it with -i";
}

}  // namespace

Status HeadParser::oddity(const Line& line, std::string_view id, std::string what, bool silent) {
  if (policy_->strict()) return bad(id, std::move(what), line.at, line.number);
  if (!silent) {
    findings_.push_back({.id = id, .what = std::move(what), .byte = line.at, .line = line.number});
  }
  return {};
}

Status HeadParser::start_line(const Line& line, Message& message) {
  auto start = parse_status_line(line.text);
  if (!start) start = parse_request_line(line.text);
  if (!start) {
    return bad("start-line", "no HTTP start line: " + ascii::quoted(line.text), line.at,
               line.number, hint_for(line.text));
  }
  message.kind = start->request ? Kind::request : Kind::response;
  message.start_line = line.all;
  message.version = start->version;
  message.method = start->method;
  message.target = start->target;
  message.status = start->status;
  message.reason = start->reason;
  return {};
}

/// NUL and bare CR never pass (RFC 9112 2.2); other controls do, unless --strict.
Result<HeadParser::Line> HeadParser::without_controls(Line line, Message& message) {
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

Status HeadParser::load(const Line& line, std::string_view name, std::string_view value, bool clean,
                        Message& message) {
  std::string_view all = line.all;
  if (!clean) {
    all = message.arena.join({name, ": ", value, "\r\n"});
    name = all.substr(0, name.size());
    value = all.substr(name.size() + 2, value.size());
  }
  pending_ = {.name_at = name.data(),
              .value_at = value.data(),
              .name_size = static_cast<std::uint32_t>(name.size()),
              .value_size = static_cast<std::uint32_t>(value.size()),
              .line_size = static_cast<std::uint32_t>(all.size()),
              .flags = static_cast<std::uint8_t>(!clean || line.crlf ? Field::clean : 0)};
  has_pending_ = true;
  return {};
}

Status HeadParser::fold(const Line& line, Message& message) {
  if (!has_pending_) {
    return bad("fold-first", "the first header line begins with a blank", line.at, line.number);
  }
  if (auto fine = oddity(line, "fold", "a folded header line", true); !fine) return fine;
  // RFC 9112 5.2: one SP for each fold; a value that starts by folding has none before it.
  const std::string_view more = ascii::trim(line.text);
  const std::string_view before = pending_.value();
  const std::string_view value =
      message.arena.join({before, before.empty() || more.empty() ? "" : " ", more});
  return load(line, pending_.name(), value, false, message);
}

Status HeadParser::field_line(Line line, Message& message) {
  auto cleaned = without_controls(line, message);
  if (!cleaned) return fail(std::move(cleaned.error()));
  line = *cleaned;
  if (ascii::is_blank(line.text.front())) return fold(line, message);
  if (has_pending_) message.headers.load(pending_);
  has_pending_ = false;
  if (message.headers.size() >= policy_->limits.max_fields) {
    return fail({Errc::limit, "max-fields",
                 "more than " + std::to_string(policy_->limits.max_fields) + " header fields",
                 "raise it with --max-fields", line.at, line.number});
  }
  const std::size_t colon = line.text.find(':');
  std::string_view name = line.text.substr(0, colon);
  if (ascii::is_token(name) && colon != std::string_view::npos) {
    return load(line, name, ascii::trim(line.text.substr(colon + 1)), true, message);
  }
  if (parse_status_line(line.text) || parse_request_line(line.text)) {
    return bad("start-line-in-head", "a start line inside a head", line.at, line.number,
               "curl -i together with -D - prints every line twice: use one of them");
  }
  if (name.find('\x1b') != std::string_view::npos) {
    return bad("head-escape", "a terminal escape in a header name", line.at, line.number,
               hint_for(line.text));
  }
  if (colon == 0) {
    return bad("empty-name", "a header line with an empty name", line.at, line.number);
  }
  if (colon == std::string_view::npos) {
    return oddity(line, "no-colon",
                  "header line without a colon dropped (" + std::to_string(line.text.size()) +
                      " bytes, begins " + ascii::quoted(line.text.substr(0, 6)) + ")");
  }
  name = ascii::trim(name);
  if (!ascii::is_token(name)) {
    return oddity(line, "name-no-token",
                  "header line dropped, its name is no token (" + std::to_string(line.text.size()) +
                      " bytes, begins " + ascii::quoted(line.text.substr(0, 6)) + ")");
  }
  // RFC 9112 5.1: blank before the colon is refused in requests, removed in responses.
  if (message.kind == Kind::request) {
    return bad("blank-before-colon", "a blank before the colon of " + std::string(name), line.at,
               line.number);
  }
  if (auto fine = oddity(line, "blank-before-colon",
                         "a blank before the colon of " + std::string(name) + " removed");
      !fine) {
    return fine;
  }
  return load(line, name, ascii::trim(line.text.substr(colon + 1)), false, message);
}

Result<HeadParser::Outcome> HeadParser::input_ended(const Line& rest, bool any_crlf,
                                                    Message& message) {
  const bool cr_of_empty_line = rest.text == "\r";
  const bool lf_line_cut =
      !rest.text.empty() && !any_crlf && rest.number > 0 && rest.text.back() != '\r';
  if (cr_of_empty_line || lf_line_cut) {
    if (lf_line_cut) {
      if (auto fine = field_line(rest, message); !fine) return fail(std::move(fine.error()));
    }
    if (auto fine = oddity(rest, "head-end",
                           "the input ends where the empty line after the head should be");
        !fine) {
      return fail(std::move(fine.error()));
    }
    message.lf_head = !any_crlf;
  } else if (policy_->strict() || rest.number == 0) {
    return bad("head-incomplete", "head incomplete: the input ends inside it",
               rest.at + rest.text.size(), rest.number);
  } else {
    message.head_complete = false;
  }
  if (has_pending_) message.headers.load(pending_);
  return Outcome{.size = rest.at + rest.text.size()};
}

Result<HeadParser::Outcome> HeadParser::parse(std::string_view window, bool at_end,
                                              Message& message) {
  findings_.clear();
  message.headers.clear();
  has_pending_ = false;
  bool any_crlf = false;
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
      return input_ended(line, any_crlf, message);
    }
    line.all = rest.substr(0, lf + 1);
    line.text = rest.substr(0, lf);
    line.crlf = line.text.ends_with('\r');
    if (line.crlf) line.text.remove_suffix(1);
    (line.crlf ? any_crlf : any_lf) = true;
    if (line.text.empty() && line.number > 0) break;
    if (auto fine = line.number == 0 ? start_line(line, message) : field_line(line, message);
        !fine) {
      return fail(std::move(fine.error()));
    }
    line.at += lf + 1;
    ++line.number;
  }
  if (has_pending_) message.headers.load(pending_);
  message.blank_line = line.all;
  message.lf_head = !any_crlf;
  if (any_lf) {
    if (auto fine = oddity({}, "bare-lf", "a line of the head ends in a bare LF", true); !fine) {
      return fail(std::move(fine.error()));
    }
  }
  return Outcome{.size = line.at + line.all.size()};
}

}  // namespace rehead::http
