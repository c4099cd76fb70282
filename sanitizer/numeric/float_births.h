// Where NaN and infinities begin: for one execution of an op, the lanes of its result that are NaN though no operand
// lane that they are made of is (LS601: infinities that cancel; LS602: everything else), and those that overflow a
// float format narrower than f32 though every operand lane is finite (LS603). Invariant: a NaN that came in is never
// one that was born. Private to the room.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sanitizer/core/execution.h"

namespace lockstep::sanitizer {

/// True for the ops whose results may be NaN or infinite though their operands are not.
bool may_give_birth(const ir::Op& op);

/// Lanes that one op made, of one code.
struct FloatBirth {
  FindingCode code = FindingCode::none;
  std::string message;
  std::vector<std::int64_t> lanes;
};

/// The numbers of an op's float operands, kept from before it ran.
class FloatOperands {
 public:
  /// Before the op.
  explicit FloatOperands(Execution& run);
  /// After it.
  std::vector<FloatBirth> births(Execution& run) const;

 private:
  bool has_nan(const ir::Op& op, std::int64_t lane) const;
  bool is_finite(const ir::Op& op, std::int64_t lane) const;
  template <typename Test>
  bool any_source(const ir::Op& op, std::int64_t lane, Test&& test) const;
  std::string nan_message(const ir::Op& op, std::int64_t lane) const;
  std::string overflow_message(const ir::Op& op, std::int64_t lane, ScalarKind kind) const;
  bool cancels(const ir::Op& op, std::int64_t lane) const;

  std::vector<std::vector<double>> numbers_;  // by operand; empty: no floats
  std::vector<std::vector<std::int64_t>> shapes_;
};

/// "-inf", "0.5", "3e+10".
std::string number_text(double value);

}  // namespace lockstep::sanitizer
