// The syntax tree of a Python file: the node kinds, names and fields of CPython's `ast` module, so that "unsupported AST node
// type: X" reads the same in both. Plain structs owned by unique_ptr; `kind` says which, `as<T>()` casts (null on mismatch).
// Invariants: required children are never null; every child range lies in its file; height of an expression <= kMaxHeight and
// nesting of statements <= kMaxNesting, so that plain recursion over a tree is safe.
// Ranges are CPython's: begin/end are the byte offsets of (lineno, col_offset) and (end_lineno, end_col_offset). Parentheses
// do not belong to the expression in them (but do to a tuple or generator); decorators do not belong to the def.
// It does not resolve names, check `return` outside functions, or normalise identifiers (NFKC).
// Source: docs.python.org/3.12/library/ast.html (abstract grammar); positions as seen from CPython 3.11 and 3.12.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/source_file.h"

namespace lockstep::frontend::ast {

inline constexpr int kMaxNesting = 200;   // brackets, blocks, unary operators... that the parser will follow
inline constexpr int kMaxHeight = 500;    // height of an expression tree: also a + b + c + ..., a.b.c...

enum class Kind : std::uint8_t {
  Module,
  // Statements.
  FunctionDef, AsyncFunctionDef, ClassDef, Return, Delete, Assign, TypeAlias, AugAssign, AnnAssign, For, AsyncFor, While, If,
  With, AsyncWith, Match, Raise, Try, TryStar, Assert, Import, ImportFrom, Global, Nonlocal, ExprStmt, Pass, Break, Continue,
  // Expressions.
  BoolOp, NamedExpr, BinOp, UnaryOp, Lambda, IfExp, Dict, Set, ListComp, SetComp, DictComp, GeneratorExp, Await, Yield,
  YieldFrom, Compare, Call, FormattedValue, JoinedStr, Constant, Attribute, Subscript, Starred, Name, List, Tuple, Slice,
  // Patterns.
  MatchValue, MatchSingleton, MatchSequence, MatchMapping, MatchClass, MatchStar, MatchAs, MatchOr,
  // Parts.
  arguments, arg, keyword, alias, withitem, comprehension, ExceptHandler, match_case, TypeVar, ParamSpec, TypeVarTuple,
};
/// CPython's class name: "BinOp", "arguments"; ExprStmt is "Expr".
std::string_view kind_name(Kind kind);

enum class Context : std::uint8_t { Load, Store, Del };
enum class BoolOperator : std::uint8_t { And, Or };
enum class BinaryOperator : std::uint8_t {
  Add, Sub, Mult, MatMult, Div, Mod, Pow, LShift, RShift, BitOr, BitXor, BitAnd, FloorDiv
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

  template <typename T> bool is() const { return T::matches(kind); }
  template <typename T> const T* as() const { return is<T>() ? static_cast<const T*>(this) : nullptr; }
  template <typename T> T* as() { return is<T>() ? static_cast<T*>(this) : nullptr; }

 protected:
  Node(Kind node_kind, SourceRange node_range) : kind(node_kind), range(node_range) {}
};

struct Stmt : Node { using Node::Node; };
struct Expr : Node {
  using Node::Node;
  std::uint16_t height = 1;     // 1 + the largest height of the children
};
struct Pattern : Node { using Node::Node; };

using StmtPtr = std::unique_ptr<Stmt>;
using ExprPtr = std::unique_ptr<Expr>;        // fields marked "or null" may be null, others not
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
  bool is_marked() const { return this->kind == Marked; }   // async def/for/with; except*
};

// ---- Expressions ----

enum class ConstantKind : std::uint8_t { none, boolean, ellipsis, integer, big_integer, floating, imaginary, string, bytes };

struct Constant final : NodeOf<Expr, Kind::Constant> {
  using NodeOf::NodeOf;
  ConstantKind type = ConstantKind::none;
  std::uint64_t integer = 0;    // boolean (0, 1), integer: a literal is never negative; above INT64_MAX it is still `integer`
  double floating = 0;          // floating, imaginary
  std::string text;             // string (UTF-8; a lone surrogate escape as three bytes), bytes; big_integer: decimal digits
  bool is_unicode_prefixed = false;   // u"..."
  bool fits_int64() const { return type == ConstantKind::integer && integer <= std::uint64_t{INT64_MAX}; }
  bool is_none() const { return type == ConstantKind::none; }
  bool is_string() const { return type == ConstantKind::string; }
};

struct Name final : NodeOf<Expr, Kind::Name> {
  using NodeOf::NodeOf;
  std::string id;
  Context context = Context::Load;
};

struct Attribute final : NodeOf<Expr, Kind::Attribute> {
  using NodeOf::NodeOf;
  ExprPtr value;
  std::string attr;
  SourceRange attr_range;       // of the word after the dot
  Context context = Context::Load;
};

struct Subscript final : NodeOf<Expr, Kind::Subscript> {
  using NodeOf::NodeOf;
  ExprPtr value;
  ExprPtr slice;                // x[a, b]: a Tuple
  Context context = Context::Load;
};

