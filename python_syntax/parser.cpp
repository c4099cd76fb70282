#include "python_syntax/parser.h"

#include <algorithm>

#include "python_syntax/grammar.h"

namespace lockstep::python_syntax {

namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{8} << 20;

bool check_size(const SourceFilePtr& file, DiagnosticSink& sink) {
  if (file->text().size() <= kMaxFileBytes) return true;
  sink.report({Severity::error, "LS1290", "the file is larger than 8 MiB", {file, {0, 0}}, {}, "split the file"});
  return false;
}

/// Keywords that continue a compound statement, with a block of their own.
bool continues_compound(TokenKind kind) {
  return kind == TokenKind::KwElse || kind == TokenKind::KwElif || kind == TokenKind::KwExcept ||
         kind == TokenKind::KwFinally;
}

void parse_statements(TokenCursor& in, ast::Body& body);
void parse_statement(TokenCursor& in, ast::Body& body);
void parse_unexpected_indent(TokenCursor& in, ast::Body& body);
ast::StmtPtr parse_compound(TokenCursor& in);
void parse_simple_line(TokenCursor& in, ast::Body& body);

std::unique_ptr<ast::Module> parse_module(TokenCursor& in) {
  auto module = std::make_unique<ast::Module>(SourceRange{0, static_cast<std::uint32_t>(in.file()->text().size())});
  module->file = in.file();
  while (!in.at(TokenKind::EndOfFile)) {
    parse_statements(in, module->body);
    if (in.at(TokenKind::Dedent)) in.advance();
  }
  return module;
}

ast::ExprPtr parse_only_expression(TokenCursor& in) {
  in.accept(TokenKind::Indent);  // leading blanks do no harm here
  ast::ExprPtr expression = parse_star_expressions(in);
  if (!expression) return nullptr;
  in.accept(TokenKind::Newline);
  in.accept(TokenKind::Dedent);
  if (!in.at(TokenKind::EndOfFile) && !in.fail_expected("the end of the expression")) return nullptr;
  return expression;
}

// ---- Statements ----

void parse_statements(TokenCursor& in, ast::Body& body) {
  while (!in.at(TokenKind::EndOfFile) && !in.at(TokenKind::Dedent)) parse_statement(in, body);
}

void parse_statement(TokenCursor& in, ast::Body& body) {
  if (in.at(TokenKind::Indent)) return parse_unexpected_indent(in, body);
  if (in.accept(TokenKind::Newline)) return;
  bool is_leftover = std::exchange(in.lost_compound, false) && continues_compound(in.current().kind);
  if (is_leftover) {
    recover(in);
    in.lost_compound = true;
    return;
  }
  std::size_t start = in.position();
  bool is_simple = false;
  ast::StmtPtr statement;
  switch (in.current().kind) {
    case TokenKind::KwIf:
    case TokenKind::KwWhile:
    case TokenKind::KwFor:
    case TokenKind::KwTry:
    case TokenKind::KwWith:
    case TokenKind::KwDef:
    case TokenKind::KwClass:
    case TokenKind::KwAsync:
    case TokenKind::At: statement = parse_compound(in); break;
    default:
      is_simple = !is_match_statement(in);
      if (is_simple) {
        parse_simple_line(in, body);
      } else {
        statement = parse_match(in);
      }
  }
  if (is_simple) return;
  if (statement) {
    body.push_back(std::move(statement));
    return;
  }
  if (in.position() == start) in.advance();
  recover(in);
  in.lost_compound = true;
}

void parse_unexpected_indent(TokenCursor& in, ast::Body& body) {
  in.fail("LS1202", "unexpected indent", in.current().range,
          "only the block after a line that ends in ':' is indented further");
  TokenCursor::Nesting nesting(in);
  if (nesting.is_too_deep()) return;
  in.advance();
  parse_statements(in, body);
  in.accept(TokenKind::Dedent);
}

ast::StmtPtr parse_compound(TokenCursor& in) {
  TokenCursor::Nesting nesting(in);
  if (nesting.is_too_deep()) return nullptr;
  std::uint32_t from = in.begin();
  switch (in.current().kind) {
    case TokenKind::KwIf: return parse_if(in);
    case TokenKind::KwWhile: return parse_while(in);
    case TokenKind::KwFor: return parse_for(in, from, false);
    case TokenKind::KwTry: return parse_try(in);
    case TokenKind::KwWith: return parse_with(in, from, false);
    case TokenKind::KwDef: return parse_function(in, from, false);
    case TokenKind::KwClass: return parse_class(in);
    case TokenKind::KwAsync: return parse_async(in);
    default: return parse_decorated(in);
  }
}

void parse_simple_line(TokenCursor& in, ast::Body& body) {
  do {
    if (in.at(TokenKind::Newline) || in.at(TokenKind::EndOfFile)) break;
    std::size_t start = in.position();
    ast::StmtPtr statement = parse_simple(in);
    if (!statement || (!in.at_end_of_statement() && !fail_after_statement(in))) {
      if (in.position() == start && !in.at(TokenKind::Dedent)) in.advance();
      return recover(in);
    }
    body.push_back(std::move(statement));
  } while (in.accept(TokenKind::Semicolon));
  in.accept(TokenKind::Newline);
}

}  // namespace

