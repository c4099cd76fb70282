// Expressions, parameters and type parameters of the syntax tree, with CPython's fields. Invariant: children that are
// not marked "or null" are never null. Include ast.h to use a tree. Source: docs.python.org/3.12/library/ast.html
// (abstract grammar).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "python_syntax/ast_node.h"

namespace lockstep::python_syntax::ast {

// ---- Expressions ----

enum class ConstantKind : std::uint8_t {
  none,
  boolean,
  ellipsis,
  integer,
  big_integer,
  floating,
  imaginary,
  string,
  bytes
};

struct Constant final : NodeOf<Expr, Kind::Constant> {
  using NodeOf::NodeOf;
  ConstantKind type = ConstantKind::none;
  std::uint64_t integer =
      0;                // boolean (0, 1), integer: a literal is never negative; above INT64_MAX it is still `integer`
  double floating = 0;  // floating, imaginary
  std::string text;     // string (UTF-8; a lone surrogate escape as three bytes), bytes; big_integer: decimal digits
  bool is_unicode_prefixed = false;  // u"..."
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
  SourceRange attr_range;  // of the word after the dot
  Context context = Context::Load;
};

struct Subscript final : NodeOf<Expr, Kind::Subscript> {
  using NodeOf::NodeOf;
  ExprPtr value;
  ExprPtr slice;  // x[a, b]: a Tuple
  Context context = Context::Load;
};

struct Slice final : NodeOf<Expr, Kind::Slice> {
  using NodeOf::NodeOf;
  ExprPtr lower, upper, step;  // each or null
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
  ExprList keys;    // an element is null for `**value`
  ExprList values;  // as many as keys
};

struct BoolOp final : NodeOf<Expr, Kind::BoolOp> {
  using NodeOf::NodeOf;
  BoolOperator op = BoolOperator::And;
  ExprList values;  // two or more: a and b and c is one node
};

struct NamedExpr final : NodeOf<Expr, Kind::NamedExpr> {
  using NodeOf::NodeOf;
  ExprPtr target, value;  // target: a Name
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
  ExprList comparators;  // as many as ops
};

struct IfExp final : NodeOf<Expr, Kind::IfExp> {
  using NodeOf::NodeOf;
  ExprPtr test, body, orelse;  // body if test else orelse
};

struct Keyword final : NodeOf<Node, Kind::keyword> {
  using NodeOf::NodeOf;
  std::optional<std::string> arg;  // nullopt: **value
  ExprPtr value;
};

struct Call final : NodeOf<Expr, Kind::Call> {
  using NodeOf::NodeOf;
  ExprPtr func;
  ExprList args;  // may hold Starred
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
  ExprPtr value;  // or null
};
struct YieldFrom final : NodeOf<Expr, Kind::YieldFrom> {
  using NodeOf::NodeOf;
  ExprPtr value;
};

struct FormattedValue final : NodeOf<Expr, Kind::FormattedValue> {
  using NodeOf::NodeOf;
  ExprPtr value;
  int conversion = -1;  // -1, 's', 'r', 'a'
  ExprPtr format_spec;  // a JoinedStr, or null
};
struct JoinedStr final : NodeOf<Expr, Kind::JoinedStr> {
  using NodeOf::NodeOf;
  ExprList values;  // string Constants and FormattedValues
};

// ---- Functions ----

struct Arg final : NodeOf<Node, Kind::arg> {
  using NodeOf::NodeOf;
  std::string name;    // CPython: arg
  ExprPtr annotation;  // or null; a Starred only on *args
};

struct Arguments final : NodeOf<Node, Kind::arguments> {
  using NodeOf::NodeOf;
  std::vector<std::unique_ptr<Arg>> posonlyargs, args;
  std::unique_ptr<Arg> vararg;  // or null
  std::vector<std::unique_ptr<Arg>> kwonlyargs;
  ExprList kw_defaults;        // as many as kwonlyargs; null: no default
  std::unique_ptr<Arg> kwarg;  // or null
  ExprList defaults;           // of the last posonlyargs + args
};

struct Lambda final : NodeOf<Expr, Kind::Lambda> {
  using NodeOf::NodeOf;
  std::unique_ptr<Arguments> args;
  ExprPtr body;
};

struct TypeVar final : NodeOf<Node, Kind::TypeVar> {
  using NodeOf::NodeOf;
  std::string name;
  ExprPtr bound;  // or null
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
}  // namespace lockstep::python_syntax::ast
