// The match statement and its patterns; `match` and `case` are keywords only here.
// Source: docs.python.org/3.12/reference/compound_stmts.html, the match statement.
#include "frontend/parser_state.h"

namespace lockstep::frontend {

namespace {

bool is_singleton(TokenKind kind) {
  return kind == TokenKind::KwNone || kind == TokenKind::KwTrue || kind == TokenKind::KwFalse;
}

}  // namespace

/// `match` begins the statement if what follows can be a subject and the line ends in ':' before an indented `case`.
bool Parser::is_match_statement() {
  if (!at_name("match") || !begins_expression(ahead().kind)) return false;
  if (line_end_ < position_) line_end_ = position_;
  while (tokens_[line_end_].kind != TokenKind::Newline && tokens_[line_end_].kind != TokenKind::EndOfFile) ++line_end_;
  if (tokens_[line_end_ - 1].kind != TokenKind::Colon || line_end_ + 2 >= tokens_.size()) return false;
  const Token& first = tokens_[line_end_ + 2];
  return tokens_[line_end_ + 1].kind == TokenKind::Indent && first.kind == TokenKind::Name && text_of(first) == "case";
}

ast::StmtPtr Parser::parse_match() {
  Nesting nesting(*this);
  if (nesting.is_too_deep()) return nullptr;
  std::uint32_t from = begin();
  advance();
  auto node = std::make_unique<ast::Match>();
  std::uint32_t subject_begin = begin();
  node->subject = parse_star_expression(true);
  if (!node->subject) return nullptr;
  if (at(TokenKind::Comma)) {
    ast::ExprList elements;
    elements.push_back(std::move(node->subject));
    if (!parse_element_list(elements, TokenKind::Colon)) return nullptr;
    auto tuple = make<ast::Tuple>(subject_begin);
    raise_height(*tuple, elements);
    tuple->elts = std::move(elements);
    node->subject = grown(std::move(tuple));
    if (!node->subject) return nullptr;
  }
  if (!expect_colon("the subject of 'match'") || !expect(TokenKind::Newline) || !expect(TokenKind::Indent))
    return nullptr;
  while (!at(TokenKind::Dedent) && !at(TokenKind::EndOfFile)) {
    bool is_case = at_name("case");
    if (!is_case) fail_expected("'case'");
    std::unique_ptr<ast::MatchCase> match_case = is_case ? parse_case() : nullptr;
    if (match_case) {
      node->cases.push_back(std::move(match_case));
    } else {
      if (at(TokenKind::Indent)) advance();
      recover();
    }
  }
  node->range = since(from);
  accept(TokenKind::Dedent);
  return node;
}

std::unique_ptr<ast::MatchCase> Parser::parse_case() {
  std::uint32_t from = begin();
  SourceRange header = current().range;
  advance();
  auto node = std::make_unique<ast::MatchCase>();
  node->pattern = parse_patterns();
  if (!node->pattern) return nullptr;
  if (accept(TokenKind::KwIf)) {
    node->guard = parse_named_expression();
    if (!node->guard) return nullptr;
  }
  if (!parse_block(node->body, "the pattern of 'case'", header)) return nullptr;
  node->range = since(from);
  return node;
}

// ---- Patterns ----

ast::PatternPtr Parser::parse_patterns() {
  std::uint32_t from = begin();
  bool is_starred = at(TokenKind::Star);
  ast::PatternPtr first = parse_star_or_pattern();
  if (!first || (!at(TokenKind::Comma) && !is_starred)) return first;
  std::vector<ast::PatternPtr> patterns;
  patterns.push_back(std::move(first));
  while (accept(TokenKind::Comma) && !at(TokenKind::Colon) && !at(TokenKind::KwIf)) {
    patterns.push_back(parse_star_or_pattern());
    if (!patterns.back()) return nullptr;
  }
  auto node = make<ast::MatchSequence>(from);
  node->patterns = std::move(patterns);
  return node;
}

ast::PatternPtr Parser::parse_star_or_pattern() {
  if (!at(TokenKind::Star)) return parse_pattern();
  std::uint32_t from = begin();
  advance();
  std::string name;
  if (!expect_name(name, "a name after '*'")) return nullptr;
  auto node = make<ast::MatchStar>(from);
  if (name != "_") node->name = std::move(name);
  return node;
}

ast::PatternPtr Parser::parse_pattern() {
  std::uint32_t from = begin();
  ast::PatternPtr pattern = parse_or_pattern();
  if (!pattern || !accept(TokenKind::KwAs)) return pattern;
  SourceRange place = current().range;
  std::string name;
  if (!expect_name(name, "a name after 'as'")) return nullptr;
  if (name == "_") {
    fail("LS1211", "'_' cannot be the name of a pattern", place);
    return nullptr;
  }
  auto node = make<ast::MatchAs>(from);
  node->pattern = std::move(pattern);
  node->name = std::move(name);
  return node;
}

ast::PatternPtr Parser::parse_or_pattern() {
  std::uint32_t from = begin();
  ast::PatternPtr first = parse_closed_pattern();
  if (!first || !at(TokenKind::Bar)) return first;
  std::vector<ast::PatternPtr> patterns;
  patterns.push_back(std::move(first));
  while (accept(TokenKind::Bar)) {
    patterns.push_back(parse_closed_pattern());
    if (!patterns.back()) return nullptr;
  }
  auto node = make<ast::MatchOr>(from);
  node->patterns = std::move(patterns);
  return node;
}

ast::PatternPtr Parser::parse_closed_pattern() {
  Nesting nesting(*this);
  if (nesting.is_too_deep()) return nullptr;
  switch (current().kind) {
    case TokenKind::Name: return parse_name_pattern();
    case TokenKind::LeftParen:
    case TokenKind::LeftBracket: return parse_bracketed_pattern();
    case TokenKind::LeftBrace: return parse_mapping_pattern();
    default: return parse_value_pattern();
  }
}

ast::PatternPtr Parser::parse_value_pattern() {
  std::uint32_t from = begin();
  if (is_singleton(current().kind)) {
    auto node = std::make_unique<ast::MatchSingleton>(current().range);
    if (!at(TokenKind::KwNone)) node->value = at(TokenKind::KwTrue);
    advance();
    return node;
  }
  ast::ExprPtr value = parse_literal_expression();
  if (!value) return nullptr;
  auto node = make<ast::MatchValue>(from);
  node->value = std::move(value);
  return node;
}

ast::PatternPtr Parser::parse_name_pattern() {
  std::uint32_t from = begin();
  if (ahead().kind == TokenKind::Dot || ahead().kind == TokenKind::LeftParen) {
    ast::ExprPtr value = parse_dotted_expression();
    if (!value) return nullptr;
    if (at(TokenKind::LeftParen)) return parse_class_pattern(std::move(value), from);
    auto node = make<ast::MatchValue>(from);
    node->value = std::move(value);
    return node;
  }
  auto node = std::make_unique<ast::MatchAs>(current().range);
  if (!at_name("_")) node->name = text_of(current());
  advance();
  return node;
}

ast::PatternPtr Parser::parse_bracketed_pattern() {
  std::uint32_t from = begin();
  SourceRange opening = current().range;
  bool is_list = at(TokenKind::LeftBracket), is_sequence = is_list;
  TokenKind closing = is_list ? TokenKind::RightBracket : TokenKind::RightParen;
  advance();
  std::vector<ast::PatternPtr> patterns;
  if (at(closing) || at(TokenKind::Star)) is_sequence = true;
  while (!at(closing)) {
    patterns.push_back(parse_star_or_pattern());
    if (!patterns.back()) return nullptr;
    if (!accept(TokenKind::Comma)) break;
    is_sequence = true;
  }
  if (!expect_closing(closing, opening)) return nullptr;
  if (!is_sequence) return std::move(patterns[0]);
  auto node = make<ast::MatchSequence>(from);
  node->patterns = std::move(patterns);
  return node;
}

// ---- Mappings and classes ----

ast::PatternPtr Parser::parse_mapping_pattern() {
  std::uint32_t from = begin();
  SourceRange opening = current().range;
  advance();
  auto node = std::make_unique<ast::MatchMapping>();
  while (!at(TokenKind::RightBrace)) {
    if (node->rest) {
      fail("LS1211", "nothing can follow **" + *node->rest + " in a pattern", current().range);
      return nullptr;
    }
    if (!parse_mapping_item(*node)) return nullptr;
    if (!accept(TokenKind::Comma)) break;
  }
  if (!expect_closing(TokenKind::RightBrace, opening)) return nullptr;
  node->range = since(from);
  return node;
}

bool Parser::parse_mapping_item(ast::MatchMapping& mapping) {
  if (accept(TokenKind::DoubleStar)) return expect_name(mapping.rest.emplace(), "a name after '**'");
  ast::ExprPtr key;
  if (at(TokenKind::Name)) {
    key = parse_dotted_expression();
    if (key && key->is<ast::Name>()) return fail("LS1211", "a key of a pattern is a literal or a dotted name", key->range);
  } else {
    key = is_singleton(current().kind) ? parse_constant_word() : parse_literal_expression();
  }
  if (!key || !expect(TokenKind::Colon)) return false;
  ast::PatternPtr pattern = parse_pattern();
  if (!pattern) return false;
  mapping.keys.push_back(std::move(key));
  mapping.patterns.push_back(std::move(pattern));
  return true;
}

ast::PatternPtr Parser::parse_class_pattern(ast::ExprPtr cls, std::uint32_t from) {
  SourceRange opening = current().range;
  advance();
  auto node = std::make_unique<ast::MatchClass>();
  node->cls = std::move(cls);
  while (!at(TokenKind::RightParen)) {
    if (!parse_class_pattern_item(*node)) return nullptr;
    if (!accept(TokenKind::Comma)) break;
  }
  if (!expect_closing(TokenKind::RightParen, opening)) return nullptr;
  node->range = since(from);
  return node;
}

bool Parser::parse_class_pattern_item(ast::MatchClass& pattern) {
  bool is_keyword_pattern = at(TokenKind::Name) && ahead().kind == TokenKind::Equal;
  if (!is_keyword_pattern && !pattern.kwd_attrs.empty()) {
    return fail("LS1211", "positional pattern follows a keyword pattern", current().range);
  }
  if (is_keyword_pattern) {
    pattern.kwd_attrs.emplace_back(text_of(current()));
    advance();
    advance();
  }
  ast::PatternPtr item = parse_pattern();
  if (!item) return false;
  (is_keyword_pattern ? pattern.kwd_patterns : pattern.patterns).push_back(std::move(item));
  return true;
}

// ---- Values in patterns ----

ast::ExprPtr Parser::parse_dotted_expression() {
  std::uint32_t from = begin();
  ast::ExprPtr value = parse_name();
  while (value && at(TokenKind::Dot)) value = parse_attribute(std::move(value), from);
  return value;
}

ast::ExprPtr Parser::parse_signed_number() {
  std::uint32_t from = begin();
  bool is_negative = accept(TokenKind::Minus);
  if (!at(TokenKind::Number)) {
    fail_expected("a pattern");
    return nullptr;
  }
  ast::ExprPtr number = parse_number();
  if (!number || !is_negative) return number;
  auto node = make<ast::UnaryOp>(from);
  node->op = ast::UnaryOperator::USub;
  raise_height(*node, number);
  node->operand = std::move(number);
  return node;
}

ast::ExprPtr Parser::parse_literal_expression() {
  std::uint32_t from = begin();
  if (at(TokenKind::String) || at(TokenKind::FStringStart)) {
    ast::ExprPtr text = parse_strings();
    if (!text || text->is<ast::Constant>()) return text;
    fail("LS1211", "an f-string cannot be a pattern", text->range);
    return nullptr;
  }
  ast::ExprPtr left = parse_signed_number();
  if (!left || (!at(TokenKind::Plus) && !at(TokenKind::Minus))) return left;
  SourceRange op_range = current().range;
  ast::BinaryOperator op = at(TokenKind::Plus) ? ast::BinaryOperator::Add : ast::BinaryOperator::Sub;
  advance();
  if (at(TokenKind::Minus) && !fail_expected("an imaginary number")) return nullptr;
  ast::ExprPtr right = parse_signed_number();
  if (!right || right->as<ast::Constant>()->type != ast::ConstantKind::imaginary) {
    if (right) fail("LS1211", "the second part of a complex number in a pattern must be imaginary", right->range);
    return nullptr;
  }
  auto node = make<ast::BinOp>(from);
  raise_height(*node, left);
  raise_height(*node, right);
  node->left = std::move(left);
  node->op = op;
  node->op_range = op_range;
  node->right = std::move(right);
  return grown(std::move(node));
}

}  // namespace lockstep::frontend