struct Slice final : NodeOf<Expr, Kind::Slice> {
  using NodeOf::NodeOf;
  ExprPtr lower, upper, step;   // each or null
};

struct Starred final : NodeOf<Expr, Kind::Starred> {
  using NodeOf::NodeOf;
  ExprPtr value;
  Context context = Context::Load;
};

struct Tuple final : NodeOf<Expr, Kind::Tuple> {
  using NodeOf::NodeOf;
  ExprList elts;
  Context context = Context::Load;
};
struct List final : NodeOf<Expr, Kind::List> {
  using NodeOf::NodeOf;
  ExprList elts;
  Context context = Context::Load;
};
struct Set final : NodeOf<Expr, Kind::Set> {
  using NodeOf::NodeOf;
  ExprList elts;
};
struct Dict final : NodeOf<Expr, Kind::Dict> {
  using NodeOf::NodeOf;
  ExprList keys;                // an element is null for `**value`
  ExprList values;              // as many as keys
};

struct BoolOp final : NodeOf<Expr, Kind::BoolOp> {
  using NodeOf::NodeOf;
  BoolOperator op = BoolOperator::And;
  ExprList values;              // two or more: a and b and c is one node
};

struct NamedExpr final : NodeOf<Expr, Kind::NamedExpr> {
  using NodeOf::NodeOf;
  ExprPtr target, value;        // target: a Name
};

struct BinOp final : NodeOf<Expr, Kind::BinOp> {
  using NodeOf::NodeOf;
  ExprPtr left;
  BinaryOperator op = BinaryOperator::Add;
  SourceRange op_range;
  ExprPtr right;
};

struct UnaryOp final : NodeOf<Expr, Kind::UnaryOp> {
  using NodeOf::NodeOf;
  UnaryOperator op = UnaryOperator::Not;
  ExprPtr operand;
};

struct Compare final : NodeOf<Expr, Kind::Compare> {
  using NodeOf::NodeOf;
  ExprPtr left;
  std::vector<CompareOperator> ops;
  ExprList comparators;         // as many as ops
};

struct IfExp final : NodeOf<Expr, Kind::IfExp> {
  using NodeOf::NodeOf;
  ExprPtr test, body, orelse;   // body if test else orelse
};

struct Keyword final : NodeOf<Node, Kind::keyword> {
  using NodeOf::NodeOf;
  std::optional<std::string> arg;   // nullopt: **value
  ExprPtr value;
};

struct Call final : NodeOf<Expr, Kind::Call> {
  using NodeOf::NodeOf;
  ExprPtr func;
  ExprList args;                // may hold Starred
  std::vector<std::unique_ptr<Keyword>> keywords;
};

struct Comprehension final : NodeOf<Node, Kind::comprehension> {
  using NodeOf::NodeOf;
  ExprPtr target, iter;
  ExprList ifs;
  bool is_async = false;
};
using Generators = std::vector<std::unique_ptr<Comprehension>>;

struct ListComp final : NodeOf<Expr, Kind::ListComp> {
  using NodeOf::NodeOf;
  ExprPtr elt;
  Generators generators;
};
struct SetComp final : NodeOf<Expr, Kind::SetComp> {
  using NodeOf::NodeOf;
  ExprPtr elt;
  Generators generators;
};
struct GeneratorExp final : NodeOf<Expr, Kind::GeneratorExp> {
  using NodeOf::NodeOf;
  ExprPtr elt;
  Generators generators;
};
struct DictComp final : NodeOf<Expr, Kind::DictComp> {
  using NodeOf::NodeOf;
  ExprPtr key, value;
  Generators generators;
};

struct Await final : NodeOf<Expr, Kind::Await> {
  using NodeOf::NodeOf;
  ExprPtr value;
};
struct Yield final : NodeOf<Expr, Kind::Yield> {
  using NodeOf::NodeOf;
  ExprPtr value;                // or null
};
struct YieldFrom final : NodeOf<Expr, Kind::YieldFrom> {
  using NodeOf::NodeOf;
  ExprPtr value;
};

struct FormattedValue final : NodeOf<Expr, Kind::FormattedValue> {
  using NodeOf::NodeOf;
  ExprPtr value;
  int conversion = -1;          // -1, 's', 'r', 'a'
  ExprPtr format_spec;          // a JoinedStr, or null
};
struct JoinedStr final : NodeOf<Expr, Kind::JoinedStr> {
  using NodeOf::NodeOf;
  ExprList values;              // string Constants and FormattedValues
};

// ---- Functions ----

struct Arg final : NodeOf<Node, Kind::arg> {
  using NodeOf::NodeOf;
  std::string name;             // CPython: arg
  ExprPtr annotation;           // or null; a Starred only on *args
};

struct Arguments final : NodeOf<Node, Kind::arguments> {
  using NodeOf::NodeOf;
  std::vector<std::unique_ptr<Arg>> posonlyargs, args;
  std::unique_ptr<Arg> vararg;  // or null
  std::vector<std::unique_ptr<Arg>> kwonlyargs;
  ExprList kw_defaults;         // as many as kwonlyargs; null: no default
  std::unique_ptr<Arg> kwarg;   // or null
  ExprList defaults;            // of the last posonlyargs + args
};

