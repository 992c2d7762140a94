// What stands in the place of a secret: the word REDACTED, or with a key a pseudonym: the kind of
// the secret and 16 hex digits, the first 8 bytes of HMAC-SHA-256 (RFC 2104) of its value.
#pragma once

#include <nettle/hmac.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "redact/rules.h"

namespace rehead::redact {

inline constexpr std::string_view kRedacted = "REDACTED";

class Pseudonyms {
 public:
  static constexpr std::size_t kLongestKey = std::size_t{64} << 10;
  /// The key is the content of the file without a line end behind it. Errors: what read_file()
  /// says, an empty key. `readable_by_others` is set if the group or others may read the file.
  static Result<Pseudonyms> from_file(const std::string& path, bool& readable_by_others);
  /// "cookie:3fa9...": equal values of one kind are equal, those of other kinds differ in the
  /// prefix alone.
  std::string of(std::string_view value, Kind kind) const;

 private:
  hmac_sha256_ctx keyed_ = {};
};

/// The size of the word or pseudonym that `text` begins with; 0 if there is none.
std::size_t replaced_size(std::string_view text);
/// True for a pseudonym: a kind of ours, a colon, 16 hex digits.
bool is_pseudonym(std::string_view text);

}  // namespace rehead::redact
