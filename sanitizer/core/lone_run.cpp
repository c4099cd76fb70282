#include "sanitizer/core/lone_run.h"

#include "interpreter/launch/prepared.h"
#include "sanitizer/core/check_plan.h"

namespace lockstep::sanitizer {

namespace {

/// A stand-in that forwards every call, because the launch's list owns its checkers.
struct Handing : Checker {
  explicit Handing(Checker& to) : checker(to) {}
  Requirements needs(const LaunchContext& context) const override { return checker.needs(context); }
  void before(Execution& run) override { checker.before(run); }
  void after(Execution& run) override { checker.after(run); }
  Checker& checker;
};

}  // namespace

std::optional<interpreter::LaunchReport> run_alone(Checker& checker, const LaunchContext& context, bool hoists) {
  const std::vector<const Checker*> checkers{&checker};
  CheckPlan plan(checkers);
  DiagnosticSink sink;
  const auto kernel = interpreter::PreparedKernel::make_instrumented(
      context.module, context.function, context.profile, sink,
      [&plan](interpreter::PlanBuilder& builder) { plan.instrument(builder); }, hoists);
  if (kernel == nullptr) return std::nullopt;
  CheckRun run;
  run.context = &context;
  run.checkers.push_back(std::make_unique<Handing>(checker));
  run.values = plan.value_count();
  interpreter::RunRequest request = context.request;
  request.instrumentation_state = &run;
  request.threads = 1;
  request.rollback = false;
  request.touches = interpreter::AccessTracking::none;
  request.profiling = {};
  request.progress = nullptr;
  request.print = [](const std::string&) {};
  return kernel->launch(request, sink);
}

}  // namespace lockstep::sanitizer
