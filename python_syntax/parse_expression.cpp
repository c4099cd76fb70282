// Expressions from the lowest precedence (tuples, yield, lambda) to unary operators and power.
// Source: docs.python.org/3.12/reference/grammar.html, expressions.
#include "python_syntax/grammar.h"

namespace lockstep::python_syntax {

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

ast::ExprPtr parse_inversion(TokenCursor& in);
ast::ExprPtr parse_comparison(TokenCursor& in);
ast::ExprPtr parse_unary(TokenCursor& in);
ast::ExprPtr parse_power(TokenCursor& in);
ast::ExprPtr parse_await(TokenCursor& in);

ast::ExprPtr parse_lambda(TokenCursor& in) {
  TokenCursor::Nesting nesting(in);
  if (nesting.is_too_deep()) return nullptr;
  std::uint32_t from = in.begin();
  in.advance();
  auto arguments = parse_parameters(in, TokenKind::Colon, true);
  if (!arguments || !in.expect(TokenKind::Colon)) return nullptr;
  ast::ExprPtr body = parse_expression(in);
  if (!body) return nullptr;
  auto node = make<ast::Lambda>(in, from);
  raise_height(*node, body);
  raise_height(*node, *arguments);
  node->args = std::move(arguments);
  node->body = std::move(body);
  return grown(in, std::move(node));
}

ast::ExprPtr parse_conjunction(TokenCursor& in) {
  std::uint32_t from = in.begin();
  ast::ExprPtr first = parse_inversion(in);
  if (!first || !in.at(TokenKind::KwAnd)) return first;
  ast::ExprList values;
  values.push_back(std::move(first));
  while (in.accept(TokenKind::KwAnd)) {
    values.push_back(parse_inversion(in));
    if (!values.back()) return nullptr;
  }
  auto node = make<ast::BoolOp>(in, from);
  node->op = ast::BoolOperator::And;
  raise_height(*node, values);
  node->values = std::move(values);
  return grown(in, std::move(node));
}

ast::ExprPtr parse_inversion(TokenCursor& in) {
  if (!in.at(TokenKind::KwNot)) return parse_comparison(in);
  TokenCursor::Nesting nesting(in);
  if (nesting.is_too_deep()) return nullptr;
  std::uint32_t from = in.begin();
  in.advance();
  ast::ExprPtr operand = parse_inversion(in);
  if (!operand) return nullptr;
  auto node = make<ast::UnaryOp>(in, from);
  node->op = ast::UnaryOperator::Not;
  raise_height(*node, operand);
  node->operand = std::move(operand);
  return grown(in, std::move(node));
}

std::optional<ast::CompareOperator> accept_comparison(TokenCursor& in) {
  std::optional<ast::CompareOperator> op;
  switch (in.current().kind) {
    case TokenKind::EqualEqual: op = ast::CompareOperator::Eq; break;
    case TokenKind::NotEqual: op = ast::CompareOperator::NotEq; break;
    case TokenKind::Less: op = ast::CompareOperator::Lt; break;
    case TokenKind::LessEqual: op = ast::CompareOperator::LtE; break;
    case TokenKind::Greater: op = ast::CompareOperator::Gt; break;
    case TokenKind::GreaterEqual: op = ast::CompareOperator::GtE; break;
    case TokenKind::KwIn: op = ast::CompareOperator::In; break;
    case TokenKind::KwIs:
      op = in.ahead().kind == TokenKind::KwNot ? ast::CompareOperator::IsNot : ast::CompareOperator::Is;
      break;
    case TokenKind::KwNot:
      if (in.ahead().kind == TokenKind::KwIn) op = ast::CompareOperator::NotIn;
      break;
    default: break;
  }
  if (!op) return op;
  in.advance();
  if (*op == ast::CompareOperator::IsNot || *op == ast::CompareOperator::NotIn) in.advance();
  return op;
}

ast::ExprPtr parse_comparison(TokenCursor& in) {
  std::uint32_t from = in.begin();
  ast::ExprPtr left = parse_bitwise(in);
  if (!left) return nullptr;
  std::optional<ast::CompareOperator> op = accept_comparison(in);
  if (!op) return left;
  std::vector<ast::CompareOperator> ops;
  ast::ExprList comparators;
  for (; op; op = accept_comparison(in)) {
    ops.push_back(*op);
    comparators.push_back(parse_bitwise(in));
    if (!comparators.back()) return nullptr;
  }
  auto node = make<ast::Compare>(in, from);
  raise_height(*node, left);
  raise_height(*node, comparators);
  node->left = std::move(left);
  node->ops = std::move(ops);
  node->comparators = std::move(comparators);
  return grown(in, std::move(node));
}

ast::ExprPtr parse_binary(TokenCursor& in, int lowest) {
  std::uint32_t from = in.begin();
  ast::ExprPtr left = parse_unary(in);
  while (left) {
    BinaryRow row = binary_row(in.current().kind);
    if (row.precedence < lowest) return left;
    SourceRange op_range = in.current().range;
    in.advance();
    ast::ExprPtr right = parse_binary(in, row.precedence + 1);
    if (!right) return nullptr;
    auto node = make<ast::BinOp>(in, from);
    raise_height(*node, left);
    raise_height(*node, right);
    node->left = std::move(left);
    node->op = row.op;
    node->op_range = op_range;
    node->right = std::move(right);
    left = grown(in, std::move(node));
  }
  return left;
}

ast::ExprPtr parse_unary(TokenCursor& in) {
  ast::UnaryOperator op = ast::UnaryOperator::UAdd;
  switch (in.current().kind) {
    case TokenKind::Plus: break;
    case TokenKind::Minus: op = ast::UnaryOperator::USub; break;
    case TokenKind::Tilde: op = ast::UnaryOperator::Invert; break;
    default: return parse_power(in);
  }
  TokenCursor::Nesting nesting(in);
  if (nesting.is_too_deep()) return nullptr;
  std::uint32_t from = in.begin();
  in.advance();
  ast::ExprPtr operand = parse_unary(in);
  if (!operand) return nullptr;
  auto node = make<ast::UnaryOp>(in, from);
  node->op = op;
  raise_height(*node, operand);
  node->operand = std::move(operand);
  return grown(in, std::move(node));
}

ast::ExprPtr parse_power(TokenCursor& in) {
  std::uint32_t from = in.begin();
  ast::ExprPtr base = in.at(TokenKind::KwAwait) ? parse_await(in) : parse_primary(in);
  if (!base || !in.at(TokenKind::DoubleStar)) return base;
  TokenCursor::Nesting nesting(in);
  if (nesting.is_too_deep()) return nullptr;
  SourceRange op_range = in.current().range;
  in.advance();
  ast::ExprPtr exponent = parse_unary(in);
  if (!exponent) return nullptr;
  auto node = make<ast::BinOp>(in, from);
  raise_height(*node, base);
  raise_height(*node, exponent);
  node->left = std::move(base);
  node->op = ast::BinaryOperator::Pow;
  node->op_range = op_range;
  node->right = std::move(exponent);
  return grown(in, std::move(node));
}

ast::ExprPtr parse_await(TokenCursor& in) {
  std::uint32_t from = in.begin();
  in.advance();
  ast::ExprPtr value = parse_primary(in);
  if (!value) return nullptr;
  auto node = make<ast::Await>(in, from);
  raise_height(*node, value);
  node->value = std::move(value);
  return grown(in, std::move(node));
}

}  // namespace

