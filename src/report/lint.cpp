// lint: what is wrong with each message, one line per fault:
//
//   FILE: message N: CODE: what it is
//
// The codes are stable. Any fault: the answer is no. What a source had to refuse or to mend is told
// on stderr as always; this looks at what came of it. RFC 9110 5.1, 5.5, 8.3, 8.6, 12.5.5; RFC 9112
// 3.2, 6.1; RFC 6265bis 4.1.
#include <algorithm>
#include <array>
#include <vector>

#include "base/ascii.h"
#include "codec/content.h"
#include "codec/json_writer.h"
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
  using Add = AddFault;
  explicit Faults(const Add& add) : add_(add) {}

  /// `bytes`: the body has some. `wire`: it is what went over the wire. That of an exchange (HAR) is decoded, under the
  /// labels of the wire.
  void look(const Message& message, bool wire, bool bytes) {
    fields(message);
    framing(message);
    if (wire) labels(message);
    length(message, wire);
    if (message.kind == http::Kind::request) {
      request(message);
    } else {
      response(message, bytes);
    }
  }

  /// What is wrong only because of the request.
  void look_at_answer(const http::Exchange& exchange) {
    const http::Body* body = exchange.response->body;
    if (exchange.request != nullptr && exchange.request->start.method() == "HEAD" &&
        body != nullptr && body->size().value_or(0) != 0) {
      add("no-content", "a body in the answer to HEAD");
    }
    look_at_cookies(exchange, add_);
  }

 private:
  void add(std::string_view code, std::string what) { add_(code, std::move(what)); }

  void fields(const Message& message);
  void framing(const Message& message);
  void labels(const Message& message);
  void length(const Message& message, bool wire);
  void request(const Message& message) {
    if (message.is_http11() && message.headers.find("Host") == nullptr) {
      add("host-missing", "an HTTP/1.1 request without Host");
    }
  }
  void response(const Message& message, bool bytes);

  const Add& add_;
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

/// A label that a step took off, or set by hand, is none of the input's any more.
void Faults::labels(const Message& message) {
  const auto stands = [&](std::string_view name, bool noted) {
    const http::Field* field = noted ? message.headers.find(name) : nullptr;
    return field != nullptr && !field->has(http::Field::changed);
  };
  if (stands("Transfer-Encoding", message.notes.transfer_label_false)) {
    add("transfer-coding-false", "Transfer-Encoding says chunked, the body is not");
  } else if (stands("Transfer-Encoding", message.notes.inner_label_false)) {
    add("transfer-coding-false", "Transfer-Encoding names a coding that the body has not");
  }
  if (stands("Content-Encoding", message.notes.coding_label_false)) {
    add("content-coding-false", "Content-Encoding over a body that is not coded so");
  }
}

void Faults::length(const Message& message, bool wire) {
  const http::HeaderMap& headers = message.headers;
  // Beside a transfer coding it is a fault of its own.
  if (http::transfer_codings(headers).any) return;
  const http::Field* field = headers.find("Content-Length");
  const auto stated = http::content_length(headers);
  const bool coded = !wire && headers.find("Content-Encoding") != nullptr;
  const bool known = message.body != nullptr && !coded && !message.body->told_size() &&
                     message.body->size().has_value();
  const bool noted = wire && message.notes.length_label_false && field != nullptr &&
                     !field->has(http::Field::changed);
  if (noted || (known && stated && *stated && **stated != *message.body->size())) {
    add("length-false", "Content-Length is not the length of the body");
  }
}

void Faults::response(const Message& message, bool bytes) {
  const http::HeaderMap& headers = message.headers;
  const std::string status = " on a " + std::to_string(message.start.status());
  if (message.interim() || message.start.status() == 204) {
    for (const std::string_view name : {"Content-Length", "Transfer-Encoding", "Content-Type"}) {
      if (headers.find(name) != nullptr) add("no-content", std::string(name) + status);
    }
  }
  // A recorded body (HAR) beside 304 is what the browser had cached.
  const bool recorded = message.notes.recorded && message.start.status() == 304;
  if (message.bodiless_status()) {
    if (bytes && !recorded) add("no-content", "a body" + status);
  } else if (bytes && headers.find("Content-Type") == nullptr) {
    add("type-missing", "a body without Content-Type");
  }
  if (headers.find("Status") != nullptr) add("status-field", "a field called Status");
  if (headers.find("Content-Encoding") != nullptr &&
      !http::contains_token(headers, "Vary", "Accept-Encoding") &&
      !http::contains_token(headers, "Vary", "*")) {
    add("vary-missing", "Content-Encoding without Vary: Accept-Encoding");
  }
}

/// All codes, in the order of help.
constexpr std::array<std::string_view, 20> kCodes = {
    "field-name",       "field-line",      "field-blank",           "field-value",
    "field-twice",      "status-field",    "host-missing",          "length-and-coding",
    "length-false",     "transfer-coding", "transfer-coding-false", "content-coding-false",
    "no-content",       "type-missing",    "vary-missing",          "set-cookie-blank",
    "set-cookie-joined", "set-cookie-cut", "cookie-weak",           "cookie-refused",
};

struct Choice {
  std::vector<std::string> only, ignored;

  bool has(std::string_view code) const {
    const auto among = [&](const std::vector<std::string>& codes) {
      return std::ranges::find(codes, code) != codes.end();
    };
    return (only.empty() || among(only)) && !among(ignored);
  }
};

class Lint final : public Report {
 public:
  Lint(http::Selection selection, Choice choice, const http::Policy& policy)
      : selection_(selection), choice_(std::move(choice)), content_(policy) {}

