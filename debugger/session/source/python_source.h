// PythonSource: a source file as the debugger reads it: tokens and syntax tree (python_syntax/), read once, and the
// function and call around a place. Invariant: a text that does not parse (somebody is editing it) loses only the lines
// with errors, and their blocks stay. Not here: assignments (statements.h), values.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "python_syntax/ast.h"
#include "python_syntax/token.h"
#include "support/source_file.h"

namespace lockstep::debugger {

/// A place in a text: line (1-based) and column (0-based, bytes) in one number.
using SourcePosition = std::uint64_t;
inline SourcePosition position_at(std::uint32_t line, std::uint32_t column) { return SourcePosition{line} << 32 | column; }
inline std::uint32_t line_of(SourcePosition spot) { return static_cast<std::uint32_t>(spot >> 32); }

struct SourceSpan {
  SourcePosition begin = 0, end = 0;  // half-open
  bool holds(SourcePosition spot) const { return begin <= spot && spot < end; }
};

class PythonSource {
 public:
  explicit PythonSource(SourceFilePtr file);

  /// A `def`, even one whose head does not parse.
  struct Function {
    std::string name;
    std::uint32_t first_line = 0, body_line = 0, last_line = 0;
    const python_syntax::ast::FunctionDef* tree = nullptr;  // null: it does not parse
  };
  /// In the order of the text.
  const std::vector<Function>& functions() const { return functions_; }
  /// The innermost function with the line in its body, or in its head below the first line. Null: there is none.
  const Function* function_around(std::uint32_t line) const;
  /// The call of that function around a place, or whose name begins there. Null: none, or more than one.
  const python_syntax::ast::Call* call_around(SourcePosition spot, std::string_view function) const;
  const python_syntax::ast::Module& tree() const { return *tree_; }

  SourceSpan span_of(SourceRange range) const;
  /// Last line of the range, which is not empty.
  std::uint32_t last_line_of(SourceRange range) const;
  /// Last line of the statement's block; for a block in its head's line, that line.
  std::uint32_t last_line_of_block(const python_syntax::ast::Stmt& statement) const;
  /// The text there without comments, its lines joined by blanks.
  std::string words_of(SourceRange range) const;
  /// Adds the parentheses around it that are in `inside`.
  SourceRange with_parentheses(SourceRange range, SourceRange inside) const;
  /// Names in a line, in their order, each once, without those after a dot.
  std::vector<std::string> names_in_line(std::uint32_t line) const;

 private:
  void read_functions();
  std::uint32_t offset_of(SourcePosition spot) const;
  std::size_t token_at(std::uint32_t offset) const;
  std::string_view text_of(SourceRange range) const;

  SourceFilePtr file_;
  std::vector<python_syntax::Token> tokens_;
  std::unique_ptr<const python_syntax::ast::Module> tree_;
  std::vector<const python_syntax::ast::Call*> calls_;
  std::vector<Function> functions_;
};

/// "tl.math.exp" for an expression of names and dots; empty for others.
std::string dotted_name(const python_syntax::ast::Expr& expression);

}  // namespace lockstep::debugger
