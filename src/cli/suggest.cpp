#include "cli/suggest.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/ascii.h"
#include "cli/verbs.h"

namespace rehead::cli {
namespace {

struct Guess {
  std::string_view words;  // as other tools call it
  std::string_view verb;  // the verb that does it
  std::string_view hint;
};

constexpr std::string_view kRemove = "'remove NAMES' does that";
constexpr std::string_view kSub =
    "'sub N:/RE2/NEW/' replaces within values, 'set N: V' the whole value";
constexpr std::string_view kChoose =
    "'where EXPR' chooses messages, 'keep NAMES' chooses fields, 'get NAMES' prints values";
constexpr std::string_view kInflate = "'inflate' undoes every content coding it knows, 'dechunk' chunks";
constexpr std::string_view kCompress = "'gzip', 'deflate', 'br' and 'zstd' do that";
constexpr std::string_view kRedact = "'redact' hides secrets";
constexpr std::string_view kTest =
    "'test EXPR' asserts, 'lint' reports faults, --check says whether anything would change";
constexpr std::string_view kDiff =
    "two heads: diff <(rehead -t headers A) <(rehead -t headers B); what a chain would change: "
    "rehead --diff VERB ... FILE";
constexpr std::string_view kTo =
    "the output format is an option: -t http, -t har, -t ndjson, -t headers, -t body, -t curl";
constexpr std::string_view kJson = "JSON is an output format: --json, or -t ndjson; -t har";
constexpr std::string_view kPlain =
    "no verb does that: 'rehead FILE' writes messages well-formed; 'lower', 'sort' and 'join' tidy";
constexpr std::string_view kCookies =
    "'merge-cookies', 'split-cookies', 'remove-cookie NAMES', 'set-cookie SPEC'; get cookie:NAME";
constexpr std::string_view kHalf = "-s request, -s response or -s both chooses the half";
constexpr std::string_view kGet = "'get NAMES' prints values: get content-type, get :status, get :url";
constexpr std::string_view kList = "'names' lists field names with counts, 'get --row' prints tables";
constexpr std::string_view kNth = "'first N', 'last' and 'nth LIST' choose by number";
constexpr std::string_view kFile = "the chain stands first, files last: rehead VERB ... FILE";

// One table of what people type first. A row whose verb does not exist is passed over.
constexpr Guess kGuesses[] = {
    {"delete del rm unset erase drop discard strip exclude without", "remove", kRemove},
    {"filter select grep match find search query pick only include choose", "where", kChoose},
    {"decompress gunzip unzip uncompress decode ungzip unbrotli unzstd unbr", "inflate", kInflate},
    {"unchunk unchunked dechunked", "dechunk", "'dechunk' removes chunked framing"},
    {"compress encode zip gz deflated gzipped", "gzip", kCompress},
    {"brotli", "br", "'br' does that"},
    {"zst", "zstd", "'zstd' does that"},
    {"sanitize scrub mask hide anonymize obfuscate censor secrets", "redact", kRedact},
    {"replace sed substitute regex gsub", "sub", kSub},
    {"change edit update put modify assign header", "set", kSub},
    {"append insert", "add", "'add N: V' adds a field beside those that are there"},
    {"uniq list ls stats summary inventory fields", "names", kList},
    {"headers", "names", "-t headers writes heads, 'names' lists field names, 'get NAMES' values"},
    {"tail", "last", "'last' keeps the last message"},
    {"wc number len", "count", "'count' counts messages"},
    {"head limit take skip slice sample index range", "first",
     "'first N' keeps the first messages, 'nth LIST' others; -t headers writes heads alone"},
    {"reverse tac", "nth", kNth},
    {"chunked", "chunk", "'chunk' writes chunked bodies"},
    {"length size", "content-length", "'content-length' states it, 'get :size' prints it"},
    {"type mime mimetype", "content-type", "'content-type TYPE' sets a default, 'get :type' prints it"},
    {"status reason method url host path query scheme", "get", kGet},
    {"show print cat view read extract dump value values display", "get", kGet},
    {"version", "get", "the program's version: --version; that of a message: get :version"},
    {"check verify validate validation assert expect ensure require gate", "test", kTest},
    {"diff compare cmp changes", "lint", kDiff},
    {"har http curl ndjson raw format convert export import to from output", "get", kTo},
    {"json jsonl jq", "get", kJson},
    {"normalize normalise canonicalize canonical fix repair clean tidy pretty fmt sanitise", "lower",
     kPlain},
    {"lowercase downcase", "lower", "'lower' writes field names in lower case"},
    {"order", "sort", "'sort' orders fields by name"},
    {"merge combine fold", "join", "'join NAMES' joins repeated fields, 'merge-cookies' cookies"},
    {"dedupe dedup", "merge-cookies", "'merge-cookies' drops repeated cookies, 'join' joins fields"},
    {"split", "split-cookies", "'split-cookies'; -o 'DIR/{host}.har' writes one file per host"},
    {"cookie cookies set-cookies jar", "merge-cookies", kCookies},
    {"request requests req response responses res side", "where", kHalf},
    {"hop hop-by-hop proxy", "strip-hop", "'strip-hop' removes hop-by-hop fields"},
    {"payload data content", "body", "'body @FILE|TEXT' replaces the body, -t body writes bodies"},
    {"plan explain dry-run", "lint", "--plan prints the chain, -n lists what would change"},
    {"in-place inplace rewrite save write backup", "set",
     "-I rewrites files in place, --backup SUFFIX keeps the old ones, -o FILE writes one"},
    {"access accesslog", "log", "'log' prints an access log"},
    {"errors warnings problems audit", "lint", "'lint' reports what is wrong with each message"},
    {"run exec apply file open input stdin", "get", kFile},
    {"usage man", "get", "rehead --help, rehead help VERB"},
};

constexpr std::array<std::array<std::string_view, 2>, 4> kOptionGuesses = {{
    {"-I", "the old file is kept by --backup: -I --backup .bak"},
    {"-i", "to rewrite files in place: -I"},
    {"-H", "to set a header: set 'NAME: VALUE'"},
    {"-r", "folders are not searched: find DIR -name '*.http' -print0 | xargs -0 rehead ..."},
}};

/// True if `word` is one of `words`, which blanks separate.
bool is_among(std::string_view word, std::string_view words) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (ascii::equal(words.substr(0, end), word)) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

}  // namespace

std::string echo(std::string_view word) {
  constexpr std::size_t kClip = 60;
  const bool plain = word.size() <= kClip && std::ranges::all_of(word, [](char c) {
                       return c >= 0x20 && c < 0x7F && c != '\'';
                     });
  return plain ? "'" + std::string(word) + "'" : ascii::quoted(word);
}

std::size_t distance(std::string_view a, std::string_view b) {
  // Optimal string alignment: three rows of the usual table.
  std::vector<std::size_t> older(b.size() + 1), old(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) old[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t other = old[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({old[j] + 1, row[j - 1] + 1, other});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], older[j - 2] + 1);
      }
    }
    std::swap(older, old);
    std::swap(old, row);
  }
  return old[b.size()];
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  constexpr std::size_t kLongest = 40;  // no name is longer, and a typed word may be a megabyte
  if (word.size() > kLongest) return {};
  std::string_view best;
  // A third of the letters may be wrong, two at most.
  std::size_t limit = std::min<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t edits = distance(word, candidate);
    if (edits < limit) {
      limit = edits;
      best = candidate;
    }
  }
  return best;
}

