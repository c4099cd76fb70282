// The kinds of syntax nodes and what all nodes have in common: kind, range, checked casts, and the bases that fix a
// struct's kind. The fields of each kind are in ast_expression.h and ast.h; include ast.h to use a tree.
// Source: docs.python.org/3.12/library/ast.html (abstract grammar).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/source_file.h"

namespace lockstep::python_syntax::ast {

inline constexpr int kMaxNesting = 200;  // brackets, blocks, unary operators... that the parser will follow
inline constexpr int kMaxHeight = 500;   // height of an expression tree: also a + b + c + ..., a.b.c...

enum class Kind : std::uint8_t {
  Module,
  // Statements.
  FunctionDef,
  AsyncFunctionDef,
  ClassDef,
  Return,
  Delete,
  Assign,
  TypeAlias,
  AugAssign,
  AnnAssign,
  For,
  AsyncFor,
  While,
  If,
  With,
  AsyncWith,
  Match,
  Raise,
  Try,
  TryStar,
  Assert,
  Import,
  ImportFrom,
  Global,
  Nonlocal,
  ExprStmt,
  Pass,
  Break,
  Continue,
  // Expressions.
  BoolOp,
  NamedExpr,
  BinOp,
  UnaryOp,
  Lambda,
  IfExp,
  Dict,
  Set,
  ListComp,
  SetComp,
  DictComp,
  GeneratorExp,
  Await,
  Yield,
  YieldFrom,
  Compare,
  Call,
  FormattedValue,
  JoinedStr,
  Constant,
  Attribute,
  Subscript,
  Starred,
  Name,
  List,
  Tuple,
  Slice,
  // Patterns.
  MatchValue,
  MatchSingleton,
  MatchSequence,
  MatchMapping,
  MatchClass,
  MatchStar,
  MatchAs,
  MatchOr,
  // Parts.
  arguments,
  arg,
  keyword,
  alias,
  withitem,
  comprehension,
  ExceptHandler,
  match_case,
  TypeVar,
  ParamSpec,
  TypeVarTuple,
};
/// CPython's class name: "BinOp", "arguments"; ExprStmt is "Expr".
std::string_view kind_name(Kind kind);

enum class Context : std::uint8_t { Load, Store, Del };
enum class BoolOperator : std::uint8_t { And, Or };
enum class BinaryOperator : std::uint8_t {
  Add,
  Sub,
  Mult,
  MatMult,
  Div,
  Mod,
  Pow,
  LShift,
  RShift,
  BitOr,
  BitXor,
  BitAnd,
  FloorDiv
};
enum class UnaryOperator : std::uint8_t { Invert, Not, UAdd, USub };
enum class CompareOperator : std::uint8_t { Eq, NotEq, Lt, LtE, Gt, GtE, Is, IsNot, In, NotIn };
/// CPython's class name: "Add".
std::string_view operator_name(BoolOperator op);
std::string_view operator_name(BinaryOperator op);
std::string_view operator_name(UnaryOperator op);
std::string_view operator_name(CompareOperator op);
/// As written in Python: "+", "not in".
std::string_view operator_symbol(BoolOperator op);
std::string_view operator_symbol(BinaryOperator op);
std::string_view operator_symbol(UnaryOperator op);
std::string_view operator_symbol(CompareOperator op);

struct Node {
  Kind kind;
  SourceRange range;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  virtual ~Node() = default;

  template <typename T>
  bool is() const {
    return T::matches(kind);
  }
  template <typename T>
  const T* as() const {
    return is<T>() ? static_cast<const T*>(this) : nullptr;
  }
  template <typename T>
  T* as() {
    return is<T>() ? static_cast<T*>(this) : nullptr;
  }

 protected:
  Node(Kind node_kind, SourceRange node_range) : kind(node_kind), range(node_range) {}
};

struct Stmt : Node {
  using Node::Node;
};
struct Expr : Node {
  using Node::Node;
  std::uint16_t height = 1;  // 1 + the largest height of the children
};
struct Pattern : Node {
  using Node::Node;
};

using StmtPtr = std::unique_ptr<Stmt>;
using ExprPtr = std::unique_ptr<Expr>;  // fields marked "or null" may be null, others not
using PatternPtr = std::unique_ptr<Pattern>;
using Body = std::vector<StmtPtr>;
using ExprList = std::vector<ExprPtr>;

/// A node type with one kind: `struct Name final : NodeOf<Expr, Kind::Name>`.
template <typename Base, Kind K>
struct NodeOf : Base {
  static bool matches(Kind k) { return k == K; }
  explicit NodeOf(SourceRange node_range = {}) : Base(K, node_range) {}
};
/// A node type shared by a plain and an `async` (or otherwise marked) kind.
template <typename Base, Kind K, Kind Marked>
struct NodeOfTwo : Base {
  static bool matches(Kind k) { return k == K || k == Marked; }
  explicit NodeOfTwo(SourceRange node_range = {}, bool marked = false) : Base(marked ? Marked : K, node_range) {}
  bool is_marked() const { return this->kind == Marked; }  // async def/for/with; except*
};
}  // namespace lockstep::python_syntax::ast
