// Expressions from the lowest precedence (tuples, yield, lambda) to unary operators and power.
// Source: docs.python.org/3.12/reference/grammar.html, expressions.
#include "frontend/parser_state.h"

namespace lockstep::frontend {

using namespace ast;  // the node types; Parser's own names do not clash with them

namespace {

struct BinaryRow {
  BinaryOperator op;
  int precedence;  // higher binds tighter; -1: not a binary operator
};

BinaryRow binary_row(TokenKind kind) {
  switch (kind) {
    case TokenKind::Bar: return {BinaryOperator::BitOr, 0};
    case TokenKind::Caret: return {BinaryOperator::BitXor, 1};
    case TokenKind::Ampersand: return {BinaryOperator::BitAnd, 2};
    case TokenKind::LeftShift: return {BinaryOperator::LShift, 3};
    case TokenKind::RightShift: return {BinaryOperator::RShift, 3};
    case TokenKind::Plus: return {BinaryOperator::Add, 4};
    case TokenKind::Minus: return {BinaryOperator::Sub, 4};
    case TokenKind::Star: return {BinaryOperator::Mult, 5};
    case TokenKind::Slash: return {BinaryOperator::Div, 5};
    case TokenKind::DoubleSlash: return {BinaryOperator::FloorDiv, 5};
    case TokenKind::Percent: return {BinaryOperator::Mod, 5};
    case TokenKind::At: return {BinaryOperator::MatMult, 5};
    default: return {BinaryOperator::Add, -1};
  }
}

}  // namespace

ExprPtr Parser::parse_star_expressions() {
  std::uint32_t from = begin();
  ExprPtr first = parse_star_expression(false);
  if (!first || !at(TokenKind::Comma)) return first;
  ExprList elements;
  elements.push_back(std::move(first));
  while (accept(TokenKind::Comma) && begins_expression(current().kind)) {
    elements.push_back(parse_star_expression(false));
    if (!elements.back()) return nullptr;
  }
  auto node = make<Tuple>(from);
  raise_height(*node, elements);
  node->elts = std::move(elements);
  return grown(std::move(node));
}

ExprPtr Parser::parse_star_expression(bool is_named) {
  if (!at(TokenKind::Star)) return is_named ? parse_named_expression() : parse_expression();
  std::uint32_t from = begin();
  advance();
  ExprPtr value = parse_bitwise();
  if (!value) return nullptr;
  auto node = make<Starred>(from);
  raise_height(*node, value);
  node->value = std::move(value);
  return grown(std::move(node));
}

ExprPtr Parser::parse_yield_or_star_expressions() {
  return at(TokenKind::KwYield) ? parse_yield() : parse_star_expressions();
}

ExprPtr Parser::parse_yield() {
  std::uint32_t from = begin();
  advance();
  if (accept(TokenKind::KwFrom)) {
    ExprPtr value = parse_expression();
    if (!value) return nullptr;
    auto node = make<YieldFrom>(from);
    raise_height(*node, value);
    node->value = std::move(value);
    return grown(std::move(node));
  }
  ExprPtr value;
  if (begins_expression(current().kind)) {
    value = parse_star_expressions();
    if (!value) return nullptr;
  }
  auto node = make<Yield>(from);
  raise_height(*node, value);
  node->value = std::move(value);
  return grown(std::move(node));
}

ExprPtr Parser::parse_named_expression() {
  if (!at(TokenKind::Name) || ahead().kind != TokenKind::ColonEqual) return parse_expression();
  std::uint32_t from = begin();
  auto target = std::make_unique<Name>(current().range);
  target->id = text_of(current());
  target->context = Context::Store;
  advance();
  advance();
  ExprPtr value = parse_expression();
  if (!value) return nullptr;
  auto node = make<NamedExpr>(from);
  node->target = std::move(target);
  raise_height(*node, value);
  node->value = std::move(value);
  return grown(std::move(node));
}

ExprPtr Parser::parse_expression() {
  if (at(TokenKind::KwLambda)) return parse_lambda();
  std::uint32_t from = begin();
  ExprPtr body = parse_disjunction();
  if (!body || !accept(TokenKind::KwIf)) return body;
  Nesting nesting(*this);
  if (nesting.is_too_deep()) return nullptr;
  ExprPtr test = parse_disjunction();
  if (!test) return nullptr;
  if (!at(TokenKind::KwElse)) {
    fail_expected("'else' of the conditional expression");
    return nullptr;
  }
  advance();
  ExprPtr orelse = parse_expression();
  if (!orelse) return nullptr;
  auto node = make<IfExp>(from);
  raise_height(*node, body);
  raise_height(*node, test);
  raise_height(*node, orelse);
  node->body = std::move(body);
  node->test = std::move(test);
  node->orelse = std::move(orelse);
  return grown(std::move(node));
}

ExprPtr Parser::parse_lambda() {
  Nesting nesting(*this);
  if (nesting.is_too_deep()) return nullptr;
  std::uint32_t from = begin();
  advance();
  auto arguments = parse_parameters(TokenKind::Colon, true);
  if (!arguments || !expect(TokenKind::Colon)) return nullptr;
  ExprPtr body = parse_expression();
  if (!body) return nullptr;
  auto node = make<Lambda>(from);
  raise_height(*node, body);
  raise_height(*node, *arguments);
  node->args = std::move(arguments);
  node->body = std::move(body);
  return grown(std::move(node));
}

ExprPtr Parser::parse_disjunction() {
  std::uint32_t from = begin();
  ExprPtr first = parse_conjunction();
  if (!first || !at(TokenKind::KwOr)) return first;
  ExprList values;
  values.push_back(std::move(first));
  while (accept(TokenKind::KwOr)) {
    values.push_back(parse_conjunction());
    if (!values.back()) return nullptr;
  }
  auto node = make<BoolOp>(from);
  node->op = BoolOperator::Or;
  raise_height(*node, values);
  node->values = std::move(values);
  return grown(std::move(node));
}

ExprPtr Parser::parse_conjunction() {
  std::uint32_t from = begin();
  ExprPtr first = parse_inversion();
  if (!first || !at(TokenKind::KwAnd)) return first;
  ExprList values;
  values.push_back(std::move(first));
  while (accept(TokenKind::KwAnd)) {
    values.push_back(parse_inversion());
    if (!values.back()) return nullptr;
  }
  auto node = make<BoolOp>(from);
  node->op = BoolOperator::And;
  raise_height(*node, values);
  node->values = std::move(values);
  return grown(std::move(node));
}

ExprPtr Parser::parse_inversion() {
  if (!at(TokenKind::KwNot)) return parse_comparison();
  Nesting nesting(*this);
  if (nesting.is_too_deep()) return nullptr;
  std::uint32_t from = begin();
  advance();
  ExprPtr operand = parse_inversion();
  if (!operand) return nullptr;
  auto node = make<UnaryOp>(from);
  node->op = UnaryOperator::Not;
  raise_height(*node, operand);
  node->operand = std::move(operand);
  return grown(std::move(node));
}

std::optional<CompareOperator> Parser::accept_comparison() {
  std::optional<CompareOperator> op;
  switch (current().kind) {
    case TokenKind::EqualEqual: op = CompareOperator::Eq; break;
    case TokenKind::NotEqual: op = CompareOperator::NotEq; break;
    case TokenKind::Less: op = CompareOperator::Lt; break;
    case TokenKind::LessEqual: op = CompareOperator::LtE; break;
    case TokenKind::Greater: op = CompareOperator::Gt; break;
    case TokenKind::GreaterEqual: op = CompareOperator::GtE; break;
    case TokenKind::KwIn: op = CompareOperator::In; break;
    case TokenKind::KwIs: op = ahead().kind == TokenKind::KwNot ? CompareOperator::IsNot : CompareOperator::Is; break;
    case TokenKind::KwNot:
      if (ahead().kind == TokenKind::KwIn) op = CompareOperator::NotIn;
      break;
    default: break;
  }
  if (!op) return op;
  advance();
  if (*op == CompareOperator::IsNot || *op == CompareOperator::NotIn) advance();
  return op;
}

ExprPtr Parser::parse_comparison() {
  std::uint32_t from = begin();
  ExprPtr left = parse_bitwise();
  if (!left) return nullptr;
  std::optional<CompareOperator> op = accept_comparison();
  if (!op) return left;
  std::vector<CompareOperator> ops;
  ExprList comparators;
  for (; op; op = accept_comparison()) {
    ops.push_back(*op);
    comparators.push_back(parse_bitwise());
    if (!comparators.back()) return nullptr;
  }
  auto node = make<Compare>(from);
  raise_height(*node, left);
  raise_height(*node, comparators);
  node->left = std::move(left);
  node->ops = std::move(ops);
  node->comparators = std::move(comparators);
  return grown(std::move(node));
}

ExprPtr Parser::parse_binary(int lowest) {
  std::uint32_t from = begin();
  ExprPtr left = parse_unary();
  while (left) {
    BinaryRow row = binary_row(current().kind);
    if (row.precedence < lowest) return left;
    SourceRange op_range = current().range;
    advance();
    ExprPtr right = parse_binary(row.precedence + 1);
    if (!right) return nullptr;
    auto node = make<BinOp>(from);
    raise_height(*node, left);
    raise_height(*node, right);
    node->left = std::move(left);
    node->op = row.op;
    node->op_range = op_range;
    node->right = std::move(right);
    left = grown(std::move(node));
  }
  return left;
}

ExprPtr Parser::parse_unary() {
  UnaryOperator op = UnaryOperator::UAdd;
  switch (current().kind) {
    case TokenKind::Plus: break;
    case TokenKind::Minus: op = UnaryOperator::USub; break;
    case TokenKind::Tilde: op = UnaryOperator::Invert; break;
    default: return parse_power();
  }
  Nesting nesting(*this);
  if (nesting.is_too_deep()) return nullptr;
  std::uint32_t from = begin();
  advance();
  ExprPtr operand = parse_unary();
  if (!operand) return nullptr;
  auto node = make<UnaryOp>(from);
  node->op = op;
  raise_height(*node, operand);
  node->operand = std::move(operand);
  return grown(std::move(node));
}

ExprPtr Parser::parse_power() {
  std::uint32_t from = begin();
  ExprPtr base = at(TokenKind::KwAwait) ? parse_await() : parse_primary();
  if (!base || !at(TokenKind::DoubleStar)) return base;
  Nesting nesting(*this);
  if (nesting.is_too_deep()) return nullptr;
  SourceRange op_range = current().range;
  advance();
  ExprPtr exponent = parse_unary();
  if (!exponent) return nullptr;
  auto node = make<BinOp>(from);
  raise_height(*node, base);
  raise_height(*node, exponent);
  node->left = std::move(base);
  node->op = BinaryOperator::Pow;
  node->op_range = op_range;
  node->right = std::move(exponent);
  return grown(std::move(node));
}

ExprPtr Parser::parse_await() {
  std::uint32_t from = begin();
  advance();
  ExprPtr value = parse_primary();
  if (!value) return nullptr;
  auto node = make<Await>(from);
  raise_height(*node, value);
  node->value = std::move(value);
  return grown(std::move(node));
}

// ---- Targets of `for` and `with` ----

ExprPtr Parser::parse_target() {
  std::uint32_t from = begin();
  bool is_starred = accept(TokenKind::Star);
  ExprPtr target = parse_bitwise();
  if (!target) return nullptr;
  if (is_starred) {
    auto node = make<Starred>(from);
    raise_height(*node, target);
    node->value = std::move(target);
    target = grown(std::move(node));
  }
  if (!target || !set_context(*target, Context::Store)) return nullptr;
  return target;
}

ExprPtr Parser::parse_targets(TokenKind end) {
  std::uint32_t from = begin();
  ExprPtr first = parse_target();
  if (!first || !at(TokenKind::Comma)) return first;
  auto elements = ExprList();
  elements.push_back(std::move(first));
  while (accept(TokenKind::Comma) && !at(end)) {
    elements.push_back(parse_target());
    if (!elements.back()) return nullptr;
  }
  auto node = make<Tuple>(from);
  node->context = Context::Store;
  raise_height(*node, elements);
  node->elts = std::move(elements);
  return grown(std::move(node));
}

}  // namespace lockstep::frontend