struct Lambda final : NodeOf<Expr, Kind::Lambda> {
  using NodeOf::NodeOf;
  std::unique_ptr<Arguments> args;
  ExprPtr body;
};

struct TypeVar final : NodeOf<Node, Kind::TypeVar> {
  using NodeOf::NodeOf;
  std::string name;
  ExprPtr bound;                // or null
};
struct ParamSpec final : NodeOf<Node, Kind::ParamSpec> {
  using NodeOf::NodeOf;
  std::string name;
};
struct TypeVarTuple final : NodeOf<Node, Kind::TypeVarTuple> {
  using NodeOf::NodeOf;
  std::string name;
};
using TypeParams = std::vector<std::unique_ptr<Node>>;

// ---- Statements ----

struct FunctionDef final : NodeOfTwo<Stmt, Kind::FunctionDef, Kind::AsyncFunctionDef> {
  using NodeOfTwo::NodeOfTwo;
  std::string name;
  SourceRange name_range;
  std::unique_ptr<Arguments> args;
  Body body;
  ExprList decorator_list;
  ExprPtr returns;              // or null
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
  ExprPtr value;                // or null
};
struct Delete final : NodeOf<Stmt, Kind::Delete> {
  using NodeOf::NodeOf;
  ExprList targets;
};
struct Assign final : NodeOf<Stmt, Kind::Assign> {
  using NodeOf::NodeOf;
  ExprList targets;             // a = b = value: two
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
  ExprPtr value;                // or null
  bool is_simple = false;       // a Name without parentheses
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
  Body body, orelse;            // elif: orelse holds one If, whose range begins at `elif`
};

struct WithItem final : NodeOf<Node, Kind::withitem> {
  using NodeOf::NodeOf;
  ExprPtr context_expr;
  ExprPtr optional_vars;        // or null
};
struct With final : NodeOfTwo<Stmt, Kind::With, Kind::AsyncWith> {
  using NodeOfTwo::NodeOfTwo;
  std::vector<std::unique_ptr<WithItem>> items;
  Body body;
};

struct Raise final : NodeOf<Stmt, Kind::Raise> {
  using NodeOf::NodeOf;
  ExprPtr exc, cause;           // each or null
};

struct ExceptHandler final : NodeOf<Node, Kind::ExceptHandler> {
  using NodeOf::NodeOf;
  ExprPtr type;                 // or null
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
  ExprPtr msg;                  // or null
};

struct Alias final : NodeOf<Node, Kind::alias> {
  using NodeOf::NodeOf;
  std::string name;             // "a.b", "*"
  std::optional<std::string> asname;
};
struct Import final : NodeOf<Stmt, Kind::Import> {
  using NodeOf::NodeOf;
  std::vector<std::unique_ptr<Alias>> names;
};
struct ImportFrom final : NodeOf<Stmt, Kind::ImportFrom> {
  using NodeOf::NodeOf;
  std::optional<std::string> module;   // nullopt: from . import x
  std::vector<std::unique_ptr<Alias>> names;
  int level = 0;                // number of leading dots
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
struct Pass final : NodeOf<Stmt, Kind::Pass> { using NodeOf::NodeOf; };
struct Break final : NodeOf<Stmt, Kind::Break> { using NodeOf::NodeOf; };
struct Continue final : NodeOf<Stmt, Kind::Continue> { using NodeOf::NodeOf; };

// ---- match ----

struct MatchCase final : NodeOf<Node, Kind::match_case> {
  using NodeOf::NodeOf;
  PatternPtr pattern;
  ExprPtr guard;                // or null
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
  std::optional<bool> value;    // nullopt: None
};
struct MatchSequence final : NodeOf<Pattern, Kind::MatchSequence> {
  using NodeOf::NodeOf;
  std::vector<PatternPtr> patterns;
};
struct MatchMapping final : NodeOf<Pattern, Kind::MatchMapping> {
  using NodeOf::NodeOf;
  ExprList keys;
  std::vector<PatternPtr> patterns;    // as many as keys
  std::optional<std::string> rest;
};
struct MatchClass final : NodeOf<Pattern, Kind::MatchClass> {
  using NodeOf::NodeOf;
  ExprPtr cls;
  std::vector<PatternPtr> patterns;
  std::vector<std::string> kwd_attrs;
  std::vector<PatternPtr> kwd_patterns;   // as many as kwd_attrs
};
struct MatchStar final : NodeOf<Pattern, Kind::MatchStar> {
  using NodeOf::NodeOf;
  std::optional<std::string> name;     // nullopt: *_
};
struct MatchAs final : NodeOf<Pattern, Kind::MatchAs> {
  using NodeOf::NodeOf;
  PatternPtr pattern;                  // or null
  std::optional<std::string> name;     // both absent: _
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

}  // namespace lockstep::frontend::ast
