// Content codings. The first byte chooses strictness and cut, the second up to three codings; the rest
// is content once and coded data once.
// Oracles: what was coded decodes to itself; no result depends on the cut, and none on what the coder
// did before; any bytes at all give content or an error within the limits.
#include <array>
#include <cstdio>
#include <cstdlib>

#include "codec/content_coding.h"
#include "support/pieces.h"

namespace {

using namespace rehead;
using http::Coding;

void hold(bool law, const char* name) {
  if (law) return;
  std::fprintf(stderr, "law broken: %s\n", name);
  std::abort();
}

// Small limits, so that short inputs reach them.
http::Policy policy_of(unsigned strictness) {
  http::Policy policy;
  policy.strictness = static_cast<http::Strictness>(strictness % 3);
  policy.limits.max_body = std::uint64_t{1} << 20;
  policy.limits.ratio_free = std::uint64_t{1} << 16;
  return policy;
}

test::Drained decode(codec::Decoder& decoder, const std::vector<Coding>& codings,
                     test::Pieces&& pieces, test::Log& log) {
  const bool used = decoder.use(codings, log).has_value();
  hold(used, "three codings are within the limit");
  decoder.attach(pieces);
  return test::drain(decoder);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  const std::size_t step = 1U + data[0] / 3U % 40U;
  std::vector<Coding> codings;
  for (unsigned rest = data[1], i = 0; i < 1 + data[1] / 64U % 3U; ++i, rest /= 4) {
    codings.push_back(static_cast<Coding>(rest % 4));
  }

  static std::array<codec::Encoder, 4> encoders = {
      codec::Encoder(Coding::gzip, 1), codec::Encoder(Coding::deflate, {}),
      codec::Encoder(Coding::br, {}), codec::Encoder(Coding::zstd, {})};
  std::string coded = bytes;
  for (const Coding coding : codings) {
    codec::Encoder& encoder = encoders[static_cast<std::size_t>(coding)];
    std::array<std::string, 3> results;
    for (std::size_t i = 0; i < results.size(); ++i) {
      test::Pieces pieces = i == 0 ? test::Pieces(coded) : test::Pieces(coded, step).live();
      encoder.use(i == 2);
      encoder.attach(pieces);
      const test::Drained all = test::drain(encoder);
      hold(!all.error, "content can be coded");
      results[i] = all.bytes;
    }
    hold(results[0] == results[1], "the cut of the content changes nothing");
    hold(coded.empty() == results[0].empty(), "nothing is coded as nothing");
    coded = data[0] >= 128 ? results[2] : results[0];  // flushed at each idle, or not
  }

  static const std::array<http::Policy, 3> policies = {policy_of(0), policy_of(1), policy_of(2)};
  static std::array<codec::Decoder, 3> decoders = {codec::Decoder(policies[0]),
                                                   codec::Decoder(policies[1]),
                                                   codec::Decoder(policies[2])};
  codec::Decoder& decoder = decoders[data[0] % 3U];
  test::Log log;
  const test::Drained back = decode(decoder, codings, test::Pieces(coded, step), log);
  const bool limited = back.error && back.error->code == Errc::limit;
  hold(limited || (!back.error && back.bytes == bytes), "what was coded decodes to itself");
  hold(log.texts.empty(), "our own coding is told nothing of");

  test::Log whole_log, cut_log;
  const test::Drained whole = decode(decoder, codings, test::Pieces(bytes), whole_log);
  const test::Drained cut = decode(decoder, codings, test::Pieces(bytes, step), cut_log);
  hold(whole.bytes == cut.bytes, "the cut of coded data changes no content");
  hold(whole.error.has_value() == cut.error.has_value(), "the cut makes and mends no error");
  hold(!whole.error || whole.error->what == cut.error->what, "the cut changes no error");
  hold(whole_log.texts == cut_log.texts, "the cut changes no warning");
  hold(whole.bytes.size() <= policies[0].limits.max_body, "content stays within its limit");
  return 0;
}
