// The one table of what `redact` takes for a secret: names, with the places where they count, and
// the kinds that the receipt, the pseudonyms and help call them by. Shapes of values stand in
// shapes.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace rehead::redact {

/// What a secret is. Its name is the prefix of a pseudonym and stands in the receipt.
enum class Kind : std::uint8_t {
  credentials,  // what stands behind the scheme of Authorization
  cookie,       // the value of one
  token,        // of access, of a session, against forgery
  password,
  key,          // of an API or a client
  signature,    // of a signed URL
  code,         // of a login that is under way
  user,         // of a URL: user and password before the host
  jwt,          // a JSON Web Token
  private_key,  // a PEM block
  email,        // with --pii
  address,      // with --pii: an IP address
  own,          // asked for with --also or --match
  opaque,       // what could not be taken apart
};
inline constexpr std::size_t kKinds = 14;
std::string_view name_of(Kind kind);

/// Where a name counts.
enum Place : std::uint8_t {
  in_field = 1,      // name of a header field or trailer
  in_parameter = 2,  // of a query, a form, a fragment
  in_member = 4,     // of a JSON object, or `name` of a {name, value} pair in one
  anywhere = 7,
};

/// A row: names in small letters without - and _, in which * stands for any run of letters.
struct Rule {
  std::string_view names;  // parted by blanks
  Kind kind;
  std::uint8_t places;      // of Place
  bool personal = false;    // counts with --pii only
  std::string_view source;  // who hides them, too
};
std::span<const Rule> rules();
/// Names that the table would take for one of a secret: marks of a place in a list.
std::string_view innocent_names();

/// The table and that of shapes as text: `redact --list-rules`.
std::string rules_text();

/// A secret in a text: its bytes.
struct Found {
  std::size_t at = 0;
  std::size_t size = 0;
  Kind kind = Kind::opaque;
  std::string_view value = {};  // what it stands for where it was spelt in another way; else empty
};

}  // namespace rehead::redact
