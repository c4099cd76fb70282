#include "debugger/launch_queries/remade_launch.h"

#include <algorithm>

#include "sanitizer/core/checked_kernel.h"
#include "support/gpu_model.h"

namespace lockstep::debugger {

namespace {

/// The model with the rates. Null: none is known.
const GpuModel* model_of(std::string_view name) {
  if (const GpuModel* model = gpu_model(name)) return model;
  const auto profile = TargetProfile::parse(name);
  if (!profile) return nullptr;
  const GpuModel& nearest = gpu_model_of(profile->capability());
  return nearest.capability == profile->capability() ? &nearest : nullptr;
}

}  // namespace

Problem problem_of(const DiagnosticSink& sink) {
  for (const Diagnostic& one : sink.diagnostics()) {
    if (one.severity == Severity::error || one.severity == Severity::unsupported)
      return {one.message + (one.code.is_none() ? "" : " [" + std::string(one.code.spelling()) + "]"), one.hint};
  }
  return {"the launch cannot run again", ""};
}

Problem problem_of(const Status& status) { return {status.text(), status.hint}; }

Problem unfinished_problem(const interpreter::LaunchRequest& request) {
  if (request.stop != nullptr && *request.stop) return stopped();
  return {"the launch that this needs did not run to its end", "`continue` shows where it hangs"};
}

RemadeLaunch::RemadeLaunch(Launch launch)
    : launch_(std::move(launch)),
      effects_(interpreter::effects_of(*launch_.request.module, *launch_.request.function)) {}

const driver::Tensor* RemadeLaunch::find_tensor(std::string_view name) const {
  const auto found = std::find_if(launch_.tensors.begin(), launch_.tensors.end(),
                                  [&](const driver::Tensor& one) { return one.name == name; });
  return found == launch_.tensors.end() ? nullptr : &*found;
}

RemadeLaunch::Reference RemadeLaunch::expectation(std::size_t tensor, std::string title,
                                                        std::string bytes) const {
  return {tensor, std::move(title), std::move(bytes), false, enclosure::Tolerance::default_for(view_of(tensor).element)};
}

std::optional<bool> RemadeLaunch::is_like(const driver::Manifest&) const { return std::nullopt; }

Expected<std::shared_ptr<const RemadeLaunch::Verdicts>, Problem> RemadeLaunch::verdicts(const References&, bool) {
  return std::shared_ptr<const Verdicts>();
}

Expected<bool, Problem> RemadeLaunch::ask_gpu(std::size_t, std::int64_t, const enclosure::Interval&,
                                                 const interpreter::LaunchRequest&, Culprit&) const {
  return false;
}

Expected<Report, Problem> RemadeLaunch::lint() {
  if (lints_) return *lints_;
  const auto checks = lint_options();
  if (!checks) return Unexpected{checks.error()};
  Report lints;
  const Done done = once_more([&](const interpreter::LaunchRequest& request) -> Done {
    DiagnosticSink sink;
    const auto report = sanitizer::launch_checked(request, *checks, sink);
    if (!report) return Unexpected{problem_of(sink)};
    if (report->outcome != interpreter::Outcome::completed) return Unexpected{unfinished_problem(request)};
    for (const Finding& finding : report->findings.findings()) {
      if (row_of(finding.code).family == FindingClass::lint) lints.add(finding);
    }
    return {};
  });
  if (!done) return Unexpected{done.error()};
  lints_ = std::move(lints);
  return *lints_;
}

Expected<LaunchCost, Problem> RemadeLaunch::cost(std::string_view gpu) {
  const GpuModel* model = model_of(gpu.empty() ? std::string_view(launch_.gpu) : gpu);
  if (model == nullptr && gpu.empty()) model = &gpu_model_of(launch_.request.profile.capability());
  if (model == nullptr)
    return Unexpected{
        Problem{"the rates of '" + std::string(gpu) + "' are not known", "a100, h100, h200, sm_80, sm_90"}};
  if (cost_ == nullptr) {
    const Done done = once_more([&](const interpreter::LaunchRequest& request) -> Done {
      const sanitizer::CheckOptions options;
      cost_ = sanitizer::LaunchCost::count(context_of(request, options));
      if (cost_ == nullptr) return Unexpected{unfinished_problem(request)};
      return {};
    });
    if (!done) return Unexpected{done.error()};
  }
  LaunchCost cost;
  cost.gpu = model->name;
  cost.roofline = cost_->roofline(*model);
  for (const sanitizer::LaunchCost::Op& op : cost_->ops()) {
    const auto moved = static_cast<double>(op.traffic.sectors * sanitizer::kSectorBytes);
    cost.ops.push_back({op.op, op.executions, op.traffic.sectors, op.traffic.bytes, op.flops.all(),
                        moved / model->bytes_per_second + op.flops.seconds(*model)});
  }
  return cost;
}

}  // namespace lockstep::debugger
