#include "redact/byte_filter.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

#include "base/ascii.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace rehead::redact {
namespace {

/// How frequent a byte is in the texts of messages, roughly.
double frequency(unsigned byte) {
  const auto c = static_cast<char>(byte);
  if (byte >= 0x80) return 0.2;
  if (c >= 'a' && c <= 'z') return std::string_view("etaoinsr").find(c) < 8 ? 5 : 2;
  if (ascii::is_digit(c)) return 2;
  if (c >= 'A' && c <= 'Z') return 0.6;
  return std::string_view(" \"-./:,=").find(c) < 8 ? 2 : 0.2;
}

}  // namespace

/// How often `group` would let three bytes pass with one anchor more.
double ByteFilter::likelihood(std::size_t group, const Anchor* more) const {
  double all = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    std::array<bool, 16> low{}, high{};
    for (std::size_t n = 0; n < 16; ++n) {
      low[n] = (halves_[i].low[n] >> group & 1) != 0;
      high[n] = (halves_[i].high[n] >> group & 1) != 0;
    }
    for (const char c : more != nullptr ? (*more)[i] : std::string_view()) {
      low[static_cast<unsigned char>(c) & 15U] = true;
      high[static_cast<unsigned char>(c) >> 4U] = true;
    }
    double sum = 0;
    for (unsigned byte = 0; byte < 256; ++byte) {
      if (low[byte & 15U] && high[byte >> 4U]) sum += frequency(byte);
    }
    all *= sum;
  }
  return all;
}

void ByteFilter::add(const Anchor& anchor) {
  assert(size_ < kMost);
  std::size_t best = 0;
  double least = 0;
  for (std::size_t group = 0; group < kGroups; ++group) {
    const double growth = likelihood(group, &anchor) - likelihood(group, nullptr);
    if (group != 0 && growth >= least) continue;
    best = group;
    least = growth;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    for (const char c : anchor[i]) {
      const auto byte = static_cast<unsigned char>(c);
      assert(byte < 0x80);
      halves_[i].low[byte & 15U] |= static_cast<std::uint8_t>(1U << best);
      halves_[i].high[byte >> 4U] |= static_cast<std::uint8_t>(1U << best);
      exact_[i][byte] |= std::uint64_t{1} << size_;
    }
  }
  ++size_;
}

ByteFilter::ByteFilter() : scan_(&ByteFilter::scan_plain) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") != 0) scan_ = &ByteFilter::scan_avx2;
#endif
}

std::size_t ByteFilter::scan_plain(std::string_view text, std::size_t from, Hits& hits) const {
  std::size_t at = from;
  for (; at + 3 <= text.size() && hits.room() != 0; ++at) {
    const std::uint64_t anchors = anchors_at(text.data() + at);
    if (anchors != 0) hits.all[hits.size++] = {at, anchors};
  }
  return at + 3 > text.size() ? text.size() : at;
}

#if defined(__x86_64__)
namespace {

[[gnu::target("avx2")]] inline __m256i thirty_two(const char* bytes) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes));
}
[[gnu::target("avx2")]] inline __m256i twice(const std::array<std::uint8_t, 16>& table) {
  return _mm256_broadcastsi128_si256(
      _mm_loadu_si128(reinterpret_cast<const __m128i*>(table.data())));
}
/// The groups that each byte is in. A byte of 80 and more is in none: the shuffle gives 0.
[[gnu::target("avx2")]] inline __m256i groups(__m256i low, __m256i high, __m256i bytes) {
  const __m256i upper = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(15));
  return _mm256_and_si256(_mm256_shuffle_epi8(low, bytes), _mm256_shuffle_epi8(high, upper));
}

}  // namespace

[[gnu::target("avx2")]] std::size_t ByteFilter::scan_avx2(std::string_view text, std::size_t from,
                                                          Hits& hits) const {
  constexpr std::size_t kStep = 32, kAhead = 2;
  const __m256i low0 = twice(halves_[0].low), high0 = twice(halves_[0].high);
  const __m256i low1 = twice(halves_[1].low), high1 = twice(halves_[1].high);
  const __m256i low2 = twice(halves_[2].low), high2 = twice(halves_[2].high);
  const auto passed = [&](const char* bytes) __attribute__((target("avx2"), always_inline)) {
    const __m256i all =
        _mm256_and_si256(_mm256_and_si256(groups(low0, high0, thirty_two(bytes)),
                                          groups(low1, high1, thirty_two(bytes + 1))),
                         groups(low2, high2, thirty_two(bytes + 2)));
    return ~static_cast<std::uint32_t>(
        _mm256_movemask_epi8(_mm256_cmpeq_epi8(all, _mm256_setzero_si256())));
  };
  const char* const begin = text.data();
  const auto take = [&](std::uint32_t bits, const char* bytes, std::size_t at)
      __attribute__((target("avx2"), always_inline)) {
    for (; bits != 0; bits &= bits - 1) {
      const auto place = static_cast<std::size_t>(std::countr_zero(bits));
      const std::uint64_t anchors = anchors_at(bytes + place);
      if (anchors != 0) hits.all[hits.size++] = {at + place, anchors};
    }
  };
  std::size_t at = from;
  if (text.size() >= from + kStep + kAhead) {
    const std::size_t last = text.size() - kStep - kAhead;
    for (; at <= last; at += kStep) {
      const std::uint32_t bits = passed(begin + at);
      if (bits == 0) continue;
      if (hits.room() < kStep) return at;  // each of the 32 bytes may be a hit
      take(bits, begin + at, at);
    }
    if (hits.room() < kStep) return at;
    // Once more the last 32 bytes, those left out that were looked at.
    const std::uint64_t left = ~std::uint64_t{0} << (at - last);
    take(passed(begin + last) & static_cast<std::uint32_t>(left), begin + last, last);
    return text.size();
  }
  std::array<char, 2 * kStep> tail{};  // at most 33 bytes, then zeros, which no anchor has
  std::memcpy(tail.data(), begin + at, text.size() - at);
  take(passed(tail.data()), tail.data(), at);
  return text.size();
}
#endif

}  // namespace rehead::redact
