#include "format/head_writer.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/ascii.h"
#include "http/framing.h"
#include "http/start_line.h"

namespace rehead::format {
namespace {

using http::Field;

bool breaks_line(char c) { return c == '\r' || c == '\n' || c == '\0'; }

Status too_many(const http::Policy& policy) {
  return fail(
      {Errc::limit, "max-fields",
       "the head has come to more than " + std::to_string(policy.limits.max_fields) + " fields",
       "raise it with --max-fields"});
}

/// Joins neighbouring ranges, so that an untouched head is one write.
class Ranges {
 public:
  explicit Ranges(ByteSink& output) : output_(&output) {}

  Status add(std::string_view bytes) {
    if (bytes.empty()) return {};
    if (!range_.empty() && range_.data() + range_.size() == bytes.data()) {
      range_ = {range_.data(), range_.size() + bytes.size()};
      return {};
    }
    if (auto done = flush(); !done) return done;
    range_ = bytes;
    return {};
  }
  Status flush() {
    const std::string_view range = std::exchange(range_, {});
    return range.empty() ? Status() : output_->write(range);
  }

 private:
  ByteSink* output_;
  std::string_view range_;
};

class HeadWriter {
 public:
  HeadWriter(const http::Message& message, const http::Policy& policy, ByteSink& output)
      : message_(&message),
        policy_(&policy),
        keep_lf_(message.notes.lf_head && policy.eol == http::EolMode::keep),
        end_(keep_lf_ ? "\n" : "\r\n"),
        ranges_(output) {}

  Status start_line() {
    const http::Message& m = *message_;
    if (!m.start.as_read().empty()) return line(m.start.as_read());
    if (auto fine = check_parts(); !fine) return fine;
    if (m.kind == http::Kind::request)
      return pieces({m.start.method(), " ", m.start.target(), " ", m.start.version(), end_});
    const std::array<char, 3> status = {static_cast<char>('0' + m.start.status() / 100),
                                        static_cast<char>('0' + m.start.status() / 10 % 10),
                                        static_cast<char>('0' + m.start.status() % 10)};
    return pieces(
        {m.start.version(), " ", {status.data(), status.size()}, " ", m.start.reason(), end_});
  }

  /// Parts that came from another format must make one start line and no more (RFC 9112 3, 4).
  Status check_parts() const {
    const http::Message& m = *message_;
    constexpr std::string_view kBreaking("\r\n\0", 3);
    const bool request = m.kind == http::Kind::request;
    const std::string status = "HTTP/1.1 " + std::to_string(m.start.status());
    std::string line;
    for (const std::string_view part : {m.start.method(), m.start.target(), m.start.version()})
      line.append(part).append(" ");
    line.pop_back();
    const bool whole =
        request ? http::parse_request_line(line).has_value()
                : http::parse_status_line(std::string(m.start.version()) + " 200").has_value() &&
                      http::parse_status_line(status).has_value() &&
                      m.start.reason().find_first_of(kBreaking) == std::string_view::npos;
    if (whole) return {};
    return fail({Errc::syntax, "start-line-parts",
                 request ? "method, target and version make no request line"
                         : "version, status and reason make no status line"});
  }

  /// What is refused before anything of the head is written: what --strict says, and a head that a
  /// reader with the same limits refuses.
  Status check() const {
    const http::HeaderMap& map = message_->headers;
    if (policy_->strict()) {
      for (const Field& field : map) {
        if (field.has(Field::odd)) return fail({Errc::syntax, "field-odd", told(field)});
      }
    }
    if (map.size() > policy_->limits.max_fields) return too_many(*policy_);
    if (!map.changed() && !message_->start.as_read().empty()) return {};
    const http::HeaderMap::Edited edited = map.edited();
    std::size_t size = message_->start.target().size() + message_->start.reason().size() + 32 +
                       edited.before.size() + edited.behind.size();
    for (auto field = edited.first; field != edited.last; ++field) {
      size += field->name_size + field->value_size + 4;
    }
    if (size <= policy_->limits.max_head) return {};
    return fail(
        {Errc::limit, "max-head",
         "the head has become larger than " + std::to_string(policy_->limits.max_head) + " bytes",
         "raise it with --max-head"});
  }

  Status fields(const http::HeaderMap& map) {
    const http::HeaderMap::Edited edited = map.edited();
    if (auto done = ranges_.add(edited.before); !done) return done;
    for (auto field = edited.first; field != edited.last; ++field) {
      if (auto done = one(*field); !done) return done;
    }
    return ranges_.add(edited.behind);
  }

