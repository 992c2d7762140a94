// Finds the three bytes in a row by which a shape is known, each out of a set, in a text where
// they are rare. 32 bytes at a time are looked up in tables of 16 by their low and high halves
// (the shuffle of AVX2): eight groups of anchors, a bit each. What passes is looked up exactly.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace rehead::redact {

/// The sets of ASCII bytes of one anchor.
using Anchor = std::array<std::string_view, 3>;

class ByteFilter {
 public:
  static constexpr std::size_t kMost = 64;  // anchors
  /// Where anchors stand: bit i is that of the i-th.
  struct Hit {
    std::size_t at;
    std::uint64_t anchors;
  };
  /// As many as scan() takes at a time.
  struct Hits {
    std::size_t size = 0;
    std::array<Hit, 64> all;
    std::size_t room() const { return all.size() - size; }
  };

  ByteFilter();
  /// Anchors are numbered in the order they come in.
  void add(const Anchor& anchor);
  /// Puts what stands at `from` and behind into `hits`, which is empty. Where it stopped: the size
  /// of `text` if all of it was looked at.
  std::size_t scan(std::string_view text, std::size_t from, Hits& hits) const {
    return (this->*scan_)(text, from, hits);
  }
  /// The same byte by byte, for machines without AVX2.
  std::size_t scan_plain(std::string_view text, std::size_t from, Hits& hits) const;

 private:
  static constexpr std::size_t kGroups = 8;
  struct Halves {
    std::array<std::uint8_t, 16> low{}, high{};
  };
  double likelihood(std::size_t group, const Anchor* more) const;
  std::uint64_t anchors_at(const char* bytes) const {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    return exact_[0][byte(0)] & exact_[1][byte(1)] & exact_[2][byte(2)];
  }
  std::size_t scan_avx2(std::string_view text, std::size_t from, Hits& hits) const;

  std::size_t (ByteFilter::*scan_)(std::string_view, std::size_t, Hits&) const;
  std::array<Halves, 3> halves_;
  std::array<std::array<std::uint64_t, 256>, 3> exact_{};  // bit i: the byte is in the i-th anchor
  std::size_t size_ = 0;
};

}  // namespace rehead::redact
