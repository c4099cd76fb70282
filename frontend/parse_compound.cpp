// Compound statements: if, while, for, try, with, def, class, decorators, async and type parameters.
// Source: docs.python.org/3.12/reference/grammar.html, compound statements.
#include "frontend/parser_state.h"

namespace lockstep::frontend {

ast::StmtPtr Parser::parse_if() {
  std::uint32_t from = begin();
  SourceRange header = current().range;
  std::string what = "the condition of '" + std::string(spelling(current().kind)) + "'";
  advance();
  auto node = std::make_unique<ast::If>();
  node->test = parse_named_expression();
  if (!node->test || !parse_block(node->body, what, header)) return nullptr;
  if (at(TokenKind::KwElif)) {
    Nesting nesting(*this);
    if (nesting.is_too_deep()) return nullptr;
    ast::StmtPtr rest = parse_if();
    if (!rest) return nullptr;
    node->orelse.push_back(std::move(rest));
  } else if (!parse_else(node->orelse)) {
    return nullptr;
  }
  node->range = since(from);
  return node;
}

bool Parser::parse_else(ast::Body& body) {
  if (!at(TokenKind::KwElse)) return true;
  SourceRange header = current().range;
  advance();
  return parse_block(body, "'else'", header);
}

ast::StmtPtr Parser::parse_while() {
  std::uint32_t from = begin();
  SourceRange header = current().range;
  advance();
  auto node = std::make_unique<ast::While>();
  node->test = parse_named_expression();
  if (!node->test || !parse_block(node->body, "the condition of 'while'", header) || !parse_else(node->orelse))
    return nullptr;
  node->range = since(from);
  return node;
}

ast::StmtPtr Parser::parse_for(std::uint32_t from, bool is_async) {
  SourceRange header = current().range;
  advance();
  auto node = std::make_unique<ast::For>(SourceRange{}, is_async);
  node->target = parse_targets(TokenKind::KwIn);
  if (!node->target || !expect(TokenKind::KwIn)) return nullptr;
  node->iter = parse_star_expressions();
  if (!node->iter || !parse_block(node->body, "the 'for' line", header) || !parse_else(node->orelse)) return nullptr;
  node->range = since(from);
  return node;
}

// ---- try ----

ast::StmtPtr Parser::parse_try() {
  std::uint32_t from = begin();
  SourceRange header = current().range;
  advance();
  ast::Body body;
  if (!parse_block(body, "'try'", header)) return nullptr;
  std::vector<std::unique_ptr<ast::ExceptHandler>> handlers;
  bool is_star = false;
  while (at(TokenKind::KwExcept)) {
    bool was_star = is_star;
    SourceRange place = current().range;
    handlers.push_back(parse_handler(is_star));
    if (!handlers.back()) return nullptr;
    if (handlers.size() > 1 && was_star != is_star) fail("LS1201", "'except' and 'except*' cannot be mixed", place);
  }
  auto node = std::make_unique<ast::Try>(SourceRange{}, is_star);
  node->body = std::move(body);
  node->handlers = std::move(handlers);
  if (!node->handlers.empty() && !parse_else(node->orelse)) return nullptr;
  if (at(TokenKind::KwFinally)) {
    SourceRange place = current().range;
    advance();
    if (!parse_block(node->finalbody, "'finally'", place)) return nullptr;
  } else if (node->handlers.empty()) {
    fail("LS1201", "'try' without 'except' or 'finally'", header);
  }
  node->range = since(from);
  return node;
}

std::unique_ptr<ast::ExceptHandler> Parser::parse_handler(bool& is_star) {
  std::uint32_t from = begin();
  SourceRange header = current().range;
  advance();
  is_star = accept(TokenKind::Star);
  auto node = std::make_unique<ast::ExceptHandler>();
  if (!at(TokenKind::Colon) || is_star) {
    node->type = parse_expression();
    if (!node->type) return nullptr;
    if (at(TokenKind::Comma)) {
      fail("LS1212", "several exception types need parentheses, and 'except Type, name' is Python 2", current().range,
           "write except (A, B): or except Type as name:");
      return nullptr;
    }
    if (accept(TokenKind::KwAs) && !expect_name(node->name.emplace(), "a name after 'as'")) return nullptr;
  }
  if (!parse_block(node->body, "'except'", header)) return nullptr;
  node->range = since(from);
  return node;
}

// ---- with ----

/// Whether the `(` at hand encloses the list of items, as in `with (open(a) as f, g):`, rather than an expression.
bool Parser::has_parenthesised_items() const {
  if (!at(TokenKind::LeftParen) || ahead().kind == TokenKind::RightParen) return false;
  int depth = 0;
  bool has_as = false, is_expression = false;
  for (std::size_t i = position_; i < tokens_.size(); ++i) {
    TokenKind kind = tokens_[i].kind;
    if (kind == TokenKind::Newline || kind == TokenKind::EndOfFile) return false;
    bool opens = kind == TokenKind::LeftParen || kind == TokenKind::LeftBracket || kind == TokenKind::LeftBrace;
    bool closes = kind == TokenKind::RightParen || kind == TokenKind::RightBracket || kind == TokenKind::RightBrace;
    depth += opens ? 1 : closes ? -1 : 0;
    if (closes && depth == 0) return tokens_[i + 1].kind == TokenKind::Colon && (has_as || !is_expression);
    if (depth != 1) continue;
    bool begins_item = i == position_ + 1 || tokens_[i - 1].kind == TokenKind::Comma;
    has_as |= kind == TokenKind::KwAs;
    is_expression |= kind == TokenKind::ColonEqual || kind == TokenKind::KwFor || kind == TokenKind::KwYield ||
                     (begins_item && kind == TokenKind::Star);
  }
  return false;
}

ast::StmtPtr Parser::parse_with(std::uint32_t from, bool is_async) {
  SourceRange header = current().range;
  advance();
  auto node = std::make_unique<ast::With>(SourceRange{}, is_async);
  SourceRange opening = current().range;
  bool is_parenthesised = has_parenthesised_items();
  if (is_parenthesised) advance();
  do {
    if (is_parenthesised && !node->items.empty() && at(TokenKind::RightParen)) break;
    node->items.push_back(parse_with_item());
    if (!node->items.back()) return nullptr;
  } while (accept(TokenKind::Comma));
  if (is_parenthesised && !expect_closing(TokenKind::RightParen, opening)) return nullptr;
  if (!parse_block(node->body, "the 'with' items", header)) return nullptr;
  node->range = since(from);
  return node;
}

std::unique_ptr<ast::WithItem> Parser::parse_with_item() {
  std::uint32_t from = begin();
  auto item = std::make_unique<ast::WithItem>();
  item->context_expr = parse_expression();
  if (!item->context_expr) return nullptr;
  if (accept(TokenKind::KwAs)) {
    item->optional_vars = parse_target();
    if (!item->optional_vars) return nullptr;
  }
  item->range = since(from);
  return item;
}

// ---- Definitions ----

ast::StmtPtr Parser::parse_async() {
  std::uint32_t from = begin();
  advance();
  switch (current().kind) {
    case TokenKind::KwDef: return parse_function(from, true);
    case TokenKind::KwFor: return parse_for(from, true);
    case TokenKind::KwWith: return parse_with(from, true);
    default: fail_expected("'def', 'for' or 'with' after 'async'"); return nullptr;
  }
}

ast::StmtPtr Parser::parse_decorated() {
  ast::ExprList decorators;
  while (accept(TokenKind::At)) {
    decorators.push_back(parse_named_expression());
    if (!decorators.back()) return nullptr;
    if (!accept(TokenKind::Newline)) {
      fail_expected("the end of the decorator's line");
      return nullptr;
    }
  }
  std::uint32_t from = begin();
  if (at(TokenKind::KwClass)) {
    ast::StmtPtr node = parse_class();
    if (node) node->as<ast::ClassDef>()->decorator_list = std::move(decorators);
    return node;
  }
  bool is_async = at(TokenKind::KwAsync) && ahead().kind == TokenKind::KwDef;
  if (is_async) advance();
  if (!at(TokenKind::KwDef)) {
    fail_expected("'def' or 'class' after the decorator");
    return nullptr;
  }
  ast::StmtPtr node = parse_function(from, is_async);
  if (node) node->as<ast::FunctionDef>()->decorator_list = std::move(decorators);
  return node;
}

ast::StmtPtr Parser::parse_function(std::uint32_t from, bool is_async) {
  SourceRange header = current().range;
  advance();
  auto node = std::make_unique<ast::FunctionDef>(SourceRange{}, is_async);
  node->name_range = current().range;
  if (!expect_name(node->name, "a function name")) return nullptr;
  if (at(TokenKind::LeftBracket) && !parse_type_params(node->type_params)) return nullptr;
  SourceRange opening = current().range;
  if (!expect(TokenKind::LeftParen)) return nullptr;
  node->args = parse_parameters(TokenKind::RightParen, false);
  if (!node->args || !expect_closing(TokenKind::RightParen, opening)) return nullptr;
  if (accept(TokenKind::Arrow)) {
    node->returns = parse_expression();
    if (!node->returns) return nullptr;
  }
  if (!parse_block(node->body, "the 'def' line", header)) return nullptr;
  node->range = since(from);
  return node;
}

ast::StmtPtr Parser::parse_class() {
  std::uint32_t from = begin();
  SourceRange header = current().range;
  advance();
  auto node = std::make_unique<ast::ClassDef>();
  node->name_range = current().range;
  if (!expect_name(node->name, "a class name")) return nullptr;
  if (at(TokenKind::LeftBracket) && !parse_type_params(node->type_params)) return nullptr;
  if (at(TokenKind::LeftParen) && !parse_arguments(node->bases, node->keywords)) return nullptr;
  if (!parse_block(node->body, "the 'class' line", header)) return nullptr;
  node->range = since(from);
  return node;
}

// ---- Type parameters ----

bool Parser::parse_type_params(ast::TypeParams& params) {
  SourceRange opening = current().range;
  advance();
  do {
    if (!params.empty() && at(TokenKind::RightBracket)) break;
    params.push_back(parse_type_param());
    if (!params.back()) return false;
  } while (accept(TokenKind::Comma));
  return expect_closing(TokenKind::RightBracket, opening);
}

std::unique_ptr<ast::Node> Parser::parse_type_param() {
  std::uint32_t from = begin();
  bool is_tuple = accept(TokenKind::Star), is_spec = !is_tuple && accept(TokenKind::DoubleStar);
  std::string name;
  if (!expect_name(name, "a type parameter")) return nullptr;
  if (is_tuple) {
    auto node = make<ast::TypeVarTuple>(from);
    node->name = std::move(name);
    return node;
  }
  if (is_spec) {
    auto node = make<ast::ParamSpec>(from);
    node->name = std::move(name);
    return node;
  }
  auto node = std::make_unique<ast::TypeVar>();
  node->name = std::move(name);
  if (accept(TokenKind::Colon)) {
    node->bound = parse_expression();
    if (!node->bound) return nullptr;
  }
  node->range = since(from);
  return node;
}

}  // namespace lockstep::frontend
