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

#if defined(__SSE2__)
// Both rest on this: 20 hex turns [ into {, ] into } and no other byte into either.

/// Bit i of the result: the parity of bits 0 to i.
constexpr std::uint64_t parity_up_to(std::uint64_t bits) {
  for (const int shift : {1, 2, 4, 8, 16, 32}) bits ^= bits << shift;
  return bits;
}

void classify_sse2(const char* bytes, std::span<JsonBlock> blocks, JsonCarry& given) {
  JsonCarry carry = given;  // a copy of its own stays in registers
  for (JsonBlock& out : blocks) {
    json::StringBits bits = json::string_bits(bytes);
    JsonBlock found;
    for (std::size_t at = 0; at < JsonBlock::kSize; at += 16) {
      const __m128i curled = _mm_or_si128(json::sixteen(bytes + at), _mm_set1_epi8(0x20));
      found.open |= std::uint64_t{json::mask16(_mm_cmpeq_epi8(curled, _mm_set1_epi8('{')))} << at;
      found.close |= std::uint64_t{json::mask16(_mm_cmpeq_epi8(curled, _mm_set1_epi8('}')))} << at;
    }
    bytes += JsonBlock::kSize;
    if ((bits.backslash | carry.cut) != 0) {
      bits.quote &= ~json::escape_pairs(bits.backslash, carry.cut).escaped;
    }
    const std::uint64_t in_string = parity_up_to(bits.quote) ^ carry.in_string;
    carry.in_string = std::uint64_t{0} - (in_string >> 63);
    out = {found.open & ~in_string, found.close & ~in_string};
  }
  given = carry;
}

[[gnu::target("avx2,pclmul")]] inline std::uint64_t mask64(__m256i low, __m256i high) {
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(low)) |
         std::uint64_t{static_cast<std::uint32_t>(_mm256_movemask_epi8(high))} << 32;
}

[[gnu::target("avx2,pclmul")]] void classify_avx2(const char* bytes, std::span<JsonBlock> blocks,
                                                  JsonCarry& given) {
  JsonCarry carry = given;
  for (JsonBlock& out : blocks) {
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes));
    const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes + 32));
    bytes += JsonBlock::kSize;
    const __m256i quotes = _mm256_set1_epi8('"');
    const __m256i backslashes = _mm256_set1_epi8('\\');
    const std::uint64_t backslash =
        mask64(_mm256_cmpeq_epi8(low, backslashes), _mm256_cmpeq_epi8(high, backslashes));
    std::uint64_t quote = mask64(_mm256_cmpeq_epi8(low, quotes), _mm256_cmpeq_epi8(high, quotes));
    if ((backslash | carry.cut) != 0) {
      quote &= ~json::escape_pairs(backslash, carry.cut).escaped;
    }
    if ((quote | ~carry.in_string) == 0) {  // inside a long string
      out = {};
      continue;
    }
    // A product without carries, with all ones: each bit becomes the parity up to it.
    const __m128i parity = _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<long long>(quote)),
                                                _mm_set1_epi8(-1), 0);
    const std::uint64_t in_string =
        static_cast<std::uint64_t>(_mm_cvtsi128_si64(parity)) ^ carry.in_string;
    carry.in_string = std::uint64_t{0} - (in_string >> 63);
    const __m256i curl = _mm256_set1_epi8(0x20);
    const __m256i low_curled = _mm256_or_si256(low, curl);
    const __m256i high_curled = _mm256_or_si256(high, curl);
    const __m256i opens = _mm256_set1_epi8('{');
    const __m256i closes = _mm256_set1_epi8('}');
    out.open = ~in_string & mask64(_mm256_cmpeq_epi8(low_curled, opens),
                                   _mm256_cmpeq_epi8(high_curled, opens));
    out.close = ~in_string & mask64(_mm256_cmpeq_epi8(low_curled, closes),
                                    _mm256_cmpeq_epi8(high_curled, closes));
  }
  given = carry;
}
#endif

/// 1 if the last of these bytes begins an escape; `cut`: the first is escaped.
std::uint64_t cut_behind(std::string_view bytes, std::uint64_t cut) {
  const std::size_t run = bytes.size() - (bytes.find_last_not_of('\\') + 1);
  return (run == bytes.size() ? run - cut : run) & 1;
}

}  // namespace

void json_classify_scalar(const char* bytes, std::span<JsonBlock> blocks, JsonCarry& carry) {
  for (JsonBlock& out : blocks) {
    out = {};
    for (std::uint64_t bit = 1; bit != 0; bit <<= 1, ++bytes) {
      const char c = *bytes;
      if (carry.cut != 0) {
        carry.cut = 0;
      } else if (c == '\\') {
        carry.cut = 1;
      } else if (c == '"') {
        carry.in_string = ~carry.in_string;
      }
      if (carry.in_string != 0) continue;
      if (c == '{' || c == '[') out.open |= bit;
      if (c == '}' || c == ']') out.close |= bit;
    }
  }
}

std::span<const JsonClassify> json_classifiers() {
#if defined(__SSE2__)
  static constexpr std::array<JsonClassify, 3> kAll = {json_classify_scalar, classify_sse2,
                                                       classify_avx2};
  static const bool wide =
      __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("pclmul") != 0;
  return std::span(kAll).first(wide ? 3 : 2);
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
    const char* const at = bytes.data() + carry.position;
    const std::size_t left = bytes.size() - carry.position;
    const std::size_t whole = std::min(left / JsonBlock::kSize, kBatch);
    if (whole == 0) {
      std::array<char, JsonBlock::kSize> padded;
      padded.fill(' ');
      std::memcpy(padded.data(), at, left);
      const std::uint64_t cut = cut_behind({at, left}, carry.strings.cut);
      classify_(padded.data(), std::span(blocks).first(1), carry.strings);
      carry.strings.cut = cut;
      return block(blocks[0], padded.data(), left, carry);
    }
    classify_(at, std::span(blocks).first(whole), carry.strings);
    for (std::size_t i = 0; i < whole; ++i) {
      const char* const text = at + i * JsonBlock::kSize;
      const State state = block(blocks[i], text, JsonBlock::kSize, carry);
      if (state != State::inside) return state;
    }
  }
  return State::inside;
}

/// One block at `bytes`, `size` bytes of it real, the others blank.
inline JsonScan::State JsonScan::block(const JsonBlock& bits, const char* bytes, std::size_t size,
                                       Carry& carry) {
  for (std::uint64_t brackets = bits.open | bits.close; brackets != 0; brackets &= brackets - 1) {
    const auto at = static_cast<std::size_t>(std::countr_zero(brackets));
    const std::size_t opens = (bits.open >> at) & 1;
    const auto kind = static_cast<std::uint8_t>((bytes[at] >> 5) & 1);  // 1: { or }
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
