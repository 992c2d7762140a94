// Raw HTTP in and out. The first byte chooses the policy and the cut; the rest is the input.
// Oracles: the cut into reads changes nothing; our own output, read again, is written the same and
// tells of nothing to mend; no output has more messages than its input.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "format/convert.h"

namespace {

using namespace rehead;

void hold(bool law, const char* name) {
  if (law) return;
  std::fprintf(stderr, "law broken: %s\n", name);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  format::ConvertOptions options;
  options.policy.strictness = static_cast<http::Strictness>(data[0] % 3);
  // Small limits, so that short inputs reach them.
  options.policy.limits.max_head = 256;
  options.policy.limits.max_fields = 8;
  options.policy.limits.max_extension = 16;
  options.policy.limits.look_ahead = 128;
  options.policy.limits.hold = 64;

  // Undecidable, as the manual says: a body that holds a transcript of another message. It is not
  // split under a head in bare LF whose line ends differ, and is once that head has left with CRLF.
  // And the length of a withheld body may come to meet a border by chance, once what follows is
  // tidied.
  bool undecidable = false;
  format::ConvertOptions watched = options;
  watched.each = [&](http::Exchange& exchange) {
    const http::Message* response = exchange.response;
    if (response == nullptr) return;
    const bool transcript =
        response->notes.lf_head && response->notes.framing == http::Framing::close;
    const bool chance = response->notes.framing == http::Framing::withheld &&
                        response->headers.find("Content-Length") != nullptr;
    undecidable = undecidable || transcript || chance;
  };
  const format::Converted whole = format::convert(input, watched);
  format::ConvertOptions cut = options;
  cut.step = 1U + data[0] / 3U % 7U;
  hold(format::convert(input, cut) == whole, "the cut into reads changes nothing");

  if (!whole.error.empty() || undecidable) return 0;
  const format::Converted again = format::convert(whole.output, options);
  hold(again.messages <= whole.messages, "no more messages than before");
  hold(again.error.empty(), "our own output is well formed");
  hold(again.output == whole.output, "writing our own output again changes nothing");
  return 0;
}
