#include "redact/shape_table.h"

#include <algorithm>
#include <array>
#include <string>

#include "codec/utf8.h"
#include "redact/pseudonym.h"
#include "redact/surroundings.h"

namespace rehead::redact {
namespace {

constexpr std::string_view kHex = "0123456789abcdef";
constexpr std::string_view kAnyHex = "0123456789abcdefABCDEF";
constexpr std::string_view kUpper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
constexpr std::string_view kAlphanumeric =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
constexpr std::string_view kUrlBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::string_view kDotted =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=";
constexpr std::string_view kWord =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
constexpr std::string_view kBase64Word =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_";
constexpr std::string_view kEncodedBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=%";
constexpr std::string_view kPath =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_/";

bool in(std::string_view set, char c) { return set.find(c) != std::string_view::npos; }

/// How many bytes of `set` stand from `at` on; not more than `most`.
std::size_t run(std::string_view text, std::size_t at, std::string_view set,
                std::size_t most = SIZE_MAX) {
  std::size_t end = at;
  while (end < text.size() && end - at < most && in(set, text[end])) ++end;
  return end - at;
}

/// The prefix of `shape` that stands at `at`; empty if there is none.
std::string_view prefix_at(const Shape& shape, std::string_view text, std::size_t at) {
  std::string_view rest = shape.prefixes;
  while (!rest.empty()) {
    const std::string_view prefix = rest.substr(0, rest.find(' '));
    if (text.substr(at, prefix.size()) == prefix) return prefix;
    rest.remove_prefix(std::min(rest.size(), prefix.size() + 1));
  }
  return {};
}

/// A prefix and what stands behind it, without a look at what stands before.
bool key_at(const Shape& shape, std::string_view text, std::size_t begin, Found& out) {
  const std::string_view prefix = prefix_at(shape, text, begin);
  if (prefix.empty()) return false;
  const std::size_t size = run(text, begin + prefix.size(), shape.bytes, shape.most);
  if (size < shape.least) return false;
  const std::size_t end = begin + prefix.size() + size;
  // A key of a fixed size is no part of a longer word.
  if (shape.most != SIZE_MAX && end < text.size() && is_word(text[end])) return false;
  out = {.at = begin, .size = end - begin, .kind = shape.row.kind};
  return true;
}

bool test_key(const Shape& shape, std::string_view text, std::size_t at, std::size_t floor,
              Found& out) {
  if (at < floor + shape.offset) return false;
  const std::size_t begin = at - shape.offset;
  return begins_word(text, begin) && key_at(shape, text, begin, out);
}

/// The prefix stays: `AccountKey=`, a URL.
bool test_behind_prefix(const Shape& shape, std::string_view text, std::size_t at,
                        std::size_t floor, Found& out) {
  if (at < floor + shape.offset || !key_at(shape, text, at - shape.offset, out)) return false;
  const std::size_t prefix = prefix_at(shape, text, out.at).size();
  out.at += prefix;
  out.size -= prefix;
  return true;
}

/// A short prefix: words joined by hyphens ("sk-circle-fade") are no keys, a long run with a digit
/// in it is.
bool test_mixed_key(const Shape& shape, std::string_view text, std::size_t at, std::size_t floor,
                    Found& out) {
  constexpr std::size_t kRun = 16, kLook = 128;
  std::size_t size = 0;
  bool digit = false;
  for (const char c : text.substr(at, kLook)) {
    if (!is_word(c) && c != '-') return false;
    size = is_alphanumeric(c) ? size + 1 : 0;
    digit = size != 0 && (digit || ascii::is_digit(c));
    if (size >= kRun && digit) return test_key(shape, text, at, floor, out);
  }
  return false;
}

/// Four letters that base64 of zeros has, too: not within base64.
bool test_square(const Shape& shape, std::string_view text, std::size_t at, std::size_t floor,
                 Found& out) {
  if (!test_key(shape, text, at, floor, out)) return false;
  const std::size_t end = out.at + out.size;
  return (out.at == 0 || !in("/+-", text[out.at - 1])) &&
         (end == text.size() || !in(kBase64, text[end]));
}

/// 123456789:AA..., in URLs behind "bot".
bool test_telegram(const Shape& shape, std::string_view text, std::size_t at, std::size_t floor,
                   Found& out) {
  constexpr std::size_t kFewest = 8, kMost = 12, kBehind = 33;
  std::size_t begin = at;
  while (begin > floor && at - begin <= kMost && ascii::is_digit(text[begin - 1])) --begin;
  const std::size_t size = run(text, at + 3, kUrlBase64, kBehind + 1);
  if (at - begin < kFewest || at - begin > kMost || size != kBehind) return false;
  out = {.at = begin, .size = at + 3 + size - begin, .kind = shape.row.kind};
  return true;
}

/// RFC 7519 3, RFC 7516 3: a header, which is a JSON object, and two or four parts behind it. Where
/// the signature is missing the second part is an object, too.
std::size_t jwt_size(std::string_view text) {
  constexpr std::size_t kHeader = 12, kAll = 24;
  const std::size_t header = run(text, 0, kUrlBase64);
  if (!text.starts_with("eyJ") || header < kHeader) return 0;
  std::size_t end = header;
  std::size_t parts = 1;
  for (; parts < 5 && end < text.size() && text[end] == '.'; ++parts) {
    end += 1 + run(text, end + 1, kUrlBase64);
  }
  if (parts < 2 || end < kAll) return 0;
  return parts > 2 || text.substr(header + 1, 3) == "eyJ" ? end : 0;
}

bool test_jwt(const Shape& shape, std::string_view text, std::size_t at, std::size_t, Found& out) {
  if (!begins_word(text, at) || (at > 0 && text[at - 1] == '-')) return false;
  out = {.at = at, .size = jwt_size(text.substr(at)), .kind = shape.row.kind};
  return out.size != 0;
}

/// Blanks, which may be spelt %20 or +.
std::size_t blanks(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size()) {
    if (text[end] == ' ' || text[end] == '+') {
      ++end;
    } else if (text.substr(end, 3) == "%20") {
      end += 3;
    } else {
      break;
    }
  }
  return end - at;
}

/// token68 (RFC 9110 11.2), in which / may be spelt \/, and / + = as %2F %2B %3D. Where a plus is a
/// blank it is none of it.
std::size_t token68(std::string_view text, bool plus_is_blank, std::string& plain) {
  const std::string_view more = plus_is_blank ? "~/" : "~/+";
  std::size_t end = 0;
  plain.clear();
  while (end < text.size()) {
    const std::string_view escape = text.substr(end, 3);
    const bool padded = plain.ends_with('=');
    if (ascii::equal(escape, "%2F") || ascii::equal(escape, "%2B") || ascii::equal(escape, "%3D")) {
      plain += ascii::equal(escape, "%2F") ? '/' : ascii::equal(escape, "%2B") ? '+' : '=';
      end += 3;
    } else if (escape.starts_with("\\/")) {
      plain += '/';
      end += 2;
    } else if (text[end] == '=' || (!padded && (in(kDotted, text[end]) || in(more, text[end])))) {
      plain += text[end++];
    } else {
      break;
    }
  }
  return end;
}

/// The token behind a scheme at `at`. False also for what was hidden before.
bool token_behind(std::string_view text, std::size_t at, std::string_view scheme, Found& out,
                  std::string& plain) {
  if (!begins_word(text, at) || !ascii::equal(text.substr(at, scheme.size()), scheme)) return false;
  out.at = at + scheme.size();
  const std::size_t gap = blanks(text, out.at);
  out.at += gap;
  if (gap == 0 || is_hidden(text, out.at)) return false;
  out.size = token68(text.substr(out.at), text[out.at - 1] == '+', plain);
  return true;
}

/// A parameter of a challenge, such as `realm="x"`, and not a token that ends in `=`.
bool is_parameter(std::string_view token, std::string_view rest) {
  if (!token.ends_with('=') || rest.empty()) return false;
  token.remove_suffix(1);
  const auto of_name = [](char c) { return is_letter(c) || c == '_'; };
  return std::all_of(token.begin(), token.end(), of_name) &&
         (rest.front() == '"' || rest.starts_with("\\\"") || is_word(rest.front()));
}

bool test_bearer(const Shape& shape, std::string_view text, std::size_t at, std::size_t,
                 Found& out) {
  constexpr std::size_t kShortest = 8;
  std::string plain;
  out.kind = shape.row.kind;
  if (!token_behind(text, at, "bearer", out, plain) || plain.size() < kShortest) return false;
  if (is_parameter(plain, text.substr(out.at + out.size))) return false;
  for (const std::string_view word :
       {"authentication", "authorization", "credentials", "undefined"}) {
    if (ascii::equal(plain, word)) return false;
  }
  if (jwt_size(plain) == plain.size()) out.kind = Kind::jwt;
  return true;
}

/// What base64 stands for; empty if it is not that.
std::string decoded(std::string_view text) {
  std::string out;
  unsigned group = 0, bits = 0;
  while (text.ends_with('=')) text.remove_suffix(1);
  for (char c : text) {
    if (c == '-') c = '+';
    if (c == '_') c = '/';
    const std::size_t value = kUrlBase64.substr(0, 62).find(c);
    if (value == std::string_view::npos && c != '+' && c != '/') return {};
    const std::size_t six = value != std::string_view::npos ? value : c == '+' ? 62 : 63;
    group = group << 6 | static_cast<unsigned>(six);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out += static_cast<char>(group >> bits & 0xFFU);
  }
  return out;
}

/// RFC 7617 2: user, colon, password.
bool test_basic(const Shape& shape, std::string_view text, std::size_t at, std::size_t,
                Found& out) {
  std::string plain;
  out.kind = shape.row.kind;
  if (!token_behind(text, at, "basic", out, plain)) return false;
  const std::string pair = decoded(plain);
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  return std::count(pair.begin(), pair.end(), ':') != 0 &&
         std::none_of(pair.begin(), pair.end(), control) && codec::is_utf8(pair);
}

/// Line ends and blanks from `at` on, also spelt \n, \\n or %0A.
std::size_t line_end_behind(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const std::string_view three = text.substr(at, 3);
    if (in(" \t\r\n", text[at])) {
      ++at;
    } else if (ascii::equal(three, "%0A") || ascii::equal(three, "%0D") || three == "%20") {
      at += 3;
    } else {
      std::size_t letter = at + run(text, at, "\\");
      if (letter == at || letter == text.size() || !in("nrt", text[letter])) break;
      at = letter + 1;
    }
  }
  return at;
}

