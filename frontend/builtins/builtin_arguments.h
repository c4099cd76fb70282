// Reading the arguments of a builtin call: each accessor reports a wrong argument and returns nothing. For an invalid
// argument (already reported) it silently returns nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "frontend/builtins/builtin.h"
#include "frontend/lowering/lowering_context.h"

namespace lockstep::frontend {

/// The argument as a tensor; numbers become constants.
Tensor tensor_argument(BuiltinCall& call, std::size_t i);
/// nullopt for None. An invalid Tensor if reported.
std::optional<Tensor> optional_tensor(BuiltinCall& call, std::size_t i);
std::optional<std::int64_t> integer_argument(BuiltinCall& call, std::size_t i);
/// A member of tl.PropagateNan as its number. Another value counts as NONE if `is_used` is false, as in Triton.
std::optional<std::int64_t> nan_argument(BuiltinCall& call, std::size_t i, bool is_used);
/// As tensor_argument, but refuses a tensor that was annotated tl.constexpr, which Triton does not treat as a pointer.
Tensor pointer_argument(BuiltinCall& call, std::size_t i);
/// nullopt inside for None.
std::optional<std::optional<std::int64_t>> optional_integer(BuiltinCall& call, std::size_t i);
std::optional<bool> boolean_argument(BuiltinCall& call, std::size_t i);
/// A value that Triton passes to its compiler as a bool: not a list, and not a text where Triton unwraps the constexpr
/// first.
std::optional<bool> flag_argument(BuiltinCall& call, std::size_t i, bool takes_text);
/// "" for None.
std::optional<std::string> text_argument(BuiltinCall& call, std::size_t i);
std::optional<DType> dtype_argument(BuiltinCall& call, std::size_t i);
/// False, and reported, for a compile-time number where Triton iterates over the argument. (In some places a tensor
/// counts as a list of one.)
bool check_list(BuiltinCall& call, std::size_t i);
/// A tuple of compile-time integers, or a single one.
std::optional<Shape> shape_argument(BuiltinCall& call, const Value& value, std::string_view name);
/// f(x, (2, 3)) and f(x, 2, 3): the collected arguments as one shape.
std::optional<Shape> shape_of_rest(BuiltinCall& call);
/// An axis in [-rank, rank) as one in [0, rank).
std::optional<std::int64_t> wrap_axis(BuiltinCall& call, std::int64_t axis, std::int64_t rank);

inline OpBuilder& builder(BuiltinCall& call) { return call.lowering.builder; }
inline Reporter& reporter(BuiltinCall& call) { return call.lowering.report; }

}  // namespace lockstep::frontend
