// Simple statements: assignment in its forms, return, del, raise, assert, imports, global, type aliases.
// Source: docs.python.org/3.12/reference/grammar.html, simple statements.
#include "frontend/parser_state.h"

namespace lockstep::frontend {

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

/// What a node that cannot be assigned to is called in a message.
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

}  // namespace

bool Parser::set_context(ast::Expr& target, ast::Context context) {
  auto set_all = [&](ast::ExprList& elements) {
    for (ast::ExprPtr& element : elements) {
      if (!set_context(*element, context)) return false;
    }
    return true;
  };
  switch (target.kind) {
    case ast::Kind::Name: static_cast<ast::Name&>(target).context = context; return true;
    case ast::Kind::Attribute: static_cast<ast::Attribute&>(target).context = context; return true;
    case ast::Kind::Subscript: static_cast<ast::Subscript&>(target).context = context; return true;
    case ast::Kind::Tuple: static_cast<ast::Tuple&>(target).context = context; return set_all(static_cast<ast::Tuple&>(target).elts);
    case ast::Kind::List: static_cast<ast::List&>(target).context = context; return set_all(static_cast<ast::List&>(target).elts);
    case ast::Kind::Starred:
      if (context == ast::Context::Del) break;
      static_cast<ast::Starred&>(target).context = context;
      return set_context(*static_cast<ast::Starred&>(target).value, context);
    default: break;
  }
  std::string verb = context == ast::Context::Del ? "delete " : "assign to ";
  bool may_mean_comparison = context == ast::Context::Store && at(TokenKind::Equal);
  return fail("LS1207", "cannot " + verb + std::string(description(target)), target.range,
              may_mean_comparison ? "'=' assigns; compare with '=='" : "");
}

ast::StmtPtr Parser::parse_simple() {
  std::uint32_t from = begin();
  switch (current().kind) {
    case TokenKind::KwPass: advance(); return make<ast::Pass>(from);
    case TokenKind::KwBreak: advance(); return make<ast::Break>(from);
    case TokenKind::KwContinue: advance(); return make<ast::Continue>(from);
    case TokenKind::KwReturn: return parse_return();
    case TokenKind::KwDel: return parse_delete();
    case TokenKind::KwRaise: return parse_raise();
    case TokenKind::KwAssert: return parse_assert();
    case TokenKind::KwImport: return parse_import();
    case TokenKind::KwFrom: return parse_import_from();
    case TokenKind::KwGlobal:
    case TokenKind::KwNonlocal: return parse_scope();
    case TokenKind::KwElse:
    case TokenKind::KwElif:
    case TokenKind::KwExcept:
    case TokenKind::KwFinally:
      fail("LS1201", "'" + std::string(spelling(current().kind)) + "' without the statement that it continues",
           current().range, "it must be indented exactly as its 'if', 'for', 'while' or 'try'");
      return nullptr;
    default: break;
  }
  if (at_name("type") && ahead().kind == TokenKind::Name) return parse_type_alias();
  if (!begins_expression(current().kind) && !at(TokenKind::KwYield)) {
    fail_expected("a statement");
    return nullptr;
  }
  return parse_expression_statement();
}

// ---- Assignment ----

ast::StmtPtr Parser::parse_expression_statement() {
  std::uint32_t from = begin();
  ast::ExprPtr first = parse_yield_or_star_expressions();
  if (!first) return nullptr;
  if (at(TokenKind::Colon)) return parse_annotated_assignment(std::move(first), from);
  if (augmented_operator(current().kind)) return parse_augmented_assignment(std::move(first), from);
  if (at(TokenKind::Equal)) return parse_assignment(std::move(first), from);
  auto node = make<ast::ExprStmt>(from);
  node->value = std::move(first);
  return node;
}

ast::StmtPtr Parser::parse_annotated_assignment(ast::ExprPtr target, std::uint32_t from) {
  if (!is_single_target(*target)) {
    fail("LS1201", "unexpected ':'", current().range, "only a single name, attribute or element can be annotated");
    return nullptr;
  }
  set_context(*target, ast::Context::Store);
  bool is_simple = target->is<ast::Name>() && previous().kind != TokenKind::RightParen;
  advance();
  ast::ExprPtr annotation = parse_expression();
  if (!annotation) return nullptr;
  ast::ExprPtr value;
  if (accept(TokenKind::Equal)) {
    value = parse_yield_or_star_expressions();
    if (!value) return nullptr;
  }
  auto node = make<ast::AnnAssign>(from);
  node->target = std::move(target);
  node->annotation = std::move(annotation);
  node->value = std::move(value);
  node->is_simple = is_simple;
  return node;
}

