#include "python_syntax/parser.h"

#include <algorithm>

#include "python_syntax/parser_state.h"

namespace lockstep::python_syntax {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{8} << 20;

bool check_size(const SourceFilePtr& file, DiagnosticSink& sink) {
  if (file->text().size() <= kMaxFileBytes) return true;
  sink.report({Severity::error, "LS1290", "the file is larger than 8 MiB", {file, {0, 0}}, {}, "split the file"});
  return false;
}

}  // namespace

std::unique_ptr<ast::Module> parse_python(SourceFilePtr file, DiagnosticSink& sink) {
  if (!check_size(file, sink)) {
    auto module = std::make_unique<ast::Module>();
    module->file = std::move(file);
    return module;
  }
  ProblemList problems(file);
  std::vector<Token> tokens = tokenize(*file, problems);
  auto module = Parser(std::move(file), std::move(tokens), problems).parse_module();
  problems.hand_over(sink);
  return module;
}

ast::ExprPtr parse_python_expression(SourceFilePtr file, DiagnosticSink& sink) {
  if (!check_size(file, sink)) return nullptr;
  ProblemList problems(file);
  std::vector<Token> tokens = tokenize(*file, problems);
  ast::ExprPtr expression = Parser(std::move(file), std::move(tokens), problems).parse_only_expression();
  if (problems.has_errors()) expression = nullptr;
  problems.hand_over(sink);
  return expression;
}

Parser::Parser(SourceFilePtr file, std::vector<Token> tokens, ProblemList& problems)
    : file_(std::move(file)), text_(file_->text()), tokens_(std::move(tokens)), problems_(problems) {}

std::unique_ptr<ast::Module> Parser::parse_module() {
  auto module = std::make_unique<ast::Module>(SourceRange{0, static_cast<std::uint32_t>(text_.size())});
  module->file = file_;
  while (!at(TokenKind::EndOfFile)) {
    parse_statements(module->body);
    if (at(TokenKind::Dedent)) advance();
  }
  return module;
}

ast::ExprPtr Parser::parse_only_expression() {
  accept(TokenKind::Indent);  // leading blanks do no harm here
  ast::ExprPtr expression = parse_star_expressions();
  if (!expression) return nullptr;
  accept(TokenKind::Newline);
  accept(TokenKind::Dedent);
  if (!at(TokenKind::EndOfFile) && !fail_expected("the end of the expression")) return nullptr;
  return expression;
}

// ---- Cursor ----

std::string_view Parser::text_of(const Token& token) const {
  return text_.substr(token.range.begin, token.range.end - token.range.begin);
}

void Parser::advance() {
  if (is_visible(current().kind)) last_end_ = current().range.end;
  if (position_ + 1 < tokens_.size()) ++position_;
}

bool Parser::accept(TokenKind kind) {
  if (!at(kind)) return false;
  advance();
  return true;
}

bool Parser::at_end_of_statement() const {
  return at(TokenKind::Newline) || at(TokenKind::Semicolon) || at(TokenKind::EndOfFile);
}

bool Parser::begins_expression(TokenKind kind) const {
  switch (kind) {
    case TokenKind::Name:
    case TokenKind::Number:
    case TokenKind::String:
    case TokenKind::FStringStart:
    case TokenKind::LeftParen:
    case TokenKind::LeftBracket:
    case TokenKind::LeftBrace:
    case TokenKind::Ellipsis:
    case TokenKind::Plus:
    case TokenKind::Minus:
    case TokenKind::Tilde:
    case TokenKind::Star:
    case TokenKind::KwNot:
    case TokenKind::KwLambda:
    case TokenKind::KwAwait:
    case TokenKind::KwNone:
    case TokenKind::KwTrue:
    case TokenKind::KwFalse:
    case TokenKind::Invalid: return true;
    default: return false;
  }
}

// ---- Errors ----

/// The lexer has said what is wrong in the rest of this line: the parser's view of it would only confuse.
bool Parser::line_is_reported() const {
  for (std::size_t i = position_; i < tokens_.size() && tokens_[i].kind != TokenKind::Newline; ++i) {
    if (tokens_[i].kind == TokenKind::Invalid) return true;
  }
  return false;
}

bool Parser::fail(std::string code, std::string message, SourceRange range, std::string hint) {
  has_reported_ = !is_aborted_ && !line_is_reported();
  if (has_reported_) problems_.report(std::move(code), std::move(message), range, std::move(hint));
  return false;
}

