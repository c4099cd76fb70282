#include "sanitizer/race/reversals.h"

#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

#include "interpreter/launch/prepared.h"
#include "interpreter/scheduler/race_reversal.h"
#include "ir/op_def.h"
#include "sanitizer/core/check_plan.h"
#include "sanitizer/core/execution.h"
#include "sanitizer/race/race_sites.h"

namespace lockstep::sanitizer {

namespace {

using interpreter::RaceReversal;

/// Every atomic of a launch, in execution order.
class AtomicLog : public Checker {
 public:
  Requirements needs(const LaunchContext&) const override { return {}; }
  Interest wish(const ir::Op& op) const override {
    return {interpreter::touches_memory(op) && kind_of(op).is_atomic, false};
  }

  void before(Execution& run) override {
    if (run.is_once()) return;
    const Made made{&run.op(), run.program(), ++made_[run.program()]};
    interpreter::AccessLanes& lanes = run.lanes();
    for (std::int64_t i = 0; i < lanes.count(); ++i) {
      if (lanes.is_on(i)) meet(lanes.address(i), made);
    }
  }

  /// One of each pair of ops, then another of each, and so on.
  std::vector<std::uint64_t> reversals() const {
    std::vector<std::uint64_t> all;
    for (std::size_t turn = 0; turn < kMostOfAPair; ++turn) {
      for (const auto& [ops, found] : found_) {
        if (turn < found.size()) all.push_back(found[turn]);
      }
    }
    return all;
  }

 private:
  static constexpr std::size_t kMostOfAPair = 256, kMostAddresses = 1u << 20;
  struct Made {
    const ir::Op* op = nullptr;
    std::uint64_t program = 0, number = 0;  // number: of the program's atomics, from 1
  };

  static RaceAccessKind kind_of(const ir::Op& op) {
    RaceAccessKind kind = race_access_kind(op);
    kind.is_atomic &= kind.writes || op.result_count() != 0;
    return kind;
  }

  void meet(std::uint64_t address, const Made& now) {
    if (last_.size() >= kMostAddresses && !last_.contains(address)) return;
    Made& last = last_[address];
    if (last.op != nullptr && last.program != now.program && may_matter(*last.op, *now.op)) note(last, now);
    last = now;
  }

  /// Sums of integers that nobody reads while they grow are the same either way.
  static bool may_matter(const ir::Op& first, const ir::Op& second) {
    const RaceAccessKind a = kind_of(first), b = kind_of(second);
    const bool is_sum_of_floats = second.result_count() != 0 && second.result()->type().element().is_float();
    return (a.writes || b.writes) && (a.is_observed || b.is_observed || a.swaps || b.swaps || is_sum_of_floats);
  }

  void note(const Made& first, const Made& second) {
    auto& found = found_[{number_of(first.op), number_of(second.op)}];
    const auto number = RaceReversal{first.program, first.number - 1, second.program, second.number}.number();
    if (!number || found.size() >= kMostOfAPair || (!found.empty() && found.back() == *number)) return;
    found.push_back(*number);
  }

  std::size_t number_of(const ir::Op* op) { return numbers_.try_emplace(op, numbers_.size()).first->second; }

  std::unordered_map<std::uint64_t, std::uint64_t> made_;  // atomics, by program
  std::unordered_map<std::uint64_t, Made> last_;           // by address
  std::unordered_map<const ir::Op*, std::size_t> numbers_;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::uint64_t>> found_;  // by the ops of the pair
};

}  // namespace

std::vector<std::uint64_t> find_reversals(const LaunchContext& context, double timeout_seconds) {
  auto owned = std::make_unique<AtomicLog>();
  const AtomicLog& log = *owned;
  const std::vector<const Checker*> checkers{&log};
  CheckPlan plan(checkers);
  DiagnosticSink sink;
  const auto kernel = interpreter::PreparedKernel::make_instrumented(
      context.module, context.function, context.profile, sink,
      [&plan](interpreter::PlanBuilder& builder) { plan.instrument(builder); });
  if (kernel == nullptr) return {};
  CheckRun run;
  run.context = &context;
  run.checkers.push_back(std::move(owned));
  run.values = plan.value_count();
  interpreter::RunRequest request = context.request;
  request.instrumentation_state = &run;
  request.threads = 1;
  request.rollback = false;
  request.profiling = {};
  request.limits.timeout_seconds = timeout_seconds;
  request.print = [](const std::string&) {};
  return kernel->launch(request, sink) ? log.reversals() : std::vector<std::uint64_t>();
}

}  // namespace lockstep::sanitizer
