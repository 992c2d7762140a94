// Header fields as a user names them (spec section 2): NAME, req:NAME, res:NAME; lists of such
// names, in which * stands for any run of characters; and whole fields, 'NAME: VALUE'.
//
// A prefix says which half of an exchange is meant, whatever the step or -s say; a message on its
// own is meant if it is of that kind. Everything is checked here: what comes out holds no CR, LF or
// NUL, and what will be written has a name that is a token.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "http/exchange.h"

namespace rehead::http {

struct FieldName {
  std::string text;     // without the prefix
  Selection selection;  // the half it is meant for

  bool is_pattern() const { return text.find('*') != std::string::npos; }
  bool covers(const Exchange& exchange, const Message& message) const {
    return selection.covers(exchange, message.kind);
  }
};

struct NamedField {
  FieldName name;  // a token
  std::string value;
};

/// Takes `req:` or `res:` off the front; `otherwise` where neither stands.
Selection take_side(std::string_view& text, Selection otherwise);

/// NAMES: a comma list, blanks around each name removed. Refuses an empty list, an empty name, and
/// what is plainly a file name. A name need not be a token: HAR files hold others.
Result<std::vector<FieldName>> parse_names(std::string_view text, Selection otherwise);

/// `NAME` where one token is wanted, not a pattern.
Result<FieldName> parse_name(std::string_view text, Selection otherwise);

/// Takes `NAME:` off the front, a token. `req:` and `res:` are the prefix only where a token and a
/// colon follow: 'req: 5' names the field "req".
Result<FieldName> take_name(std::string_view& text, Selection otherwise);

/// 'NAME: VALUE', blanks around the value removed; the value may be empty.
Result<NamedField> parse_field(std::string_view text, Selection otherwise);

/// The same from `@FILE`, one field a line, empty lines skipped; any other text is one field.
Result<std::vector<NamedField>> parse_fields(const std::string& argument, Selection otherwise);

enum class Case : bool { ignored, exact };
/// True if `name` matches `pattern`, in which `*` stands for any run of characters.
bool glob(std::string_view pattern, std::string_view name, Case letters = Case::ignored);

}  // namespace rehead::http
