// lint: what is wrong with each message, one line per fault:
//
//   FILE: message N: CODE: what it is
//
// The codes are stable. Any fault: the answer is no. What a source had to refuse or to mend is told
// on stderr as always; this looks at what came of it. RFC 9110 5.1, 5.5, 8.3, 8.6, 12.5.5; RFC 9112
// 3.2, 6.1; RFC 6265bis 4.1.
#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "codec/content.h"
#include "http/field_value.h"
#include "http/framing.h"
#include "report/lint_cookies.h"
#include "report/report.h"

namespace rehead::report {
namespace {

using http::Message;

/// Fields that have one value, however often they stand there.
constexpr std::array<std::string_view, 12> kSingle = {
    "Content-Length", "Content-Type",  "Content-Range", "Date",    "ETag", "Expires",
    "Host",           "Last-Modified", "Location",      "Referer", "Age",  "User-Agent",
};

class Faults {
 public:
  Faults(std::string place, std::string& out) : place_(std::move(place)), out_(&out) {}

  /// `wire`: the body is what went over the wire. That of an exchange (HAR) is decoded, under the
  /// labels of the wire.
  void look(const Message& message, bool wire) {
    fields(message);
    framing(message);
    if (wire) labels(message);
    length(message, wire);
    if (message.kind == http::Kind::request) {
      request(message);
    } else {
      response(message);
    }
  }

  /// What is wrong only because of the request.
  void look_at_answer(const http::Exchange& exchange) {
    const http::Body* body = exchange.response->body;
    if (exchange.request != nullptr && exchange.request->start.method() == "HEAD" &&
        body != nullptr && body->size().value_or(0) != 0) {
      add("no-content", "a body in the answer to HEAD");
    }
    look_at_cookies(exchange, [this](std::string_view code, std::string what) { add(code, what); });
  }

 private:
  void add(std::string_view code, std::string_view what) {
    *out_ += place_;
    *out_ += code;
    *out_ += ": ";
    *out_ += what;
    *out_ += '\n';
  }

  void fields(const Message& message);
  void framing(const Message& message);
  void labels(const Message& message);
  void length(const Message& message, bool wire);
  void request(const Message& message) {
    if (message.is_http11() && message.headers.find("Host") == nullptr) {
      add("host-missing", "an HTTP/1.1 request without Host");
    }
  }
  void response(const Message& message);

  std::string place_;
  std::string* out_;
};

void Faults::fields(const Message& message) {
  if (message.notes.lines_dropped != 0) {
    add("field-line",
        std::to_string(message.notes.lines_dropped) + " header lines that are no fields");
  }
  for (const http::Field& field : message.headers) {
    if (!ascii::is_token(field.name())) {
      // HAR keeps the pseudo-fields of HTTP/2 among the headers.
      const bool pseudo = field.name().starts_with(':') && ascii::is_token(field.name().substr(1));
      if (!pseudo) add("field-name", ascii::quoted(field.name()) + " is no token");
      continue;
    }
    const auto control = [](char c) { return ascii::is(c, ascii::kControl) && c != '\x7F'; };
    if (std::ranges::any_of(field.value(), control)) {
      add("field-value", "control bytes in the value of " + std::string(field.name()));
    }
  }
  for (const std::string_view name : kSingle) {
    if (message.headers.count(name) > 1) {
      add("field-twice", std::string(name) + " stands there " +
                             std::to_string(message.headers.count(name)) + " times");
    }
  }
}

void Faults::framing(const Message& message) {
  const http::HeaderMap& headers = message.headers;
  const bool length = headers.find("Content-Length") != nullptr;
  const http::TransferCodings codings = http::transfer_codings(headers);
  if (length && codings.any) {
    add("length-and-coding", "Content-Length beside Transfer-Encoding");
  }
  if (codings.odd) add("transfer-coding", "Transfer-Encoding is not chunked alone and last");
}

void Faults::labels(const Message& message) {
  if (message.notes.transfer_label_false) {
    add("transfer-coding-false", "Transfer-Encoding says chunked, the body is not");
  }
  if (message.notes.coding_label_false) {
    add("content-coding-false", "Content-Encoding over a body that is not coded");
  }
}

void Faults::length(const Message& message, bool wire) {
  const http::HeaderMap& headers = message.headers;
  const auto stated = http::content_length(headers);
  const bool coded =
      http::transfer_codings(headers).any || (!wire && headers.find("Content-Encoding") != nullptr);
  const bool known = message.body != nullptr && !coded && !message.body->told_size() &&
                     message.body->size().has_value();
  if ((wire && message.notes.length_label_false) ||
      (known && stated && *stated && **stated != *message.body->size())) {
    add("length-false", "Content-Length is not the length of the body");
  }
}

void Faults::response(const Message& message) {
  const http::HeaderMap& headers = message.headers;
  if (message.interim() || message.start.status() == 204) {
    const std::string status = " on a " + std::to_string(message.start.status());
    for (const std::string_view name : {"Content-Length", "Transfer-Encoding", "Content-Type"}) {
      if (headers.find(name) != nullptr) add("no-content", std::string(name) + status);
    }
    if (message.body != nullptr && message.body->size().value_or(0) != 0) {
      add("no-content", "a body" + status);
    }
  } else if (message.body != nullptr && message.body->size().value_or(1) != 0 &&
             !message.bodiless_status() && headers.find("Content-Type") == nullptr) {
    add("type-missing", "a body without Content-Type");
  }
  if (headers.find("Status") != nullptr) add("status-field", "a field called Status");
  if (headers.find("Content-Encoding") != nullptr &&
      !http::contains_token(headers, "Vary", "Accept-Encoding") &&
      !http::contains_token(headers, "Vary", "*")) {
    add("vary-missing", "Content-Encoding without Vary: Accept-Encoding");
  }
}

class Lint final : public Report {
 public:
  Lint(http::Selection selection, const http::Policy& policy)
      : selection_(selection), content_(policy) {}