void Parser::note(std::string message, SourceRange range) {
  if (has_reported_) problems_.add_note(std::move(message), range);
}

bool Parser::fail_expected(std::string_view expected) {
  if (is_aborted_ || at(TokenKind::Invalid)) return false;
  const Token& token = current();
  return fail("LS1201", "expected " + std::string(expected) + ", found " + describe(token), token.range, hint_here());
}

std::string Parser::describe(const Token& token) const {
  if (is_operator(token.kind) || is_keyword(token.kind)) return "'" + std::string(spelling(token.kind)) + "'";
  constexpr std::size_t kShown = 32;
  bool is_short = token.range.end - token.range.begin <= kShown;
  if (is_short && (token.kind == TokenKind::Name || token.kind == TokenKind::Number)) {
    return "'" + std::string(text_of(token)) + "'";
  }
  return std::string(spelling(token.kind));
}

std::string Parser::hint_here() const {
  TokenKind here = current().kind, before = previous().kind;
  bool touches = previous().range.end == current().range.begin;
  if (here == TokenKind::Exclamation) return "negation is 'not x'";
  if (here == TokenKind::Ampersand && before == here && touches) return "Python's logical operators are 'and' and 'or'";
  if (here == TokenKind::Bar && before == here && touches) return "Python's logical operators are 'and' and 'or'";
  if (here == TokenKind::Greater && before == TokenKind::Less && touches) return "'<>' is Python 2; write !=";
  if (here == TokenKind::KwIf && before == TokenKind::KwElse) return "write 'elif'";
  if (here == TokenKind::Equal) return "'=' assigns; compare with '=='";
  bool ends = here == TokenKind::Newline || here == TokenKind::RightParen;
  bool doubled = position_ >= 2 && tokens_[position_ - 2].kind == before;
  if (ends && doubled && (before == TokenKind::Plus || before == TokenKind::Minus)) {
    return before == TokenKind::Plus ? "Python has no '++'; write x += 1" : "Python has no '--'; write x -= 1";
  }
  if (is_keyword(here)) return "'" + std::string(spelling(here)) + "' is a keyword of Python";
  return {};
}

bool Parser::expect(TokenKind kind) { return accept(kind) || fail_expected("'" + std::string(spelling(kind)) + "'"); }

bool Parser::expect_closing(TokenKind kind, SourceRange opening) {
  if (accept(kind)) return true;
  if (is_aborted_ || at(TokenKind::Invalid)) return false;
  std::string hint = hint_here();
  if (hint.empty() && begins_expression(current().kind)) hint = "is a comma missing before this?";
  fail("LS1201", "expected ',' or '" + std::string(spelling(kind)) + "', found " + describe(current()), current().range,
       hint);
  note("in the brackets opened here", opening);
  return false;
}

bool Parser::expect_name(std::string& name, std::string_view what) {
  if (!at(TokenKind::Name)) return fail_expected(what);
  name = text_of(current());
  advance();
  return true;
}

bool Parser::abort_too_deep() {
  if (!is_aborted_) {
    problems_.report("LS1290", "nested too deeply here", current().range,
                     "split the expression or the block into smaller parts");
    position_ = tokens_.size() - 1;
    is_aborted_ = true;
  }
  return true;
}

void Parser::recover() {
  while (!at(TokenKind::Newline) && !at(TokenKind::EndOfFile) && !at(TokenKind::Dedent) && !at(TokenKind::Indent))
    advance();
  accept(TokenKind::Newline);
  if (!at(TokenKind::Indent)) return;
  Nesting nesting(*this);
  if (nesting.is_too_deep()) return;
  advance();
  ast::Body discarded;  // read only for its own errors
  parse_statements(discarded);
  accept(TokenKind::Dedent);
}

void Parser::raise_height(ast::Expr& parent, const ast::Generators& generators) {
  for (const auto& generator : generators) {
    raise_height(parent, generator->target);
    raise_height(parent, generator->iter);
    raise_height(parent, generator->ifs);
  }
}

void Parser::raise_height(ast::Expr& parent, const ast::Arguments& arguments) {
  raise_height(parent, arguments.defaults);
  raise_height(parent, arguments.kw_defaults);
}

// ---- Statements ----

void Parser::parse_statements(ast::Body& body) {
  while (!at(TokenKind::EndOfFile) && !at(TokenKind::Dedent)) parse_statement(body);
}

