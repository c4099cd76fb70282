#include "sanitizer/core/checked_kernel.h"

#include <algorithm>
#include <chrono>

#include "interpreter/access/storage_copy.h"
#include "interpreter/batching/effects.h"
#include "interpreter/scheduler/execution_mode.h"
#include "ir/module.h"
#include "sanitizer/core/check_plan.h"
#include "sanitizer/core/launch_facts.h"
#include "sanitizer/core/touched_facts.h"
#include "sanitizer/coverage/code_coverage.h"
#include "sanitizer/race/exploration.h"
#include "support/log.h"

namespace lockstep::sanitizer {

using interpreter::LaunchReport;
using interpreter::PreparedKernel;
using interpreter::RunRequest;

/// The kernel with steps for some of the checkers.
struct CheckedKernel::Stepped {
  std::unique_ptr<const PreparedKernel> kernel;
  std::size_t values = 0;
  CodeCoveragePlan coverage;
};

CheckedKernel::CheckedKernel(const ir::Module& module, const ir::Op& function, const TargetProfile& profile)
    : module_(module), function_(function), profile_(profile) {
  for (const CheckerRow& row : checker_rows()) prototypes_.push_back(row.make());
}

CheckedKernel::~CheckedKernel() = default;

std::unique_ptr<const CheckedKernel> CheckedKernel::make(const ir::Module& module, const ir::Op& function,
                                                         const TargetProfile& profile, DiagnosticSink& sink) {
  std::unique_ptr<CheckedKernel> made(new CheckedKernel(module, function, profile));
  made->plain_ = PreparedKernel::make(module, function, profile, sink);
  return made->plain_ != nullptr ? std::move(made) : nullptr;
}

const CheckedKernel::Stepped* CheckedKernel::stepped(std::uint32_t checkers, bool covers, DiagnosticSink& sink) const {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<const Stepped>& known = stepped_[{checkers, covers}];
  if (known != nullptr) return known.get();
  std::vector<const Checker*> chosen;
  for (std::size_t i = 0; i < prototypes_.size(); ++i) {
    if ((checkers >> i & 1) != 0) chosen.push_back(prototypes_[i].get());
  }
  auto made = std::make_unique<Stepped>();
  CheckPlan plan(chosen, covers ? &made->coverage : nullptr);
  made->kernel = PreparedKernel::make_instrumented(
      module_, function_, profile_, sink, [&plan](interpreter::PlanBuilder& builder) { plan.instrument(builder); });
  if (made->kernel == nullptr) return nullptr;
  made->values = plan.value_count();
  known = std::move(made);
  return known.get();
}

bool CheckedKernel::places_are_fixed() const {
  std::call_once(places_known_, [this] { places_are_fixed_ = !places_hang_on_memory(module_, function_); });
  return places_are_fixed_;
}

/// Accesses, assertions, wrapping loops and deadlocks are errors whether or not a checker is on.
bool is_found_by_checkers(FindingCode code) { return row_of(code).maker == FindingMaker::checker; }

namespace {

/// The time left to a launch, however often it runs.
class Deadline {
 public:
  explicit Deadline(double seconds) : seconds_(seconds) {}
  bool is_set() const { return seconds_ > 0; }
  /// 0: no limit.
  double left() const {
    if (!is_set()) return 0;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    return std::max(seconds_ - passed.count(), 1e-6);
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double seconds_;
};

}  // namespace

/// A launch, which may have to run twice.
class CheckedKernel::Attempt {
 public:
  Attempt(const CheckedKernel& kernel, const RunRequest& request, const CheckOptions& options, const Deadline& deadline,
          DiagnosticSink& sink, CodeCoverage* coverage)
      : deadline_(deadline),
        kernel_(kernel),
        request_(request),
        options_(options),
        sink_(sink),
        coverage_(coverage),
        context_{kernel.module_, kernel.function_, request, kernel.profile_, options, kernel.plain_->effects()},
        memory_(budget_) {
    context_.kernel = kernel.plain_.get();
    if (options.checkers == 0) return;
    key_ = key_of(request, options);
    all_ = ask();
    choose();
  }

