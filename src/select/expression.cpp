#include "select/expression.h"

#include <algorithm>

#include "base/ascii.h"
#include "codec/content.h"
#include "select/tree.h"

namespace rehead::select {
namespace {

using http::PseudoField;

bool names_interim(const Node& node) {
  if (node.kind != Node::Kind::test) return std::ranges::any_of(node.children, names_interim);
  return !node.negated && !node.opposite && node.operand.is(PseudoField::status) &&
         node.comparison && node.comparison->names_interim();
}

std::string hidden(std::string_view value) {
  return "hidden, " + std::to_string(value.size()) + " bytes";
}

/// A URL without user, query and fragment, where secrets are.
std::string public_part(std::string_view value) {
  std::string_view rest = value.substr(0, value.find_first_of("?#"));
  std::string out;
  if (const std::size_t slashes = rest.find("//"); slashes != std::string_view::npos) {
    const std::size_t path = std::min(rest.find('/', slashes + 2), rest.size());
    if (const std::size_t at = rest.substr(0, path).rfind('@'); at != std::string_view::npos) {
      out = rest.substr(0, slashes + 2);
      rest.remove_prefix(at + 1);
    }
  }
  const std::size_t left_out = value.size() - rest.size() - out.size();
  out += rest;
  return ascii::quoted(out) +
         (left_out == 0 ? "" : " (" + std::to_string(left_out) + " bytes hidden)");
}

std::string shown(std::string_view name, std::string_view value) {
  if (http::is_secret(name)) return hidden(value);
  const bool url = ascii::equal(name, "Location") || ascii::equal(name, "Referer");
  return url ? public_part(value) : ascii::quoted(value);
}

void tell(Node& node, Diagnostics& log) {
  for (Node& child : node.children) tell(child, log);
  if (node.operand.bare) {
    node.sightings.tell(node.operand.name, node.comparison ? "" : "has:", "", log);
  }
}

}  // namespace

struct Expression::State {
  State(Node root, const http::Policy& policy) : tree(std::move(root)), content(policy) {}

  Result<bool> evaluate(Node& node, http::Exchange& exchange);
  Result<bool> test(Node& node, http::Exchange& exchange);
  Result<bool> test_body(const Node& node, http::Message& message);
  Node& culprit(Node& node, http::Exchange& exchange, bool wanted);
  std::string actual(const Node& node, http::Exchange& exchange);

