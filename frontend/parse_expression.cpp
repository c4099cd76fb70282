// Expressions from the lowest precedence (tuples, yield, lambda) to unary operators and power.
// Source: docs.python.org/3.12/reference/grammar.html, expressions.
#include "frontend/parser_state.h"

namespace lockstep::frontend {

namespace {

struct BinaryRow {
  ast::BinaryOperator op;
  int precedence;  // higher binds tighter; -1: not a binary operator
};

BinaryRow binary_row(TokenKind kind) {
  switch (kind) {
    case TokenKind::Bar: return {ast::BinaryOperator::BitOr, 0};
    case TokenKind::Caret: return {ast::BinaryOperator::BitXor, 1};
    case TokenKind::Ampersand: return {ast::BinaryOperator::BitAnd, 2};
    case TokenKind::LeftShift: return {ast::BinaryOperator::LShift, 3};
    case TokenKind::RightShift: return {ast::BinaryOperator::RShift, 3};
    case TokenKind::Plus: return {ast::BinaryOperator::Add, 4};
    case TokenKind::Minus: return {ast::BinaryOperator::Sub, 4};
    case TokenKind::Star: return {ast::BinaryOperator::Mult, 5};
    case TokenKind::Slash: return {ast::BinaryOperator::Div, 5};
    case TokenKind::DoubleSlash: return {ast::BinaryOperator::FloorDiv, 5};
    case TokenKind::Percent: return {ast::BinaryOperator::Mod, 5};
    case TokenKind::At: return {ast::BinaryOperator::MatMult, 5};
    default: return {ast::BinaryOperator::Add, -1};
  }
}

}  // namespace

ast::ExprPtr Parser::parse_star_expressions() {
  std::uint32_t from = begin();
  ast::ExprPtr first = parse_star_expression(false);
  if (!first || !at(TokenKind::Comma)) return first;
  ast::ExprList elements;
  elements.push_back(std::move(first));
  while (accept(TokenKind::Comma) && begins_expression(current().kind)) {
    elements.push_back(parse_star_expression(false));
    if (!elements.back()) return nullptr;
  }
  auto node = make<ast::Tuple>(from);
  raise_height(*node, elements);
  node->elts = std::move(elements);
  return grown(std::move(node));
}

ast::ExprPtr Parser::parse_star_expression(bool is_named) {
  if (!at(TokenKind::Star)) return is_named ? parse_named_expression() : parse_expression();
  std::uint32_t from = begin();
  advance();
  ast::ExprPtr value = parse_bitwise();
  if (!value) return nullptr;
  auto node = make<ast::Starred>(from);
  raise_height(*node, value);
  node->value = std::move(value);
  return grown(std::move(node));
}

ast::ExprPtr Parser::parse_yield_or_star_expressions() {
  return at(TokenKind::KwYield) ? parse_yield() : parse_star_expressions();
}

ast::ExprPtr Parser::parse_yield() {
  std::uint32_t from = begin();
  advance();
  if (accept(TokenKind::KwFrom)) {
    ast::ExprPtr value = parse_expression();
    if (!value) return nullptr;
    auto node = make<ast::YieldFrom>(from);
    raise_height(*node, value);
    node->value = std::move(value);
    return grown(std::move(node));
  }
  ast::ExprPtr value;
  if (begins_expression(current().kind)) {
    value = parse_star_expressions();
    if (!value) return nullptr;
  }
  auto node = make<ast::Yield>(from);
  raise_height(*node, value);
  node->value = std::move(value);
  return grown(std::move(node));
}

ast::ExprPtr Parser::parse_named_expression() {
  if (!at(TokenKind::Name) || ahead().kind != TokenKind::ColonEqual) return parse_expression();
  std::uint32_t from = begin();
  auto target = std::make_unique<ast::Name>(current().range);
  target->id = text_of(current());
  target->context = ast::Context::Store;
  advance();
  advance();
  ast::ExprPtr value = parse_expression();
  if (!value) return nullptr;
  auto node = make<ast::NamedExpr>(from);
  node->target = std::move(target);
  raise_height(*node, value);
  node->value = std::move(value);
  return grown(std::move(node));
}

ast::ExprPtr Parser::parse_expression() {
  if (at(TokenKind::KwLambda)) return parse_lambda();
  std::uint32_t from = begin();
  ast::ExprPtr body = parse_disjunction();
  if (!body || !accept(TokenKind::KwIf)) return body;
  Nesting nesting(*this);
  if (nesting.is_too_deep()) return nullptr;
  ast::ExprPtr test = parse_disjunction();
  if (!test) return nullptr;
  if (!at(TokenKind::KwElse)) {
    fail_expected("'else' of the conditional expression");
    return nullptr;
  }
  advance();
  ast::ExprPtr orelse = parse_expression();
  if (!orelse) return nullptr;
  auto node = make<ast::IfExp>(from);
  raise_height(*node, body);
  raise_height(*node, test);
  raise_height(*node, orelse);
  node->body = std::move(body);
  node->test = std::move(test);
  node->orelse = std::move(orelse);
  return grown(std::move(node));
}

ast::ExprPtr Parser::parse_lambda() {
  Nesting nesting(*this);
  if (nesting.is_too_deep()) return nullptr;
  std::uint32_t from = begin();
  advance();
  auto arguments = parse_parameters(TokenKind::Colon, true);
  if (!arguments || !expect(TokenKind::Colon)) return nullptr;
  ast::ExprPtr body = parse_expression();
  if (!body) return nullptr;
  auto node = make<ast::Lambda>(from);
  raise_height(*node, body);
  raise_height(*node, *arguments);
  node->args = std::move(arguments);
  node->body = std::move(body);
  return grown(std::move(node));
}

ast::ExprPtr Parser::parse_disjunction() {
  std::uint32_t from = begin();
  ast::ExprPtr first = parse_conjunction();
  if (!first || !at(TokenKind::KwOr)) return first;
  ast::ExprList values;
  values.push_back(std::move(first));
  while (accept(TokenKind::KwOr)) {
    values.push_back(parse_conjunction());
    if (!values.back()) return nullptr;
  }
  auto node = make<ast::BoolOp>(from);
  node->op = ast::BoolOperator::Or;
  raise_height(*node, values);
  node->values = std::move(values);
  return grown(std::move(node));
}

ast::ExprPtr Parser::parse_conjunction() {
  std::uint32_t from = begin();
  ast::ExprPtr first = parse_inversion();
  if (!first || !at(TokenKind::KwAnd)) return first;
  ast::ExprList values;
  values.push_back(std::move(first));
  while (accept(TokenKind::KwAnd)) {
    values.push_back(parse_inversion());
    if (!values.back()) return nullptr;
  }
  auto node = make<ast::BoolOp>(from);
  node->op = ast::BoolOperator::And;
  raise_height(*node, values);
  node->values = std::move(values);
  return grown(std::move(node));
}

ast::ExprPtr Parser::parse_inversion() {
  if (!at(TokenKind::KwNot)) return parse_comparison();
  Nesting nesting(*this);
  if (nesting.is_too_deep()) return nullptr;
  std::uint32_t from = begin();
  advance();
  ast::ExprPtr operand = parse_inversion();
  if (!operand) return nullptr;
  auto node = make<ast::UnaryOp>(from);
  node->op = ast::UnaryOperator::Not;
  raise_height(*node, operand);
  node->operand = std::move(operand);
  return grown(std::move(node));
}

std::optional<ast::CompareOperator> Parser::accept_comparison() {
  std::optional<ast::CompareOperator> op;
  switch (current().kind) {
    case TokenKind::EqualEqual: op = ast::CompareOperator::Eq; break;
    case TokenKind::NotEqual: op = ast::CompareOperator::NotEq; break;
    case TokenKind::Less: op = ast::CompareOperator::Lt; break;
    case TokenKind::LessEqual: op = ast::CompareOperator::LtE; break;
    case TokenKind::Greater: op = ast::CompareOperator::Gt; break;
    case TokenKind::GreaterEqual: op = ast::CompareOperator::GtE; break;
    case TokenKind::KwIn: op = ast::CompareOperator::In; break;
    case TokenKind::KwIs: op = ahead().kind == TokenKind::KwNot ? ast::CompareOperator::IsNot : ast::CompareOperator::Is; break;
    case TokenKind::KwNot:
      if (ahead().kind == TokenKind::KwIn) op = ast::CompareOperator::NotIn;
      break;
    default: break;
  }
  if (!op) return op;
  advance();
  if (*op == ast::CompareOperator::IsNot || *op == ast::CompareOperator::NotIn) advance();
  return op;
}

ast::ExprPtr Parser::parse_comparison() {
  std::uint32_t from = begin();
  ast::ExprPtr left = parse_bitwise();
  if (!left) return nullptr;
  std::optional<ast::CompareOperator> op = accept_comparison();
  if (!op) return left;
  std::vector<ast::CompareOperator> ops;
  ast::ExprList comparators;
  for (; op; op = accept_comparison()) {
    ops.push_back(*op);
    comparators.push_back(parse_bitwise());
    if (!comparators.back()) return nullptr;
  }
  auto node = make<ast::Compare>(from);
  raise_height(*node, left);
  raise_height(*node, comparators);
  node->left = std::move(left);
  node->ops = std::move(ops);
  node->comparators = std::move(comparators);
  return grown(std::move(node));
}

ast::ExprPtr Parser::parse_binary(int lowest) {
  std::uint32_t from = begin();
  ast::ExprPtr left = parse_unary();
  while (left) {
    BinaryRow row = binary_row(current().kind);
    if (row.precedence < lowest) return left;
    SourceRange op_range = current().range;
    advance();
    ast::ExprPtr right = parse_binary(row.precedence + 1);
    if (!right) return nullptr;
    auto node = make<ast::BinOp>(from);
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

ast::ExprPtr Parser::parse_unary() {
  ast::UnaryOperator op = ast::UnaryOperator::UAdd;
  switch (current().kind) {
    case TokenKind::Plus: break;
    case TokenKind::Minus: op = ast::UnaryOperator::USub; break;
    case TokenKind::Tilde: op = ast::UnaryOperator::Invert; break;
    default: return parse_power();
  }
  Nesting nesting(*this);
  if (nesting.is_too_deep()) return nullptr;
  std::uint32_t from = begin();
  advance();
  ast::ExprPtr operand = parse_unary();
  if (!operand) return nullptr;
  auto node = make<ast::UnaryOp>(from);
  node->op = op;
  raise_height(*node, operand);
  node->operand = std::move(operand);
  return grown(std::move(node));
}

ast::ExprPtr Parser::parse_power() {
  std::uint32_t from = begin();
  ast::ExprPtr base = at(TokenKind::KwAwait) ? parse_await() : parse_primary();
  if (!base || !at(TokenKind::DoubleStar)) return base;
  Nesting nesting(*this);
  if (nesting.is_too_deep()) return nullptr;
  SourceRange op_range = current().range;
  advance();
  ast::ExprPtr exponent = parse_unary();
  if (!exponent) return nullptr;
  auto node = make<ast::BinOp>(from);
  raise_height(*node, base);
  raise_height(*node, exponent);
  node->left = std::move(base);
  node->op = ast::BinaryOperator::Pow;
  node->op_range = op_range;
  node->right = std::move(exponent);
  return grown(std::move(node));
}

ast::ExprPtr Parser::parse_await() {
  std::uint32_t from = begin();
  advance();
  ast::ExprPtr value = parse_primary();
  if (!value) return nullptr;
  auto node = make<ast::Await>(from);
  raise_height(*node, value);
  node->value = std::move(value);
  return grown(std::move(node));
}

// ---- Targets of `for` and `with` ----

ast::ExprPtr Parser::parse_target() {
  std::uint32_t from = begin();
  bool is_starred = accept(TokenKind::Star);
  ast::ExprPtr target = parse_bitwise();
  if (!target) return nullptr;
  if (is_starred) {
    auto node = make<ast::Starred>(from);
    raise_height(*node, target);
    node->value = std::move(target);
    target = grown(std::move(node));
  }
  if (!target || !set_context(*target, ast::Context::Store)) return nullptr;
  return target;
}

ast::ExprPtr Parser::parse_targets(TokenKind end) {
  std::uint32_t from = begin();
  ast::ExprPtr first = parse_target();
  if (!first || !at(TokenKind::Comma)) return first;
  auto elements = ast::ExprList();
  elements.push_back(std::move(first));
  while (accept(TokenKind::Comma) && !at(end)) {
    elements.push_back(parse_target());
    if (!elements.back()) return nullptr;
  }
  auto node = make<ast::Tuple>(from);
  node->context = ast::Context::Store;
  raise_height(*node, elements);
  node->elts = std::move(elements);
  return grown(std::move(node));
}

}  // namespace lockstep::frontend
