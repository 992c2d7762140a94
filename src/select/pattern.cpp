#include "select/pattern.h"

#include <re2/re2.h>

#include "codec/utf8.h"

namespace rehead::select {

Pattern::Pattern() = default;
Pattern::Pattern(Pattern&&) noexcept = default;
Pattern& Pattern::operator=(Pattern&&) noexcept = default;
Pattern::~Pattern() = default;

Result<Pattern> Pattern::compile(const std::string& expression, bool any_case) {
  Pattern made;
  const auto in = [&](re2::RE2::CannedOptions encoding) {
    re2::RE2::Options options(encoding);
    options.set_log_errors(false);
    options.set_case_sensitive(!any_case);
    return std::make_unique<re2::RE2>(expression, options);
  };
  made.latin1_ = in(re2::RE2::Latin1);
  if (codec::is_utf8(expression)) made.utf8_ = in(re2::RE2::DefaultOptions);
  const re2::RE2& judged = made.utf8_ != nullptr ? *made.utf8_ : *made.latin1_;
  if (!judged.ok()) {
    return fail({Errc::usage, "expression", "not an RE2 expression: " + judged.error()});
  }
  if (!made.latin1_->ok()) made.latin1_ = std::move(made.utf8_);  // \x{100} is no Latin-1
  return made;
}

const re2::RE2& Pattern::mode_of(std::string_view text) const {
  return utf8_ != nullptr && codec::is_utf8(text) ? *utf8_ : *latin1_;
}

bool Pattern::found_in(std::string_view text) const {
  return mode_of(text).Match(text, 0, text.size(), re2::RE2::UNANCHORED, nullptr, 0);
}

}  // namespace rehead::select
