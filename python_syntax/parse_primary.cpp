// Primaries and atoms: calls, subscripts, attributes, names, constants, displays and comprehensions.
// Every bracket is one level of nesting. Source: docs.python.org/3.12/reference/grammar.html, primary elements.
#include "python_syntax/grammar.h"
#include "python_syntax/parse_literal.h"

namespace lockstep::python_syntax {

namespace {

ast::ExprPtr parse_slices(TokenCursor& in);
ast::ExprPtr parse_slice(TokenCursor& in);
ast::ExprPtr parse_parenthesised(TokenCursor& in);
ast::ExprPtr parse_list_display(TokenCursor& in);
ast::ExprPtr parse_brace_display(TokenCursor& in);
ast::ExprPtr parse_set_display(TokenCursor& in, std::uint32_t from, SourceRange opening, ast::ExprPtr first);
ast::ExprPtr parse_dict_display(TokenCursor& in, std::uint32_t from, SourceRange opening, ast::ExprPtr first_key);
ast::ExprPtr parse_dict_comprehension(TokenCursor& in, std::uint32_t from, SourceRange opening,
                                      std::unique_ptr<ast::Dict> item);

// ---- Calls ----

ast::ExprPtr parse_call(TokenCursor& in, ast::ExprPtr func, std::uint32_t from) {
  TokenCursor::Nesting nesting(in);
  if (nesting.is_too_deep()) return nullptr;
  auto node = std::make_unique<ast::Call>();
  if (!parse_arguments(in, node->args, node->keywords)) return nullptr;
  node->range = in.since(from);
  raise_height(*node, func);
  raise_height(*node, node->args);
  for (const auto& keyword : node->keywords) raise_height(*node, keyword->value);
  node->func = std::move(func);
  return grown(in, std::move(node));
}

bool parse_argument(TokenCursor& in, ast::ExprList& args, std::vector<std::unique_ptr<ast::Keyword>>& keywords) {
  std::uint32_t from = in.begin();
  bool is_unpacking = in.accept(TokenKind::DoubleStar);
  bool is_keyword_argument =
      !is_unpacking && in.ahead().kind == TokenKind::Equal && (in.at(TokenKind::Name) || is_keyword(in.current().kind));
  if (is_unpacking || is_keyword_argument) {
    std::optional<std::string> name;
    if (is_keyword_argument && !in.expect_name(name.emplace(), "an argument name")) return false;
    if (is_keyword_argument) in.advance();
    ast::ExprPtr value = parse_expression(in);
    if (!value) return false;
    if (in.at_comprehension())
      return in.fail("LS1201", "a keyword argument cannot be a bare generator", value->range,
                     "put the generator in parentheses");
    auto keyword = make<ast::Keyword>(in, from);
    keyword->arg = std::move(name);
    keyword->value = std::move(value);
    keywords.push_back(std::move(keyword));
    return true;
  }
  ast::ExprPtr value;
  if (in.at(TokenKind::Star)) {
    in.advance();
    value = parse_expression(in);
    if (!value) return false;
    auto starred = make<ast::Starred>(in, from);
    raise_height(*starred, value);
    starred->value = std::move(value);
    value = grown(in, std::move(starred));
  } else {
    value = parse_named_expression(in);
  }
  if (!value) return false;
  bool after_unpacking = !keywords.empty() && !keywords.back()->arg.has_value();
  if (after_unpacking || (!keywords.empty() && !value->is<ast::Starred>())) {
    return in.fail("LS1210", "positional argument follows a keyword argument", value->range,
                   "put positional arguments first, or name this one");
  }
  args.push_back(std::move(value));
  return true;
}

// ---- Subscripts ----

ast::ExprPtr parse_subscript(TokenCursor& in, ast::ExprPtr value, std::uint32_t from) {
  TokenCursor::Nesting nesting(in);
  if (nesting.is_too_deep()) return nullptr;
  SourceRange opening = in.current().range;
  in.advance();
  ast::ExprPtr slice = parse_slices(in);
  if (!slice || !in.expect_closing(TokenKind::RightBracket, opening)) return nullptr;
  auto node = make<ast::Subscript>(in, from);
  raise_height(*node, value);
  raise_height(*node, slice);
  node->value = std::move(value);
  node->slice = std::move(slice);
  return grown(in, std::move(node));
}

ast::ExprPtr parse_slices(TokenCursor& in) {
  std::uint32_t from = in.begin();
  bool is_starred = in.at(TokenKind::Star);
  ast::ExprPtr first = parse_slice(in);
  if (!first || (!in.at(TokenKind::Comma) && !is_starred)) return first;
  ast::ExprList elements;
  elements.push_back(std::move(first));
  while (in.accept(TokenKind::Comma) && !in.at(TokenKind::RightBracket)) {
    elements.push_back(parse_slice(in));
    if (!elements.back()) return nullptr;
  }
  auto node = make<ast::Tuple>(in, from);
  raise_height(*node, elements);
  node->elts = std::move(elements);
  return grown(in, std::move(node));
}

ast::ExprPtr parse_slice(TokenCursor& in) {
  if (in.at(TokenKind::Star)) return parse_star_expression(in, false);
  std::uint32_t from = in.begin();
  ast::ExprPtr lower;
  if (!in.at(TokenKind::Colon)) {
    lower = parse_named_expression(in);
    if (!lower || !in.at(TokenKind::Colon)) return lower;
  }
  in.advance();
  auto node = std::make_unique<ast::Slice>();
  raise_height(*node, lower);
  node->lower = std::move(lower);
  auto parse_bound = [&](ast::ExprPtr& bound) {
    if (!in.begins_expression(in.current().kind)) return true;
    bound = parse_expression(in);
    raise_height(*node, bound);
    return bound != nullptr;
  };
  if (!parse_bound(node->upper)) return nullptr;
  if (in.accept(TokenKind::Colon) && !parse_bound(node->step)) return nullptr;
  node->range = in.since(from);
  return grown(in, std::move(node));
}

// ---- Atoms ----

ast::ExprPtr parse_atom(TokenCursor& in) {
  switch (in.current().kind) {
    case TokenKind::Name: return parse_name(in);
    case TokenKind::Number: return parse_number(in);
    case TokenKind::String:
    case TokenKind::FStringStart: return parse_strings(in);
    case TokenKind::KwNone:
    case TokenKind::KwTrue:
    case TokenKind::KwFalse:
    case TokenKind::Ellipsis: return parse_constant_word(in);
    case TokenKind::LeftParen:
    case TokenKind::LeftBracket:
    case TokenKind::LeftBrace: {
      TokenCursor::Nesting nesting(in);
      if (nesting.is_too_deep()) return nullptr;
      if (in.at(TokenKind::LeftParen)) return parse_parenthesised(in);
      return in.at(TokenKind::LeftBracket) ? parse_list_display(in) : parse_brace_display(in);
    }
    default: in.fail_expected("an expression"); return nullptr;
  }
}

// ---- Displays ----

bool parse_generators(TokenCursor& in, ast::Generators& generators) {
  while (in.at_comprehension()) {
    std::uint32_t from = in.begin();
    auto generator = std::make_unique<ast::Comprehension>();
    generator->is_async = in.accept(TokenKind::KwAsync);
    in.advance();
    generator->target = parse_targets(in, TokenKind::KwIn);
    if (!generator->target || !in.expect(TokenKind::KwIn)) return false;
    generator->iter = parse_disjunction(in);
    if (!generator->iter) return false;
    while (in.accept(TokenKind::KwIf)) {
      generator->ifs.push_back(parse_disjunction(in));
      if (!generator->ifs.back()) return false;
    }
    generator->range = in.since(from);
    generators.push_back(std::move(generator));
  }
  return true;
}

template <typename T>
ast::ExprPtr parse_comprehension(TokenCursor& in, std::uint32_t from, SourceRange opening, TokenKind closing,
                                 ast::ExprPtr element) {
  if (element->is<ast::Starred>()) {
    in.fail("LS1201", "iterable unpacking cannot be used in a comprehension", element->range);
    return nullptr;
  }
  auto node = std::make_unique<T>();
  raise_height(*node, element);
  node->elt = std::move(element);
  if (!parse_generators(in, node->generators) || !in.expect_closing(closing, opening)) return nullptr;
  raise_height(*node, node->generators);
  node->range = in.since(from);
  return grown(in, std::move(node));
}

ast::ExprPtr parse_parenthesised(TokenCursor& in) {
  std::uint32_t from = in.begin();
  SourceRange opening = in.current().range;
  in.advance();
  ast::ExprList elements;
  bool is_tuple = in.at(TokenKind::RightParen);
  if (in.at(TokenKind::KwYield)) {
    ast::ExprPtr value = parse_yield(in);
    return value && in.expect_closing(TokenKind::RightParen, opening) ? std::move(value) : nullptr;
  }
  if (!is_tuple) {
    ast::ExprPtr first = parse_star_expression(in, true);
    if (!first) return nullptr;
    if (in.at_comprehension()) {
      return parse_comprehension<ast::GeneratorExp>(in, from, opening, TokenKind::RightParen, std::move(first));
    }
    is_tuple = in.at(TokenKind::Comma);
    elements.push_back(std::move(first));
  }
  if (!parse_element_list(in, elements, TokenKind::RightParen) || !in.expect_closing(TokenKind::RightParen, opening))
    return nullptr;
  if (!is_tuple) {
    if (!elements[0]->is<ast::Starred>()) return std::move(elements[0]);
    in.fail("LS1201", "a starred expression cannot stand alone in parentheses", elements[0]->range,
            "write (*x,) for a tuple");
    return nullptr;
  }
  auto node = make<ast::Tuple>(in, from);
  raise_height(*node, elements);
  node->elts = std::move(elements);
  return grown(in, std::move(node));
}

ast::ExprPtr parse_list_display(TokenCursor& in) {
  std::uint32_t from = in.begin();
  SourceRange opening = in.current().range;
  in.advance();
  ast::ExprList elements;
  if (!in.at(TokenKind::RightBracket)) {
    ast::ExprPtr first = parse_star_expression(in, true);
    if (!first) return nullptr;
    if (in.at_comprehension()) {
      return parse_comprehension<ast::ListComp>(in, from, opening, TokenKind::RightBracket, std::move(first));
    }
    elements.push_back(std::move(first));
    if (!parse_element_list(in, elements, TokenKind::RightBracket)) return nullptr;
  }
  if (!in.expect_closing(TokenKind::RightBracket, opening)) return nullptr;
  auto node = make<ast::List>(in, from);
  raise_height(*node, elements);
  node->elts = std::move(elements);
  return grown(in, std::move(node));
}

ast::ExprPtr parse_brace_display(TokenCursor& in) {
  std::uint32_t from = in.begin();
  SourceRange opening = in.current().range;
  in.advance();
  if (in.at(TokenKind::RightBrace) || in.at(TokenKind::DoubleStar))
    return parse_dict_display(in, from, opening, nullptr);
  ast::ExprPtr first = parse_star_expression(in, true);
  if (!first) return nullptr;
  if (in.at(TokenKind::Colon) && !first->is<ast::Starred>())
    return parse_dict_display(in, from, opening, std::move(first));
  return parse_set_display(in, from, opening, std::move(first));
}

ast::ExprPtr parse_set_display(TokenCursor& in, std::uint32_t from, SourceRange opening, ast::ExprPtr first) {
  if (in.at_comprehension()) {
    return parse_comprehension<ast::SetComp>(in, from, opening, TokenKind::RightBrace, std::move(first));
  }
  ast::ExprList elements;
  elements.push_back(std::move(first));
  if (!parse_element_list(in, elements, TokenKind::RightBrace) || !in.expect_closing(TokenKind::RightBrace, opening))
    return nullptr;
  auto node = make<ast::Set>(in, from);
  raise_height(*node, elements);
  node->elts = std::move(elements);
  return grown(in, std::move(node));
}

bool parse_dict_item(TokenCursor& in, ast::Dict& dict, ast::ExprPtr key) {
  ast::ExprPtr value;
  if (!key && in.accept(TokenKind::DoubleStar)) {
    value = parse_bitwise(in);
  } else {
    if (!key) key = parse_expression(in);
    if (!key || !in.expect(TokenKind::Colon)) return false;
    value = parse_expression(in);
  }
  if (!value) return false;
  raise_height(dict, key);
  raise_height(dict, value);
  dict.keys.push_back(std::move(key));
  dict.values.push_back(std::move(value));
  return true;
}

ast::ExprPtr parse_dict_display(TokenCursor& in, std::uint32_t from, SourceRange opening, ast::ExprPtr first_key) {
  auto node = std::make_unique<ast::Dict>();
  while (first_key || !in.at(TokenKind::RightBrace)) {
    if (!parse_dict_item(in, *node, std::move(first_key))) return nullptr;
    if (in.at_comprehension()) return parse_dict_comprehension(in, from, opening, std::move(node));
    if (!in.accept(TokenKind::Comma)) break;
  }
  if (!in.expect_closing(TokenKind::RightBrace, opening)) return nullptr;
  node->range = in.since(from);
  return grown(in, std::move(node));
}

ast::ExprPtr parse_dict_comprehension(TokenCursor& in, std::uint32_t from, SourceRange opening,
                                      std::unique_ptr<ast::Dict> item) {
  if (item->keys.size() != 1 || !item->keys[0]) {
    in.fail("LS1201", "a dict comprehension takes one 'key: value'", item->values.back()->range);
    return nullptr;
  }
  auto node = std::make_unique<ast::DictComp>();
  node->height = item->height;
  node->key = std::move(item->keys[0]);
  node->value = std::move(item->values[0]);
  if (!parse_generators(in, node->generators) || !in.expect_closing(TokenKind::RightBrace, opening)) return nullptr;
  raise_height(*node, node->generators);
  node->range = in.since(from);
  return grown(in, std::move(node));
}

}  // namespace

ast::ExprPtr parse_primary(TokenCursor& in) {
  std::uint32_t from = in.begin();
  ast::ExprPtr value = parse_atom(in);
  while (value) {
    switch (in.current().kind) {
      case TokenKind::LeftParen: value = parse_call(in, std::move(value), from); break;
      case TokenKind::LeftBracket: value = parse_subscript(in, std::move(value), from); break;
      case TokenKind::Dot: value = parse_attribute(in, std::move(value), from); break;
      default: return value;
    }
  }
  return value;
}

ast::ExprPtr parse_attribute(TokenCursor& in, ast::ExprPtr value, std::uint32_t from) {
  in.advance();
  SourceRange attr_range = in.current().range;
  std::string attr;
  if (!in.expect_name(attr, "an attribute name after '.'")) return nullptr;
  auto node = make<ast::Attribute>(in, from);
  raise_height(*node, value);
  node->value = std::move(value);
  node->attr = std::move(attr);
  node->attr_range = attr_range;
  return grown(in, std::move(node));
}

bool parse_arguments(TokenCursor& in, ast::ExprList& args, std::vector<std::unique_ptr<ast::Keyword>>& keywords) {
  SourceRange opening = in.current().range;
  in.advance();
  while (!in.at(TokenKind::RightParen)) {
    if (!parse_argument(in, args, keywords)) return false;
    if (in.at_comprehension()) {
      ast::Expr& element = *args.back();
      bool is_alone = args.size() == 1 && keywords.empty() && !element.is<ast::Starred>();
      if (!is_alone) return in.fail("LS1210", "a generator argument must be parenthesised", element.range);
      args.back() = parse_comprehension<ast::GeneratorExp>(in, opening.begin, opening, TokenKind::RightParen,
                                                           std::move(args.back()));
      return args.back() != nullptr;
    }
    if (!in.accept(TokenKind::Comma)) break;
  }
  return in.expect_closing(TokenKind::RightParen, opening);
}

ast::ExprPtr parse_name(TokenCursor& in) {
  auto node = std::make_unique<ast::Name>(in.current().range);
  node->id = in.text_of(in.current());
  in.advance();
  return node;
}

ast::ExprPtr parse_number(TokenCursor& in) {
  auto node = std::make_unique<ast::Constant>(in.current().range);
  if (!decode_number(in.text_of(in.current()), in.current().range, *node, in.problems())) return nullptr;
  in.advance();
  return node;
}

ast::ExprPtr parse_constant_word(TokenCursor& in) {
  auto node = std::make_unique<ast::Constant>(in.current().range);
  if (in.at(TokenKind::Ellipsis)) {
    node->type = ast::ConstantKind::ellipsis;
  } else if (!in.at(TokenKind::KwNone)) {
    node->type = ast::ConstantKind::boolean;
    node->integer = in.at(TokenKind::KwTrue) ? 1 : 0;
  }
  in.advance();
  return node;
}

bool parse_element_list(TokenCursor& in, ast::ExprList& elements, TokenKind end) {
  while (in.accept(TokenKind::Comma)) {
    if (in.at(end)) return true;
    elements.push_back(parse_star_expression(in, true));
    if (!elements.back()) return false;
  }
  return true;
}

}  // namespace lockstep::python_syntax