  Status one(const Field& field) {
    if (field.has(Field::odd)) return odd(field);
    if (field.line_size != 0) {
      if (keep_lf_ && field.has(Field::clean)) {
        return pieces({field.line().substr(0, field.line_size - 2), end_});
      }
      if (field.has(Field::clean)) return ranges_.add(field.line());
      return line(field.line());
    }
    return pieces({field.name(), ": ", field.value(), end_});
  }

  Status blank_line() {
    return message_->blank_line.empty() ? pieces({end_}) : line(message_->blank_line);
  }
  Status flush() { return ranges_.flush(); }

 private:
  /// A line as read: as it is if its end may stay, else with a proper one.
  Status line(std::string_view as_read) {
    if (as_read.ends_with("\r\n") || (keep_lf_ && as_read.ends_with('\n'))) {
      return ranges_.add(as_read);
    }
    return pieces({as_read.substr(0, as_read.find_last_not_of("\r\n") + 1), end_});
  }

  Status pieces(std::initializer_list<std::string_view> list) {
    for (const std::string_view piece : list) {
      if (auto done = ranges_.add(piece); !done) return done;
    }
    return {};
  }

  static std::string told(const Field& field) {
    return ascii::is_token(field.name())
               ? "CR, LF or NUL in the value of " + std::string(field.name())
               : "a name that is no token: " + ascii::quoted(field.name());
  }

  Status odd(const Field& field) {
    const bool token = ascii::is_token(field.name());
    Finding finding{.level = token ? Level::warning : Level::note,
                    .id = token ? "value-made-blank" : "name-left-out",
                    .what = told(field) + (token ? " made a blank" : ", the field is left out"),
                    .message = message_->notes.number};
    message_->log->report(finding);
    if (!token) return {};
    std::string value(field.value());
    std::ranges::replace_if(value, breaks_line, ' ');
    if (auto done = pieces({field.name(), ": ", value, end_}); !done) return done;
    return ranges_.flush();  // `value` goes
  }

  const http::Message* message_;
  const http::Policy* policy_;
  bool keep_lf_;
  std::string_view end_;
  Ranges ranges_;
};

}  // namespace

Result<bool> fit_start_line(http::Message& message, const http::Policy& policy) {
  if (!message.start.as_read().empty()) return true;
  const auto refuse = [](std::string what) {
    return fail({.code = Errc::syntax, .id = "start-line", .what = std::move(what)});
  };
  if (!http::is_version(message.start.version())) message.start.set_version("HTTP/1.1");
  if (message.kind == http::Kind::request) {
    if (!ascii::is_token(message.start.method())) return refuse("the request method is no token");
    const bool odd = std::ranges::any_of(message.start.target(), [](char c) {
      return ascii::is_blank(c) || ascii::is(c, ascii::kControl);
    });
    if (!odd && !message.start.target().empty()) return true;
    return refuse("the request target is empty or holds a blank or a control byte");
  }
  if (message.start.status() == 0) {
    message.log->report({.level = Level::note,
                         .id = "no-answer",
                         .what = "a response without a status left out: there was no answer",
                         .message = message.notes.number});
    return false;
  }
  if (message.start.status() < 100 || message.start.status() > 999) {
    return refuse("a status of " + std::to_string(message.start.status()) + " has no three digits");
  }
  if (std::ranges::none_of(message.start.reason(), breaks_line)) return true;
  if (policy.strict()) return refuse("CR, LF or NUL in the reason");
  message.log->report({.id = "value-made-blank",
                       .what = "CR, LF or NUL in the reason made a blank",
                       .message = message.notes.number});
  std::string reason(message.start.reason());
  std::ranges::replace_if(reason, breaks_line, ' ');
  message.start.set_reason(message.keep(reason));
  return true;
}

Status write_head(const http::Message& message, const http::Policy& policy, ByteSink& output) {
  HeadWriter writer(message, policy, output);
  // Nothing of a head goes out that is refused further down.
  if (auto fine = writer.check(); !fine) return fine;
  if (auto done = writer.start_line(); !done) return done;
  if (auto done = writer.fields(message.headers); !done) return done;
  if (message.notes.head_complete) {
    if (auto done = writer.blank_line(); !done) return done;
  }
  return writer.flush();
}

Status write_trailers(const http::Message& message, const http::Policy& policy, ByteSink& output) {
  http::Policy chunks = policy;  // as the lines of chunks they stand behind
  chunks.eol = http::EolMode::crlf;
  HeadWriter writer(message, chunks, output);
  if (message.headers.size() + message.trailers.size() > policy.limits.max_fields) {
    return too_many(policy);
  }
  for (const Field& field : message.trailers) {
    if (!http::may_be_trailer(field.name())) continue;
    if (auto done = writer.one(field); !done) return done;
  }
  return writer.flush();
}

}  // namespace rehead::format