  Node tree;
  codec::Content content;
};

Result<bool> Expression::State::evaluate(Node& node, http::Exchange& exchange) {
  if (node.kind == Node::Kind::test) {
    auto held = test(node, exchange);
    if (held) *held = *held != node.negated;
    return held;
  }
  const bool decides = node.kind == Node::Kind::any;
  for (Node& child : node.children) {
    auto held = evaluate(child, exchange);
    if (!held) return held;
    if (*held == decides) return decides != node.negated;
  }
  return decides == node.negated;
}

/// A test as typed, the `not` in front of it left aside.
Result<bool> Expression::State::test(Node& node, http::Exchange& exchange) {
  const Operand& operand = node.operand;
  const std::optional<Comparison>& comparison = node.comparison;
  if (operand.is(PseudoField::status) && comparison && comparison->is_number()) {
    const unsigned status = exchange.response != nullptr ? exchange.response->start.status() : 0;
    const bool held = status != 0 ? comparison->holds(static_cast<double>(status)) : operand.every;
    return held != node.opposite;
  }
  if (operand.is(PseudoField::size) || operand.is(PseudoField::body)) {
    http::Message* message = http::subject_of(exchange);
    if (message == nullptr) return (operand.every && comparison) != node.opposite;
    auto held = test_body(node, *message);
    if (!held) {
      const Status failed = exchange.placed(fail(std::move(held.error())), *message);
      return fail(failed.error());
    }
    return *held != node.opposite;
  }
  if (operand.framing) {
    if (auto done = content.settle(exchange); !done) return fail(std::move(done.error()));
  }
  if (operand.bare) node.sightings.look(operand.name, exchange);
  // Every instance satisfies it: there is none that does not.
  const bool every = operand.every && comparison.has_value();
  const bool found = any_value(operand, exchange, [&](std::string_view value) {
    return !comparison || comparison->holds(value) != every;
  });
  return (found != every) != node.opposite;
}

Result<bool> Expression::State::test_body(const Node& node, http::Message& message) {
  auto size = content.size_of(message);
  if (!size) return fail(std::move(size.error()));
  if (!*size) return node.operand.every && node.comparison;
  const bool sized = node.operand.is(PseudoField::size);
  if (!node.comparison) return sized || **size != 0;
  if (node.comparison->is_number()) return node.comparison->holds(static_cast<double>(**size));
  if (sized) return node.comparison->holds(std::to_string(**size));
  auto text = content.decoded(message);
  if (!text) return fail(std::move(text.error()));
  return node.comparison->holds(*text);
}

/// The test because of which `node` is not as wanted.
Node& Expression::State::culprit(Node& node, http::Exchange& exchange, bool wanted) {
  if (node.kind == Node::Kind::test) return node;
  const bool child_wanted = wanted != node.negated;
  for (Node& child : node.children) {
    const auto held = evaluate(child, exchange);
    if (held && *held != child_wanted) return culprit(child, exchange, child_wanted);
  }
  return culprit(node.children.front(), exchange, child_wanted);
}

std::string Expression::State::actual(const Node& node, http::Exchange& exchange) {
  const bool sized = node.operand.is(PseudoField::size);
  if (sized || node.operand.is(PseudoField::body)) {
    http::Message* message = http::subject_of(exchange);
    const auto size = message != nullptr ? content.size_of(*message) : std::nullopt;
    if (!size || !*size) return "there is no body";
    return (sized ? "it is " : "there are ") + std::to_string(**size) + (sized ? "" : " bytes");
  }
  std::string values;
  const auto add = [&](std::string value) {
    values += values.empty() ? "it is " : ", ";
    values += value;
    return false;
  };
  if (node.operand.kind == Operand::Kind::header) {
    for (const http::Message* message : {exchange.request, exchange.response}) {
      if (message == nullptr || !node.operand.name.covers(exchange, *message)) continue;
      node.operand.name.any(*message, [&](const http::Field& field) {
        return add(shown(field.name(), field.value()));
      });
    }
  } else {
    any_value(node.operand, exchange, [&](std::string_view value) {
      const bool plain = node.comparison && node.comparison->is_number() && parse_number(value);
      const bool secret =
          node.operand.kind == Operand::Kind::cookie || node.operand.is(PseudoField::query);
      return add(secret                              ? hidden(value)
                 : plain                             ? std::string(value)
                 : node.operand.is(PseudoField::url) ? public_part(value)
                                                     : ascii::quoted(value));
    });
  }
  return values.empty() ? "it is absent" : values;
}

Expression::Expression(std::unique_ptr<State> state) : state_(std::move(state)) {}
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

Result<Expression> Expression::parse(std::string_view text, const http::Policy& policy,
                                     http::Selection selection) {
  const http::Selection otherwise =
      selection.chosen ? selection : http::Selection{.side = http::Side::response};
  auto tree = parse_tree(text, otherwise);
  if (!tree) return fail(std::move(tree.error()));
  return Expression(std::make_unique<State>(std::move(*tree), policy));
}

Result<bool> Expression::holds(http::Exchange& exchange) {
  state_->content.forget();
  return state_->evaluate(state_->tree, exchange);
}

std::string Expression::failure(http::Exchange& exchange) {
  Node& node = state_->culprit(state_->tree, exchange, true);
  const auto held = state_->test(node, exchange);
  return ascii::quoted(node.text) + (held && *held ? " is true: " : " is false: ") +
         state_->actual(node, exchange);
}

void Expression::finish(Diagnostics& log) { tell(state_->tree, log); }

bool Expression::names_interim() const { return select::names_interim(state_->tree); }

}  // namespace rehead::select
