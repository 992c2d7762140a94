#include "select/tree.h"

#include <utility>

#include "base/ascii.h"

namespace rehead::select {
namespace {

bool is_space(char c) { return ascii::is_blank(c) || c == '\n' || c == '\r'; }

class Parser {
 public:
  Parser(std::string_view text, http::Selection otherwise) : text_(text), otherwise_(otherwise) {}

  Result<Node> run() {
    auto tree = any();
    if (!tree) return tree;
    skip_space();
    if (at_ == text_.size()) return tree;
    if (text_[at_] == ')') return refuse("')' closes nothing", at_);
    return refuse("'and' or 'or' is missing before " + ascii::quoted(text_.substr(at_, 20)), at_,
                  hint_for_word());
  }

 private:
  static constexpr int kDeepest = 200;
  using Step = Result<Node> (Parser::*)();

  Result<Node> any() { return series(Node::Kind::any, "or", &Parser::all); }
  Result<Node> all() { return series(Node::Kind::all, "and", &Parser::one); }
  Result<Node> series(Node::Kind kind, std::string_view word, Step part);
  Result<Node> one();
  Result<Node> group();
  Result<Node> test();
  Result<Operator> take_operator(bool& opposite, const std::string& field);
  Result<std::vector<Item>> take_items(bool list);
  Result<std::string> take_quoted();
  Result<TypedField> take_field();
  std::string hint_for_word() const;
  bool take_word(std::string_view word);
  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }
  bool here(std::string_view mark) const { return text_.substr(at_).starts_with(mark); }
  tl::unexpected<Error> refuse(std::string what, std::size_t at, std::string hint = {}) const {
    return fail({Errc::usage, "expression", std::move(what) + place(at), std::move(hint)});
  }
  tl::unexpected<Error> refuse(Error error, std::size_t at) const {
    error.what += place(at);
    return fail(std::move(error));
  }
  static std::string place(std::size_t at) { return " (at " + std::to_string(at + 1) + ")"; }