ast::StmtPtr Parser::parse_augmented_assignment(ast::ExprPtr target, std::uint32_t from) {
  if (!is_single_target(*target)) {
    fail("LS1207", "augmented assignment to " + std::string(description(*target)) + " is not possible", target->range);
    return nullptr;
  }
  set_context(*target, ast::Context::Store);
  ast::BinaryOperator op = *augmented_operator(current().kind);
  SourceRange op_range = current().range;
  advance();
  ast::ExprPtr value = parse_yield_or_star_expressions();
  if (!value) return nullptr;
  auto node = make<ast::AugAssign>(from);
  node->target = std::move(target);
  node->op = op;
  node->op_range = op_range;
  node->value = std::move(value);
  return node;
}

ast::StmtPtr Parser::parse_assignment(ast::ExprPtr target, std::uint32_t from) {
  auto node = std::make_unique<ast::Assign>();
  ast::ExprPtr last = std::move(target);
  while (at(TokenKind::Equal)) {
    if (!set_context(*last, ast::Context::Store)) return nullptr;
    advance();
    node->targets.push_back(std::move(last));
    last = parse_yield_or_star_expressions();
    if (!last) return nullptr;
  }
  node->value = std::move(last);
  node->range = since(from);
  return node;
}

// ---- Keyword statements ----

ast::StmtPtr Parser::parse_return() {
  std::uint32_t from = begin();
  advance();
  ast::ExprPtr value;
  if (!at_end_of_statement()) {
    value = parse_star_expressions();
    if (!value) return nullptr;
  }
  auto node = make<ast::Return>(from);
  node->value = std::move(value);
  return node;
}

ast::StmtPtr Parser::parse_delete() {
  std::uint32_t from = begin();
  advance();
  auto node = std::make_unique<ast::Delete>();
  do {
    if (!node->targets.empty() && at_end_of_statement()) break;
    ast::ExprPtr target = parse_bitwise();
    if (!target || !set_context(*target, ast::Context::Del)) return nullptr;
    node->targets.push_back(std::move(target));
  } while (accept(TokenKind::Comma));
  node->range = since(from);
  return node;
}

ast::StmtPtr Parser::parse_raise() {
  std::uint32_t from = begin();
  advance();
  ast::ExprPtr exception, cause;
  if (!at_end_of_statement()) {
    exception = parse_expression();
    if (!exception) return nullptr;
    if (accept(TokenKind::KwFrom)) {
      cause = parse_expression();
      if (!cause) return nullptr;
    } else if (at(TokenKind::Comma)) {
      fail("LS1212", "'raise Type, value' is Python 2", current().range, "write raise Type(value)");
      return nullptr;
    }
  }
  auto node = make<ast::Raise>(from);
  node->exc = std::move(exception);
  node->cause = std::move(cause);
  return node;
}

ast::StmtPtr Parser::parse_assert() {
  std::uint32_t from = begin();
  advance();
  ast::ExprPtr test = parse_expression(), message;
  if (!test) return nullptr;
  if (accept(TokenKind::Comma)) {
    message = parse_expression();
    if (!message) return nullptr;
  }
  auto node = make<ast::Assert>(from);
  node->test = std::move(test);
  node->msg = std::move(message);
  return node;
}

ast::StmtPtr Parser::parse_scope() {
  std::uint32_t from = begin();
  bool is_global = at(TokenKind::KwGlobal);
  advance();
  std::vector<std::string> names;
  do {
    if (!expect_name(names.emplace_back(), "a name")) return nullptr;
  } while (accept(TokenKind::Comma));
  if (is_global) {
    auto node = make<ast::Global>(from);
    node->names = std::move(names);
    return node;
  }
  auto node = make<ast::Nonlocal>(from);
  node->names = std::move(names);
  return node;
}

