#include "cli/launch_questions.h"

#include <algorithm>

#include "checkers/checked_kernel.h"
#include "cli/interrupt.h"
#include "support/gpu_model.h"

namespace lockstep::cli {

using debugger::Problem;

namespace {

const Problem kUnfinished{"the launch that this needs did not come to its end", "`continue` shows where it stays"};
const Problem kInterrupted{"stopped", ""};

/// The model whose rates count. Null: none is known.
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
      return {one.message + (one.code.empty() ? "" : " [" + one.code + "]"), one.hint};
  }
  return {"the launch cannot be made once more", ""};
}

Problem problem_of(const Status& status) { return {status.message + " [" + status.code + "]", status.hint}; }

interpreter::LaunchRequest LaunchQuestions::Copy::request() {
  interpreter::LaunchRequest made = session.request();
  made.module = kernel.module;
  made.function = kernel.function;
  made.print = [](const std::string&) {};
  return made;
}

Expected<std::unique_ptr<LaunchQuestions::Copy>, Problem> LaunchQuestions::copy(bool keeps_expectations) const {
  RunOptions options = session_.options();
  options.save.clear();
  if (!keeps_expectations) options.expect.clear();
  auto made = std::make_unique<Copy>(options, kernel_);
  const InterruptGuard interrupt;
  if (!prepare(made->session)) return Unexpected{problem_of(made->sink)};
  if (*interrupt.flag()) return Unexpected{kInterrupted};
  made->effects = interpreter::effects_of(*kernel_.module, *kernel_.function);
  return made;
}

Expected<Report, Problem> LaunchQuestions::lint() {
  if (lints_) return *lints_;
  auto made = copy();
  if (!made) return Unexpected{made.error()};
  const RunOptions& options = session_.options();
  auto checks = checkers::make_check_options("lints", options.memory_model, options.triton, (*made)->sink);
  if (!checks) return Unexpected{problem_of((*made)->sink)};
  checks->num_warps = options.num_warps;
  checks->num_stages = options.num_stages;
  checks->gpu = gpu_model(options.target_gpu);
  interpreter::LaunchRequest request = (*made)->request();
  const InterruptGuard interrupt;
  request.stop = interrupt.flag();
  const auto report = checkers::launch_checked(request, *checks, (*made)->sink);
  if (!report) return Unexpected{problem_of((*made)->sink)};
  if (report->outcome != interpreter::Outcome::completed)
    return Unexpected{*interrupt.flag() ? kInterrupted : kUnfinished};
  lints_.emplace();
  for (const Finding& finding : report->findings.findings()) {
    if (finding.code.starts_with("LSP")) lints_->add(finding);
  }
  return *lints_;
}

Expected<debugger::LaunchCost, Problem> LaunchQuestions::cost(std::string_view gpu) {
  const GpuModel* model = model_of(gpu.empty() ? std::string_view(session_.options().target_gpu) : gpu);
  if (model == nullptr && gpu.empty()) model = &gpu_model_of(session_.profile().capability());
  if (model == nullptr)
    return Unexpected{
        Problem{"the rates of '" + std::string(gpu) + "' are not known", "a100, h100, h200, sm_80, sm_90"}};
  if (cost_ == nullptr) {
    auto made = copy();
    if (!made) return Unexpected{made.error()};
    interpreter::LaunchRequest request = (*made)->request();
    const InterruptGuard interrupt;
    request.stop = interrupt.flag();
    const checkers::CheckOptions options;
    cost_ = checkers::LaunchCost::count((*made)->context(request, options));
    if (cost_ == nullptr) return Unexpected{*interrupt.flag() ? kInterrupted : kUnfinished};
  }
  debugger::LaunchCost cost;
  cost.gpu = model->name;
  cost.roofline = cost_->roofline(*model);
  for (const checkers::LaunchCost::Op& op : cost_->ops()) {
    const auto moved = static_cast<double>(op.traffic.sectors * checkers::kSectorBytes);
    cost.ops.push_back({op.op, op.executions, op.traffic.sectors, op.traffic.bytes, op.flops.all(),
                        moved / model->bytes_per_second + op.flops.seconds(*model)});
  }
  return cost;
}

}  // namespace lockstep::cli