  Status end_input(std::string_view) override {
    out_.clear();
    look_behind();
    junk_ = blanks_ = 0;
    found_ = found_ || !out_.empty();
    return setup().output->write(out_);
  }
  Status finish() override {
    if (found_) setup().log->say_no();
    return {};
  }

 private:
  Status take(http::Exchange& exchange) override {
    out_.clear();
    look_behind();
    content_.forget();
    Status done = content_.settle(exchange);
    if (!done) return done;
    auto looked = exchange.for_each([&](Message& message) -> Status {
      if (!selection_.covers(exchange, message.kind)) return {};
      place_ = {.file = std::string(exchange.file),
                .number = exchange.alone() ? message.notes.number : exchange.number,
                .alone = exchange.alone(),
                .request = message.kind == http::Kind::request,
                .bodiless = message.bodiless_status()};
      const AddFault add = [this](std::string_view code, std::string what) {
        put(code, std::move(what));
      };
      const std::uint64_t blanks = setup().log->times("blank-before-colon");
      if (exchange.alone() && blanks != std::exchange(blanks_, blanks)) {
        add("field-blank", "a blank before the colon of a field");
      }
      // A body that breaks off has bytes; that it does is reported behind it.
      auto bytes = has_bytes(message);
      if (!bytes && done) done = fail(Error(bytes.error()));
      Faults faults(add);
      faults.look(message, !message.notes.recorded, !bytes || *bytes);
      if (&message == exchange.response) faults.look_at_answer(exchange);
      return {};
    });
    if (!looked) return looked;
    found_ = found_ || !out_.empty();
    auto written = setup().output->write(out_);
    return written ? done : written;
  }

  Result<bool> has_bytes(Message& message) {
    if (message.body == nullptr) return false;
    const auto known = message.body->size();
    const bool matters = message.bodiless_status() ||
                         message.headers.find("Content-Type") == nullptr;
    if (known || !matters) return !known || *known != 0;
    auto size = content_.size_of(message);
    if (!size) return fail(Error(size.error()));
    return size->value_or(0) != 0;
  }

  /// Bytes behind the message before, which its source had to skip.
  void look_behind() {
    const std::uint64_t junk = setup().log->times("junk");
    if (junk == std::exchange(junk_, junk) || place_.number == 0) return;
    put(place_.bodiless ? "no-content" : "length-false",
        place_.bodiless ? "bytes behind a head whose status rules out a body"
                        : "the body is longer than Content-Length says");
  }

  void put(std::string_view code, std::string what) {
    if (!choice_.has(code)) return;
    const std::string_view side = place_.request ? "request" : "response";
    if (setup().json) {
      codec::JsonWriter json(out_);
      json.open('{').key("file").text(place_.file);
      json.key(place_.alone ? "message" : "entry").number(place_.number);
      json.key("side").string(side).key("code").string(code).key("text").text(what);
      json.close('}').end_line();
      return;
    }
    out_ += ascii::one_line(place_.file) + (place_.alone ? ": message " : ": entry ") +
            std::to_string(place_.number);
    if (!place_.alone) out_ += ", " + std::string(side);
    out_ += ": " + std::string(code) + ": " + what + '\n';
  }

  struct Place {
    std::string file;
    std::uint64_t number = 0;
    bool alone = false;
    bool request = false;
    bool bodiless = false;
  };
  http::Selection selection_;
  Choice choice_;
  codec::Content content_;
  Place place_ = {};  // of the message looked at last
  std::uint64_t junk_ = 0, blanks_ = 0;  // findings of the source so far
  std::string out_;
  bool found_ = false;
};

Result<std::vector<std::string>> parse_codes(const std::string& text) {
  std::vector<std::string> codes;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view code = ascii::trim(rest.substr(0, comma));
    if (std::ranges::find(kCodes, code) == kCodes.end()) {
      return fail({Errc::usage, "option-value", "no code called " + ascii::quoted(code),
                   "rehead help lint lists the codes"});
    }
    codes.emplace_back(code);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return codes;
}

Result<std::unique_ptr<Report>> make(const transform::Arguments& arguments) {
  auto only = parse_codes(arguments.get("only"));
  if (!only) return fail(std::move(only.error()));
  auto ignored = parse_codes(arguments.get("ignore"));
  if (!ignored) return fail(std::move(ignored.error()));
  Choice choice{.only = std::move(*only), .ignored = std::move(*ignored)};
  return std::make_unique<Lint>(arguments.selection, std::move(choice), *arguments.policy);
}

constexpr std::array<transform::Option, 2> kOptions = {{
    {"only", "CODES", "report these faults alone, separated by commas"},
    {"ignore", "CODES", "leave these faults out"},
}};

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead lint examples/data/cookies.http",
    "rehead lint examples/data/cookies.http | cut -d: -f3 | sort | uniq -c",
};

}  // namespace

extern const ReportInfo kLint = {
    .name = "lint",
    .options = kOptions,
    .side = http::Side::both,
    .judges_bodies = true,
    .summary = "report what is wrong with messages",
    .help =
        "One line per fault: place, a stable code, what it is. Exit status 1 if there was any. "
        "The codes:\n\n"
        "field-name: a name that is no token. field-line: lines of the head that are no fields. "
        "field-blank: a blank before a colon. "
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
        "--json prints one JSON object per fault. What could not be read at all is an error on stderr, as for every verb.",
    .examples = kExamples,
    .make = make,
    .takes_json = true,
};

}  // namespace rehead::report
