// The cookies of a message's Set-Cookie fields, each on its own, to be changed and written back.
// A field none of whose cookies changed stays as it was read, joined values too.
#pragma once

#include <vector>

#include "base/diagnostics.h"
#include "http/cookie.h"
#include "http/header_map.h"

namespace rehead::http {

class SetCookies {
 public:
  struct Entry {
    const Field* field;  // where it stands
    SetCookie cookie;
    bool changed = false;  // `cookie` was replaced
    bool gone = false;     // is not written back
  };

  /// Takes the cookies of every Set-Cookie field, in order. The map must not change until store().
  /// A field whose cookies hold CR or NUL is passed over: no line could hold them.
  void load(const HeaderMap& headers);
  std::vector<Entry>& entries() { return entries_; }
  /// Drops blank ones. How many.
  std::size_t drop_blank();
  /// Of equal cookies (CookieKey) keeps the last, in the place of the first.
  void drop_repeated();
  /// Writes back what changed. A field that held several cookies becomes one field a cookie if any
  /// of them changed, or if `split`, which parts values joined in HAR as well.
  Status store(HeaderMap& headers, bool split);

 private:
  std::vector<Entry> entries_;
  struct Keyed {
    CookieKey key;
    Entry* entry;
  };
  // Scratch, kept for its memory.
  std::vector<Keyed> order_;
  std::vector<std::string_view> values_;
  std::vector<Replacement> replacements_;
};

/// The note that so many blank cookies were dropped.
Finding blank_cookies(std::size_t count);

}  // namespace rehead::http
