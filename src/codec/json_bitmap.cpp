#include "codec/json_bitmap.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "codec/json_block.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace rehead::codec {
namespace {

/// Bit i of the result: the parity of bits 0 to i.
constexpr std::uint64_t parity_up_to(std::uint64_t bits) {
  for (const int shift : {1, 2, 4, 8, 16, 32}) bits ^= bits << shift;
  return bits;
}

#if defined(__SSE2__)
// All of them rest on this: 20 hex turns [ into {, ] into } and no other byte into either.

std::uint64_t mask(__m128i lane) { return static_cast<std::uint32_t>(_mm_movemask_epi8(lane)); }

void classify_sse2(const char* bytes, std::span<JsonBlock> blocks) {
  for (JsonBlock& out : blocks) {
    JsonBlock bits;
    for (int shift = 0; shift < 64; shift += 16, bytes += 16) {
      const __m128i lane = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
      const __m128i curled = _mm_or_si128(lane, _mm_set1_epi8(0x20));
      bits.quote |= mask(_mm_cmpeq_epi8(lane, _mm_set1_epi8('"'))) << shift;
      bits.backslash |= mask(_mm_cmpeq_epi8(lane, _mm_set1_epi8('\\'))) << shift;
      bits.open |= mask(_mm_cmpeq_epi8(curled, _mm_set1_epi8('{'))) << shift;
      bits.close |= mask(_mm_cmpeq_epi8(curled, _mm_set1_epi8('}'))) << shift;
      bits.curly |= mask(_mm_slli_epi16(lane, 2)) << shift;
    }
    out = bits;
  }
}

[[gnu::target("avx2")]] void classify_avx2(const char* bytes, std::span<JsonBlock> blocks) {
  for (JsonBlock& out : blocks) {
    JsonBlock bits;
    for (int shift = 0; shift < 64; shift += 32, bytes += 32) {
      const __m256i lane = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes));
      const __m256i curled = _mm256_or_si256(lane, _mm256_set1_epi8(0x20));
      const auto quote = static_cast<std::uint32_t>(
          _mm256_movemask_epi8(_mm256_cmpeq_epi8(lane, _mm256_set1_epi8('"'))));
      const auto backslash = static_cast<std::uint32_t>(
          _mm256_movemask_epi8(_mm256_cmpeq_epi8(lane, _mm256_set1_epi8('\\'))));
      const auto open = static_cast<std::uint32_t>(
          _mm256_movemask_epi8(_mm256_cmpeq_epi8(curled, _mm256_set1_epi8('{'))));
      const auto close = static_cast<std::uint32_t>(
          _mm256_movemask_epi8(_mm256_cmpeq_epi8(curled, _mm256_set1_epi8('}'))));
      const auto curly =
          static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_slli_epi16(lane, 2)));
      bits.quote |= std::uint64_t{quote} << shift;
      bits.backslash |= std::uint64_t{backslash} << shift;
      bits.open |= std::uint64_t{open} << shift;
      bits.close |= std::uint64_t{close} << shift;
      bits.curly |= std::uint64_t{curly} << shift;
    }
    out = bits;
  }
}
#endif

}  // namespace

void json_classify_scalar(const char* bytes, std::span<JsonBlock> blocks) {
  for (JsonBlock& out : blocks) {
    JsonBlock bits;
    for (std::uint64_t bit = 1; bit != 0; bit <<= 1, ++bytes) {
      const char c = *bytes;
      if (c == '"') bits.quote |= bit;
      if (c == '\\') bits.backslash |= bit;
      if (c == '{' || c == '[') bits.open |= bit;
      if (c == '}' || c == ']') bits.close |= bit;
      if ((static_cast<unsigned char>(c) & 0x20U) != 0) bits.curly |= bit;
    }
    out = bits;
  }
}

std::span<const JsonClassify> json_classifiers() {
#if defined(__SSE2__)
  static constexpr std::array<JsonClassify, 3> kAll = {json_classify_scalar, classify_sse2,
                                                       classify_avx2};
  static const std::size_t usable = __builtin_cpu_supports("avx2") != 0 ? 3 : 2;
  return std::span(kAll).first(usable);
#else
  static constexpr std::array<JsonClassify, 1> kAll = {json_classify_scalar};
  return kAll;
#endif
}

