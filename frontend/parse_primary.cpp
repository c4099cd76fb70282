// Primaries and atoms: calls, subscripts, attributes, names, constants, displays and comprehensions.
// Every bracket counts one level of nesting. Source: docs.python.org/3.12/reference/grammar.html, primary elements.
#include "frontend/parser_state.h"

namespace lockstep::frontend {

ast::ExprPtr Parser::parse_primary() {
  std::uint32_t from = begin();
  ast::ExprPtr value = parse_atom();
  while (value) {
    switch (current().kind) {
      case TokenKind::LeftParen: value = parse_call(std::move(value), from); break;
      case TokenKind::LeftBracket: value = parse_subscript(std::move(value), from); break;
      case TokenKind::Dot: value = parse_attribute(std::move(value), from); break;
      default: return value;
    }
  }
  return value;
}

ast::ExprPtr Parser::parse_attribute(ast::ExprPtr value, std::uint32_t from) {
  advance();
  SourceRange attr_range = current().range;
  std::string attr;
  if (!expect_name(attr, "an attribute name after '.'")) return nullptr;
  auto node = make<ast::Attribute>(from);
  raise_height(*node, value);
  node->value = std::move(value);
  node->attr = std::move(attr);
  node->attr_range = attr_range;
  return grown(std::move(node));
}

// ---- Calls ----

ast::ExprPtr Parser::parse_call(ast::ExprPtr func, std::uint32_t from) {
  Nesting nesting(*this);
  if (nesting.is_too_deep()) return nullptr;
  auto node = std::make_unique<ast::Call>();
  if (!parse_arguments(node->args, node->keywords)) return nullptr;
  node->range = since(from);
  raise_height(*node, func);
  raise_height(*node, node->args);
  for (const auto& keyword : node->keywords) raise_height(*node, keyword->value);
  node->func = std::move(func);
  return grown(std::move(node));
}

bool Parser::parse_arguments(ast::ExprList& args, std::vector<std::unique_ptr<ast::Keyword>>& keywords) {
  SourceRange opening = current().range;
  advance();
  while (!at(TokenKind::RightParen)) {
    if (!parse_argument(args, keywords)) return false;
    if (at_comprehension()) {
      ast::Expr& element = *args.back();
      bool is_alone = args.size() == 1 && keywords.empty() && !element.is<ast::Starred>();
      if (!is_alone) return fail("LS1210", "a generator argument must be parenthesised", element.range);
      args.back() =
          parse_comprehension<ast::GeneratorExp>(opening.begin, opening, TokenKind::RightParen, std::move(args.back()));
      return args.back() != nullptr;
    }
    if (!accept(TokenKind::Comma)) break;
  }
  return expect_closing(TokenKind::RightParen, opening);
}

bool Parser::parse_argument(ast::ExprList& args, std::vector<std::unique_ptr<ast::Keyword>>& keywords) {
  std::uint32_t from = begin();
  bool is_unpacking = accept(TokenKind::DoubleStar);
  bool is_keyword_argument =
      !is_unpacking && ahead().kind == TokenKind::Equal && (at(TokenKind::Name) || is_keyword(current().kind));
  if (is_unpacking || is_keyword_argument) {
    std::optional<std::string> name;
    if (is_keyword_argument && !expect_name(name.emplace(), "an argument name")) return false;
    if (is_keyword_argument) advance();
    ast::ExprPtr value = parse_expression();
    if (!value) return false;
    if (at_comprehension())
      return fail("LS1201", "a keyword argument cannot be a bare generator", value->range,
                  "put the generator in parentheses");
    auto keyword = make<ast::Keyword>(from);
    keyword->arg = std::move(name);
    keyword->value = std::move(value);
    keywords.push_back(std::move(keyword));
    return true;
  }
  ast::ExprPtr value;
  if (at(TokenKind::Star)) {
    advance();
    value = parse_expression();
    if (!value) return false;
    auto starred = make<ast::Starred>(from);
    raise_height(*starred, value);
    starred->value = std::move(value);
    value = grown(std::move(starred));
  } else {
    value = parse_named_expression();
  }
  if (!value) return false;
  bool after_unpacking = !keywords.empty() && !keywords.back()->arg.has_value();
  if (after_unpacking || (!keywords.empty() && !value->is<ast::Starred>())) {
    return fail("LS1210", "positional argument follows a keyword argument", value->range,
                "put positional arguments first, or name this one");
  }
  args.push_back(std::move(value));
  return true;
}

// ---- Subscripts ----

ast::ExprPtr Parser::parse_subscript(ast::ExprPtr value, std::uint32_t from) {
  Nesting nesting(*this);
  if (nesting.is_too_deep()) return nullptr;
  SourceRange opening = current().range;
  advance();
  ast::ExprPtr slice = parse_slices();
  if (!slice || !expect_closing(TokenKind::RightBracket, opening)) return nullptr;
  auto node = make<ast::Subscript>(from);
  raise_height(*node, value);
  raise_height(*node, slice);
  node->value = std::move(value);
  node->slice = std::move(slice);
  return grown(std::move(node));
}

ast::ExprPtr Parser::parse_slices() {
  std::uint32_t from = begin();
  bool is_starred = at(TokenKind::Star);
  ast::ExprPtr first = parse_slice();
  if (!first || (!at(TokenKind::Comma) && !is_starred)) return first;
  ast::ExprList elements;
  elements.push_back(std::move(first));
  while (accept(TokenKind::Comma) && !at(TokenKind::RightBracket)) {
    elements.push_back(parse_slice());
    if (!elements.back()) return nullptr;
  }
  auto node = make<ast::Tuple>(from);
  raise_height(*node, elements);
  node->elts = std::move(elements);
  return grown(std::move(node));
}

ast::ExprPtr Parser::parse_slice() {
  if (at(TokenKind::Star)) return parse_star_expression(false);
  std::uint32_t from = begin();
  ast::ExprPtr lower;
  if (!at(TokenKind::Colon)) {
    lower = parse_named_expression();
    if (!lower || !at(TokenKind::Colon)) return lower;
  }
  advance();
  auto node = std::make_unique<ast::Slice>();
  raise_height(*node, lower);
  node->lower = std::move(lower);
  auto parse_bound = [&](ast::ExprPtr& bound) {
    if (!begins_expression(current().kind)) return true;
    bound = parse_expression();
    raise_height(*node, bound);
    return bound != nullptr;
  };
  if (!parse_bound(node->upper)) return nullptr;
  if (accept(TokenKind::Colon) && !parse_bound(node->step)) return nullptr;
  node->range = since(from);
  return grown(std::move(node));
}

// ---- Atoms ----

ast::ExprPtr Parser::parse_atom() {
  switch (current().kind) {
    case TokenKind::Name: return parse_name();
    case TokenKind::Number: return parse_number();
    case TokenKind::String:
    case TokenKind::FStringStart: return parse_strings();
    case TokenKind::KwNone:
    case TokenKind::KwTrue:
    case TokenKind::KwFalse:
    case TokenKind::Ellipsis: return parse_constant_word();
    case TokenKind::LeftParen:
    case TokenKind::LeftBracket:
    case TokenKind::LeftBrace: {
      Nesting nesting(*this);
      if (nesting.is_too_deep()) return nullptr;
      if (at(TokenKind::LeftParen)) return parse_parenthesised();
      return at(TokenKind::LeftBracket) ? parse_list_display() : parse_brace_display();
    }
    default: fail_expected("an expression"); return nullptr;
  }
}

ast::ExprPtr Parser::parse_name() {
  auto node = std::make_unique<ast::Name>(current().range);
  node->id = text_of(current());
  advance();
  return node;
}

ast::ExprPtr Parser::parse_number() {
  auto node = std::make_unique<ast::Constant>(current().range);
  if (!decode_number(text_of(current()), current().range, *node, problems_)) return nullptr;
  advance();
  return node;
}

ast::ExprPtr Parser::parse_constant_word() {
  auto node = std::make_unique<ast::Constant>(current().range);
  if (at(TokenKind::Ellipsis)) {
    node->type = ast::ConstantKind::ellipsis;
  } else if (!at(TokenKind::KwNone)) {
    node->type = ast::ConstantKind::boolean;
    node->integer = at(TokenKind::KwTrue) ? 1 : 0;
  }
  advance();
  return node;
}

// ---- Displays ----

bool Parser::parse_generators(ast::Generators& generators) {
  while (at_comprehension()) {
    std::uint32_t from = begin();
    auto generator = std::make_unique<ast::Comprehension>();
    generator->is_async = accept(TokenKind::KwAsync);
    advance();
    generator->target = parse_targets(TokenKind::KwIn);
    if (!generator->target || !expect(TokenKind::KwIn)) return false;
    generator->iter = parse_disjunction();
    if (!generator->iter) return false;
    while (accept(TokenKind::KwIf)) {
      generator->ifs.push_back(parse_disjunction());
      if (!generator->ifs.back()) return false;
    }
    generator->range = since(from);
    generators.push_back(std::move(generator));
  }
  return true;
}

template <typename T>
ast::ExprPtr Parser::parse_comprehension(std::uint32_t from, SourceRange opening, TokenKind closing, ast::ExprPtr element) {
  if (element->is<ast::Starred>()) {
    fail("LS1201", "iterable unpacking cannot be used in a comprehension", element->range);
    return nullptr;
  }
  auto node = std::make_unique<T>();
  raise_height(*node, element);
  node->elt = std::move(element);
  if (!parse_generators(node->generators) || !expect_closing(closing, opening)) return nullptr;
  raise_height(*node, node->generators);
  node->range = since(from);
  return grown(std::move(node));
}

bool Parser::parse_element_list(ast::ExprList& elements, TokenKind end) {
  while (accept(TokenKind::Comma)) {
    if (at(end)) return true;
    elements.push_back(parse_star_expression(true));
    if (!elements.back()) return false;
  }
  return true;
}

ast::ExprPtr Parser::parse_parenthesised() {
  std::uint32_t from = begin();
  SourceRange opening = current().range;
  advance();
  ast::ExprList elements;
  bool is_tuple = at(TokenKind::RightParen);
  if (at(TokenKind::KwYield)) {
    ast::ExprPtr value = parse_yield();
    return value && expect_closing(TokenKind::RightParen, opening) ? std::move(value) : nullptr;
  }
  if (!is_tuple) {
    ast::ExprPtr first = parse_star_expression(true);
    if (!first) return nullptr;
    if (at_comprehension()) {
      return parse_comprehension<ast::GeneratorExp>(from, opening, TokenKind::RightParen, std::move(first));
    }
    is_tuple = at(TokenKind::Comma);
    elements.push_back(std::move(first));
  }
  if (!parse_element_list(elements, TokenKind::RightParen) || !expect_closing(TokenKind::RightParen, opening))
    return nullptr;
  if (!is_tuple) {
    if (!elements[0]->is<ast::Starred>()) return std::move(elements[0]);
    fail("LS1201", "a starred expression cannot stand alone in parentheses", elements[0]->range,
         "write (*x,) for a tuple");
    return nullptr;
  }
  auto node = make<ast::Tuple>(from);
  raise_height(*node, elements);
  node->elts = std::move(elements);
  return grown(std::move(node));
}

ast::ExprPtr Parser::parse_list_display() {
  std::uint32_t from = begin();
  SourceRange opening = current().range;
  advance();
  ast::ExprList elements;
  if (!at(TokenKind::RightBracket)) {
    ast::ExprPtr first = parse_star_expression(true);
    if (!first) return nullptr;
    if (at_comprehension()) {
      return parse_comprehension<ast::ListComp>(from, opening, TokenKind::RightBracket, std::move(first));
    }
    elements.push_back(std::move(first));
    if (!parse_element_list(elements, TokenKind::RightBracket)) return nullptr;
  }
  if (!expect_closing(TokenKind::RightBracket, opening)) return nullptr;
  auto node = make<ast::List>(from);
  raise_height(*node, elements);
  node->elts = std::move(elements);
  return grown(std::move(node));
}

ast::ExprPtr Parser::parse_brace_display() {
  std::uint32_t from = begin();
  SourceRange opening = current().range;
  advance();
  if (at(TokenKind::RightBrace) || at(TokenKind::DoubleStar)) return parse_dict_display(from, opening, nullptr);
  ast::ExprPtr first = parse_star_expression(true);
  if (!first) return nullptr;
  if (at(TokenKind::Colon) && !first->is<ast::Starred>()) return parse_dict_display(from, opening, std::move(first));
  return parse_set_display(from, opening, std::move(first));
}

ast::ExprPtr Parser::parse_set_display(std::uint32_t from, SourceRange opening, ast::ExprPtr first) {
  if (at_comprehension()) {
    return parse_comprehension<ast::SetComp>(from, opening, TokenKind::RightBrace, std::move(first));
  }
  ast::ExprList elements;
  elements.push_back(std::move(first));
  if (!parse_element_list(elements, TokenKind::RightBrace) || !expect_closing(TokenKind::RightBrace, opening))
    return nullptr;
  auto node = make<ast::Set>(from);
  raise_height(*node, elements);
  node->elts = std::move(elements);
  return grown(std::move(node));
}

bool Parser::parse_dict_item(ast::Dict& dict, ast::ExprPtr key) {
  ast::ExprPtr value;
  if (!key && accept(TokenKind::DoubleStar)) {
    value = parse_bitwise();
  } else {
    if (!key) key = parse_expression();
    if (!key || !expect(TokenKind::Colon)) return false;
    value = parse_expression();
  }
  if (!value) return false;
  raise_height(dict, key);
  raise_height(dict, value);
  dict.keys.push_back(std::move(key));
  dict.values.push_back(std::move(value));
  return true;
}

ast::ExprPtr Parser::parse_dict_display(std::uint32_t from, SourceRange opening, ast::ExprPtr first_key) {
  auto node = std::make_unique<ast::Dict>();
  while (first_key || !at(TokenKind::RightBrace)) {
    if (!parse_dict_item(*node, std::move(first_key))) return nullptr;
    if (at_comprehension()) return parse_dict_comprehension(from, opening, std::move(node));
    if (!accept(TokenKind::Comma)) break;
  }
  if (!expect_closing(TokenKind::RightBrace, opening)) return nullptr;
  node->range = since(from);
  return grown(std::move(node));
}

ast::ExprPtr Parser::parse_dict_comprehension(std::uint32_t from, SourceRange opening, std::unique_ptr<ast::Dict> item) {
  if (item->keys.size() != 1 || !item->keys[0]) {
    fail("LS1201", "a dict comprehension takes one 'key: value'", item->values.back()->range);
    return nullptr;
  }
  auto node = std::make_unique<ast::DictComp>();
  node->height = item->height;
  node->key = std::move(item->keys[0]);
  node->value = std::move(item->values[0]);
  if (!parse_generators(node->generators) || !expect_closing(TokenKind::RightBrace, opening)) return nullptr;
  raise_height(*node, node->generators);
  node->range = since(from);
  return grown(std::move(node));
}

}  // namespace lockstep::frontend