void recover(TokenCursor& in) {
  while (!in.at(TokenKind::Newline) && !in.at(TokenKind::EndOfFile) && !in.at(TokenKind::Dedent) &&
         !in.at(TokenKind::Indent))
    in.advance();
  in.accept(TokenKind::Newline);
  if (!in.at(TokenKind::Indent)) return;
  TokenCursor::Nesting nesting(in);
  if (nesting.is_too_deep()) return;
  in.advance();
  ast::Body discarded;  // read only for its own errors
  parse_statements(in, discarded);
  in.accept(TokenKind::Dedent);
}

bool expect_colon(TokenCursor& in, std::string_view what) {
  in.colon_was_missing = false;
  if (in.accept(TokenKind::Colon)) return true;
  if (in.is_aborted() || in.at(TokenKind::Invalid)) return false;
  std::string where = "expected ':' after " + std::string(what);
  if (in.at(TokenKind::Newline) || in.at(TokenKind::EndOfFile)) {
    in.fail("LS1208", where, {in.last_end(), in.last_end()}, "add ':' at the end of the line");
    in.colon_was_missing = true;
    return true;
  }
  std::string hint = in.hint_here();
  if (in.at(TokenKind::Equal))
    hint = "'=' assigns; write '==' to compare, or '(name := value)' to assign inside an expression";
  return in.fail("LS1208", where + ", found " + in.describe(in.current()), in.current().range, hint);
}

bool parse_block(TokenCursor& in, ast::Body& body, std::string_view what, SourceRange header) {
  if (!expect_colon(in, what)) return false;
  bool is_quiet = in.colon_was_missing;
  if (!in.accept(TokenKind::Newline)) {
    parse_simple_line(in, body);
    return true;
  }
  if (!in.at(TokenKind::Indent)) {
    if (is_quiet || in.is_aborted()) return !in.is_aborted();
    in.fail("LS1202", "expected an indented block after " + std::string(what), in.current().range,
            "indent the lines that belong to it; an empty block is written 'pass'");
    in.note("the block belongs to this", header);
    return true;
  }
  in.advance();
  in.lost_compound = false;
  parse_statements(in, body);
  in.lost_compound = false;
  in.accept(TokenKind::Dedent);
  return true;
}

// ---- The doors ----

std::unique_ptr<ast::Module> parse_python(SourceFilePtr file, DiagnosticSink& sink) {
  if (!check_size(file, sink)) {
    auto module = std::make_unique<ast::Module>();
    module->file = std::move(file);
    return module;
  }
  ProblemList problems(file);
  std::vector<Token> tokens = tokenize(*file, problems);
  TokenCursor in(std::move(file), std::move(tokens), problems);
  auto module = parse_module(in);
  problems.hand_over(sink);
  return module;
}

ast::ExprPtr parse_python_expression(SourceFilePtr file, DiagnosticSink& sink) {
  if (!check_size(file, sink)) return nullptr;
  ProblemList problems(file);
  std::vector<Token> tokens = tokenize(*file, problems);
  TokenCursor in(std::move(file), std::move(tokens), problems);
  ast::ExprPtr expression = parse_only_expression(in);
  if (problems.has_errors()) expression = nullptr;
  problems.hand_over(sink);
  return expression;
}

}  // namespace lockstep::python_syntax