  std::optional<LaunchReport> launch() {
    const bool is_plain = (involved_ | later_) == 0 && coverage_ == nullptr;
    auto report = is_plain ? run_plain() : run_checked();
    if (!report) return std::nullopt;
    const std::uint32_t missing = missed_.left_out | missed_.earlier;
    report->looked = {options_.checkers & ~missing, involved_ & ~with_steps_, with_steps_};
    if (is_paid_) note_price(*report);
    return report;
  }

  const NotLookedFor& missed() const { return missed_; }

 private:
  std::optional<LaunchReport> run_plain() {
    if (!deadline_.is_set()) return kernel_.plain_->launch(request_, sink_);
    RunRequest request = request_;
    request.limits.timeout_seconds = deadline_.left();
    return kernel_.plain_->launch(request, sink_);
  }

  std::optional<LaunchReport> run_checked() {
    const std::uint32_t with_steps = with_steps_;
    if ((may_suspect_ || request_.rollback) && !keep_memory() && !can_do_without()) return out_of_memory();
    auto report = run_guarded();
    if (report) suspected_ |= later_;
    std::uint32_t suspected = 0;
    while (report && is_worth_another(*report)) {
      const double seconds = report->seconds;
      suspected |= suspected_;
      memory_.restore();
      look_again(*report);
      report = run_guarded();
      if (report) report->seconds += seconds;
    }
    if (!report) return std::nullopt;
    if (suspected != 0) learn(suspected);
    if (log::is_enabled_debug()) log::debug(cost_text());
    if (options_.warns_only) report->findings.demote(is_found_by_checkers);
    report->findings.sort();
    settle(*report, with_steps);
    const bool is_sound = report->outcome == interpreter::Outcome::completed && !report->findings.has(Tier::error);
    if (request_.rollback && !is_sound) {
      memory_.restore();
      report->rolled_back = true;
    }
    return report;
  }

  /// Chooses the checkers and how closely they look: those that examine every launch, and those of the others that are
  /// cheap here.
  void choose() {
    const std::uint32_t always = options_.checkers & ~options_.when_cheap;
    std::uint32_t stepping = 0, ranging = 0;
    for (std::uint32_t i = 0; i < all_.size(); ++i) {
      if (all_[i].is_settled) missed_.earlier |= 1u << i;
      if ((options_.when_cheap >> i & 1) == 0) continue;
      if (all_[i].steps) {
        stepping |= 1u << i;
      } else if (all_[i].touches != interpreter::AccessTracking::none) {
        ranging |= 1u << i;
      }
    }
    involve(always);
    must_keep_memory_ = may_suspect_ || request_.rollback;
    if ((stepping | ranging) == 0) return;
    if (request_.profiling.is_on) return leave_out(stepping | ranging, Look::text);  // times would be those of looking
    is_paid_ = true;
    const auto decision =
        kernel_.budget_.decide(key_, wanted(stepping, ranging), [&] { return estimate_launch(context_); });
    if (decision.steps_later) later_ = stepping;
    decision.look == Look::text ? leave_out(ranging, Look::ranges) : involve(ranging);
    if (decision.look == Look::steps) return involve(stepping);
    if (later_ == 0) return leave_out(stepping, Look::steps);
    may_suspect_ = true;
  }

  CheckBudget::Wanted wanted(std::uint32_t stepping, std::uint32_t ranging) const {
    constexpr double kSecondsOfByte = 0.25e-9;
    CheckBudget::Wanted made;
    made.ranges = ranging != 0;
    made.steps = stepping != 0;
    made.seconds_left = deadline_.left();
    made.is_one_of_many = request_.schedule != 0;
    bool may_suspect = false;
    for (std::uint32_t i = 0; i < all_.size(); ++i)
      may_suspect |= all_[i].may_suspect && ((stepping | ranging) >> i & 1) != 0;
    if (!may_suspect || may_suspect_) return made;  // nothing to copy, or it is copied anyway
    for (const auto storage : interpreter::changed_storages(request_, context_.effects))
      made.copy_seconds += kSecondsOfByte * static_cast<double>(request_.memory->storage(storage).extent.bytes());
    return made;
  }

