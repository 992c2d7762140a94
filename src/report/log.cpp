// log: a line per response as servers log them (Apache common and combined), or a JSON object.
//
//   client - - [14/Jan/2025:09:13:02 +0000] "GET /a?b HTTP/1.1" 200 1234
//   ... "referer" "user agent"                                           (combined)
//
// The time is the entry's, else that of the Date field; the client is what --client says. In raw HTTP a
// response belongs to the request before it. The size is the Content-Length, else that of the
// content; none or zero is "-". Control bytes, quotes and backslashes are \xNN.
#include <array>

#include "base/ascii.h"
#include "codec/content.h"
#include "codec/json_check.h"
#include "codec/json_writer.h"
#include "http/date.h"
#include "http/framing.h"
#include "http/pseudo_field.h"
#include "http/url.h"
#include "report/log_time.h"
#include "report/report.h"

namespace rehead::report {
namespace {

enum class Form : std::uint8_t { common, combined, json };

/// What is logged of a request; outlives it.
struct Asked {
  bool known = false;
  std::string method, url, target, version, referer, agent;
};

std::string value_of(const http::Message& message, std::string_view name) {
  const http::Field* field = message.headers.find(name);
  return field == nullptr ? std::string() : std::string(field->value());
}

void append_escaped(std::string& out, std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (const char c : text) {
    if (c >= 0x20 && c < 0x7F && c != '"' && c != '\\') {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += "\\x";
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
}

void append_quoted(std::string& out, std::string_view text) {
  out += " \"";
  append_escaped(out, text.empty() ? "-" : text);
  out += '"';
}

class Log final : public Report {
 public:
  Log(Form form, std::string client, const http::Policy& policy)
      : form_(form), client_(std::move(client)), content_(policy) {}

  Status end_input(std::string_view) override { return unanswered(); }

 private:
  Status take(http::Exchange& exchange) override {
    if (exchange.response == nullptr) {
      if (auto done = unanswered(); !done) return done;
      if (exchange.request == nullptr) return {};  // an entry of neither half
      note(exchange);
      return exchange.alone() ? Status() : unanswered();
    }
    if (exchange.request != nullptr) note(exchange);
    content_.forget();
    // A body that breaks off is logged like any other; that it does is told behind it.
    auto settled = content_.settle(exchange);
    const Asked asked = std::exchange(asked_, {});
    auto size = size_of(*exchange.response, asked);
    const auto bytes = size ? std::optional(*size) : std::nullopt;
    auto done = form_ == Form::json ? object(exchange, asked, bytes)
                                    : line(exchange, asked, bytes.value_or(0));
    if (!done || size) return done;
    return fail(std::move(size.error()));
  }

  void note(const http::Exchange& exchange) {
    const http::Message& request = *exchange.request;
    const http::Url url = http::split_url(exchange.url);
    std::string_view target = exchange.url.empty() ? request.start.target() : url.target();
    if (target.empty()) target = "/";
    asked_ = {.known = true,
              .method = std::string(request.start.method()),
              .url = std::string(http::url_of(exchange).value_or("")),
              .target = std::string(target),
              .version = std::string(request.start.version()),
              .referer = value_of(request, "Referer"),
              .agent = value_of(request, "User-Agent")};
  }

  /// The request noted last had no answer.
  Status unanswered() {
    if (!asked_.known) return {};
    const Asked asked = std::exchange(asked_, {});
    const http::Exchange none;
    return form_ == Form::json ? object(none, asked, 0) : line(none, asked, 0);
  }

  /// No body is sent in answer to HEAD nor with 304, whatever their Content-Length says.
  Result<std::uint64_t> size_of(http::Message& response, const Asked& asked) {
    if (asked.method == "HEAD" || response.start.status() == 304) return 0;
    if (const auto length = http::content_length(response.headers); length && *length) {
      return **length;
    }
    auto size = content_.size_of(response);
    if (!size) return fail(std::move(size.error()));
    return size->value_or(0);
  }

  Status line(const http::Exchange& exchange, const Asked& asked, std::uint64_t size) {
    const http::Message* response = exchange.response;
    const std::string date = response == nullptr ? "" : value_of(*response, "Date");
    out_ = client_ + " - - [" + log_time(exchange.time, date) + "]";
    const std::string request =
        asked.known ? asked.method + ' ' + asked.target + ' ' + asked.version : "";
    append_quoted(out_, request);
    const unsigned status = response == nullptr ? 0 : response->start.status();
    out_ += ' ' + (status == 0 ? "-" : std::to_string(status));
    out_ += ' ' + (size == 0 ? "-" : std::to_string(size));
    if (form_ == Form::combined) {
      append_quoted(out_, asked.referer);
      append_quoted(out_, asked.agent);
    }
    out_ += '\n';
    return setup().output->write(out_);
  }

  void member(std::string_view name, std::string_view text) {
    if (!text.empty()) json_.key(name).text(text);
  }

  Status object(const http::Exchange& exchange, const Asked& asked,
                std::optional<std::uint64_t> size) {
    const http::Message* response = exchange.response;
    json_.clear();
    json_.open('{');
    const std::string date = response == nullptr ? "" : value_of(*response, "Date");
    member("time", exchange.time.empty() ? http::iso_time(date).value_or("") : exchange.time);
    member("method", asked.method);
    member("url", asked.url);
    if (response != nullptr) {
      json_.key("status").number(response->start.status());
      if (size) json_.key("size").number(*size);
      const auto type = http::text_of(http::PseudoField::type, exchange, response);
      member("type", type.value_or(""));
    }
    if (codec::json::is_number(exchange.ms)) json_.key("ms").raw(exchange.ms);
    member("referer", asked.referer);
    member("user_agent", asked.agent);
    json_.close('}').end_line();
    return setup().output->write(out_);
  }

  Form form_;
  std::string client_;
  codec::Content content_;
  Asked asked_;
  std::string out_;
  codec::JsonWriter json_{out_};
};

Result<std::unique_ptr<Report>> make(const transform::Arguments& arguments) {
  const std::string form = arguments.get("format", "common");
  const std::string client = arguments.get("client", "-");
  if (client.empty() || client.find_first_of(" \t\r\n\"") != client.npos) {
    return fail({Errc::usage, "option-value", "--client takes one word: a name or an address"});
  }
  for (const auto& [name, is] :
       {std::pair{"common", Form::common}, {"combined", Form::combined}, {"json", Form::json}}) {
    if (form == name) return std::make_unique<Log>(is, client, *arguments.policy);
  }
  return fail({Errc::usage, "option-value",
               "--format takes one of common, combined, json, not " + ascii::quoted(form)});
}

constexpr std::array<transform::Option, 2> kOptions = {{
    {"format", "FORM", "common (default), combined (referer and user agent too), json", '\0',
     "common,combined,json"},
    {"client", "ADDR", "the first column; - without it, which some readers of logs refuse"},
}};

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead log examples/data/redirect.http",
    "rehead where status=3xx then log --format json examples/data/redirect.http",
};

}  // namespace

extern const ReportInfo kLog = {
    .name = "log",
    .options = kOptions,
    .side = http::Side::response,
    .judges_bodies = false,
    .summary = "print an access log",
    .help =
        "One line per response in Apache's common or combined format, or as JSON. The time is that "
        "of the HAR entry, else of the Date field; in raw HTTP a response belongs to the request "
        "before it; what is not known is -. The size is the Content-Length, else that of the "
        "content, which is read for it; none or zero is -, as in answers to HEAD and 304. Control bytes, bytes above 7E hex, "
        "quotes and backslashes are written \\xNN.",
    .examples = kExamples,
    .make = make,
};

}  // namespace rehead::report
