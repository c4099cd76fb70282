// The match statement and its patterns; `match` and `case` are keywords only here.
// Source: docs.python.org/3.12/reference/compound_stmts.html, the match statement.
#include "python_syntax/grammar.h"

namespace lockstep::python_syntax {

namespace {

bool is_singleton(TokenKind kind) {
  return kind == TokenKind::KwNone || kind == TokenKind::KwTrue || kind == TokenKind::KwFalse;
}

ast::PatternPtr parse_patterns(TokenCursor& in);
ast::PatternPtr parse_star_or_pattern(TokenCursor& in);
ast::PatternPtr parse_pattern(TokenCursor& in);
ast::PatternPtr parse_or_pattern(TokenCursor& in);
ast::PatternPtr parse_closed_pattern(TokenCursor& in);
ast::PatternPtr parse_value_pattern(TokenCursor& in);
ast::PatternPtr parse_name_pattern(TokenCursor& in);
ast::PatternPtr parse_bracketed_pattern(TokenCursor& in);
ast::PatternPtr parse_mapping_pattern(TokenCursor& in);
bool parse_mapping_item(TokenCursor& in, ast::MatchMapping& mapping);
ast::PatternPtr parse_class_pattern(TokenCursor& in, ast::ExprPtr cls, std::uint32_t from);
bool parse_class_pattern_item(TokenCursor& in, ast::MatchClass& pattern);
ast::ExprPtr parse_dotted_expression(TokenCursor& in);
ast::ExprPtr parse_literal_expression(TokenCursor& in);

std::unique_ptr<ast::MatchCase> parse_case(TokenCursor& in) {
  std::uint32_t from = in.begin();
  SourceRange header = in.current().range;
  in.advance();
  auto node = std::make_unique<ast::MatchCase>();
  node->pattern = parse_patterns(in);
  if (!node->pattern) return nullptr;
  if (in.accept(TokenKind::KwIf)) {
    node->guard = parse_named_expression(in);
    if (!node->guard) return nullptr;
  }
  if (!parse_block(in, node->body, "the pattern of 'case'", header)) return nullptr;
  node->range = in.since(from);
  return node;
}

// ---- Patterns ----

ast::PatternPtr parse_patterns(TokenCursor& in) {
  std::uint32_t from = in.begin();
  bool is_starred = in.at(TokenKind::Star);
  ast::PatternPtr first = parse_star_or_pattern(in);
  if (!first || (!in.at(TokenKind::Comma) && !is_starred)) return first;
  std::vector<ast::PatternPtr> patterns;
  patterns.push_back(std::move(first));
  while (in.accept(TokenKind::Comma) && !in.at(TokenKind::Colon) && !in.at(TokenKind::KwIf)) {
    patterns.push_back(parse_star_or_pattern(in));
    if (!patterns.back()) return nullptr;
  }
  auto node = make<ast::MatchSequence>(in, from);
  node->patterns = std::move(patterns);
  return node;
}

ast::PatternPtr parse_star_or_pattern(TokenCursor& in) {
  if (!in.at(TokenKind::Star)) return parse_pattern(in);
  std::uint32_t from = in.begin();
  in.advance();
  std::string name;
  if (!in.expect_name(name, "a name after '*'")) return nullptr;
  auto node = make<ast::MatchStar>(in, from);
  if (name != "_") node->name = std::move(name);
  return node;
}

ast::PatternPtr parse_pattern(TokenCursor& in) {
  std::uint32_t from = in.begin();
  ast::PatternPtr pattern = parse_or_pattern(in);
  if (!pattern || !in.accept(TokenKind::KwAs)) return pattern;
  SourceRange place = in.current().range;
  std::string name;
  if (!in.expect_name(name, "a name after 'as'")) return nullptr;
  if (name == "_") {
    in.fail("LS1211", "'_' cannot be the name of a pattern", place);
    return nullptr;
  }
  auto node = make<ast::MatchAs>(in, from);
  node->pattern = std::move(pattern);
  node->name = std::move(name);
  return node;
}

ast::PatternPtr parse_or_pattern(TokenCursor& in) {
  std::uint32_t from = in.begin();
  ast::PatternPtr first = parse_closed_pattern(in);
  if (!first || !in.at(TokenKind::Bar)) return first;
  std::vector<ast::PatternPtr> patterns;
  patterns.push_back(std::move(first));
  while (in.accept(TokenKind::Bar)) {
    patterns.push_back(parse_closed_pattern(in));
    if (!patterns.back()) return nullptr;
  }
  auto node = make<ast::MatchOr>(in, from);
  node->patterns = std::move(patterns);
  return node;
}

ast::PatternPtr parse_closed_pattern(TokenCursor& in) {
  TokenCursor::Nesting nesting(in);
  if (nesting.is_too_deep()) return nullptr;
  switch (in.current().kind) {
    case TokenKind::Name: return parse_name_pattern(in);
    case TokenKind::LeftParen:
    case TokenKind::LeftBracket: return parse_bracketed_pattern(in);
    case TokenKind::LeftBrace: return parse_mapping_pattern(in);
    default: return parse_value_pattern(in);
  }
}

ast::PatternPtr parse_value_pattern(TokenCursor& in) {
  std::uint32_t from = in.begin();
  if (is_singleton(in.current().kind)) {
    auto node = std::make_unique<ast::MatchSingleton>(in.current().range);
    if (!in.at(TokenKind::KwNone)) node->value = in.at(TokenKind::KwTrue);
    in.advance();
    return node;
  }
  ast::ExprPtr value = parse_literal_expression(in);
  if (!value) return nullptr;
  auto node = make<ast::MatchValue>(in, from);
  node->value = std::move(value);
  return node;
}

ast::PatternPtr parse_name_pattern(TokenCursor& in) {
  std::uint32_t from = in.begin();
  if (in.ahead().kind == TokenKind::Dot || in.ahead().kind == TokenKind::LeftParen) {
    ast::ExprPtr value = parse_dotted_expression(in);
    if (!value) return nullptr;
    if (in.at(TokenKind::LeftParen)) return parse_class_pattern(in, std::move(value), from);
    auto node = make<ast::MatchValue>(in, from);
    node->value = std::move(value);
    return node;
  }
  auto node = std::make_unique<ast::MatchAs>(in.current().range);
  if (!in.at_name("_")) node->name = in.text_of(in.current());
  in.advance();
  return node;
}

ast::PatternPtr parse_bracketed_pattern(TokenCursor& in) {
  std::uint32_t from = in.begin();
  SourceRange opening = in.current().range;
  bool is_list = in.at(TokenKind::LeftBracket), is_sequence = is_list;
  TokenKind closing = is_list ? TokenKind::RightBracket : TokenKind::RightParen;
  in.advance();
  std::vector<ast::PatternPtr> patterns;
  if (in.at(closing) || in.at(TokenKind::Star)) is_sequence = true;
  while (!in.at(closing)) {
    patterns.push_back(parse_star_or_pattern(in));
    if (!patterns.back()) return nullptr;
    if (!in.accept(TokenKind::Comma)) break;
    is_sequence = true;
  }
  if (!in.expect_closing(closing, opening)) return nullptr;
  if (!is_sequence) return std::move(patterns[0]);
  auto node = make<ast::MatchSequence>(in, from);
  node->patterns = std::move(patterns);
  return node;
}

// ---- Mappings and classes ----

ast::PatternPtr parse_mapping_pattern(TokenCursor& in) {
  std::uint32_t from = in.begin();
  SourceRange opening = in.current().range;
  in.advance();
  auto node = std::make_unique<ast::MatchMapping>();
  while (!in.at(TokenKind::RightBrace)) {
    if (node->rest) {
      in.fail("LS1211", "nothing can follow **" + *node->rest + " in a pattern", in.current().range);
      return nullptr;
    }
    if (!parse_mapping_item(in, *node)) return nullptr;
    if (!in.accept(TokenKind::Comma)) break;
  }
  if (!in.expect_closing(TokenKind::RightBrace, opening)) return nullptr;
  node->range = in.since(from);
  return node;
}

bool parse_mapping_item(TokenCursor& in, ast::MatchMapping& mapping) {
  if (in.accept(TokenKind::DoubleStar)) return in.expect_name(mapping.rest.emplace(), "a name after '**'");
  ast::ExprPtr key;
  if (in.at(TokenKind::Name)) {
    key = parse_dotted_expression(in);
    if (key && key->is<ast::Name>())
      return in.fail("LS1211", "a key of a pattern is a literal or a dotted name", key->range);
  } else {
    key = is_singleton(in.current().kind) ? parse_constant_word(in) : parse_literal_expression(in);
  }
  if (!key || !in.expect(TokenKind::Colon)) return false;
  ast::PatternPtr pattern = parse_pattern(in);
  if (!pattern) return false;
  mapping.keys.push_back(std::move(key));
  mapping.patterns.push_back(std::move(pattern));
  return true;
}

ast::PatternPtr parse_class_pattern(TokenCursor& in, ast::ExprPtr cls, std::uint32_t from) {
  SourceRange opening = in.current().range;
  in.advance();
  auto node = std::make_unique<ast::MatchClass>();
  node->cls = std::move(cls);
  while (!in.at(TokenKind::RightParen)) {
    if (!parse_class_pattern_item(in, *node)) return nullptr;
    if (!in.accept(TokenKind::Comma)) break;
  }
  if (!in.expect_closing(TokenKind::RightParen, opening)) return nullptr;
  node->range = in.since(from);
  return node;
}

bool parse_class_pattern_item(TokenCursor& in, ast::MatchClass& pattern) {
  bool is_keyword_pattern = in.at(TokenKind::Name) && in.ahead().kind == TokenKind::Equal;
  if (!is_keyword_pattern && !pattern.kwd_attrs.empty()) {
    return in.fail("LS1211", "positional pattern follows a keyword pattern", in.current().range);
  }
  if (is_keyword_pattern) {
    pattern.kwd_attrs.emplace_back(in.text_of(in.current()));
    in.advance();
    in.advance();
  }
  ast::PatternPtr item = parse_pattern(in);
  if (!item) return false;
  (is_keyword_pattern ? pattern.kwd_patterns : pattern.patterns).push_back(std::move(item));
  return true;
}

// ---- Values in patterns ----

ast::ExprPtr parse_dotted_expression(TokenCursor& in) {
  std::uint32_t from = in.begin();
  ast::ExprPtr value = parse_name(in);
  while (value && in.at(TokenKind::Dot)) value = parse_attribute(in, std::move(value), from);
  return value;
}

ast::ExprPtr parse_signed_number(TokenCursor& in) {
  std::uint32_t from = in.begin();
  bool is_negative = in.accept(TokenKind::Minus);
  if (!in.at(TokenKind::Number)) {
    in.fail_expected("a pattern");
    return nullptr;
  }
  ast::ExprPtr number = parse_number(in);
  if (!number || !is_negative) return number;
  auto node = make<ast::UnaryOp>(in, from);
  node->op = ast::UnaryOperator::USub;
  raise_height(*node, number);
  node->operand = std::move(number);
  return node;
}

ast::ExprPtr parse_literal_expression(TokenCursor& in) {
  std::uint32_t from = in.begin();
  if (in.at(TokenKind::String) || in.at(TokenKind::FStringStart)) {
    ast::ExprPtr text = parse_strings(in);
    if (!text || text->is<ast::Constant>()) return text;
    in.fail("LS1211", "an f-string cannot be a pattern", text->range);
    return nullptr;
  }
  ast::ExprPtr left = parse_signed_number(in);
  if (!left || (!in.at(TokenKind::Plus) && !in.at(TokenKind::Minus))) return left;
  SourceRange op_range = in.current().range;
  ast::BinaryOperator op = in.at(TokenKind::Plus) ? ast::BinaryOperator::Add : ast::BinaryOperator::Sub;
  in.advance();
  if (in.at(TokenKind::Minus) && !in.fail_expected("an imaginary number")) return nullptr;
  ast::ExprPtr right = parse_signed_number(in);
  if (!right || right->as<ast::Constant>()->type != ast::ConstantKind::imaginary) {
    if (right) in.fail("LS1211", "the second part of a complex number in a pattern must be imaginary", right->range);
    return nullptr;
  }
  auto node = make<ast::BinOp>(in, from);
  raise_height(*node, left);
  raise_height(*node, right);
  node->left = std::move(left);
  node->op = op;
  node->op_range = op_range;
  node->right = std::move(right);
  return grown(in, std::move(node));
}

}  // namespace

/// `match` begins the statement if what follows can be a subject and the line ends in ':' before an indented `case`.
bool is_match_statement(TokenCursor& in) {
  if (!in.at_name("match") || !in.begins_expression(in.ahead().kind)) return false;
  if (in.token(in.line_end() - 1).kind != TokenKind::Colon || in.line_end() + 2 >= in.token_count()) return false;
  const Token& first = in.token(in.line_end() + 2);
  return in.token(in.line_end() + 1).kind == TokenKind::Indent && first.kind == TokenKind::Name &&
         in.text_of(first) == "case";
}

ast::StmtPtr parse_match(TokenCursor& in) {
  TokenCursor::Nesting nesting(in);
  if (nesting.is_too_deep()) return nullptr;
  std::uint32_t from = in.begin();
  in.advance();
  auto node = std::make_unique<ast::Match>();
  std::uint32_t subject_begin = in.begin();
  node->subject = parse_star_expression(in, true);
  if (!node->subject) return nullptr;
  if (in.at(TokenKind::Comma)) {
    ast::ExprList elements;
    elements.push_back(std::move(node->subject));
    if (!parse_element_list(in, elements, TokenKind::Colon)) return nullptr;
    auto tuple = make<ast::Tuple>(in, subject_begin);
    raise_height(*tuple, elements);
    tuple->elts = std::move(elements);
    node->subject = grown(in, std::move(tuple));
    if (!node->subject) return nullptr;
  }
  if (!expect_colon(in, "the subject of 'match'") || !in.expect(TokenKind::Newline) || !in.expect(TokenKind::Indent))
    return nullptr;
  while (!in.at(TokenKind::Dedent) && !in.at(TokenKind::EndOfFile)) {
    bool is_case = in.at_name("case");
    if (!is_case) in.fail_expected("'case'");
    std::unique_ptr<ast::MatchCase> match_case = is_case ? parse_case(in) : nullptr;
    if (match_case) {
      node->cases.push_back(std::move(match_case));
    } else {
      if (in.at(TokenKind::Indent)) in.advance();
      recover(in);
    }
  }
  node->range = in.since(from);
  in.accept(TokenKind::Dedent);
  return node;
}

}  // namespace lockstep::python_syntax
