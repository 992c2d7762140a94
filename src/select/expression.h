// The language of `where`, `test` and --if: compiled once, asked for every
// exchange. In an exchange `status` and `type` mean the response's, `method` and `url` the
// request's, `h:` and `has:` the response's unless only requests have the field (http/field_name.h)
// or -s chooses. An absent field satisfies nothing but `!=` and `!~`, which are `not =` and `not ~`.
//
// `size` and `body` may have to read the body ahead. It is held for whoever comes after, untouched.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "http/exchange.h"
#include "http/policy.h"

namespace rehead::select {

class Expression {
 public:
  /// `policy` outlives the expression. `selection`: what -s says, else both halves unchosen.
  static Result<Expression> parse(std::string_view text, const http::Policy& policy,
                                  http::Selection selection = {});
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;
  ~Expression();

  /// Errors: a body that cannot be read or decoded.
  Result<bool> holds(http::Exchange& exchange);
  /// Why it did not hold for the same exchange just now: the comparison and the actual value.
  std::string failure(http::Exchange& exchange);
  /// At the end of an input: reports names that only the other half had. Starts anew.
  void finish(Diagnostics& log);
  /// True if it asks for interim (1xx) responses by their status.
  bool names_interim() const;

 private:
  struct State;
  explicit Expression(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace rehead::select
