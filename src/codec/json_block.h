// JSON strings by the block (RFC 8259 7): 64 bytes become words of bits, one bit a byte, the first
// in bit 0. What is found in them costs a few word operations, however many escapes there are.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace rehead::codec::json {

inline constexpr std::size_t kBlock = 64;

/// Where in a block quotes and backslashes stand.
struct StringBits {
  std::uint64_t quote = 0;
  std::uint64_t backslash = 0;
};

/// True for what has to be escaped where it is written: `"`, `\`, 00-1F, and DEL.
constexpr bool needs_escape(char c) {
  return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

inline StringBits string_bits_scalar(const char* bytes) {
  StringBits bits;
  for (std::size_t i = 0; i < kBlock; ++i) {
    bits.quote |= std::uint64_t{bytes[i] == '"'} << i;
    bits.backslash |= std::uint64_t{bytes[i] == '\\'} << i;
  }
  return bits;
}

inline std::uint64_t escape_bits_scalar(const char* bytes) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < kBlock; ++i) bits |= std::uint64_t{needs_escape(bytes[i])} << i;
  return bits;
}

#if defined(__SSE2__)
inline __m128i sixteen(const char* bytes) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
}
/// All of 4 to 16 bytes, some of them twice.
inline __m128i sixteen_of(const char* bytes, std::size_t size) {
  const auto eight = [](const char* from) {
    return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
  };
  const auto four = [](const char* from) {
    int word;
    std::memcpy(&word, from, sizeof word);
    return _mm_cvtsi32_si128(word);
  };
  if (size >= 8) return _mm_unpacklo_epi64(eight(bytes), eight(bytes + size - 8));
  // Zeros would pass for control bytes.
  const __m128i both = _mm_unpacklo_epi32(four(bytes), four(bytes + size - 4));
  return _mm_unpacklo_epi64(both, both);
}
/// One bit for each of 16 bytes.
inline unsigned mask16(__m128i hits) { return static_cast<unsigned>(_mm_movemask_epi8(hits)); }
inline __m128i quotes16(__m128i lane) { return _mm_cmpeq_epi8(lane, _mm_set1_epi8('"')); }
inline __m128i backslashes16(__m128i lane) { return _mm_cmpeq_epi8(lane, _mm_set1_epi8('\\')); }
/// Quotes, backslashes and 00-1F.
inline __m128i specials16(__m128i lane) {
  const __m128i controls = _mm_cmpeq_epi8(_mm_min_epu8(lane, _mm_set1_epi8(0x1F)), lane);
  return _mm_or_si128(_mm_or_si128(quotes16(lane), backslashes16(lane)), controls);
}
inline __m128i escapes16(__m128i lane) {
  return _mm_or_si128(specials16(lane), _mm_cmpeq_epi8(lane, _mm_set1_epi8(0x7F)));
}

inline StringBits string_bits(const char* bytes) {
  StringBits bits;
  for (std::size_t i = 0; i < kBlock; i += 16) {
    const __m128i lane = sixteen(bytes + i);
    bits.quote |= std::uint64_t{mask16(quotes16(lane))} << i;
    bits.backslash |= std::uint64_t{mask16(backslashes16(lane))} << i;
  }
  return bits;
}

inline std::uint64_t escape_bits(const char* bytes) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < kBlock; i += 16) {
    bits |= std::uint64_t{mask16(escapes16(sixteen(bytes + i)))} << i;
  }
  return bits;
}
#else
inline StringBits string_bits(const char* bytes) { return string_bits_scalar(bytes); }
inline std::uint64_t escape_bits(const char* bytes) { return escape_bits_scalar(bytes); }
#endif

/// True if `size` bytes are the same. Sixteen can be read at `a` and `b`, whatever the size.
inline bool same_bytes(const char* a, const char* b, std::size_t size) {
#if defined(__SSE2__)
  if (size <= 16) {
    const unsigned same = mask16(_mm_cmpeq_epi8(sixteen(a), sixteen(b)));
    return (~same & ((1U << size) - 1)) == 0;
  }
#endif
  return std::memcmp(a, b, size) == 0;
}

/// The first quote, backslash or control byte at or after `at`; the size of `text` if there is none.
inline std::size_t find_special(std::string_view text, std::size_t at) {
#if defined(__SSE2__)
  for (; text.size() - at >= 16; at += 16) {
    const unsigned hits = mask16(specials16(sixteen(text.data() + at)));
    if (hits != 0) return at + static_cast<std::size_t>(std::countr_zero(hits));
  }
#endif
  const auto special = [](char c) {
    return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20;
  };
  while (at < text.size() && !special(text[at])) ++at;
  return at;
}

/// The backslashes that begin an escape, and the bytes right behind them.
struct EscapeBits {
  std::uint64_t begin = 0;
  std::uint64_t escaped = 0;
};

/// `cut`: 1 if the block before ended in a backslash that begins an escape; on return the same of
/// this block.
constexpr EscapeBits escape_pairs(std::uint64_t backslash, std::uint64_t& cut) {
  constexpr std::uint64_t kOdd = 0xAAAAAAAAAAAAAAAA;
  // Subtracting a run of backslashes from the bit behind it borrows through the run. With the odd
  // bits set beforehand it stops at every other one: what differs from them then are the first,
  // third, ... backslash of each run, and the byte behind a run whose last one is such.
  const std::uint64_t runs = backslash & ~cut;
  const std::uint64_t turned = (((runs << 1) | kOdd) - runs) ^ kOdd;
  const EscapeBits bits{.begin = turned & backslash, .escaped = turned ^ (backslash | cut)};
  cut = bits.begin >> 63;
  return bits;
}

}  // namespace rehead::codec::json
