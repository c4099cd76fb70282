// Evaluation of expressions: a person's questions about a program at a point (or about its id alone). Free of side
// effects; linear in the elements; at most 2^25 elements altogether, so that no text takes a debugger's time or memory.
// Names: a variable first, then pid, grid, program, inf, nan, pi; pid[...], pid(...), grid[...] are the launch's unless
// a tile has the name. Not here: text of values (show.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "debugger/expression/parser.h"
#include "debugger/expression/scope.h"
#include "debugger/expression/selection.h"

namespace lockstep::debugger {

using Evaluated = Expected<Value, ExpressionError>;

/// `scope` must keep the memory of a window in the result readable.
Evaluated evaluate(const Expression& expression, const Scope& scope);
/// Parses and evaluates.
Evaluated evaluate(std::string_view text, const Scope& scope);
/// The truth of one number (or text, or None). Error for tensors of more than one element.
Expected<bool, ExpressionError> evaluate_condition(const Expression& expression, const Scope& scope);

/// True if the expression has only numbers, pid, program, grid and pure functions of them, so that a ProgramScope
/// suffices.
bool depends_only_on_program(const Expression& expression, const Scope& names);

/// Elements as memory holds them, row-major. Errors as tensor_of().
Expected<std::string, std::string> bytes_of(const MemoryWindow& window, const Scope& scope);
/// Reads memory where the value is a window. Errors: too many elements, bytes outside memory, texts.
Expected<Tensor, std::string> tensor_of(const Value& value, const Scope& scope);
/// A part of a tensor or window (windows are not read). Errors as select_part(); texts and None have no parts.
Expected<Value, std::string> part_of(const Value& value, const std::vector<Subscript>& subscripts);
/// Empty: a scalar.
std::vector<std::int64_t> shape_of(const Value& value);

/// For help and completion.
struct FunctionHelp {
  std::string_view name;
  std::string signature;  // "where(condition, a, b)"
  std::string_view summary;
};
std::vector<FunctionHelp> expression_functions();
const std::vector<std::string_view>& expression_attributes();
/// The candidate nearest to an unknown name; empty: none is close.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace lockstep::debugger
