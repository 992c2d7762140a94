#include "http/plain_head.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/ascii.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace rehead::http {
namespace {

constexpr std::size_t kSize = HeadBlock::kSize;

#if defined(__SSE2__)
std::uint64_t mask(__m128i lane) { return static_cast<std::uint32_t>(_mm_movemask_epi8(lane)); }

/// Unsigned a <= b, byte by byte.
__m128i at_most(__m128i a, int b) {
  return _mm_cmpeq_epi8(_mm_min_epu8(a, _mm_set1_epi8(static_cast<char>(b))), a);
}

void classify_sse2(const char* bytes, std::span<HeadBlock> blocks) {
  for (HeadBlock& out : blocks) {
    HeadBlock bits;
    for (int shift = 0; shift < 64; shift += 16, bytes += 16) {
      const __m128i lane = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
      const __m128i tab = _mm_cmpeq_epi8(lane, _mm_set1_epi8('\t'));
      const __m128i small = _mm_or_si128(lane, _mm_set1_epi8(0x20));
      const __m128i letter = at_most(_mm_sub_epi8(small, _mm_set1_epi8('a')), 'z' - 'a');
      const __m128i digit = at_most(_mm_sub_epi8(lane, _mm_set1_epi8('0')), 9);
      const __m128i dash = _mm_cmpeq_epi8(lane, _mm_set1_epi8('-'));
      bits.lf |= mask(_mm_cmpeq_epi8(lane, _mm_set1_epi8('\n'))) << shift;
      bits.cr |= mask(_mm_cmpeq_epi8(lane, _mm_set1_epi8('\r'))) << shift;
      bits.control |= mask(_mm_andnot_si128(tab, at_most(lane, 0x1F))) << shift;
      bits.name |= mask(_mm_or_si128(_mm_or_si128(letter, digit), dash)) << shift;
    }
    out = bits;
  }
}

[[gnu::target("avx2")]] inline std::uint64_t mask_avx2(__m256i lane) {
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(lane));
}

[[gnu::target("avx2")]] inline __m256i at_most_avx2(__m256i a, int b) {
  return _mm256_cmpeq_epi8(_mm256_min_epu8(a, _mm256_set1_epi8(static_cast<char>(b))), a);
}

[[gnu::target("avx2")]] void classify_avx2(const char* bytes, std::span<HeadBlock> blocks) {
  for (HeadBlock& out : blocks) {
    HeadBlock bits;
    for (int shift = 0; shift < 64; shift += 32, bytes += 32) {
      const __m256i lane = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes));
      const __m256i tab = _mm256_cmpeq_epi8(lane, _mm256_set1_epi8('\t'));
      const __m256i small = _mm256_or_si256(lane, _mm256_set1_epi8(0x20));
      const __m256i letter = at_most_avx2(_mm256_sub_epi8(small, _mm256_set1_epi8('a')), 'z' - 'a');
      const __m256i digit = at_most_avx2(_mm256_sub_epi8(lane, _mm256_set1_epi8('0')), 9);
      const __m256i dash = _mm256_cmpeq_epi8(lane, _mm256_set1_epi8('-'));
      bits.lf |= mask_avx2(_mm256_cmpeq_epi8(lane, _mm256_set1_epi8('\n'))) << shift;
      bits.cr |= mask_avx2(_mm256_cmpeq_epi8(lane, _mm256_set1_epi8('\r'))) << shift;
      bits.control |= mask_avx2(_mm256_andnot_si256(tab, at_most_avx2(lane, 0x1F))) << shift;
      bits.name |= mask_avx2(_mm256_or_si256(_mm256_or_si256(letter, digit), dash)) << shift;
    }
    out = bits;
  }
}
#endif

}  // namespace

void head_classify_scalar(const char* bytes, std::span<HeadBlock> blocks) {
  for (HeadBlock& out : blocks) {
    HeadBlock bits;
    for (std::uint64_t bit = 1; bit != 0; bit <<= 1, ++bytes) {
      const char c = *bytes;
      const char small = ascii::lower(c);
      if (c == '\n') bits.lf |= bit;
      if (c == '\r') bits.cr |= bit;
      if (static_cast<unsigned char>(c) < 0x20 && c != '\t') bits.control |= bit;
      if ((small >= 'a' && small <= 'z') || ascii::is_digit(c) || c == '-') bits.name |= bit;
    }
    out = bits;
  }
}

std::span<const HeadClassify> head_classifiers() {
#if defined(__SSE2__)
  static constexpr std::array<HeadClassify, 3> kAll = {head_classify_scalar, classify_sse2,
                                                       classify_avx2};
  static const std::size_t usable = __builtin_cpu_supports("avx2") != 0 ? 3 : 2;
  return std::span(kAll).first(usable);
#else
  static constexpr std::array<HeadClassify, 1> kAll = {head_classify_scalar};
  return kAll;
#endif
}

