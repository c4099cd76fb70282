// breakpoint() in a kernel: a place where a debugger stops. In the IR it is an empty tt.print with a special prefix,
// because Triton's passes keep this op in place; it prints and computes nothing.
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::ir {

inline constexpr std::string_view kBreakpointPrefix = "lockstep.breakpoint";

inline bool is_breakpoint(const Op& op) {
  if (op.def().statement != Statement::print || op.operand_count() != 0) return false;
  const Attribute prefix = op.attribute("prefix");
  return prefix && prefix.is_string() && prefix->text == kBreakpointPrefix;
}

}  // namespace lockstep::ir