  Status finish() override {
    if (found_) setup().log->say_no();
    return {};
  }

 private:
  Status take(http::Exchange& exchange) override {
    out_.clear();
    content_.forget();
    if (auto done = content_.settle(exchange); !done) return done;
    const auto looked = exchange.for_each([&](Message& message) -> Status {
      if (!selection_.covers(exchange, message.kind)) return {};
      std::string place = ascii::one_line(exchange.file);
      place += exchange.alone() ? ": message " + std::to_string(message.notes.number)
                                : ": entry " + std::to_string(exchange.number);
      if (!exchange.alone()) {
        place += message.kind == http::Kind::request ? ", request" : ", response";
      }
      Faults faults(place + ": ", out_);
      faults.look(message, !message.notes.recorded);
      if (&message == exchange.response) faults.look_at_answer(exchange);
      return {};
    });
    if (!looked) return looked;
    found_ = found_ || !out_.empty();
    return setup().output->write(out_);
  }

  http::Selection selection_;
  codec::Content content_;
  std::string out_;
  bool found_ = false;
};

Result<std::unique_ptr<Report>> make(const transform::Arguments& arguments) {
  return std::make_unique<Lint>(arguments.selection, *arguments.policy);
}

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead lint examples/data/cookies.http",
    "rehead lint examples/data/cookies.http | cut -d: -f3 | sort | uniq -c",
};

}  // namespace

extern const ReportInfo kLint = {
    .name = "lint",
    .argument = "",
    .options = {},
    .side = http::Side::both,
    .judges_bodies = true,
    .summary = "report what is wrong with messages",
    .help =
        "One line per fault: place, a stable code, what it is. Exit status 1 if there was any. "
        "The codes:\n\n"
        "field-name: a name that is no token. field-line: lines of the head that are no fields. "
        "field-value: control bytes in a value. field-twice: a field that has one value stands "
        "there more often. status-field: a field called Status. host-missing: HTTP/1.1 without "
        "Host.\n\n"
        "length-and-coding: both Content-Length and Transfer-Encoding. length-false: another "
        "length than the body's. transfer-coding: chunked is not alone and last. "
        "transfer-coding-false, content-coding-false: the body is not coded so. no-content: a "
        "length, type or body where there can be none. type-missing: a body without "
        "Content-Type. vary-missing: coded without Vary: Accept-Encoding.\n\n"
        "set-cookie-blank, set-cookie-joined: no cookie, or several, in one field. set-cookie-cut: "
        "cut at the comma in its Expires. cookie-weak: without Secure, HttpOnly or SameSite, unless "
        "it deletes a cookie. cookie-refused: browsers ignore it (SameSite=None or Partitioned "
        "without Secure, a __Host- or __Secure- name, in any case, without the attributes it "
        "requires, or no name and a value that begins so).\n\n"
        "What could not be read at all is an error on stderr, as for every verb.",
    .examples = kExamples,
    .make = make,
};

}  // namespace rehead::report