  void involve(std::uint32_t checkers) {
    for (std::uint32_t i = 0; i < all_.size(); ++i) {
      if ((checkers >> i & 1) == 0) continue;
      const Checker::Requirements& needs = all_[i];
      touches_ = std::max(touches_, needs.touches);
      may_suspect_ |= needs.may_suspect;
      if (needs.steps) with_steps_ |= 1u << i;
      if (needs.any_thread) any_thread_ |= 1u << i;
      if (needs.steps || needs.touches != interpreter::AccessTracking::none) involved_ |= 1u << i;
    }
  }

  /// `look`: how close a look they would have needed.
  void leave_out(std::uint32_t checkers, Look look) {
    involved_ &= ~checkers;
    const bool was_before = look != Look::text && kernel_.budget_.was_looked_at(key_, look);
    (was_before ? missed_.earlier : missed_.left_out) |= checkers;
  }

  /// There is no memory for a copy of what the launch changes: checkers that nobody requested by name must not make the
  /// launch fail. False: it needs the copy anyway.
  bool can_do_without() {
    if (must_keep_memory_) return false;
    std::uint32_t suspicious = later_;
    for (std::uint32_t i = 0; i < all_.size(); ++i) {
      if (all_[i].may_suspect) suspicious |= involved_ & 1u << i;
    }
    leave_out(suspicious, Look::text);
    with_steps_ &= ~suspicious;
    later_ = 0;
    return true;
  }

  /// The launch is to run again. Drops the checkers whose steps would cost too much.
  bool is_worth_another(const LaunchReport& last) {
    std::uint32_t cheap = 0;
    for (std::uint32_t i = 0; i < all_.size(); ++i) {
      const bool is_ranged = last.touched != nullptr && all_[i].touches_again > touches_;
      if ((suspected_ >> i & 1) != 0 && !is_ranged) cheap |= 1u << i;
    }
    const bool has_ended =
        last.outcome == interpreter::Outcome::completed || last.outcome == interpreter::Outcome::deadlocked;
    const bool steps_anyway = (cheap & ~options_.when_cheap) != 0;
    if (cheap != 0 && !steps_anyway &&
        !(has_ended && kernel_.budget_.may_step_again(key_, last.seconds, deadline_.left()))) {
      leave_out(cheap, Look::steps);
      suspected_ &= ~cheap;
    }
    return suspected_ != 0;
  }

  void note_price(const LaunchReport& report) const {
    const std::uint32_t paid = options_.when_cheap & involved_;
    const Look look = (paid & with_steps_) != 0 ? Look::steps : paid != 0 ? Look::ranges : Look::text;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    const bool repeats = !options_.warns_only && report.findings.has(Tier::error);
    kernel_.budget_.note(key_, look, {passed.count(), report.seconds}, repeats);
  }

  /// Asks each checker that is on. The function does not cache answers that depend on memory.
  NeedsCache::AllNeeds ask() {
    const auto known = kernel_.needs_.find(key_);
    NeedsCache::AllNeeds all = known ? *known : NeedsCache::AllNeeds(kernel_.prototypes_.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool is_on = (options_.checkers >> i & 1) != 0;
      if (is_on && (!known || all[i].reads_memory)) all[i] = kernel_.prototypes_[i]->needs(context_);
    }
    if (!known) kernel_.needs_.keep(key_, all);
    return all;
  }

