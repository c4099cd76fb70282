#include "python_syntax/ast.h"

#include <array>

namespace lockstep::python_syntax::ast {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(Kind::TypeVarTuple) + 1> kKindNames = {
    "Module",
    "FunctionDef",
    "AsyncFunctionDef",
    "ClassDef",
    "Return",
    "Delete",
    "Assign",
    "TypeAlias",
    "AugAssign",
    "AnnAssign",
    "For",
    "AsyncFor",
    "While",
    "If",
    "With",
    "AsyncWith",
    "Match",
    "Raise",
    "Try",
    "TryStar",
    "Assert",
    "Import",
    "ImportFrom",
    "Global",
    "Nonlocal",
    "Expr",
    "Pass",
    "Break",
    "Continue",
    "BoolOp",
    "NamedExpr",
    "BinOp",
    "UnaryOp",
    "Lambda",
    "IfExp",
    "Dict",
    "Set",
    "ListComp",
    "SetComp",
    "DictComp",
    "GeneratorExp",
    "Await",
    "Yield",
    "YieldFrom",
    "Compare",
    "Call",
    "FormattedValue",
    "JoinedStr",
    "Constant",
    "Attribute",
    "Subscript",
    "Starred",
    "Name",
    "List",
    "Tuple",
    "Slice",
    "MatchValue",
    "MatchSingleton",
    "MatchSequence",
    "MatchMapping",
    "MatchClass",
    "MatchStar",
    "MatchAs",
    "MatchOr",
    "arguments",
    "arg",
    "keyword",
    "alias",
    "withitem",
    "comprehension",
    "ExceptHandler",
    "match_case",
    "TypeVar",
    "ParamSpec",
    "TypeVarTuple"};
static_assert(kKindNames.back() == "TypeVarTuple" && kKindNames[static_cast<std::size_t>(Kind::Slice)] == "Slice");

/// Class name and spelling of an operator.
struct OperatorRow {
  std::string_view name, symbol;
};
constexpr std::array<OperatorRow, 2> kBool = {{{"And", "and"}, {"Or", "or"}}};
constexpr std::array<OperatorRow, 13> kBinary = {{{"Add", "+"},
                                                  {"Sub", "-"},
                                                  {"Mult", "*"},
                                                  {"MatMult", "@"},
                                                  {"Div", "/"},
                                                  {"Mod", "%"},
                                                  {"Pow", "**"},
                                                  {"LShift", "<<"},
                                                  {"RShift", ">>"},
                                                  {"BitOr", "|"},
                                                  {"BitXor", "^"},
                                                  {"BitAnd", "&"},
                                                  {"FloorDiv", "//"}}};
constexpr std::array<OperatorRow, 4> kUnary = {{{"Invert", "~"}, {"Not", "not"}, {"UAdd", "+"}, {"USub", "-"}}};
constexpr std::array<OperatorRow, 10> kCompare = {{{"Eq", "=="},
                                                   {"NotEq", "!="},
                                                   {"Lt", "<"},
                                                   {"LtE", "<="},
                                                   {"Gt", ">"},
                                                   {"GtE", ">="},
                                                   {"Is", "is"},
                                                   {"IsNot", "is not"},
                                                   {"In", "in"},
                                                   {"NotIn", "not in"}}};

}  // namespace

std::string_view kind_name(Kind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }
std::string_view operator_name(BoolOperator op) { return kBool[static_cast<std::size_t>(op)].name; }
std::string_view operator_name(BinaryOperator op) { return kBinary[static_cast<std::size_t>(op)].name; }
std::string_view operator_name(UnaryOperator op) { return kUnary[static_cast<std::size_t>(op)].name; }
std::string_view operator_name(CompareOperator op) { return kCompare[static_cast<std::size_t>(op)].name; }
std::string_view operator_symbol(BoolOperator op) { return kBool[static_cast<std::size_t>(op)].symbol; }
std::string_view operator_symbol(BinaryOperator op) { return kBinary[static_cast<std::size_t>(op)].symbol; }
std::string_view operator_symbol(UnaryOperator op) { return kUnary[static_cast<std::size_t>(op)].symbol; }
std::string_view operator_symbol(CompareOperator op) { return kCompare[static_cast<std::size_t>(op)].symbol; }

}  // namespace lockstep::python_syntax::ast
