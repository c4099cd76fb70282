#include "debugger/session/source/python_source.h"

#include <algorithm>

#include "python_syntax/ast_walk.h"
#include "python_syntax/lexer.h"
#include "python_syntax/parser.h"
#include "support/diagnostics/diagnostic.h"

namespace lockstep::debugger {

namespace ast = python_syntax::ast;
using python_syntax::Token;
using python_syntax::TokenKind;

namespace {

/// The text with blanks for the lines (and their continuations) that have reported errors.
std::string without_lines_of(const SourceFile& file, const std::vector<Token>& tokens, const DiagnosticSink& sink) {
  std::string text(file.text());
  for (const Diagnostic& problem : sink.diagnostics()) {
    const std::uint32_t at = problem.span.range.begin;
    const auto next = std::lower_bound(tokens.begin(), tokens.end(), at, [](const Token& token, std::uint32_t wanted) {
      return token.range.begin < wanted;
    });
    const auto is_end = [](const Token& token) { return token.kind == TokenKind::Newline; };
    const auto before = std::find_if(std::make_reverse_iterator(next), tokens.rend(), is_end);
    const auto behind = std::find_if(next, tokens.end(), is_end);
    const std::size_t begin = before == tokens.rend() ? 0 : before->range.begin;
    const std::size_t end = behind == tokens.end() ? text.size() : behind->range.begin;
    for (std::size_t i = begin; i < std::max<std::size_t>(end, at); ++i) {
      if (text[i] != '\n') text[i] = ' ';
    }
  }
  return text;
}

std::unique_ptr<const ast::Module> parse(const SourceFilePtr& file, const std::vector<Token>& tokens) {
  DiagnosticSink sink;
  auto tree = python_syntax::parse_python(file, sink);
  if (!sink.has_errors()) return tree;
  DiagnosticSink ignored;  // a block without its head is indented for no reason
  return python_syntax::parse_python(
      std::make_shared<const SourceFile>(file->path(), without_lines_of(*file, tokens, sink)), ignored);
}

std::vector<Token> tokens_of(const SourceFile& file) {
  python_syntax::ProblemList ignored(nullptr);
  return python_syntax::tokenize(file, ignored);
}

bool begins_block(TokenKind kind) {
  switch (kind) {
    case TokenKind::KwIf:
    case TokenKind::KwElif:
    case TokenKind::KwElse:
    case TokenKind::KwFor:
    case TokenKind::KwWhile:
    case TokenKind::KwWith:
    case TokenKind::KwTry:
    case TokenKind::KwExcept:
    case TokenKind::KwFinally:
    case TokenKind::KwDef:
    case TokenKind::KwClass:
    case TokenKind::KwAsync: return true;
    default: return false;
  }
}

/// Where a call names its function: "tl.f" of "tl.f(x)", ".f" of "g(y).f(x)".
std::uint32_t name_begin(const ast::Expr& function) {
  const auto* attribute = function.as<ast::Attribute>();
  return attribute == nullptr || !dotted_name(function).empty() ? function.range.begin : attribute->value->range.end;
}

std::string_view last_name(const ast::Expr& function) {
  if (const auto* name = function.as<ast::Name>()) return name->id;
  const auto* attribute = function.as<ast::Attribute>();
  return attribute != nullptr ? std::string_view(attribute->attr) : std::string_view();
}

/// The text between two tokens, on a line of its own.
void append_gap(std::string& words, std::string_view gap) {
  for (std::size_t i = 0; i < gap.size(); ++i) {
    if (gap[i] == '#') i = std::min(gap.find('\n', i), gap.size() - 1);
    if (gap[i] == '\\' || gap[i] == '\r') continue;
    words += gap[i] == '\n' ? ' ' : gap[i];
  }
}

}  // namespace

PythonSource::PythonSource(SourceFilePtr file)
    : file_(std::move(file)), tokens_(tokens_of(*file_)), tree_(parse(file_, tokens_)) {
  read_functions();
  ast::walk(*tree_, [this](const ast::Node& node) {
    if (const auto* call = node.as<ast::Call>()) calls_.push_back(call);
    if (const auto* tree = node.as<ast::FunctionDef>()) {
      const std::uint32_t line = file_->position(tree->range.begin).line;
      for (Function& one : functions_) {
        if (one.first_line == line && one.name == tree->name) one.tree = tree;
      }
    }
  });
}

/// By tokens: everything indented below a `def` is its body, whatever the text in between.
void PythonSource::read_functions() {
  for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
    if (tokens_[i].kind != TokenKind::KwDef || tokens_[i + 1].kind != TokenKind::Name) continue;
    const std::uint32_t line = file_->position(tokens_[i].range.begin).line;
    Function made{std::string(text_of(tokens_[i + 1].range)), line, line, line, nullptr};
    int depth = 0;
    bool is_head = true;
    for (std::size_t at = i; at < tokens_.size() && (is_head || depth > 0); ++at) {
      const TokenKind kind = tokens_[at].kind;
      if (kind == TokenKind::Indent) ++depth;
      if (kind == TokenKind::Dedent) --depth;
      if (is_visible(kind)) made.last_line = last_line_of(tokens_[at].range);
      if (kind != TokenKind::Newline || !is_head) continue;
      is_head = false;
      const bool has_block = at + 1 < tokens_.size() && tokens_[at + 1].kind == TokenKind::Indent;
      if (!has_block) break;
      made.body_line = file_->position(tokens_[at + 1].range.end).line;
      ++depth;
      ++at;
    }
    functions_.push_back(std::move(made));
  }
}

