// Simple statements: assignment in its forms, return, del, raise, assert, imports, global, type aliases.
// Source: docs.python.org/3.12/reference/grammar.html, simple statements.
#include "python_syntax/grammar.h"

namespace lockstep::python_syntax {

namespace {

std::optional<ast::BinaryOperator> augmented_operator(TokenKind kind) {
  switch (kind) {
    case TokenKind::PlusEqual: return ast::BinaryOperator::Add;
    case TokenKind::MinusEqual: return ast::BinaryOperator::Sub;
    case TokenKind::StarEqual: return ast::BinaryOperator::Mult;
    case TokenKind::AtEqual: return ast::BinaryOperator::MatMult;
    case TokenKind::SlashEqual: return ast::BinaryOperator::Div;
    case TokenKind::PercentEqual: return ast::BinaryOperator::Mod;
    case TokenKind::DoubleStarEqual: return ast::BinaryOperator::Pow;
    case TokenKind::LeftShiftEqual: return ast::BinaryOperator::LShift;
    case TokenKind::RightShiftEqual: return ast::BinaryOperator::RShift;
    case TokenKind::BarEqual: return ast::BinaryOperator::BitOr;
    case TokenKind::CaretEqual: return ast::BinaryOperator::BitXor;
    case TokenKind::AmpersandEqual: return ast::BinaryOperator::BitAnd;
    case TokenKind::DoubleSlashEqual: return ast::BinaryOperator::FloorDiv;
    default: return std::nullopt;
  }
}

/// The name, for messages, of a node that cannot be assigned to.
std::string_view description(const ast::Expr& expression) {
  switch (expression.kind) {
    case ast::Kind::Call: return "a function call";
    case ast::Kind::Constant: return "a literal";
    case ast::Kind::JoinedStr:
    case ast::Kind::FormattedValue: return "an f-string";
    case ast::Kind::Compare: return "a comparison";
    case ast::Kind::BinOp:
    case ast::Kind::UnaryOp:
    case ast::Kind::BoolOp: return "an expression";
    case ast::Kind::IfExp: return "a conditional expression";
    case ast::Kind::Lambda: return "a lambda";
    case ast::Kind::Dict:
    case ast::Kind::Set: return "a display in braces";
    case ast::Kind::ListComp:
    case ast::Kind::SetComp:
    case ast::Kind::DictComp:
    case ast::Kind::GeneratorExp: return "a comprehension";
    case ast::Kind::NamedExpr: return "an assignment expression";
    case ast::Kind::Yield:
    case ast::Kind::YieldFrom: return "a yield expression";
    case ast::Kind::Await: return "an await expression";
    case ast::Kind::Starred: return "a starred expression";
    default: return "this expression";
  }
}

bool is_single_target(const ast::Expr& target) {
  return target.is<ast::Name>() || target.is<ast::Attribute>() || target.is<ast::Subscript>();
}

ast::StmtPtr parse_annotated_assignment(TokenCursor& in, ast::ExprPtr target, std::uint32_t from);
ast::StmtPtr parse_augmented_assignment(TokenCursor& in, ast::ExprPtr target, std::uint32_t from);
ast::StmtPtr parse_assignment(TokenCursor& in, ast::ExprPtr target, std::uint32_t from);
bool parse_import_names(TokenCursor& in, ast::ImportFrom& import);

// ---- Assignment ----

ast::StmtPtr parse_expression_statement(TokenCursor& in) {
  std::uint32_t from = in.begin();
  ast::ExprPtr first = parse_yield_or_star_expressions(in);
  if (!first) return nullptr;
  if (in.at(TokenKind::Colon)) return parse_annotated_assignment(in, std::move(first), from);
  if (augmented_operator(in.current().kind)) return parse_augmented_assignment(in, std::move(first), from);
  if (in.at(TokenKind::Equal)) return parse_assignment(in, std::move(first), from);
  auto node = make<ast::ExprStmt>(in, from);
  node->value = std::move(first);
  return node;
}

ast::StmtPtr parse_annotated_assignment(TokenCursor& in, ast::ExprPtr target, std::uint32_t from) {
  if (!is_single_target(*target)) {
    in.fail("LS1201", "unexpected ':'", in.current().range,
            "only a single name, attribute or element can be annotated");
    return nullptr;
  }
  set_context(in, *target, ast::Context::Store);
  bool is_simple = target->is<ast::Name>() && in.previous().kind != TokenKind::RightParen;
  in.advance();
  ast::ExprPtr annotation = parse_expression(in);
  if (!annotation) return nullptr;
  ast::ExprPtr value;
  if (in.accept(TokenKind::Equal)) {
    value = parse_yield_or_star_expressions(in);
    if (!value) return nullptr;
  }
  auto node = make<ast::AnnAssign>(in, from);
  node->target = std::move(target);
  node->annotation = std::move(annotation);
  node->value = std::move(value);
  node->is_simple = is_simple;
  return node;
}

ast::StmtPtr parse_augmented_assignment(TokenCursor& in, ast::ExprPtr target, std::uint32_t from) {
  if (!is_single_target(*target)) {
    in.fail("LS1207", "augmented assignment to " + std::string(description(*target)) + " is not possible",
            target->range);
    return nullptr;
  }
  set_context(in, *target, ast::Context::Store);
  ast::BinaryOperator op = *augmented_operator(in.current().kind);
  SourceRange op_range = in.current().range;
  in.advance();
  ast::ExprPtr value = parse_yield_or_star_expressions(in);
  if (!value) return nullptr;
  auto node = make<ast::AugAssign>(in, from);
  node->target = std::move(target);
  node->op = op;
  node->op_range = op_range;
  node->value = std::move(value);
  return node;
}

ast::StmtPtr parse_assignment(TokenCursor& in, ast::ExprPtr target, std::uint32_t from) {
  auto node = std::make_unique<ast::Assign>();
  ast::ExprPtr last = std::move(target);
  while (in.at(TokenKind::Equal)) {
    if (!set_context(in, *last, ast::Context::Store)) return nullptr;
    in.advance();
    node->targets.push_back(std::move(last));
    last = parse_yield_or_star_expressions(in);
    if (!last) return nullptr;
  }
  node->value = std::move(last);
  node->range = in.since(from);
  return node;
}

// ---- Keyword statements ----

ast::StmtPtr parse_return(TokenCursor& in) {
  std::uint32_t from = in.begin();
  in.advance();
  ast::ExprPtr value;
  if (!in.at_end_of_statement()) {
    value = parse_star_expressions(in);
    if (!value) return nullptr;
  }
  auto node = make<ast::Return>(in, from);
  node->value = std::move(value);
  return node;
}

ast::StmtPtr parse_delete(TokenCursor& in) {
  std::uint32_t from = in.begin();
  in.advance();
  auto node = std::make_unique<ast::Delete>();
  do {
    if (!node->targets.empty() && in.at_end_of_statement()) break;
    ast::ExprPtr target = parse_bitwise(in);
    if (!target || !set_context(in, *target, ast::Context::Del)) return nullptr;
    node->targets.push_back(std::move(target));
  } while (in.accept(TokenKind::Comma));
  node->range = in.since(from);
  return node;
}

ast::StmtPtr parse_raise(TokenCursor& in) {
  std::uint32_t from = in.begin();
  in.advance();
  ast::ExprPtr exception, cause;
  if (!in.at_end_of_statement()) {
    exception = parse_expression(in);
    if (!exception) return nullptr;
    if (in.accept(TokenKind::KwFrom)) {
      cause = parse_expression(in);
      if (!cause) return nullptr;
    } else if (in.at(TokenKind::Comma)) {
      in.fail("LS1212", "'raise Type, value' is Python 2", in.current().range, "write raise Type(value)");
      return nullptr;
    }
  }
  auto node = make<ast::Raise>(in, from);
  node->exc = std::move(exception);
  node->cause = std::move(cause);
  return node;
}

ast::StmtPtr parse_assert(TokenCursor& in) {
  std::uint32_t from = in.begin();
  in.advance();
  ast::ExprPtr test = parse_expression(in), message;
  if (!test) return nullptr;
  if (in.accept(TokenKind::Comma)) {
    message = parse_expression(in);
    if (!message) return nullptr;
  }
  auto node = make<ast::Assert>(in, from);
  node->test = std::move(test);
  node->msg = std::move(message);
  return node;
}

ast::StmtPtr parse_scope(TokenCursor& in) {
  std::uint32_t from = in.begin();
  bool is_global = in.at(TokenKind::KwGlobal);
  in.advance();
  std::vector<std::string> names;
  do {
    if (!in.expect_name(names.emplace_back(), "a name")) return nullptr;
  } while (in.accept(TokenKind::Comma));
  if (is_global) {
    auto node = make<ast::Global>(in, from);
    node->names = std::move(names);
    return node;
  }
  auto node = make<ast::Nonlocal>(in, from);
  node->names = std::move(names);
  return node;
}

ast::StmtPtr parse_type_alias(TokenCursor& in) {
  std::uint32_t from = in.begin();
  in.advance();
  auto node = std::make_unique<ast::TypeAlias>();
  auto name = std::make_unique<ast::Name>(in.current().range);
  name->context = ast::Context::Store;
  if (!in.expect_name(name->id, "a name")) return nullptr;
  node->name = std::move(name);
  if (in.at(TokenKind::LeftBracket) && !parse_type_params(in, node->type_params)) return nullptr;
  if (!in.expect(TokenKind::Equal)) return nullptr;
  node->value = parse_expression(in);
  if (!node->value) return nullptr;
  node->range = in.since(from);
  return node;
}

// ---- Imports ----

bool parse_dotted_name(TokenCursor& in, std::string& name) {
  if (!in.expect_name(name, "a module name")) return false;
  while (in.accept(TokenKind::Dot)) {
    std::string part;
    if (!in.expect_name(part, "a name after '.'")) return false;
    name += "." + part;
  }
  return true;
}

std::unique_ptr<ast::Alias> parse_alias(TokenCursor& in, bool is_dotted) {
  std::uint32_t from = in.begin();
  std::string name;
  std::optional<std::string> asname;
  bool is_good = is_dotted ? parse_dotted_name(in, name) : in.expect_name(name, "a name to import");
  if (!is_good || (in.accept(TokenKind::KwAs) && !in.expect_name(asname.emplace(), "a name after 'as'")))
    return nullptr;
  auto alias = make<ast::Alias>(in, from);
  alias->name = std::move(name);
  alias->asname = std::move(asname);
  return alias;
}

ast::StmtPtr parse_import(TokenCursor& in) {
  std::uint32_t from = in.begin();
  in.advance();
  auto node = std::make_unique<ast::Import>();
  do {
    node->names.push_back(parse_alias(in, true));
    if (!node->names.back()) return nullptr;
  } while (in.accept(TokenKind::Comma));
  node->range = in.since(from);
  return node;
}

ast::StmtPtr parse_import_from(TokenCursor& in) {
  std::uint32_t from = in.begin();
  in.advance();
  auto node = std::make_unique<ast::ImportFrom>();
  while (in.at(TokenKind::Dot) || in.at(TokenKind::Ellipsis)) {
    node->level += in.at(TokenKind::Dot) ? 1 : 3;
    in.advance();
  }
  if (node->level == 0 || !in.at(TokenKind::KwImport)) {
    if (!parse_dotted_name(in, node->module.emplace())) return nullptr;
  }
  if (!in.expect(TokenKind::KwImport) || !parse_import_names(in, *node)) return nullptr;
  node->range = in.since(from);
  return node;
}

bool parse_import_names(TokenCursor& in, ast::ImportFrom& import) {
  if (in.at(TokenKind::Star)) {
    auto alias = std::make_unique<ast::Alias>(in.current().range);
    alias->name = "*";
    import.names.push_back(std::move(alias));
    in.advance();
    return true;
  }
  SourceRange opening = in.current().range;
  bool is_parenthesised = in.accept(TokenKind::LeftParen);
  do {
    if (is_parenthesised && !import.names.empty() && in.at(TokenKind::RightParen)) break;
    import.names.push_back(parse_alias(in, false));
    if (!import.names.back()) return false;
  } while (in.accept(TokenKind::Comma));
  return !is_parenthesised || in.expect_closing(TokenKind::RightParen, opening);
}

}  // namespace

bool set_context(TokenCursor& in, ast::Expr& target, ast::Context context) {
  auto set_all = [&](ast::ExprList& elements) {
    for (ast::ExprPtr& element : elements) {
      if (!set_context(in, *element, context)) return false;
    }
    return true;
  };
  switch (target.kind) {
    case ast::Kind::Name: static_cast<ast::Name&>(target).context = context; return true;
    case ast::Kind::Attribute: static_cast<ast::Attribute&>(target).context = context; return true;
    case ast::Kind::Subscript: static_cast<ast::Subscript&>(target).context = context; return true;
    case ast::Kind::Tuple:
      static_cast<ast::Tuple&>(target).context = context;
      return set_all(static_cast<ast::Tuple&>(target).elts);
    case ast::Kind::List:
      static_cast<ast::List&>(target).context = context;
      return set_all(static_cast<ast::List&>(target).elts);
    case ast::Kind::Starred:
      if (context == ast::Context::Del) break;
      static_cast<ast::Starred&>(target).context = context;
      return set_context(in, *static_cast<ast::Starred&>(target).value, context);
    default: break;
  }
  std::string verb = context == ast::Context::Del ? "delete " : "assign to ";
  bool may_mean_comparison = context == ast::Context::Store && in.at(TokenKind::Equal);
  return in.fail("LS1207", "cannot " + verb + std::string(description(target)), target.range,
                 may_mean_comparison ? "'=' assigns; compare with '=='" : "");
}

ast::StmtPtr parse_simple(TokenCursor& in) {
  std::uint32_t from = in.begin();
  switch (in.current().kind) {
    case TokenKind::KwPass: in.advance(); return make<ast::Pass>(in, from);
    case TokenKind::KwBreak: in.advance(); return make<ast::Break>(in, from);
    case TokenKind::KwContinue: in.advance(); return make<ast::Continue>(in, from);
    case TokenKind::KwReturn: return parse_return(in);
    case TokenKind::KwDel: return parse_delete(in);
    case TokenKind::KwRaise: return parse_raise(in);
    case TokenKind::KwAssert: return parse_assert(in);
    case TokenKind::KwImport: return parse_import(in);
    case TokenKind::KwFrom: return parse_import_from(in);
    case TokenKind::KwGlobal:
    case TokenKind::KwNonlocal: return parse_scope(in);
    case TokenKind::KwElse:
    case TokenKind::KwElif:
    case TokenKind::KwExcept:
    case TokenKind::KwFinally:
      in.fail("LS1201", "'" + std::string(spelling(in.current().kind)) + "' without the statement that it continues",
              in.current().range, "it must be indented exactly as its 'if', 'for', 'while' or 'try'");
      return nullptr;
    default: break;
  }
  if (in.at_name("type") && in.ahead().kind == TokenKind::Name) return parse_type_alias(in);
  if (!in.begins_expression(in.current().kind) && !in.at(TokenKind::KwYield)) {
    in.fail_expected("a statement");
    return nullptr;
  }
  return parse_expression_statement(in);
}

// ---- What may be wrong after a statement ----

bool fail_after_statement(TokenCursor& in) {
  if (in.is_aborted() || in.at(TokenKind::Invalid)) return false;
  if (in.previous().kind == TokenKind::Name) {
    std::string_view word = in.text_of(in.previous());
    bool is_print = word == "print" || word == "exec";
    if (is_print && in.begins_expression(in.current().kind)) {
      std::string name(word);
      return in.fail("LS1212", "'" + name + "' is a function: the statement is Python 2", in.previous().range,
                     "write " + name + "(...)");
    }
  }
  std::string hint = in.hint_here();
  if (hint.empty() && in.at(TokenKind::Colon)) hint = "':' ends the first line of a compound statement only";
  if (hint.empty() && in.at(TokenKind::ColonEqual)) hint = "assign with '='; ':=' needs parentheses here";
  if (in.at(TokenKind::Dedent) || in.at(TokenKind::Indent)) return false;
  return in.fail("LS1201", "expected the end of the statement, found " + in.describe(in.current()), in.current().range,
                 hint);
}

}  // namespace lockstep::python_syntax
