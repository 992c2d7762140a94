#include "transform/replacement.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/ascii.h"

namespace rehead::transform {
namespace {

constexpr std::size_t kMaxPattern = std::size_t{64} << 10;

tl::unexpected<Error> refuse(std::string what) {
  return fail({Errc::usage, "sub-form", std::move(what), std::string(Replacement::kForm)});
}

/// Takes the text up to the next `mark` off `rest`; a mark behind a backslash stands for itself.
std::optional<std::string_view> take_until(std::string_view& rest, char mark) {
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == '\\') {
      ++i;
    } else if (rest[i] == mark) {
      const std::string_view taken = rest.substr(0, i);
      rest.remove_prefix(i + 1);
      return taken;
    }
  }
  return std::nullopt;
}

/// NEW without the backslash before a mark.
std::string unescaped(std::string_view text, char mark) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == mark) ++i;
    out += text[i];
    if (text[i] == '\\' && i + 1 < text.size()) out += text[++i];
  }
  return out;
}

}  // namespace

/// As RE2::GlobalReplace, which holds one more copy and knows no limit.
std::optional<bool> Replacement::apply(std::string_view value, std::string& into,
                                       std::uint64_t most) const {
  const re2::RE2& pattern = pattern_.mode_of(value);
  const bool utf8 = pattern.options().encoding() == re2::RE2::Options::EncodingUTF8;
  std::array<re2::StringPiece, 10> groups;
  const int asked = re2::RE2::MaxSubmatch(rewrite_) + 1;
  const auto add = [&](std::size_t from, std::size_t to) { into.append(value, from, to - from); };
  into.clear();
  bool any = false;
  std::size_t at = 0;             // `into` has `value` up to here
  std::size_t last = value.npos;  // where the match before ended
  while ((!any || !first_only_) &&
         pattern.Match(value, at, value.size(), re2::RE2::UNANCHORED, groups.data(), asked)) {
    if (!any) into.reserve(value.size());
    any = true;
    const auto begin = static_cast<std::size_t>(groups[0].data() - value.data());
    add(at, begin);
    at = begin;
    if (!groups[0].empty() || begin != last) {
      pattern.Rewrite(&into, rewrite_, groups.data(), asked);
      at = last = begin + groups[0].size();
    } else {  // no empty match right behind another match: one character on
      if (at == value.size()) break;
      std::size_t next = at + 1;
      while (utf8 && next < value.size() && (value[next] & 0xC0) == 0x80) ++next;
      add(at, next);
      at = next;
    }
    if (into.size() > most) return std::nullopt;
  }
  if (!any) return false;
  add(at, value.size());
  if (into.size() > most) return std::nullopt;
  return into != value;
}

Result<Replacement> Replacement::parse(std::string_view rest) {
  if (rest.empty()) return refuse("the expression after the name is missing");
  const char mark = rest.front();
  const bool sign = mark > ' ' && mark < 0x7F && mark != '\\' && mark != '_' &&
                    !(ascii::lower(mark) >= 'a' && ascii::lower(mark) <= 'z') &&
                    !ascii::is_digit(mark);
  if (!sign) return refuse("the expression must begin with a sign such as /");
  rest.remove_prefix(1);
  const auto expression = take_until(rest, mark);
  const auto replacement = expression ? take_until(rest, mark) : std::nullopt;
  if (!replacement) return refuse(std::string("three ") + mark + " are needed");
  if (expression->empty()) return refuse("the expression is empty");
  if (expression->size() > kMaxPattern) return refuse("the expression is longer than 64 KiB");

  Replacement made;
  bool any_case = false;
  for (const char flag : rest) {
    if (flag != 'i' && flag != '1') return refuse(std::string("no flag is called ") + flag);
    any_case = any_case || flag == 'i';
    if (flag == '1') made.first_only_ = true;
  }
  auto pattern = select::Pattern::compile(std::string(*expression), any_case);
  if (!pattern) return refuse(std::move(pattern.error().what));
  made.pattern_ = std::move(*pattern);
  const re2::RE2& compiled = made.pattern_.mode_of({});
  made.rewrite_ = unescaped(*replacement, mark);
  if (const int groups = compiled.NumberOfCapturingGroups();
      re2::RE2::MaxSubmatch(made.rewrite_) > groups) {
    return refuse("NEW asks for more groups than there are: " + std::to_string(groups));
  }
  std::string error;
  if (!compiled.CheckRewriteString(made.rewrite_, &error)) return refuse(error);
  return made;
}

}  // namespace rehead::transform