namespace {

/// Keywords that continue a compound statement, with a block of their own.
bool continues_compound(TokenKind kind) {
  return kind == TokenKind::KwElse || kind == TokenKind::KwElif || kind == TokenKind::KwExcept ||
         kind == TokenKind::KwFinally;
}

}  // namespace

void Parser::parse_statement(ast::Body& body) {
  if (at(TokenKind::Indent)) return parse_unexpected_indent(body);
  if (accept(TokenKind::Newline)) return;
  bool is_leftover = std::exchange(lost_compound_, false) && continues_compound(current().kind);
  if (is_leftover) {
    recover();
    lost_compound_ = true;
    return;
  }
  std::size_t start = position_;
  bool is_simple = false;
  ast::StmtPtr statement;
  switch (current().kind) {
    case TokenKind::KwIf:
    case TokenKind::KwWhile:
    case TokenKind::KwFor:
    case TokenKind::KwTry:
    case TokenKind::KwWith:
    case TokenKind::KwDef:
    case TokenKind::KwClass:
    case TokenKind::KwAsync:
    case TokenKind::At: statement = parse_compound(); break;
    default:
      is_simple = !is_match_statement();
      if (is_simple) {
        parse_simple_line(body);
      } else {
        statement = parse_match();
      }
  }
  if (is_simple) return;
  if (statement) {
    body.push_back(std::move(statement));
    return;
  }
  if (position_ == start) advance();
  recover();
  lost_compound_ = true;
}

void Parser::parse_unexpected_indent(ast::Body& body) {
  fail("LS1202", "unexpected indent", current().range,
       "only the block after a line that ends in ':' is indented further");
  Nesting nesting(*this);
  if (nesting.is_too_deep()) return;
  advance();
  parse_statements(body);
  accept(TokenKind::Dedent);
}

ast::StmtPtr Parser::parse_compound() {
  Nesting nesting(*this);
  if (nesting.is_too_deep()) return nullptr;
  std::uint32_t from = begin();
  switch (current().kind) {
    case TokenKind::KwIf: return parse_if();
    case TokenKind::KwWhile: return parse_while();
    case TokenKind::KwFor: return parse_for(from, false);
    case TokenKind::KwTry: return parse_try();
    case TokenKind::KwWith: return parse_with(from, false);
    case TokenKind::KwDef: return parse_function(from, false);
    case TokenKind::KwClass: return parse_class();
    case TokenKind::KwAsync: return parse_async();
    default: return parse_decorated();
  }
}

void Parser::parse_simple_line(ast::Body& body) {
  do {
    if (at(TokenKind::Newline) || at(TokenKind::EndOfFile)) break;
    std::size_t start = position_;
    ast::StmtPtr statement = parse_simple();
    if (!statement || (!at_end_of_statement() && !fail_after_statement())) {
      if (position_ == start && !at(TokenKind::Dedent)) advance();
      return recover();
    }
    body.push_back(std::move(statement));
  } while (accept(TokenKind::Semicolon));
  accept(TokenKind::Newline);
}

bool Parser::expect_colon(std::string_view what) {
  colon_was_missing_ = false;
  if (accept(TokenKind::Colon)) return true;
  if (is_aborted_ || at(TokenKind::Invalid)) return false;
  std::string where = "expected ':' after " + std::string(what);
  if (at(TokenKind::Newline) || at(TokenKind::EndOfFile)) {
    fail("LS1208", where, {last_end_, last_end_}, "add ':' at the end of the line");
    colon_was_missing_ = true;
    return true;
  }
  std::string hint = hint_here();
  if (at(TokenKind::Equal))
    hint = "'=' assigns; write '==' to compare, or '(name := value)' to assign inside an expression";
  return fail("LS1208", where + ", found " + describe(current()), current().range, hint);
}

bool Parser::parse_block(ast::Body& body, std::string_view what, SourceRange header) {
  if (!expect_colon(what)) return false;
  bool is_quiet = colon_was_missing_;
  if (!accept(TokenKind::Newline)) {
    parse_simple_line(body);
    return true;
  }
  if (!at(TokenKind::Indent)) {
    if (is_quiet || is_aborted_) return !is_aborted_;
    fail("LS1202", "expected an indented block after " + std::string(what), current().range,
         "indent the lines that belong to it; an empty block is written 'pass'");
    note("the block belongs to this", header);
    return true;
  }
  advance();
  lost_compound_ = false;
  parse_statements(body);
  lost_compound_ = false;
  accept(TokenKind::Dedent);
  return true;
}

}  // namespace lockstep::python_syntax