/// Classifies some blocks from the block `from` on. How many: 0 at the end of the window.
std::size_t PlainHead::classify_more(std::string_view window, std::size_t from) {
  const std::size_t begin = from * kSize;
  if (begin >= window.size() || from == blocks_.size()) return 0;
  const std::size_t left = window.size() - begin;
  const std::size_t whole = std::min({left / kSize, kBatch, blocks_.size() - from});
  if (whole != 0) {
    classify_(window.data() + begin, std::span(blocks_).subspan(from, whole));
    return whole;
  }
  std::array<char, kSize> padded;
  padded.fill(' ');
  std::memcpy(padded.data(), window.data() + begin, left);
  classify_(padded.data(), std::span(blocks_).subspan(from, 1));
  return 1;
}

/// The first byte from `at` on that is no token byte; a line end follows in the blocks classified.
[[gnu::always_inline]] inline std::size_t PlainHead::name_end(const char* bytes,
                                                             std::size_t at) const {
  std::size_t block = at / kSize;
  std::uint64_t others = ~blocks_[block].name >> (at % kSize);
  if (others == 0) [[unlikely]] {
    do {
      at = ++block * kSize;
      others = ~blocks_[block].name;
    } while (others == 0);
  }
  at += static_cast<std::size_t>(std::countr_zero(others));
  while (ascii::is(bytes[at], ascii::kToken)) ++at;  // '_' and the like
  return at;
}

/// Finds the line ends. How many lines there are, the empty one included; 0: no ordinary head.
std::size_t PlainHead::find_lines(std::string_view window) {
  std::size_t lines = 0;
  std::uint64_t cr_before = 0;  // in bit 0: the block before ended in CR
  std::uint64_t lf_before = 0;  // in bits 0 and 1: LF two bytes before the block's first two
  std::size_t classified = 0;
  for (std::size_t block = 0;; ++block) {
    if (block == classified) {
      const std::size_t more = classify_more(window, block);
      if (more == 0) return 0;
      classified += more;
    }
    const HeadBlock& bits = blocks_[block];
    // Where each LF has its CR, an LF two bytes behind another ends an empty line.
    const std::uint64_t end = bits.lf & ((bits.lf << 2) | lf_before);
    const std::uint64_t of_head = end == 0 ? ~std::uint64_t{0} : end ^ (end - 1);
    const std::uint64_t behind_cr = (bits.cr << 1) | cr_before;
    const std::uint64_t odd = (behind_cr ^ bits.lf) | (bits.control & ~(bits.lf | bits.cr));
    if ((odd & of_head) != 0) return 0;
    for (std::uint64_t lf = bits.lf & of_head; lf != 0; lf &= lf - 1) {
      if (lines == line_ends_.size()) return 0;
      line_ends_[lines++] = static_cast<std::uint16_t>(
          block * kSize + static_cast<std::size_t>(std::countr_zero(lf)) + 1);
    }
    if (end != 0) return lines;
    cr_before = bits.cr >> 63;
    lf_before = bits.lf >> 62;
  }
}

std::optional<PlainHead::Sizes> PlainHead::read(std::string_view window, std::size_t max_fields,
                                                HeaderMap& headers) {
  const std::size_t lines = find_lines(window);
  if (lines < 2 || lines - 2 > max_fields) return std::nullopt;
  const char* const bytes = window.data();
  const std::uint16_t* end_at = line_ends_.data();
  std::size_t begin = *end_at;
  const bool loaded = headers.load_lines(lines - 2, [&](Field& field) {
    const std::size_t end = *++end_at;
    const std::size_t colon = name_end(bytes, begin);
    const char* value = bytes + colon + 1;
    const char* value_end = bytes + end - 2;
    while (value < value_end && ascii::is_blank(*value)) ++value;
    while (value < value_end && ascii::is_blank(value_end[-1])) --value_end;
    field.name_at = bytes + begin;
    field.value_at = value;
    field.name_size = static_cast<std::uint32_t>(colon - begin);
    field.value_size = static_cast<std::uint32_t>(value_end - value);
    field.line_size = static_cast<std::uint32_t>(end - begin);
    const bool named = colon != begin && bytes[colon] == ':';
    begin = end;
    return named;
  });
  if (!loaded) return std::nullopt;
  return Sizes{.start_line = line_ends_[0], .head = line_ends_[lines - 1], .lines = lines};
}

}  // namespace rehead::http
