// Header fields as a user names them: NAME, req:NAME, res:NAME; lists of such names, in which *
// stands for any run of characters and ? for one; and whole fields, 'NAME: VALUE'. A quoted name is
// literal.
//
// A prefix chooses the half of an exchange, whatever the step or -s say; a stand-alone message is
// covered if it is of that kind. Without a prefix, where the response is the default, a name that
// only requests have means the request: one table for every verb. Everything is checked here: the
// results hold no CR, LF or NUL, and a name to be written is a token.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "http/exchange.h"

namespace rehead::http {

struct FieldName {
  std::string text;     // without prefix and quotes
  Selection selection;  // the half it is meant for
  bool literal = false;  // it was quoted
  bool cookie = false;   // cookie:NAME

  bool is_pattern() const { return !literal && text.find_first_of("*?") != std::string::npos; }
  bool covers(const Exchange& exchange, const Message& message) const {
    return selection.covers(exchange, message.kind);
  }
  bool matches(std::string_view name) const;
  /// The same for a cookie's name, whose case counts.
  bool matches_cookie(std::string_view name) const;
  /// Calls visit(const Field&) -> bool for each such field until it returns true, and says whether
  /// it did.
  template <typename Visit>
  bool any(const Message& message, Visit visit) const {
    const HeaderMap& headers = message.headers;
    if (is_pattern()) {
      for (const Field& field : headers) {
        if (matches(field.name()) && visit(field)) return true;
      }
      return false;
    }
    for (const Field* field = headers.find(text); field != nullptr;
         field = headers.find_after(field, text)) {
      if (visit(*field)) return true;
    }
    return false;
  }
};

/// Whether a name was found in the half it means, or only in the other.
class Sightings {
 public:
  void look(const FieldName& name, const Exchange& exchange);
  void look(const FieldName& name, const Exchange& exchange, const Message& message);
  void found() { found_ = true; }
  /// Reports a name that only the other half had; the hint is `how`, the name, `rest`. Starts anew.
  void tell(const FieldName& name, std::string_view how, std::string_view rest, Diagnostics& log);

 private:
  bool found_ = false;
  std::uint64_t elsewhere_ = 0;  // messages
};

struct NamedField {
  FieldName name;  // a token
  std::string value;
};

/// The table of fields that only requests have, globs among them.
std::span<const std::string_view> request_fields();
/// Fields whose values are never shown. `name` in any case.
bool is_secret(std::string_view name);

/// Which half `name`, without a prefix, means where `otherwise` is the default of the verb or -s.
Selection half_of(std::string_view name, Selection otherwise);
/// Takes `req:` or `res:` off the front; `otherwise` if there is neither.
Selection take_side(std::string_view& text, Selection otherwise);

/// NAMES: a comma list, blanks around each name removed. Refuses an empty list, an empty name, and
/// what looks like a file name. A name need not be a token: HAR files hold others.
/// `cookies`: takes cookie:NAME too.
Result<std::vector<FieldName>> parse_names(std::string_view text, Selection otherwise,
                                           bool cookies = false);

/// `NAME` where exactly one token is needed, not a pattern.
Result<FieldName> parse_name(std::string_view text, Selection otherwise);

/// Takes `NAME:` off the front, a token. `req:` and `res:` are the prefix only if a name and a
/// colon follow: 'req: 5' names the field "req".
Result<FieldName> take_name(std::string_view& text, Selection otherwise);
/// The same for a name that selects fields: a pattern too, and behind a prefix `:authority`.
Result<FieldName> take_names(std::string_view& text, Selection otherwise);

/// 'NAME: VALUE', blanks around the value removed; the value may be empty.
Result<NamedField> parse_field(std::string_view text, Selection otherwise);

/// The same from `@FILE`, one field a line, empty lines skipped; any other text is one field.
Result<std::vector<NamedField>> parse_fields(const std::string& argument, Selection otherwise);

enum class Case : bool { ignored, exact };
/// True if `name` matches `pattern`, in which `*` stands for any run of characters and `one` for
/// one of them.
bool glob(std::string_view pattern, std::string_view name, Case letters = Case::ignored,
          char one = '?');

}  // namespace rehead::http
