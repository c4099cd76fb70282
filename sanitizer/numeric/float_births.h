// Where NaN and infinities begin: for one execution of an op, the lanes of its result that are NaN although no operand
// lane behind them is (LS601: infinities that cancel; LS602: everything else), and those that overflow a float format
// narrower than f32 though every operand lane is finite (LS603). Invariant: a NaN from an operand never counts as new.
// Private to this folder.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sanitizer/core/execution.h"

namespace lockstep::sanitizer {

/// True for the ops whose results may be NaN or infinite although their operands are not.
bool may_give_birth(const ir::Op& op);

/// New NaN or infinite lanes of one op, of one code.
struct FloatBirth {
  FindingCode code = FindingCode::none;
  std::string message;
  std::vector<std::int64_t> lanes;
};

/// The values of an op's float operands, saved before it runs.
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