  /// Takes more ranges where they may suffice, else steps.
  void look_again(const LaunchReport& last) {
    context_.is_second = true;
    interpreter::AccessTracking touches = touches_;
    for (std::uint32_t i = 0; i < all_.size(); ++i) {
      if ((suspected_ >> i & 1) == 0) continue;
      if (last.touched == nullptr || all_[i].touches_again <= touches_) {
        with_steps_ |= 1u << i;
        involved_ |= 1u << i;
        touches = std::max(touches, all_[i].touches);
        if (all_[i].any_thread) any_thread_ |= 1u << i;
      } else {
        touches = std::max(touches, all_[i].touches_again);
      }
    }
    touches_ = touches;
    suspected_ = later_ = 0;
  }

  /// Later launches of this kind begin with what this one finally needed.
  void learn(std::uint32_t suspected) {
    for (std::uint32_t i = 0; i < all_.size(); ++i) {
      if ((suspected >> i & 1) == 0) continue;
      if (all_[i].touches_again <= touches_) all_[i].touches = std::max(all_[i].touches, all_[i].touches_again);
      if (all_[i].suspicion_lasts && (with_steps_ >> i & 1) != 0) all_[i].steps = true;
    }
    kernel_.needs_.keep(key_, all_);
  }

  /// The automatic checkers examine one launch of each kind with steps, if it shows no error. The others look as long as
  /// that is cheap, or once if that shows all that there is to see.
  void settle(const LaunchReport& report, std::uint32_t checkers) {
    const bool is_sound = report.outcome == interpreter::Outcome::completed && !report.findings.has(Tier::error);
    std::uint32_t settled = checkers & ~options_.when_cheap;
    std::uint32_t of_places = 0;
    for (std::uint32_t i = 0; i < all_.size(); ++i) of_places |= all_[i].of_places ? 1u << i : 0;
    of_places &= involved_ & options_.when_cheap;
    if (of_places != 0 && !report.findings.has(Tier::warning) && kernel_.places_are_fixed()) settled |= of_places;
    if (settled != 0 && is_sound && options_.warns_only) kernel_.needs_.settle(key_, settled);
  }

  std::string cost_text() const {
    std::string steps, touches;
    for (std::uint32_t i = 0; i < all_.size(); ++i) {
      const std::string name = " " + std::string(checker_rows()[i].name);
      if ((with_steps_ >> i & 1) != 0) steps += name + ((all_[i].steps) ? "" : " (again)");
      if (all_[i].touches == interpreter::AccessTracking::programs) touches += name;
    }
    return "checkers of " + std::string(ir::symbol_name(kernel_.function_)) + ": steps:" + steps +
           "; programs told apart:" + touches + (context_.is_second ? "; ran twice" : "");
  }

  bool keep_memory() {
    const auto& effects = context_.effects;
    const auto storages = request_.rollback ? interpreter::written_storages(request_, effects)
                                            : interpreter::changed_storages(request_, effects);
    return memory_.take(*request_.memory, storages, interpreter::thread_count(request_));
  }

  std::optional<LaunchReport> out_of_memory() {
    LaunchReport report;
    report.outcome = interpreter::Outcome::out_of_memory;
    return report;
  }

  /// Threads may find that programs overlap and run them again: notes made before then depend on the threads.
  bool may_take_back_ways() const {
    return coverage_ != nullptr && !interpreter::changed_storages(request_, context_.effects).empty();
  }

  /// If a callback throws, memory is in the state that a launch with rollback promises.
  std::optional<LaunchReport> run_guarded() {
    try {
      return run();
    } catch (...) {
      if (request_.rollback) memory_.restore();
      throw;
    }
  }