ast::ExprPtr parse_star_expressions(TokenCursor& in) {
  std::uint32_t from = in.begin();
  ast::ExprPtr first = parse_star_expression(in, false);
  if (!first || !in.at(TokenKind::Comma)) return first;
  ast::ExprList elements;
  elements.push_back(std::move(first));
  while (in.accept(TokenKind::Comma) && in.begins_expression(in.current().kind)) {
    elements.push_back(parse_star_expression(in, false));
    if (!elements.back()) return nullptr;
  }
  auto node = make<ast::Tuple>(in, from);
  raise_height(*node, elements);
  node->elts = std::move(elements);
  return grown(in, std::move(node));
}

ast::ExprPtr parse_star_expression(TokenCursor& in, bool is_named) {
  if (!in.at(TokenKind::Star)) return is_named ? parse_named_expression(in) : parse_expression(in);
  std::uint32_t from = in.begin();
  in.advance();
  ast::ExprPtr value = parse_bitwise(in);
  if (!value) return nullptr;
  auto node = make<ast::Starred>(in, from);
  raise_height(*node, value);
  node->value = std::move(value);
  return grown(in, std::move(node));
}

ast::ExprPtr parse_yield_or_star_expressions(TokenCursor& in) {
  return in.at(TokenKind::KwYield) ? parse_yield(in) : parse_star_expressions(in);
}

