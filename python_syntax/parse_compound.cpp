// Compound statements: if, while, for, try, with, def, class, decorators, async and type parameters.
// Source: docs.python.org/3.12/reference/grammar.html, compound statements.
#include "python_syntax/grammar.h"

namespace lockstep::python_syntax {

namespace {

bool parse_else(TokenCursor& in, ast::Body& body) {
  if (!in.at(TokenKind::KwElse)) return true;
  SourceRange header = in.current().range;
  in.advance();
  return parse_block(in, body, "'else'", header);
}

std::unique_ptr<ast::ExceptHandler> parse_handler(TokenCursor& in, bool& is_star) {
  std::uint32_t from = in.begin();
  SourceRange header = in.current().range;
  in.advance();
  is_star = in.accept(TokenKind::Star);
  auto node = std::make_unique<ast::ExceptHandler>();
  if (!in.at(TokenKind::Colon) || is_star) {
    node->type = parse_expression(in);
    if (!node->type) return nullptr;
    if (in.at(TokenKind::Comma)) {
      in.fail("LS1212", "several exception types need parentheses, and 'except Type, name' is Python 2",
              in.current().range, "write except (A, B): or except Type as name:");
      return nullptr;
    }
    if (in.accept(TokenKind::KwAs) && !in.expect_name(node->name.emplace(), "a name after 'as'")) return nullptr;
  }
  if (!parse_block(in, node->body, "'except'", header)) return nullptr;
  node->range = in.since(from);
  return node;
}

// ---- with ----

/// Whether the `(` at hand encloses the list of items, as in `with (open(a) as f, g):`, rather than an expression.
bool has_parenthesised_items(TokenCursor& in) {
  if (!in.at(TokenKind::LeftParen) || in.ahead().kind == TokenKind::RightParen) return false;
  int depth = 0;
  bool has_as = false, is_expression = false;
  for (std::size_t i = in.position(); i < in.token_count(); ++i) {
    TokenKind kind = in.token(i).kind;
    if (kind == TokenKind::Newline || kind == TokenKind::EndOfFile) return false;
    bool opens = kind == TokenKind::LeftParen || kind == TokenKind::LeftBracket || kind == TokenKind::LeftBrace;
    bool closes = kind == TokenKind::RightParen || kind == TokenKind::RightBracket || kind == TokenKind::RightBrace;
    depth += opens ? 1 : closes ? -1 : 0;
    if (closes && depth == 0) return in.token(i + 1).kind == TokenKind::Colon && (has_as || !is_expression);
    if (depth != 1) continue;
    bool begins_item = i == in.position() + 1 || in.token(i - 1).kind == TokenKind::Comma;
    has_as |= kind == TokenKind::KwAs;
    is_expression |= kind == TokenKind::ColonEqual || kind == TokenKind::KwFor || kind == TokenKind::KwYield ||
                     (begins_item && kind == TokenKind::Star);
  }
  return false;
}

std::unique_ptr<ast::WithItem> parse_with_item(TokenCursor& in) {
  std::uint32_t from = in.begin();
  auto item = std::make_unique<ast::WithItem>();
  item->context_expr = parse_expression(in);
  if (!item->context_expr) return nullptr;
  if (in.accept(TokenKind::KwAs)) {
    item->optional_vars = parse_target(in);
    if (!item->optional_vars) return nullptr;
  }
  item->range = in.since(from);
  return item;
}

std::unique_ptr<ast::Node> parse_type_param(TokenCursor& in) {
  std::uint32_t from = in.begin();
  bool is_tuple = in.accept(TokenKind::Star), is_spec = !is_tuple && in.accept(TokenKind::DoubleStar);
  std::string name;
  if (!in.expect_name(name, "a type parameter")) return nullptr;
  if (is_tuple) {
    auto node = make<ast::TypeVarTuple>(in, from);
    node->name = std::move(name);
    return node;
  }
  if (is_spec) {
    auto node = make<ast::ParamSpec>(in, from);
    node->name = std::move(name);
    return node;
  }
  auto node = std::make_unique<ast::TypeVar>();
  node->name = std::move(name);
  if (in.accept(TokenKind::Colon)) {
    node->bound = parse_expression(in);
    if (!node->bound) return nullptr;
  }
  node->range = in.since(from);
  return node;
}

}  // namespace

ast::StmtPtr parse_if(TokenCursor& in) {
  std::uint32_t from = in.begin();
  SourceRange header = in.current().range;
  std::string what = "the condition of '" + std::string(spelling(in.current().kind)) + "'";
  in.advance();
  auto node = std::make_unique<ast::If>();
  node->test = parse_named_expression(in);
  if (!node->test || !parse_block(in, node->body, what, header)) return nullptr;
  if (in.at(TokenKind::KwElif)) {
    TokenCursor::Nesting nesting(in);
    if (nesting.is_too_deep()) return nullptr;
    ast::StmtPtr rest = parse_if(in);
    if (!rest) return nullptr;
    node->orelse.push_back(std::move(rest));
  } else if (!parse_else(in, node->orelse)) {
    return nullptr;
  }
  node->range = in.since(from);
  return node;
}

ast::StmtPtr parse_while(TokenCursor& in) {
  std::uint32_t from = in.begin();
  SourceRange header = in.current().range;
  in.advance();
  auto node = std::make_unique<ast::While>();
  node->test = parse_named_expression(in);
  if (!node->test || !parse_block(in, node->body, "the condition of 'while'", header) || !parse_else(in, node->orelse))
    return nullptr;
  node->range = in.since(from);
  return node;
}

ast::StmtPtr parse_for(TokenCursor& in, std::uint32_t from, bool is_async) {
  SourceRange header = in.current().range;
  in.advance();
  auto node = std::make_unique<ast::For>(SourceRange{}, is_async);
  node->target = parse_targets(in, TokenKind::KwIn);
  if (!node->target || !in.expect(TokenKind::KwIn)) return nullptr;
  node->iter = parse_star_expressions(in);
  if (!node->iter || !parse_block(in, node->body, "the 'for' line", header) || !parse_else(in, node->orelse))
    return nullptr;
  node->range = in.since(from);
  return node;
}

// ---- try ----

ast::StmtPtr parse_try(TokenCursor& in) {
  std::uint32_t from = in.begin();
  SourceRange header = in.current().range;
  in.advance();
  ast::Body body;
  if (!parse_block(in, body, "'try'", header)) return nullptr;
  std::vector<std::unique_ptr<ast::ExceptHandler>> handlers;
  bool is_star = false;
  while (in.at(TokenKind::KwExcept)) {
    bool was_star = is_star;
    SourceRange place = in.current().range;
    handlers.push_back(parse_handler(in, is_star));
    if (!handlers.back()) return nullptr;
    if (handlers.size() > 1 && was_star != is_star) in.fail("LS1201", "'except' and 'except*' cannot be mixed", place);
  }
  auto node = std::make_unique<ast::Try>(SourceRange{}, is_star);
  node->body = std::move(body);
  node->handlers = std::move(handlers);
  if (!node->handlers.empty() && !parse_else(in, node->orelse)) return nullptr;
  if (in.at(TokenKind::KwFinally)) {
    SourceRange place = in.current().range;
    in.advance();
    if (!parse_block(in, node->finalbody, "'finally'", place)) return nullptr;
  } else if (node->handlers.empty()) {
    in.fail("LS1201", "'try' without 'except' or 'finally'", header);
  }
  node->range = in.since(from);
  return node;
}

ast::StmtPtr parse_with(TokenCursor& in, std::uint32_t from, bool is_async) {
  SourceRange header = in.current().range;
  in.advance();
  auto node = std::make_unique<ast::With>(SourceRange{}, is_async);
  SourceRange opening = in.current().range;
  bool is_parenthesised = has_parenthesised_items(in);
  if (is_parenthesised) in.advance();
  do {
    if (is_parenthesised && !node->items.empty() && in.at(TokenKind::RightParen)) break;
    node->items.push_back(parse_with_item(in));
    if (!node->items.back()) return nullptr;
  } while (in.accept(TokenKind::Comma));
  if (is_parenthesised && !in.expect_closing(TokenKind::RightParen, opening)) return nullptr;
  if (!parse_block(in, node->body, "the 'with' items", header)) return nullptr;
  node->range = in.since(from);
  return node;
}

// ---- Definitions ----

ast::StmtPtr parse_async(TokenCursor& in) {
  std::uint32_t from = in.begin();
  in.advance();
  switch (in.current().kind) {
    case TokenKind::KwDef: return parse_function(in, from, true);
    case TokenKind::KwFor: return parse_for(in, from, true);
    case TokenKind::KwWith: return parse_with(in, from, true);
    default: in.fail_expected("'def', 'for' or 'with' after 'async'"); return nullptr;
  }
}

ast::StmtPtr parse_decorated(TokenCursor& in) {
  ast::ExprList decorators;
  while (in.accept(TokenKind::At)) {
    decorators.push_back(parse_named_expression(in));
    if (!decorators.back()) return nullptr;
    if (!in.accept(TokenKind::Newline)) {
      in.fail_expected("the end of the decorator's line");
      return nullptr;
    }
  }
  std::uint32_t from = in.begin();
  if (in.at(TokenKind::KwClass)) {
    ast::StmtPtr node = parse_class(in);
    if (node) node->as<ast::ClassDef>()->decorator_list = std::move(decorators);
    return node;
  }
  bool is_async = in.at(TokenKind::KwAsync) && in.ahead().kind == TokenKind::KwDef;
  if (is_async) in.advance();
  if (!in.at(TokenKind::KwDef)) {
    in.fail_expected("'def' or 'class' after the decorator");
    return nullptr;
  }
  ast::StmtPtr node = parse_function(in, from, is_async);
  if (node) node->as<ast::FunctionDef>()->decorator_list = std::move(decorators);
  return node;
}

ast::StmtPtr parse_function(TokenCursor& in, std::uint32_t from, bool is_async) {
  SourceRange header = in.current().range;
  in.advance();
  auto node = std::make_unique<ast::FunctionDef>(SourceRange{}, is_async);
  node->name_range = in.current().range;
  if (!in.expect_name(node->name, "a function name")) return nullptr;
  if (in.at(TokenKind::LeftBracket) && !parse_type_params(in, node->type_params)) return nullptr;
  SourceRange opening = in.current().range;
  if (!in.expect(TokenKind::LeftParen)) return nullptr;
  node->args = parse_parameters(in, TokenKind::RightParen, false);
  if (!node->args || !in.expect_closing(TokenKind::RightParen, opening)) return nullptr;
  if (in.accept(TokenKind::Arrow)) {
    node->returns = parse_expression(in);
    if (!node->returns) return nullptr;
  }
  if (!parse_block(in, node->body, "the 'def' line", header)) return nullptr;
  node->range = in.since(from);
  return node;
}

ast::StmtPtr parse_class(TokenCursor& in) {
  std::uint32_t from = in.begin();
  SourceRange header = in.current().range;
  in.advance();
  auto node = std::make_unique<ast::ClassDef>();
  node->name_range = in.current().range;
  if (!in.expect_name(node->name, "a class name")) return nullptr;
  if (in.at(TokenKind::LeftBracket) && !parse_type_params(in, node->type_params)) return nullptr;
  if (in.at(TokenKind::LeftParen) && !parse_arguments(in, node->bases, node->keywords)) return nullptr;
  if (!parse_block(in, node->body, "the 'class' line", header)) return nullptr;
  node->range = in.since(from);
  return node;
}

// ---- Type parameters ----

bool parse_type_params(TokenCursor& in, ast::TypeParams& params) {
  SourceRange opening = in.current().range;
  in.advance();
  do {
    if (!params.empty() && in.at(TokenKind::RightBracket)) break;
    params.push_back(parse_type_param(in));
    if (!params.back()) return false;
  } while (in.accept(TokenKind::Comma));
  return in.expect_closing(TokenKind::RightBracket, opening);
}

}  // namespace lockstep::python_syntax