  std::optional<LaunchReport> run() {
    CheckRun run;
    run.context = &context_;
    std::vector<std::pair<std::uint32_t, Checker*>> all;
    std::vector<std::unique_ptr<Checker>> beside;  // without steps
    for (std::uint32_t i = 0; i < kernel_.prototypes_.size(); ++i) {
      if ((involved_ >> i & 1) == 0) continue;
      auto& list = (with_steps_ >> i & 1) != 0 ? run.checkers : beside;
      list.push_back(checker_rows()[i].make());
      list.back()->learn_from(*kernel_.prototypes_[i], context_);
      all.emplace_back(i, list.back().get());
    }
    const bool has_steps = with_steps_ != 0 || coverage_ != nullptr;
    const Stepped* stepped = has_steps ? kernel_.stepped(with_steps_, coverage_ != nullptr, sink_) : nullptr;
    if (has_steps && stepped == nullptr) return std::nullopt;
    context_.touches = touches_;
    for (const auto& [i, checker] : all) checker->begin(context_);
    RunRequest request = request_;
    request.touches = touches_;
    request.rollback = false;
    request.limits.timeout_seconds = deadline_.left();
    if (context_.is_second) request.print = [](const std::string&) {};  // the first run has printed
    CoverageBits bits(stepped != nullptr ? stepped->coverage.site_count() : 0);
    if (stepped != nullptr) {
      run.values = stepped->values;
      run.coverage = &bits;
      request.instrumentation_state = &run;
      if ((with_steps_ & ~any_thread_) != 0 || may_take_back_ways()) request.threads = 1;
    }
    const PreparedKernel& kernel = stepped != nullptr ? *stepped->kernel : *kernel_.plain_;
    auto report = kernel.launch(request, sink_);
    if (!report) return std::nullopt;
    if (coverage_ != nullptr) stepped->coverage.add_to(bits, *coverage_);
    const TouchedFacts touched(*report, touches_ == interpreter::AccessTracking::programs);
    context_.touched = &touched;
    for (const auto& [i, checker] : all) {
      if (!checker->end(context_, *report) && (with_steps_ >> i & 1) == 0) suspected_ |= 1u << i;
    }
    context_.touched = nullptr;
    return report;
  }

  const Deadline& deadline_;
  const CheckedKernel& kernel_;
  const RunRequest& request_;
  const CheckOptions& options_;
  DiagnosticSink& sink_;
  CodeCoverage* coverage_;
  LaunchContext context_;
  LaunchKey key_;
  NeedsCache::AllNeeds all_;
  interpreter::MemoryBudget budget_;
  interpreter::StorageCopy memory_;
  interpreter::AccessTracking touches_ = interpreter::AccessTracking::none;
  std::uint32_t involved_ = 0, with_steps_ = 0, any_thread_ = 0, suspected_ = 0;
  std::uint32_t later_ = 0;  // to step in another run, if the first one shows that this is cheap
  NotLookedFor missed_;
  bool may_suspect_ = false, must_keep_memory_ = false, is_paid_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::optional<LaunchReport> CheckedKernel::launch(const RunRequest& request, const CheckOptions& options,
                                                  DiagnosticSink& sink, CodeCoverage* coverage,
                                                  NotLookedFor* missed) const {
  const Deadline deadline(request.limits.timeout_seconds);
  const auto launch = [&](const RunRequest& one) {
    Attempt attempt(*this, one, options, deadline, sink, coverage);
    auto report = attempt.launch();
    if (missed != nullptr) {
      missed->left_out |= attempt.missed().left_out;
      missed->earlier |= attempt.missed().earlier;
    }
    return report;
  };
  return launch_schedules({module_, function_, request, profile_, options, plain_->effects()}, launch,
                          [&] { return deadline.left(); });
}

std::uint64_t CheckedKernel::schedule_of(const RunRequest& request, const CheckOptions& options) const {
  return chosen_schedule({module_, function_, request, profile_, options, plain_->effects()});
}

std::optional<LaunchReport> launch_checked(const interpreter::LaunchRequest& request, const CheckOptions& options,
                                           DiagnosticSink& sink, CodeCoverage* coverage, NotLookedFor* missed) {
  const auto kernel = CheckedKernel::make(*request.module, *request.function, request.profile, sink);
  return kernel != nullptr ? kernel->launch(request, options, sink, coverage, missed) : std::nullopt;
}

}  // namespace lockstep::sanitizer
