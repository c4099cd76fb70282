// The matching ops of two kernels: a launch's kernel and the GPU's, which is the same one, or a partly changed text of
// it. Both are copies without calls, as the emitter needs. Invariant: matched ops have results of the same elements
// and shapes; their layouts may differ. Not here: whether they mean the same.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ir/module.h"

namespace lockstep::gpu_diff {

class OpMatching {
 public:
  /// `changed`: null if the GPU runs the same kernel. Null: there is nothing to match, or a function without a module.
  static std::unique_ptr<const OpMatching> make(const ir::Op& function, const ir::Op* changed);

  /// The launch's kernel, without calls.
  const ir::Module& module() const { return *module_; }
  const ir::Op* function() const { return function_; }
  const ir::Op* changed_function() const { return changed_function_; }
  /// All ops, in the order of backend_cuda::ops_in_order.
  const std::vector<const ir::Op*>& original() const { return original_; }
  const std::vector<const ir::Op*>& changed() const { return changed_; }
  /// The place among changed() of an op of function(), if it has one.
  std::optional<std::uint32_t> changed_number(const ir::Op& op) const;

 private:
  std::optional<ir::Module> module_, changed_module_;
  const ir::Op *function_ = nullptr, *changed_function_ = nullptr;
  std::vector<const ir::Op*> original_, changed_;
  std::unordered_map<const ir::Op*, std::uint32_t> numbers_;
};

}  // namespace lockstep::gpu_diff
