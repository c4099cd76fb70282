// Lowers one function instance from its syntax tree to a tt.func. One FunctionLowering per instance; Compilation holds
// the shared state of instances. The rules for each kind of node: lower_*.h.
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/lowering/lowering_context.h"

namespace lockstep::frontend {

class FunctionLowering final : public LoweringContext {
 public:
  using LoweringContext::LoweringContext;
  /// Builds the function for these arguments (tensors are templates: only their types count). `divisibility`: per
  /// SSA value of the arguments, 0 for none. False: an error was reported.
  bool run(const std::vector<Value>& arguments, const std::vector<std::int64_t>& divisibility = {});

  Value visit(const ast::Expr& node) override;
  void visit_body(const ast::Body& body) override;
  Value call_function(const JitFunction& callee, std::vector<Value> positional,
                      const KeywordArguments& keywords) override;
  Value call_in_partition(const JitFunction& callee, std::vector<Value> positional, int warps) override;
};

}  // namespace lockstep::frontend