  std::string_view text_;
  http::Selection otherwise_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

Result<Node> Parser::series(Node::Kind kind, std::string_view word, Step part) {
  auto first = (this->*part)();
  if (!first || !take_word(word)) return first;
  Node node;
  node.kind = kind;
  node.children.push_back(std::move(*first));
  do {
    auto next = (this->*part)();
    if (!next) return next;
    node.children.push_back(std::move(*next));
  } while (take_word(word));
  return node;
}

Result<Node> Parser::one() {
  bool negated = false;
  while (take_word("not")) negated = !negated;
  skip_space();
  auto node = here("(") ? group() : test();
  if (node) node->negated = node->negated != negated;
  return node;
}

Result<Node> Parser::group() {
  const std::size_t start = at_++;
  if (++depth_ > kDeepest) return refuse("parentheses within too many others", start);
  auto node = any();
  if (!node) return node;
  --depth_;
  skip_space();
  if (!here(")")) return refuse("the '(' is not closed", start);
  ++at_;
  return node;
}

Result<Node> Parser::test() {
  constexpr std::string_view kHas = "has:";
  const std::size_t start = at_;
  auto field = take_field();
  if (!field) return fail(std::move(field.error()));
  Node node;
  const bool has = field->plain.starts_with(kHas);
  if (has) field->plain.erase(0, kHas.size());
  auto operand = parse_operand(*field, has, otherwise_);
  if (!operand) return refuse(std::move(operand.error()), start);
  node.operand = std::move(*operand);
  if (!has) {
    auto op = take_operator(node.opposite, field->plain + field->quoted.value_or(""));
    if (!op) return fail(std::move(op.error()));
    skip_space();
    const std::size_t value = at_;
    auto items = take_items(*op == Operator::equal);
    if (!items) return fail(std::move(items.error()));
    auto comparison = Comparison::make(node.operand, *op, std::move(*items));
    if (!comparison) return refuse(std::move(comparison.error()), value);
    node.comparison = std::move(*comparison);
  }
  node.text = text_.substr(start, at_ - start);
  return node;
}

/// What somebody meant by the word here, which the grammar has not.
std::string Parser::hint_for_word() const {
  constexpr std::string_view kWords[][2] = {{"&", "and"}, {"and", "and"}, {"|", "or"},
                                            {"or", "or"}, {"!", "not"},   {"not", "not"}};
  for (const auto& [typed, word] : kWords) {
    if (ascii::equal(text_.substr(at_, typed.size()), typed)) {
      return "it is written '" + std::string(word) + "': " +
             (word == "not" ? "not has:etag" : "status=2xx " + std::string(word) + " has:etag");
    }
  }
  return "a value with blanks is quoted, a list has none: status=200,404";
}

/// A word of the grammar, which ends where a field name could not go on.
bool Parser::take_word(std::string_view word) {
  const std::size_t start = at_;
  skip_space();
  const std::size_t end = at_ + word.size();
  if (here(word) && (end == text_.size() || is_space(text_[end]) || text_[end] == '(')) {
    at_ = end;
    return true;
  }
  at_ = start;
  return false;
}

Result<TypedField> Parser::take_field() {
  const std::size_t start = at_;
  TypedField field;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (is_space(c) || std::string_view("()=<>~!&|").find(c) != std::string_view::npos) break;
    if (c == '"' || c == '\'') {
      auto quoted = take_quoted();
      if (!quoted) return fail(std::move(quoted.error()));
      field.quoted = std::move(*quoted);
      return field;
    }
    field.plain += c;
    ++at_;
  }
  if (!field.plain.empty()) return field;
  if (at_ == text_.size())
    return refuse("a comparison is missing", start, "FIELD OP VALUE: status=404");
  const bool mark = here("!") || here("&") || here("|");
  return refuse("a field is missing before " + ascii::quoted(text_.substr(start, 20)), start,
                mark ? hint_for_word() : "FIELD OP VALUE: status=404");
}

Result<Operator> Parser::take_operator(bool& opposite, const std::string& field) {
  struct Row {
    std::string_view mark;
    Operator op;
    bool opposite;
  };
  constexpr Row kRows[] = {
      {"!=", Operator::equal, true},    {"!~", Operator::match, true},
      {"<=", Operator::at_most, false}, {">=", Operator::at_least, false},
      {"=", Operator::equal, false},    {"~", Operator::match, false},
      {"<", Operator::less, false},     {">", Operator::more, false},
  };
  skip_space();
  for (const Row& row : kRows) {
    if (!here(row.mark)) continue;
    at_ += row.mark.size();
    if (row.mark == "=" && (here("=") || here("~"))) {
      const std::string meant(1, text_[at_]);
      return refuse("no operator '=" + meant + "'", at_ - 1, "it is written " + meant);
    }
    opposite = row.opposite;
    return row.op;
  }
  const std::string_view name = std::string_view(field).substr(field.find(':') + 1);
  const bool negated = ascii::equal(field, "not");
  const bool header = field.starts_with("h:") || field.starts_with("header") ||
                      field.starts_with("req:") || field.starts_with("res:");
  std::string hint = "quote the expression: unquoted, the shell reads >400 as a redirection";
  if (at_ < text_.size()) hint = "operators: = != < <= > >= ~ !~; several values: status=200,204";
  if (text_.substr(at_).starts_with("contains")) hint = "contains is written ~";
  if (negated) hint = "it is written not";
  if (header) {
    const bool sided = field.starts_with("re");
    hint = "to ask whether it is there: has:" + (sided ? field : std::string(name)) +
           "; to compare it: " + (sided ? field : "h:" + std::string(name)) + "=VALUE";
  }
  return refuse("no operator behind " + ascii::quoted(field), at_, std::move(hint));
}

/// What stands behind the operator: a bare word, which may hold parentheses in pairs, or a quoted
/// one.
Result<std::vector<Item>> Parser::take_items(bool list) {
  const std::size_t start = at_;
  std::vector<Item> items(1);
  int open = 0;
  while (at_ < text_.size() && !is_space(text_[at_])) {
    const char c = text_[at_];
    if (c == '"' || c == '\'') {
      auto quoted = take_quoted();
      if (!quoted) return fail(std::move(quoted.error()));
      items.back().text += *quoted;
      items.back().quoted = true;
      continue;
    }
    if (c == ')' && open == 0) break;
    open += c == '(' ? 1 : c == ')' ? -1 : 0;
    ++at_;
    if (list && c == ',') {
      items.emplace_back();
    } else {
      items.back().text += c;
    }
  }
  for (const Item& item : items) {
    if (!item.text.empty() || item.quoted) continue;
    return refuse(items.size() == 1 ? "a value is missing" : "an empty value in the list", start,
                  "an empty value is written ''; a list has no blanks");
  }
  return items;
}

Result<std::string> Parser::take_quoted() {
  const std::size_t start = at_;
  const std::size_t end = text_.find(text_[start], start + 1);
  if (end == std::string_view::npos) return refuse("the quote is not closed", start);
  at_ = end + 1;
  return std::string(text_.substr(start + 1, end - start - 1));
}

}  // namespace

Result<Node> parse_tree(std::string_view text, http::Selection otherwise) {
  return Parser(text, otherwise).run();
}

}  // namespace rehead::select