ast::StmtPtr Parser::parse_type_alias() {
  std::uint32_t from = begin();
  advance();
  auto node = std::make_unique<ast::TypeAlias>();
  auto name = std::make_unique<ast::Name>(current().range);
  name->context = ast::Context::Store;
  if (!expect_name(name->id, "a name")) return nullptr;
  node->name = std::move(name);
  if (at(TokenKind::LeftBracket) && !parse_type_params(node->type_params)) return nullptr;
  if (!expect(TokenKind::Equal)) return nullptr;
  node->value = parse_expression();
  if (!node->value) return nullptr;
  node->range = since(from);
  return node;
}

// ---- Imports ----

bool Parser::parse_dotted_name(std::string& name) {
  if (!expect_name(name, "a module name")) return false;
  while (accept(TokenKind::Dot)) {
    std::string part;
    if (!expect_name(part, "a name after '.'")) return false;
    name += "." + part;
  }
  return true;
}

std::unique_ptr<ast::Alias> Parser::parse_alias(bool is_dotted) {
  std::uint32_t from = begin();
  std::string name;
  std::optional<std::string> asname;
  bool is_good = is_dotted ? parse_dotted_name(name) : expect_name(name, "a name to import");
  if (!is_good || (accept(TokenKind::KwAs) && !expect_name(asname.emplace(), "a name after 'as'"))) return nullptr;
  auto alias = make<ast::Alias>(from);
  alias->name = std::move(name);
  alias->asname = std::move(asname);
  return alias;
}

ast::StmtPtr Parser::parse_import() {
  std::uint32_t from = begin();
  advance();
  auto node = std::make_unique<ast::Import>();
  do {
    node->names.push_back(parse_alias(true));
    if (!node->names.back()) return nullptr;
  } while (accept(TokenKind::Comma));
  node->range = since(from);
  return node;
}

ast::StmtPtr Parser::parse_import_from() {
  std::uint32_t from = begin();
  advance();
  auto node = std::make_unique<ast::ImportFrom>();
  while (at(TokenKind::Dot) || at(TokenKind::Ellipsis)) {
    node->level += at(TokenKind::Dot) ? 1 : 3;
    advance();
  }
  if (node->level == 0 || !at(TokenKind::KwImport)) {
    if (!parse_dotted_name(node->module.emplace())) return nullptr;
  }
  if (!expect(TokenKind::KwImport) || !parse_import_names(*node)) return nullptr;
  node->range = since(from);
  return node;
}

bool Parser::parse_import_names(ast::ImportFrom& import) {
  if (at(TokenKind::Star)) {
    auto alias = std::make_unique<ast::Alias>(current().range);
    alias->name = "*";
    import.names.push_back(std::move(alias));
    advance();
    return true;
  }
  SourceRange opening = current().range;
  bool is_parenthesised = accept(TokenKind::LeftParen);
  do {
    if (is_parenthesised && !import.names.empty() && at(TokenKind::RightParen)) break;
    import.names.push_back(parse_alias(false));
    if (!import.names.back()) return false;
  } while (accept(TokenKind::Comma));
  return !is_parenthesised || expect_closing(TokenKind::RightParen, opening);
}

// ---- What may be wrong after a statement ----

bool Parser::fail_after_statement() {
  if (is_aborted_ || at(TokenKind::Invalid)) return false;
  if (previous().kind == TokenKind::Name) {
    std::string_view word = text_of(previous());
    bool is_print = word == "print" || word == "exec";
    if (is_print && begins_expression(current().kind)) {
      std::string name(word);
      return fail("LS1212", "'" + name + "' is a function: the statement is Python 2", previous().range,
                  "write " + name + "(...)");
    }
  }
  std::string hint = hint_here();
  if (hint.empty() && at(TokenKind::Colon)) hint = "':' ends the first line of a compound statement only";
  if (hint.empty() && at(TokenKind::ColonEqual)) hint = "assign with '='; ':=' needs parentheses here";
  if (at(TokenKind::Dedent) || at(TokenKind::Indent)) return false;
  return fail("LS1201", "expected the end of the statement, found " + describe(current()), current().range, hint);
}

}  // namespace lockstep::frontend
