// Races between programs (LS301 to LS307, LS309, LS311): two accesses to one byte by different programs, one of them a
// store, that nothing orders. The checker steps through a launch only if the bytes that it touched allow a race;
// programs that share bytes only through compatible atomics cannot race.
#include "interpreter/access/access_lanes.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"
#include "sanitizer/core/checkers.h"
#include "sanitizer/race/race_engine.h"
#include "sanitizer/race/race_filter.h"

namespace lockstep::sanitizer {

RaceChecker::RaceChecker() = default;
RaceChecker::~RaceChecker() = default;

const RaceFacts& RaceChecker::facts(const LaunchContext& context) const {
  std::call_once(is_known_,
                 [&] { facts_ = std::make_shared<const RaceFacts>(race_facts(context.module, context.function)); });
  return *facts_;
}

void RaceChecker::learn_from(const Checker& kept, const LaunchContext& context) {
  const auto& known = static_cast<const RaceChecker&>(kept);
  known.facts(context);
  std::call_once(is_known_, [&] { facts_ = known.facts_; });
}

Checker::Requirements RaceChecker::needs(const LaunchContext& context) const {
  return race_look(context, facts(context)).needs;
}

Checker::Interest RaceChecker::wish(const ir::Op& op) const {
  return {interpreter::touches_memory(op), ir::does_atomic(op, ir::MemoryAccess::Atomic::poll)};
}

void RaceChecker::before(Execution& run) {
  if (engine_ == nullptr) {
    const RaceFacts& known = facts(run.context());
    engine_ =
        std::make_unique<RaceEngine>(run.context(), race_look(run.context(), known).is_followed, known.has_acquirers);
  }
  engine_->before(run);
}

void RaceChecker::after(Execution& run) { engine_->after(run); }

bool RaceChecker::end(const LaunchContext& context, interpreter::LaunchReport& report) {
  if (engine_ != nullptr) {
    engine_->finish(report.findings);
    return true;
  }
  const bool has_ended =
      report.outcome == interpreter::Outcome::completed || report.outcome == interpreter::Outcome::deadlocked;
  return !has_ended || !may_have_raced(context, race_look(context, facts(context)), report);
}

}  // namespace lockstep::sanitizer
