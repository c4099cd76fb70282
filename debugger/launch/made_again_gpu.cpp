// MadeAgain's questions to a GPU of this machine.
#include <algorithm>
#include <sstream>

#include "backend_cuda/device/driver.h"
#include "backend_cuda/emit/probes.h"
#include "debugger/expression/value.h"
#include "debugger/launch/made_again.h"
#include "ir/interfaces/op_kinds.h"

namespace lockstep::debugger {


std::optional<MadeAgain::Probes> MadeAgain::probes() const {
  if (probes_) return probes_;
  const auto driver = backend_cuda::open_driver();
  if (!driver || (*driver)->facts.devices.empty()) return std::nullopt;
  const driver::LaunchSpec& options = session_.options();
  gpu_diff::GpuOptions gpu;
  gpu.target = {0, options.num_warps, options.num_stages, options.fp_fusion == "on"};
  return Probes{gpu_diff::probe_on_gpu(gpu), (*driver)->facts.devices.front().name};
}

/// Lockstep's own code for GPUs, run with probes.
Expected<bool, Problem> MadeAgain::ask_gpu(std::size_t tensor, std::int64_t element,
                                                        const enclosure::Interval& bounds,
                                                        const interpreter::LaunchRequest& request,
                                                        Culprit& culprit) const {
  const auto known = probes();
  if (!known) return false;
  DiagnosticSink sink;
  const auto found = gpu_diff::bisect(request, {tensor, element, bounds}, known->run, {}, sink);
  if (!found) return Unexpected{problem_of(sink)};
  culprit.lines.push_back("by probes in Lockstep's own code for GPUs, run on " + known->device);
  std::istringstream text(gpu_diff::bisect_text(*found));
  for (std::string line; std::getline(text, line);) culprit.lines.push_back(line);
  const gpu_diff::BisectProgram* blamed = found->blamed();
  if (blamed == nullptr || !blamed->deviation) return true;
  const std::vector<const ir::Op*> ops = backend_cuda::ops_in_order(*request.function);
  const bool has_calls =
      std::any_of(ops.begin(), ops.end(), [](const ir::Op* op) { return ir::is_call(*op); });
  if (has_calls || blamed->deviation->op >= ops.size()) return true;
  culprit.op = ops[blamed->deviation->op];
  culprit.program = blamed->number;
  culprit.execution = blamed->deviation->execution + 1;
  if (!blamed->deviation->shape.empty())
    culprit.lane = index_of(blamed->deviation->element, blamed->deviation->shape);
  return true;
}

}  // namespace lockstep::debugger
