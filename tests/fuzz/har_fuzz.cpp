// HAR in; HAR and raw HTTP out. The first byte chooses the policy, the cut and the change; the rest
// is the input. Oracles: the cut into reads changes nothing; what was written is written the same
// again; after a change the fields are read back as the change left them; no value of a HAR becomes
// a field of another name in raw output.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/ascii.h"
#include "codec/utf8.h"
#include "format/convert.h"

namespace {

using namespace rehead;

void hold(bool law, const char* name) {
  if (law) return;
  std::fprintf(stderr, "law broken: %s\n", name);
  std::abort();
}

template <typename Visit>
void for_each_message(const http::Exchange& exchange, Visit visit) {
  for (http::Message* message : {exchange.request, exchange.response}) {
    if (message != nullptr) visit(*message);
  }
}

void change(http::Message& message, unsigned how) {
  http::HeaderMap& headers = message.headers;
  if (how == 1) static_cast<void>(headers.append("X-Law", "a \"b\""));
  if (how == 2) headers.remove("a");
  if (how == 3) static_cast<void>(headers.set("Set-Cookie", "n=1"));
  if (how == 4) {
    bool second = false;
    headers.remove_if([&](const http::Field&) { return second = !second; });
  }
}

/// The fields of all messages, one a line.
std::string fields_of(const http::Exchange& exchange) {
  std::string fields;
  for_each_message(exchange, [&](const http::Message& message) {
    fields += message.kind == http::Kind::request ? "> " : "< ";
    for (const http::Field& field : message.headers) {
      ((((fields += field.name()) += "=") += field.value()) += '\0') += '\n';
    }
  });
  return fields;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  format::ConvertOptions options;
  options.from = "har";
  options.to = "har";
  options.policy.strictness = static_cast<http::Strictness>(data[0] % 3);
  options.policy.limits.max_head = 256;
  options.policy.limits.max_fields = 8;
  options.policy.limits.max_depth = 12;
  options.policy.limits.max_entry = 4096;
  const format::Converted whole = format::convert(input, options);
  format::ConvertOptions cut = options;
  cut.step = 1U + data[0] / 3U % 7U;
  hold(format::convert(input, cut) == whole, "the cut into reads changes nothing");
  const bool fine = whole.errors.empty();
  if (fine) {
    const format::Converted again = format::convert(whole.output, options);
    hold(again.output == whole.output, "what was written is written the same again");
  }

  const unsigned how = 1U + data[0] / 21U % 4U;
  format::ConvertOptions edit = options;
  std::string written, read;
  edit.each = [&](http::Exchange& exchange) {
    for_each_message(exchange, [&](http::Message& message) { change(message, how); });
    written += fields_of(exchange);
  };
  const format::Converted edited = format::convert(input, edit);
  if (edited.errors.empty() && codec::is_utf8(input)) {
    format::ConvertOptions in = options;
    in.policy.limits.max_fields = 16;
    in.policy.limits.max_head = 1024;
    in.policy.limits.max_entry = 8192;
    in.each = [&](http::Exchange& exchange) { read += fields_of(exchange); };
    const format::Converted back = format::convert(edited.output, in);
    hold(back.errors.empty(), "a changed HAR can be read");
    hold(read == written, "a changed HAR holds what the change left");
  }

  std::size_t halves = 0;
  std::set<std::string> names = {"content-length", "host", "transfer-encoding"};
  format::ConvertOptions out = options;
  out.to = "http";
  out.each = [&](http::Exchange& exchange) {
    for_each_message(exchange, [&](const http::Message& message) {
      ++halves;
      for (const http::Field& field : message.headers) names.insert(ascii::lowered(field.name()));
    });
  };
  const format::Converted raw = format::convert(input, out);
  if (raw.output.empty() || !raw.errors.empty()) return 0;
  format::ConvertOptions in = options;
  in.from = "http";
  in.policy = {};
  std::size_t messages = 0;
  in.each = [&](http::Exchange& exchange) {
    ++messages;
    for_each_message(exchange, [&](const http::Message& message) {
      for (const http::Field& field : message.headers) {
        hold(names.contains(ascii::lowered(field.name())), "no value becomes a field");
      }
    });
  };
  const format::Converted back = format::convert(raw.output, in);
  hold(back.errors.empty(), "raw output is well formed");
  hold(messages <= halves, "there are no more messages than entries have");
  return 0;
}
