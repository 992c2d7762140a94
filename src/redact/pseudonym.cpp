#include "redact/pseudonym.h"

#include <nettle/base16.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/ascii.h"
#include "base/io.h"

namespace rehead::redact {
namespace {

constexpr std::size_t kBytes = 8;  // of the MAC, two hex digits each

const std::uint8_t* octets(std::string_view text) {
  return reinterpret_cast<const std::uint8_t*>(text.data());
}

bool readable_by_others_at(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && (status.st_mode & (S_IRGRP | S_IROTH)) != 0;
}

std::size_t pseudonym_size(std::string_view text) {
  constexpr std::size_t kLongestName = 16;
  const std::size_t colon = text.substr(0, kLongestName).find(':');
  if (colon == std::string_view::npos || text.size() < colon + 1 + 2 * kBytes) return 0;
  const std::string_view digits = text.substr(colon + 1, 2 * kBytes);
  const auto digit = [](char c) { return ascii::is_digit(c) || (c >= 'a' && c <= 'f'); };
  if (!std::all_of(digits.begin(), digits.end(), digit)) return 0;
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    if (text.substr(0, colon) == name_of(static_cast<Kind>(kind))) return colon + 1 + 2 * kBytes;
  }
  return 0;
}

}  // namespace

Result<Pseudonyms> Pseudonyms::from_file(const std::string& path, bool& readable_by_others) {
  auto text = read_file(path, kLongestKey);
  if (!text) {
    text.error().what = path + ": " + text.error().what;
    return fail(std::move(text.error()));
  }
  std::string_view key = *text;
  if (key.ends_with('\n')) key.remove_suffix(1);
  if (key.ends_with('\r')) key.remove_suffix(1);
  if (key.empty()) {
    return fail({Errc::usage, "empty-key", path + ": the key is empty",
                 "make one: (umask 077; head -c 32 /dev/urandom | base64 > " + path + ")"});
  }
  readable_by_others = readable_by_others_at(path);
  Pseudonyms made;
  ::hmac_sha256_set_key(&made.keyed_, key.size(), octets(key));
  return made;
}

std::string Pseudonyms::of(std::string_view value, Kind kind) const {
  hmac_sha256_ctx state = keyed_;
  ::hmac_sha256_update(&state, value.size(), octets(value));
  std::array<std::uint8_t, kBytes> mac;
  ::hmac_sha256_digest(&state, mac.size(), mac.data());
  std::array<char, 2 * kBytes> hex;
  ::base16_encode_update(hex.data(), mac.size(), mac.data());
  return std::string(name_of(kind)).append(":").append(hex.data(), hex.size());
}

std::size_t replaced_size(std::string_view text) {
  return text.starts_with(kRedacted) ? kRedacted.size() : pseudonym_size(text);
}

bool is_pseudonym(std::string_view text) {
  const std::size_t size = pseudonym_size(text);
  return size != 0 && size == text.size();
}

}  // namespace rehead::redact