/// Where the line ends and blanks begin that end at `end`.
std::size_t line_end_before(std::string_view text, std::size_t begin, std::size_t end) {
  while (end > begin) {
    const std::string_view three = text.substr(end - std::min<std::size_t>(3, end - begin), 3);
    if (in(" \t\r\n", text[end - 1])) {
      --end;
    } else if (ascii::equal(three, "%0A") || ascii::equal(three, "%0D") || three == "%20") {
      end -= 3;
    } else if (end - begin >= 2 && in("nrt", text[end - 1]) && text[end - 2] == '\\') {
      for (--end; end > begin && text[end - 1] == '\\';) --end;
    } else {
      break;
    }
  }
  return end;
}

/// RFC 7468: what stands between the lines BEGIN and END; without END as far as it may be a key.
bool test_private_key(const Shape& shape, std::string_view text, std::size_t at, std::size_t floor,
                      Found& out) {
  constexpr std::string_view kDashes = "-----";
  constexpr std::size_t kLabel = 64;
  if (at < floor + 4 || text.substr(at - 4, 10) != "-----BEGIN") return false;
  const std::string_view behind = text.substr(at + 6, kLabel);
  const std::size_t label = behind.find(kDashes);
  if (label == std::string_view::npos) return false;
  const std::size_t word = behind.find("PRIVATE");
  if (word >= label || behind.find("KEY", word) >= label) return false;
  const std::size_t begin = line_end_behind(text, at + 6 + label + kDashes.size());
  if (begin == text.size() || !in(kBase64, text[begin])) return false;
  std::size_t end = text.find(kDashes, begin);
  if (end == std::string_view::npos || text.substr(end, 8) != "-----END") {
    end = std::min(end, text.size());
    const std::string_view between = text.substr(begin, end - begin);
    constexpr std::string_view kOthers = "\r\n\t :,.-_%\\";
    end = begin;
    while (end - begin < between.size() && (in(kBase64, text[end]) || in(kOthers, text[end])))
      ++end;
  }
  end = line_end_before(text, begin, end);
  if (end <= begin || replaced_size(text.substr(begin)) == end - begin) return false;
  out = {.at = begin, .size = end - begin, .kind = shape.row.kind};
  return true;
}