ast::ExprPtr parse_yield(TokenCursor& in) {
  std::uint32_t from = in.begin();
  in.advance();
  if (in.accept(TokenKind::KwFrom)) {
    ast::ExprPtr value = parse_expression(in);
    if (!value) return nullptr;
    auto node = make<ast::YieldFrom>(in, from);
    raise_height(*node, value);
    node->value = std::move(value);
    return grown(in, std::move(node));
  }
  ast::ExprPtr value;
  if (in.begins_expression(in.current().kind)) {
    value = parse_star_expressions(in);
    if (!value) return nullptr;
  }
  auto node = make<ast::Yield>(in, from);
  raise_height(*node, value);
  node->value = std::move(value);
  return grown(in, std::move(node));
}

ast::ExprPtr parse_named_expression(TokenCursor& in) {
  if (!in.at(TokenKind::Name) || in.ahead().kind != TokenKind::ColonEqual) return parse_expression(in);
  std::uint32_t from = in.begin();
  auto target = std::make_unique<ast::Name>(in.current().range);
  target->id = in.text_of(in.current());
  target->context = ast::Context::Store;
  in.advance();
  in.advance();
  ast::ExprPtr value = parse_expression(in);
  if (!value) return nullptr;
  auto node = make<ast::NamedExpr>(in, from);
  node->target = std::move(target);
  raise_height(*node, value);
  node->value = std::move(value);
  return grown(in, std::move(node));
}

ast::ExprPtr parse_expression(TokenCursor& in) {
  if (in.at(TokenKind::KwLambda)) return parse_lambda(in);
  std::uint32_t from = in.begin();
  ast::ExprPtr body = parse_disjunction(in);
  if (!body || !in.accept(TokenKind::KwIf)) return body;
  TokenCursor::Nesting nesting(in);
  if (nesting.is_too_deep()) return nullptr;
  ast::ExprPtr test = parse_disjunction(in);
  if (!test) return nullptr;
  if (!in.at(TokenKind::KwElse)) {
    in.fail_expected("'else' of the conditional expression");
    return nullptr;
  }
  in.advance();
  ast::ExprPtr orelse = parse_expression(in);
  if (!orelse) return nullptr;
  auto node = make<ast::IfExp>(in, from);
  raise_height(*node, body);
  raise_height(*node, test);
  raise_height(*node, orelse);
  node->body = std::move(body);
  node->test = std::move(test);
  node->orelse = std::move(orelse);
  return grown(in, std::move(node));
}

ast::ExprPtr parse_disjunction(TokenCursor& in) {
  std::uint32_t from = in.begin();
  ast::ExprPtr first = parse_conjunction(in);
  if (!first || !in.at(TokenKind::KwOr)) return first;
  ast::ExprList values;
  values.push_back(std::move(first));
  while (in.accept(TokenKind::KwOr)) {
    values.push_back(parse_conjunction(in));
    if (!values.back()) return nullptr;
  }
  auto node = make<ast::BoolOp>(in, from);
  node->op = ast::BoolOperator::Or;
  raise_height(*node, values);
  node->values = std::move(values);
  return grown(in, std::move(node));
}

ast::ExprPtr parse_bitwise(TokenCursor& in) { return parse_binary(in, 0); }

// ---- Targets of `for` and `with` ----

ast::ExprPtr parse_target(TokenCursor& in) {
  std::uint32_t from = in.begin();
  bool is_starred = in.accept(TokenKind::Star);
  ast::ExprPtr target = parse_bitwise(in);
  if (!target) return nullptr;
  if (is_starred) {
    auto node = make<ast::Starred>(in, from);
    raise_height(*node, target);
    node->value = std::move(target);
    target = grown(in, std::move(node));
  }
  if (!target || !set_context(in, *target, ast::Context::Store)) return nullptr;
  return target;
}

ast::ExprPtr parse_targets(TokenCursor& in, TokenKind end) {
  std::uint32_t from = in.begin();
  ast::ExprPtr first = parse_target(in);
  if (!first || !in.at(TokenKind::Comma)) return first;
  auto elements = ast::ExprList();
  elements.push_back(std::move(first));
  while (in.accept(TokenKind::Comma) && !in.at(end)) {
    elements.push_back(parse_target(in));
    if (!elements.back()) return nullptr;
  }
  auto node = make<ast::Tuple>(in, from);
  node->context = ast::Context::Store;
  raise_height(*node, elements);
  node->elts = std::move(elements);
  return grown(in, std::move(node));
}

}  // namespace lockstep::python_syntax
