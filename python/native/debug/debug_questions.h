// DebugQuestions: questions about a debugged launch of a Python program as a whole. It runs the launch again on the
// program's own tensors, restores them afterwards, and compares the result with what the program expects. Not here:
// comparing, searching, counting (debugger/launch_queries).
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "debugger/engine/engine.h"
#include "debugger/expression/scope.h"
#include "debugger/launch_queries/remade_launch.h"
#include "driver/files/npy.h"
#include "python/native/kernel_data.h"
#include "sanitizer/core/check_options.h"

namespace lockstep::python {

/// What a launch should leave in a tensor, by the name of its argument.
using ExpectedTensors = std::vector<std::pair<std::string, driver::Array>>;

/// With the lock. `expect`: a mapping of names to arrays, which are copied. Raises what reading them raises.
ExpectedTensors read_expected(const pybind11::dict& expect);

class DebugQuestions : public debugger::RemadeLaunch {
 public:
  /// `request`: of the debugged launch; its memory must outlive this.
  DebugQuestions(const KernelData& kernel, const interpreter::RunRequest& request,
                 const sanitizer::CheckOptions& checks);

  /// Empty: done; else why they do not fit the launch's tensors.
  std::string expect(ExpectedTensors tensors);
  /// The engine whose memory the questions use; set it before the first question.
  void ask_of(debugger::Engine& engine) { engine_ = &engine; }
  /// ref("out").
  debugger::Scope::Found reference(std::string_view name) const;

 private:
  using Problem = debugger::Problem;

  Done once_more(const Act& act) override;
  Expected<References, Problem> references() const override { return references_; }
  Expected<sanitizer::CheckOptions, Problem> lint_options() const override;

  const sanitizer::CheckOptions checks_;
  References references_;
  debugger::Engine* engine_ = nullptr;
};

}  // namespace lockstep::python