const PythonSource::Function* PythonSource::function_around(std::uint32_t line) const {
  const Function* found = nullptr;  // the last one that begins before it is the innermost
  for (const Function& one : functions_) {
    const bool is_inside = line > one.first_line || one.body_line == line;
    if (is_inside && line <= one.last_line) found = &one;
  }
  return found;
}

const ast::Call* PythonSource::call_around(SourcePosition spot, std::string_view function) const {
  const std::uint32_t at = offset_of(spot);
  const ast::Call* found = nullptr;
  for (const ast::Call* call : calls_) {
    if (at < name_begin(*call->func) || at >= call->range.end || last_name(*call->func) != function) continue;
    if (found != nullptr) return nullptr;
    found = call;
  }
  return found;
}

std::uint32_t PythonSource::offset_of(SourcePosition spot) const {
  if (line_of(spot) > file_->line_count()) return static_cast<std::uint32_t>(file_->text().size());
  return file_->line_start(line_of(spot)) + static_cast<std::uint32_t>(spot);
}

std::string_view PythonSource::text_of(SourceRange range) const {
  return file_->text().substr(range.begin, range.end - range.begin);
}

/// The first token that does not begin before the offset.
std::size_t PythonSource::token_at(std::uint32_t offset) const {
  const auto found =
      std::lower_bound(tokens_.begin(), tokens_.end(), offset,
                       [](const Token& token, std::uint32_t wanted) { return token.range.begin < wanted; });
  return static_cast<std::size_t>(found - tokens_.begin());
}

SourceSpan PythonSource::span_of(SourceRange range) const {
  const LineColumn begin = file_->position(range.begin), end = file_->position(range.end);
  return {position_at(begin.line, begin.column - 1), position_at(end.line, end.column - 1)};
}

std::uint32_t PythonSource::last_line_of(SourceRange range) const {
  return file_->position(std::max(range.begin, range.end - 1)).line;
}

std::uint32_t PythonSource::last_line_of_block(const ast::Stmt& statement) const {
  std::size_t head = token_at(statement.range.begin);
  while (head > 0 && is_visible(tokens_[head - 1].kind)) --head;
  const bool is_in_head = begins_block(tokens_[head].kind);
  std::uint32_t last = last_line_of(statement.range);
  int depth = 0;
  for (std::size_t i = token_at(statement.range.begin); i < tokens_.size() && depth >= 0; ++i) {
    const TokenKind kind = tokens_[i].kind;
    if (is_in_head && kind == TokenKind::Newline) break;
    if (kind == TokenKind::Indent) ++depth;
    if (kind == TokenKind::Dedent) --depth;
    if (is_visible(kind)) last = last_line_of(tokens_[i].range);
  }
  return last;
}

std::string PythonSource::words_of(SourceRange range) const {
  std::string words;
  std::uint32_t end = range.begin;
  for (std::size_t i = token_at(range.begin); i < tokens_.size() && tokens_[i].range.begin < range.end; ++i) {
    if (!is_visible(tokens_[i].kind)) continue;
    append_gap(words, text_of({end, tokens_[i].range.begin}));
    words += text_of(tokens_[i].range);
    end = tokens_[i].range.end;
  }
  return words;
}

SourceRange PythonSource::with_parentheses(SourceRange range, SourceRange inside) const {
  for (;;) {
    const std::size_t first = token_at(range.begin), next = token_at(range.end);
    if (first == 0 || next >= tokens_.size()) return range;
    const Token &before = tokens_[first - 1], &behind = tokens_[next];
    const bool is_wrapped = before.kind == TokenKind::LeftParen && behind.kind == TokenKind::RightParen;
    if (!is_wrapped || before.range.begin < inside.begin || behind.range.end > inside.end) return range;
    range = {before.range.begin, behind.range.end};
  }
}

std::vector<std::string> PythonSource::names_in_line(std::uint32_t line) const {
  std::vector<std::string> names;
  if (line == 0 || line > file_->line_count()) return names;
  const std::uint32_t begin = file_->line_start(line);
  const auto end = begin + static_cast<std::uint32_t>(file_->line_text(line).size());
  for (std::size_t i = token_at(begin); i < tokens_.size() && tokens_[i].range.begin < end; ++i) {
    if (tokens_[i].kind != TokenKind::Name || (i > 0 && tokens_[i - 1].kind == TokenKind::Dot)) continue;
    std::string name(text_of(tokens_[i].range));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

std::string dotted_name(const ast::Expr& expression) {
  if (const auto* name = expression.as<ast::Name>()) return name->id;
  const auto* attribute = expression.as<ast::Attribute>();
  const std::string value = attribute != nullptr ? dotted_name(*attribute->value) : "";
  return value.empty() ? "" : value + "." + attribute->attr;
}

}  // namespace lockstep::debugger
