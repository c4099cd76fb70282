// TokenCursor: where the parser stands in the tokens of a file, what it has said of them, and how deep it is. The rules
// of the grammar are free functions over it (grammar.h). Invariants: nesting <= ast::kMaxNesting bounds the recursion;
// after abort() every rule sees EndOfFile, so that all return. Not here: nodes (parse_node.h), rules.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "python_syntax/ast_node.h"
#include "python_syntax/lexer.h"

namespace lockstep::python_syntax {

class TokenCursor {
 public:
  TokenCursor(SourceFilePtr file, std::vector<Token> tokens, ProblemList& problems);
  TokenCursor(const TokenCursor&) = delete;
  TokenCursor& operator=(const TokenCursor&) = delete;

  /// Counts one level of recursion while it lives.
  class Nesting {
   public:
    explicit Nesting(TokenCursor& cursor) : cursor_(cursor) { ++cursor_.depth_; }
    ~Nesting() { --cursor_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    bool is_too_deep() { return cursor_.depth_ > ast::kMaxNesting && cursor_.abort_too_deep(); }

   private:
    TokenCursor& cursor_;
  };

  // ---- position ----
  const SourceFilePtr& file() const { return file_; }
  const Token& current() const { return tokens_[position_]; }
  const Token& ahead(std::size_t count = 1) const { return tokens_[std::min(position_ + count, tokens_.size() - 1)]; }
  const Token& previous() const { return tokens_[position_ == 0 ? 0 : position_ - 1]; }
  bool at(TokenKind kind) const { return current().kind == kind; }
  std::uint32_t begin() const { return current().range.begin; }
  /// The end of the last visible token passed.
  std::uint32_t last_end() const { return last_end_; }
  /// CPython's range of a node: from `begin` to last_end().
  SourceRange since(std::uint32_t begin) const { return {begin, last_end_}; }
  std::string_view text_of(SourceRange range) const;
  std::string_view text_of(const Token& token) const { return text_of(token.range); }
  bool at_name(std::string_view text) const { return at(TokenKind::Name) && text_of(current()) == text; }
  bool at_end_of_statement() const;
  bool at_comprehension() const {
    return at(TokenKind::KwFor) || (at(TokenKind::KwAsync) && ahead().kind == TokenKind::KwFor);
  }
  static bool begins_expression(TokenKind kind);
  /// Tokens by number, for rules that look further ahead.
  std::size_t position() const { return position_; }
  std::size_t token_count() const { return tokens_.size(); }
  const Token& token(std::size_t number) const { return tokens_[number]; }
  /// Number of the Newline (or EndOfFile) that ends the line.
  std::size_t line_end();

  // ---- going on ----
  void advance();
  bool accept(TokenKind kind);

  // ---- errors: each returns false ----
  bool fail(DiagnosticCode code, std::string message, SourceRange range, std::string hint = {});
  bool fail_expected(std::string_view expected);
  bool expect(TokenKind kind);
  bool expect_closing(TokenKind kind, SourceRange opening);
  bool expect_name(std::string& name, std::string_view what);
  /// Adds a note to the failure just reported, if it was.
  void note(std::string message, SourceRange range);
  std::string describe(const Token& token) const;
  std::string hint_here() const;
  /// Stops parsing the file; true.
  bool abort_too_deep();
  bool is_aborted() const { return is_aborted_; }
  ProblemList& problems() { return problems_; }

  // ---- state between statements ----
  bool colon_was_missing = false;
  bool lost_compound = false;  // the statement before was a compound one that was given up

 private:
  bool line_is_reported() const;

  SourceFilePtr file_;
  std::string_view text_;
  std::vector<Token> tokens_;
  ProblemList& problems_;
  std::size_t position_ = 0;
  std::uint32_t last_end_ = 0;
  int depth_ = 0;
  std::size_t line_end_ = 0;
  bool is_aborted_ = false;
  bool has_reported_ = false;  // the last fail() was not suppressed
};

}  // namespace lockstep::python_syntax