std::string hint_for_verb(std::string_view word) {
  for (const Guess& guess : kGuesses) {
    if (is_among(word, guess.words) && find_verb(guess.verb) != nullptr) return std::string(guess.hint);
  }
  std::vector<std::string_view> names = {"help", "then"};
  for (const Verb& verb : verbs()) names.push_back(verb.name);
  const std::string_view near = nearest(word, names);
  if (near == "then") return "'then' stands between two verbs";
  return near.empty() ? "" : "did you mean '" + std::string(near) + "'?";
}

std::string hint_for_format(std::string_view word, std::string_view names) {
  constexpr std::array<std::array<std::string_view, 2>, 6> kFormats = {{
      {"json jsonl jq", "--json, or -t ndjson: one JSON object per message"},
      {"raw text http1 http/1.1 txt", "raw messages are http"},
      {"header head heads", "heads alone are headers"},
      {"bodies content", "bodies alone are body"},
      {"gz gzip zip", "gzip is undone by itself; -o NAME.gz writes it; 'gzip' codes bodies"},
      {"csv tsv table", "'get --row NAMES' prints a table"},
  }};
  for (const auto& [words, hint] : kFormats) {
    if (is_among(word, words)) return std::string(hint);
  }
  std::vector<std::string_view> all;
  for (std::size_t at = 0; at < names.size();) {
    const std::size_t end = std::min(names.find(", ", at), names.size());
    all.push_back(names.substr(at, end - at));
    at = end + 2;
  }
  const std::string_view near = nearest(word, all);
  return near.empty() ? "" : "did you mean '" + std::string(near) + "'?";
}

std::string hint_for_option(std::string_view word, std::span<const std::string_view> names) {
  for (const auto& [typed, hint] : kOptionGuesses) {
    if (word.substr(0, 2) == typed) return std::string(hint);
  }
  if (!word.starts_with("--")) return {};
  const std::string_view near = nearest(word.substr(2, word.find('=') - 2), names);
  return near.empty() ? "" : "did you mean '--" + std::string(near) + "'?";
}

}  // namespace rehead::cli
