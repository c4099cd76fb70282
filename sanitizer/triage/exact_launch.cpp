#include "sanitizer/triage/exact_launch.h"

#include <cstring>

#include "interpreter/access/storage_copy.h"
#include "interpreter/instrument/instrumentation_pass.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "sanitizer/core/lone_run.h"
#include "sanitizer/numeric/precision.h"
#include "support/float_formats.h"

namespace lockstep::sanitizer {

bool ExactLaunch::run(const std::vector<Expectation>& results) {
  memory_.clear();
  const auto report = run_alone(*this, context_, false);
  if (!report || report->outcome != interpreter::Outcome::completed) return false;
  for (const Expectation& one : results) {
    const memory_model::View& view = context_.request.memory->view(one.view);
    if (!is_float(view.element)) continue;
    for (std::int64_t i = 0; i < view.element_count(); ++i) {
      const std::uint64_t address = address_of_element(view, i);
      const TracedNumber* number = memory_.find(address);
      if (number == nullptr) continue;
      const std::uint64_t bits = encode_float(view.element, number->exact);
      std::memcpy(interpreter::bytes_at(address), &bits, static_cast<std::size_t>(size_bytes(view.element)));
    }
  }
  return true;
}

Checker::Requirements ExactLaunch::needs(const LaunchContext&) const {
  Requirements needs;
  needs.steps = true;
  return needs;
}

Checker::Interest ExactLaunch::wish(const ir::Op& op) const {
  if (ir::is_control_flow(op)) return {};
  if (interpreter::touches_memory(op)) return {true, false};
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    if (is_float_value(*op.result(i))) return {true, false};
  }
  return {};
}

void ExactLaunch::before(Execution& run) {
  const ir::Op& op = run.op();
  if (interpreter::touches_memory(op)) return look_at_access(run);
  if (op.def().effects == ir::Effects::pure && op.operand_count() != 0) return carry_shadow(run);
  for (std::size_t i = 0; i < op.result_count(); ++i) run.state(*op.result(i)) = nullptr;
}

void ExactLaunch::look_at_access(Execution& run) {
  const ir::Op& op = run.op();
  for (std::size_t i = 0; i < op.result_count(); ++i) run.state(*op.result(i)) = nullptr;
  if (run.lanes().kind() != interpreter::TouchKind::load) {
    memory_.store(run, [](std::int64_t, std::uint64_t, const std::optional<TracedNumber>&) {});
  } else if (op.result_count() == 1) {
    run.state(*op.result()) = memory_.load(run);
  }
}

}  // namespace lockstep::sanitizer