constexpr Shape key(std::string_view name, std::string_view prefixes, std::string_view bytes,
                    std::size_t least, std::size_t most, std::string_view source,
                    std::uint8_t offset = 0, ShapeTest test = test_key) {
  return {.row = {.name = name, .looks = prefixes, .source = source, .kind = Kind::key},
          .test = test,
          .offset = offset,
          .prefixes = prefixes,
          .bytes = bytes,
          .least = least,
          .most = most};
}
constexpr std::size_t kAny = SIZE_MAX;

// Sizes: what the issuer writes, or what gitleaks takes for the key where it does not. The offset
// is that of three bytes that are rare elsewhere.
constexpr std::array kShapes = {
    Shape{{"bearer token", "Bearer TOKEN, 8 and more bytes", "RFC 6750", Kind::token},
          test_bearer,
          {"Bb", "Ee", "Aa"}},
    Shape{{"Basic pair", "Basic BASE64 of user:password", "RFC 7617", Kind::credentials},
          test_basic,
          {"Bb", "Aa", "Ss"}},
    Shape{{"JSON Web Token", "eyJ....eyJ....SIGNATURE", "RFC 7519, RFC 7516", Kind::jwt},
          test_jwt,
          {"e", "y", "J"}},
    Shape{{"private key", "-----BEGIN ... PRIVATE KEY----- to END", "RFC 7468", Kind::private_key},
          test_private_key,
          {"-", "B", "E"}},
    key("AWS access key id", "AKIA ASIA", kUpper, 16, 16, "AWS IAM: unique identifiers"),
    key("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", kWord, 30, kAny, "GitHub: token formats"),
    key("GitHub fine-grained token", "github_pat_", kWord, 30, kAny, "GitHub: token formats", 5),
    key("GitLab token", "glpat- glptt- gldt- glrt-", kUrlBase64, 20, kAny,
        "GitLab: token overview"),
    key("Slack token", "xoxb- xoxa- xoxp- xoxr- xoxs- xoxe-", kUrlBase64, 10, kAny,
        "Slack: token types"),
    key("Slack app token", "xapp-", kUrlBase64, 10, kAny, "Slack: token types"),
    key("Slack webhook",
        "hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/", kPath, 20,
        kAny, "Slack: incoming webhooks", 4, test_behind_prefix),
    key("Discord webhook", "api/webhooks/", kPath, 40, kAny, "Discord: webhooks", 5,
        test_behind_prefix),
    key("Stripe secret key", "sk_live_ sk_test_ rk_live_ rk_test_", kAlphanumeric, 10, kAny,
        "Stripe: API keys"),
    key("Stripe webhook secret", "whsec_", kBase64, 24, kAny, "Stripe: webhook signatures"),
    key("Google API key", "AIza", kUrlBase64, 35, kAny, "gitleaks"),
    key("Google access token", "ya29.", kDotted, 20, kAny, "Google: OAuth 2.0"),
    key("OpenAI or Anthropic key", "sk-", kUrlBase64, 20, kAny, "OpenAI, Anthropic: API keys", 0,
        test_mixed_key),
    key("Groq key", "gsk_", kAlphanumeric, 40, kAny, "Groq: API keys"),
    key("npm token", "npm_", kAlphanumeric, 36, kAny, "npm: access tokens"),
    key("PyPI token", "pypi-", kUrlBase64, 50, kAny, "PyPI: API tokens"),
    key("RubyGems key", "rubygems_", kHex, 48, kAny, "gitleaks", 3),
    key("SendGrid key", "SG.", kDotted, 60, kAny, "gitleaks"),
    key("Twilio key", "SK", kAnyHex, 32, 32, "gitleaks"),
    key("Shopify token", "shpat_ shpca_ shppa_ shpss_", kAnyHex, 32, kAny, "gitleaks"),
    key("DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", kHex, 64, kAny, "gitleaks", 1),
    key("Hugging Face token", "hf_", kAlphanumeric, 34, kAny, "gitleaks"),
    Shape{{"Telegram bot token", "DIGITS:AA...", "Telegram: Bot API", Kind::key},
          test_telegram,
          {":", "A", "A"}},
    key("Azure storage key", "AccountKey= AccountKey%3D", kEncodedBase64, 40, kAny,
        "Azure: connection strings", 6, test_behind_prefix),
    key("Azure shared access key", "SharedAccessKey= SharedAccessKey%3D", kEncodedBase64, 40, kAny,
        "Azure: connection strings", 11, test_behind_prefix),
    key("Mailgun key", "key-", kHex, 32, 32, "gitleaks", 1),
    key("Square token", "sq0atp- sq0csp-", kUrlBase64, 22, kAny, "gitleaks"),
    key("Square access token", "EAAA", kUrlBase64, 60, 60, "gitleaks", 0, test_square),
    key("Docker token", "dckr_pat_", kUrlBase64, 27, kAny, "Docker: access tokens", 3),
    key("Linear key", "lin_api_", kAlphanumeric, 40, kAny, "gitleaks", 2),
    key("Atlassian token", "ATATT3", kDotted, 60, kAny, "gitleaks", 3),
    key("Databricks token", "dapi", kHex, 32, 32, "gitleaks"),
    key("Vault token", "hvs. hvb.", kUrlBase64, 24, kAny, "Vault: tokens"),
    key("Grafana token", "glsa_ glc_", kBase64Word, 32, kAny, "Grafana: service accounts"),
    key("Postman key", "PMAK-", kUrlBase64, 40, kAny, "gitleaks"),
    key("New Relic key", "NRAK-", kUpper, 27, kAny, "New Relic: API keys"),
    key("Sentry token", "sntryu_ sntrys_", kBase64Word, 40, kAny, "Sentry: auth tokens"),
    key("Figma token", "figd_", kUrlBase64, 40, kAny, "Figma: access tokens"),
};

}  // namespace

std::span<const Shape> shapes() { return kShapes; }

bool is_hidden(std::string_view text, std::size_t at) {
  const std::size_t size = replaced_size(text.substr(at));
  return size != 0 && (at + size == text.size() || !is_word(text[at + size]));
}

}  // namespace rehead::redact