void JsonScan::start(std::size_t max_depth, bool remember) {
  remember_ = remember;
  max_depth_ = max_depth;
  carry_ = {};
  kinds_.resize(max_depth);
  containers_.clear();
}

JsonScan::State JsonScan::advance(std::string_view bytes) {
  Carry carry = carry_;  // a copy of its own stays in registers
  const State state = run(bytes, carry);
  carry_ = carry;
  return state;
}

inline JsonScan::State JsonScan::run(std::string_view bytes, Carry& carry) {
  std::array<JsonBlock, kBatch> blocks;
  while (carry.position < bytes.size()) {
    const std::size_t left = bytes.size() - carry.position;
    const std::size_t whole = std::min(left / JsonBlock::kSize, kBatch);
    if (whole == 0) {
      std::array<char, JsonBlock::kSize> padded;
      padded.fill(' ');
      std::memcpy(padded.data(), bytes.data() + carry.position, left);
      classify_(padded.data(), std::span(blocks).first(1));
      return block(blocks[0], left, carry);
    }
    classify_(bytes.data() + carry.position, std::span(blocks).first(whole));
    for (std::size_t i = 0; i < whole; ++i) {
      const State state = block(blocks[i], JsonBlock::kSize, carry);
      if (state != State::inside) return state;
    }
  }
  return State::inside;
}

/// One block, `size` bytes of it real, the others blank.
inline JsonScan::State JsonScan::block(const JsonBlock& bits, std::size_t size, Carry& carry) {
  std::uint64_t quote = bits.quote;
  if ((bits.backslash | carry.escape) != 0) {
    const std::uint64_t escaped = json::escape_pairs(bits.backslash, carry.escape).escaped;
    quote &= ~escaped;
    if (size < JsonBlock::kSize) carry.escape = (escaped >> size) & 1;
  }
  const std::uint64_t in_string = parity_up_to(quote) ^ carry.in_string;
  carry.in_string = std::uint64_t{0} - (in_string >> 63);
  std::uint64_t brackets = (bits.open | bits.close) & ~in_string;
  for (; brackets != 0; brackets &= brackets - 1) {
    const auto at = static_cast<std::size_t>(std::countr_zero(brackets));
    const std::size_t opens = (bits.open >> at) & 1;
    const auto kind = static_cast<std::uint8_t>((bits.curly >> at) & 1);
    State state = State::inside;
    if (carry.depth <= kSurface - opens || carry.depth >= max_depth_) {
      std::size_t depth = carry.depth;
      state = near_surface(carry.position + at, opens != 0, kind, depth);
      carry.depth = depth;
    } else {
      // Without a branch: an opening bracket overwrites nothing, a closing one its own kind.
      carry.depth -= 1 - opens;
      if (opens == 0 && kinds_[carry.depth] != kind) state = State::mismatch;
      kinds_[carry.depth] = kind;
      carry.depth += opens;
    }
    if (state != State::inside) {
      carry.position += at + std::size_t{state == State::complete};
      return state;
    }
  }
  carry.position += size;
  return State::inside;
}

/// A bracket at a depth where there is more to do than to count.
JsonScan::State JsonScan::near_surface(std::size_t at, bool opens, std::uint8_t kind,
                                       std::size_t& depth) {
  if (opens) {
    if (depth == max_depth_) return State::too_deep;
    if (remember_ && depth > 0 && depth < kSurface) {
      open_at_[depth] = containers_.size();
      if (containers_.size() < kRemembered) containers_.push_back({at, 0});
    }
    kinds_[depth++] = kind;
    return State::inside;
  }
  if (kinds_[--depth] != kind) return State::mismatch;
  if (depth == 0) return State::complete;
  if (remember_ && depth < kSurface && open_at_[depth] < containers_.size()) {
    containers_[open_at_[depth]].close = at;
  }
  return State::inside;
}

}  // namespace rehead::codec
