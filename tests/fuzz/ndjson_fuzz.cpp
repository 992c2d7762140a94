// NDJSON in; NDJSON and raw HTTP out. The first byte chooses the policy and the cut; the rest is
// the input. Oracles: the cut into reads changes nothing; every line written is JSON to the letter;
// our own lines, read again, are written the same; raw output holds exactly the messages and fields
// that were written, whatever bytes their parts were made of.
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "codec/json_check.h"
#include "format/convert.h"

namespace {

using namespace rehead;

void hold(bool law, const char* name) {
  if (law) return;
  std::fprintf(stderr, "law broken: %s\n", name);
  std::abort();
}

void hold_lines(std::string_view lines) {
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    hold(end != std::string_view::npos, "a line ends in LF");
    hold(codec::json::check(lines.substr(0, end), 8).has_value(), "a line is JSON");
    lines.remove_prefix(end + 1);
  }
}

/// What is to be found again in raw output: method or status and the field names of each message,
/// without those that the sink has the last word on.
struct Watch {
  std::vector<std::string> heads;
  bool decidable = true;  // each body has an end of its own, and a request can be told as one

  void operator()(const http::Exchange& exchange) {
    const bool request = exchange.request != nullptr;
    const http::Message& message = request ? *exchange.request : *exchange.response;
    std::string head(message.start.method());
    head += std::to_string(message.start.status());
    for (const http::Field& field : message.headers) {
      const std::string name = ascii::lowered(field.name());
      if (!ascii::is_token(name) || name == "content-length" || name == "transfer-encoding" ||
          name == "content-encoding" || name == "trailer") {
        continue;
      }
      head += "|" + name;
    }
    const bool own_end = message.notes.framing == http::Framing::length ||
                         message.notes.framing == http::Framing::chunked ||
                         (request && message.notes.framing == http::Framing::none);
    const bool late = request && !heads.empty() && heads.front().front() < 'A';
    decidable = decidable && own_end && !late && exchange.alone() && message.start.method() != "HEAD" &&
                message.start.method() != "CONNECT" && (request || message.start.status() >= 200);
    heads.push_back(std::move(head));
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  format::ConvertOptions options;
  options.from = "ndjson";
  options.to = "ndjson";
  options.policy.strictness = static_cast<http::Strictness>(data[0] % 3);
  options.policy.limits.max_head = 256;
  options.policy.limits.max_fields = 8;
  options.policy.limits.max_depth = 8;
  options.policy.limits.hold = 64;
  const format::Converted whole = format::convert(input, options);
  hold_lines(whole.output);
  format::ConvertOptions cut = options;
  cut.step = 1U + data[0] / 3U % 7U;
  hold(format::convert(input, cut) == whole, "the cut into reads changes nothing");
  if (whole.errors.empty()) {
    format::ConvertOptions roomier = options;  // defaults are spelt out now and count
    roomier.policy.limits.max_head = 4096;
    const format::Converted again = format::convert(whole.output, roomier);
    hold(again.output == whole.output, "reading and writing our own lines changes nothing");
  }

  format::ConvertOptions out = options;
  out.to = "http";
  out.policy.limits.max_head = 4096;
  Watch written;
  out.each = [&](http::Exchange& exchange) { written(exchange); };
  const format::Converted raw = format::convert(input, out);
  if (raw.output.empty() || !raw.errors.empty() || !written.decidable) return 0;
  Watch read;
  format::ConvertOptions in = out;
  in.from = "http";
  in.policy.limits.max_fields = 16;  // the sink may have added one
  in.each = [&](http::Exchange& exchange) { read(exchange); };
  const format::Converted back = format::convert(raw.output, in);
  hold(back.errors.empty(), "raw output is well formed");
  hold(read.heads == written.heads, "raw output holds the messages that were written");
  return 0;
}
