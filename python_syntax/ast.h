// The syntax tree of a Python file: the node kinds, names and fields of CPython's `ast` module, so that "unsupported
// AST node type: X" reads the same in both. Plain structs owned by unique_ptr; `kind` says which, `as<T>()` casts (null
// on mismatch). Invariants: required children are never null; every child range lies in its file; height of an
// expression <= kMaxHeight and nesting of statements <= kMaxNesting, so that plain recursion over a tree is safe.
// Ranges are CPython's: begin/end are the byte offsets of (lineno, col_offset) and (end_lineno, end_col_offset).
// Parentheses do not belong to the expression in them (but do to a tuple or generator); decorators do not belong to the
// def. It does not resolve names, check `return` outside functions, or normalise identifiers (NFKC). Source:
// docs.python.org/3.12/library/ast.html (abstract grammar); positions as seen from CPython 3.11 and 3.12.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "python_syntax/ast_expression.h"
#include "python_syntax/ast_node.h"

namespace lockstep::python_syntax::ast {

// ---- Statements ----

struct FunctionDef final : NodeOfTwo<Stmt, Kind::FunctionDef, Kind::AsyncFunctionDef> {
  using NodeOfTwo::NodeOfTwo;
  std::string name;
  SourceRange name_range;
  std::unique_ptr<Arguments> args;
  Body body;
  ExprList decorator_list;
  ExprPtr returns;  // or null
  TypeParams type_params;
};

struct ClassDef final : NodeOf<Stmt, Kind::ClassDef> {
  using NodeOf::NodeOf;
  std::string name;
  SourceRange name_range;
  ExprList bases;
  std::vector<std::unique_ptr<Keyword>> keywords;
  Body body;
  ExprList decorator_list;
  TypeParams type_params;
};

struct Return final : NodeOf<Stmt, Kind::Return> {
  using NodeOf::NodeOf;
  ExprPtr value;  // or null
};
struct Delete final : NodeOf<Stmt, Kind::Delete> {
  using NodeOf::NodeOf;
  ExprList targets;
};
struct Assign final : NodeOf<Stmt, Kind::Assign> {
  using NodeOf::NodeOf;
  ExprList targets;  // a = b = value: two
  ExprPtr value;
};
struct TypeAlias final : NodeOf<Stmt, Kind::TypeAlias> {
  using NodeOf::NodeOf;
  ExprPtr name;
  TypeParams type_params;
  ExprPtr value;
};
struct AugAssign final : NodeOf<Stmt, Kind::AugAssign> {
  using NodeOf::NodeOf;
  ExprPtr target;
  BinaryOperator op = BinaryOperator::Add;
  SourceRange op_range;
  ExprPtr value;
};
struct AnnAssign final : NodeOf<Stmt, Kind::AnnAssign> {
  using NodeOf::NodeOf;
  ExprPtr target, annotation;
  ExprPtr value;           // or null
  bool is_simple = false;  // a Name without parentheses
};
struct For final : NodeOfTwo<Stmt, Kind::For, Kind::AsyncFor> {
  using NodeOfTwo::NodeOfTwo;
  ExprPtr target, iter;
  Body body, orelse;
};
struct While final : NodeOf<Stmt, Kind::While> {
  using NodeOf::NodeOf;
  ExprPtr test;
  Body body, orelse;
};
struct If final : NodeOf<Stmt, Kind::If> {
  using NodeOf::NodeOf;
  ExprPtr test;
  Body body, orelse;  // elif: orelse holds one If, whose range begins at `elif`
};

struct WithItem final : NodeOf<Node, Kind::withitem> {
  using NodeOf::NodeOf;
  ExprPtr context_expr;
  ExprPtr optional_vars;  // or null
};
struct With final : NodeOfTwo<Stmt, Kind::With, Kind::AsyncWith> {
  using NodeOfTwo::NodeOfTwo;
  std::vector<std::unique_ptr<WithItem>> items;
  Body body;
};

struct Raise final : NodeOf<Stmt, Kind::Raise> {
  using NodeOf::NodeOf;
  ExprPtr exc, cause;  // each or null
};

struct ExceptHandler final : NodeOf<Node, Kind::ExceptHandler> {
  using NodeOf::NodeOf;
  ExprPtr type;  // or null
  std::optional<std::string> name;
  Body body;
};
struct Try final : NodeOfTwo<Stmt, Kind::Try, Kind::TryStar> {
  using NodeOfTwo::NodeOfTwo;
  Body body;
  std::vector<std::unique_ptr<ExceptHandler>> handlers;
  Body orelse, finalbody;
};

struct Assert final : NodeOf<Stmt, Kind::Assert> {
  using NodeOf::NodeOf;
  ExprPtr test;
  ExprPtr msg;  // or null
};

struct Alias final : NodeOf<Node, Kind::alias> {
  using NodeOf::NodeOf;
  std::string name;  // "a.b", "*"
  std::optional<std::string> asname;
};
struct Import final : NodeOf<Stmt, Kind::Import> {
  using NodeOf::NodeOf;
  std::vector<std::unique_ptr<Alias>> names;
};
struct ImportFrom final : NodeOf<Stmt, Kind::ImportFrom> {
  using NodeOf::NodeOf;
  std::optional<std::string> module;  // nullopt: from . import x
  std::vector<std::unique_ptr<Alias>> names;
  int level = 0;  // number of leading dots
};

struct Global final : NodeOf<Stmt, Kind::Global> {
  using NodeOf::NodeOf;
  std::vector<std::string> names;
};
struct Nonlocal final : NodeOf<Stmt, Kind::Nonlocal> {
  using NodeOf::NodeOf;
  std::vector<std::string> names;
};
struct ExprStmt final : NodeOf<Stmt, Kind::ExprStmt> {
  using NodeOf::NodeOf;
  ExprPtr value;
};
struct Pass final : NodeOf<Stmt, Kind::Pass> {
  using NodeOf::NodeOf;
};
struct Break final : NodeOf<Stmt, Kind::Break> {
  using NodeOf::NodeOf;
};
struct Continue final : NodeOf<Stmt, Kind::Continue> {
  using NodeOf::NodeOf;
};

// ---- match ----

struct MatchCase final : NodeOf<Node, Kind::match_case> {
  using NodeOf::NodeOf;
  PatternPtr pattern;
  ExprPtr guard;  // or null
  Body body;
};
struct Match final : NodeOf<Stmt, Kind::Match> {
  using NodeOf::NodeOf;
  ExprPtr subject;
  std::vector<std::unique_ptr<MatchCase>> cases;
};

struct MatchValue final : NodeOf<Pattern, Kind::MatchValue> {
  using NodeOf::NodeOf;
  ExprPtr value;
};
struct MatchSingleton final : NodeOf<Pattern, Kind::MatchSingleton> {
  using NodeOf::NodeOf;
  std::optional<bool> value;  // nullopt: None
};
struct MatchSequence final : NodeOf<Pattern, Kind::MatchSequence> {
  using NodeOf::NodeOf;
  std::vector<PatternPtr> patterns;
};
struct MatchMapping final : NodeOf<Pattern, Kind::MatchMapping> {
  using NodeOf::NodeOf;
  ExprList keys;
  std::vector<PatternPtr> patterns;  // as many as keys
  std::optional<std::string> rest;
};
struct MatchClass final : NodeOf<Pattern, Kind::MatchClass> {
  using NodeOf::NodeOf;
  ExprPtr cls;
  std::vector<PatternPtr> patterns;
  std::vector<std::string> kwd_attrs;
  std::vector<PatternPtr> kwd_patterns;  // as many as kwd_attrs
};
struct MatchStar final : NodeOf<Pattern, Kind::MatchStar> {
  using NodeOf::NodeOf;
  std::optional<std::string> name;  // nullopt: *_
};
struct MatchAs final : NodeOf<Pattern, Kind::MatchAs> {
  using NodeOf::NodeOf;
  PatternPtr pattern;               // or null
  std::optional<std::string> name;  // both absent: _
};
struct MatchOr final : NodeOf<Pattern, Kind::MatchOr> {
  using NodeOf::NodeOf;
  std::vector<PatternPtr> patterns;
};

struct Module final : NodeOf<Node, Kind::Module> {
  using NodeOf::NodeOf;
  SourceFilePtr file;
  Body body;
};

}  // namespace lockstep::python_syntax::ast
