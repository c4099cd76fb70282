// ElementwiseLoops: an elementwise row's arithmetic, the source of its vector loops. Not here: the loops
// (interpreter/kernels/), those of functions without a vector kernel (math_loops.h), records and steps (elementwise.h).
#pragma once

#include <cstdint>
#include <optional>

#include "interpreter/kernels/ops.h"
#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep {
class TargetProfile;
}

namespace lockstep::interpreter {

struct Elementwise;

/// Which structured forms an elementwise op keeps.
enum class StructuredRule : std::uint8_t {
  none,
  add,
  subtract,
  multiply,
  divide,
  remainder,
  compare,
  and_,
  or_,
  xor_,
  convert,
  convert_unsigned,
  minimum,
  maximum,
  select,
};

struct ElementwiseLoops {
  /// Fills arity, loop and rule of `made`, whose operand and result types are set. False: none for these types.
  bool (*choose)(Elementwise& made, const ir::Op& op, const TargetProfile& profile) = nullptr;
  std::optional<kernels::Binary> binary{};  // the kernel by itself, for reductions and scans
};

bool choose_unary(Elementwise& made, kernels::Unary which);
bool choose_binary(Elementwise& made, kernels::Binary which, StructuredRule rule);
bool choose_ternary(Elementwise& made, kernels::Ternary which);
bool choose_conversion(Elementwise& made, kernels::Conversion how, StructuredRule rule);

bool choose_truncation(Elementwise& made, const ir::Op& op, const TargetProfile& profile);
bool choose_float_conversion(Elementwise& made, const ir::Op& op, const TargetProfile& profile);  // tt.fp_to_fp
bool choose_reinterpretation(Elementwise& made, const ir::Op& op, const TargetProfile& profile);
bool choose_integer_comparison(Elementwise& made, const ir::Op& op, const TargetProfile& profile);
bool choose_float_comparison(Elementwise& made, const ir::Op& op, const TargetProfile& profile);
bool choose_clamp(Elementwise& made, const ir::Op& op, const TargetProfile& profile);
bool choose_library_function(Elementwise& made, const ir::Op& op, const TargetProfile& profile);

template <kernels::Unary which>
bool choose_unary_of(Elementwise& made, const ir::Op&, const TargetProfile&) {
  return choose_unary(made, which);
}
template <kernels::Binary which, StructuredRule rule>
bool choose_binary_of(Elementwise& made, const ir::Op&, const TargetProfile&) {
  return choose_binary(made, which, rule);
}
template <kernels::Ternary which>
bool choose_ternary_of(Elementwise& made, const ir::Op&, const TargetProfile&) {
  return choose_ternary(made, which);
}
template <kernels::Conversion how, StructuredRule rule>
bool choose_conversion_of(Elementwise& made, const ir::Op&, const TargetProfile&) {
  return choose_conversion(made, how, rule);
}

template <kernels::Unary which>
inline constexpr ElementwiseLoops kUnaryLoops{choose_unary_of<which>};
template <kernels::Binary which, StructuredRule rule = StructuredRule::none>
inline constexpr ElementwiseLoops kBinaryLoops{choose_binary_of<which, rule>, which};
template <kernels::Ternary which>
inline constexpr ElementwiseLoops kTernaryLoops{choose_ternary_of<which>};
template <kernels::Conversion how, StructuredRule rule = StructuredRule::none>
inline constexpr ElementwiseLoops kConversionLoops{choose_conversion_of<how, rule>};
inline constexpr ElementwiseLoops kTruncationLoops{choose_truncation};
inline constexpr ElementwiseLoops kFloatConversionLoops{choose_float_conversion};
inline constexpr ElementwiseLoops kReinterpretationLoops{choose_reinterpretation};
inline constexpr ElementwiseLoops kIntegerComparisonLoops{choose_integer_comparison};
inline constexpr ElementwiseLoops kFloatComparisonLoops{choose_float_comparison};
inline constexpr ElementwiseLoops kClampLoops{choose_clamp};
inline constexpr ElementwiseLoops kLibraryLoops{choose_library_function};

}  // namespace lockstep::interpreter
