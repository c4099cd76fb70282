#include "interpreter/profile/profiler.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>

#include "interpreter/launch/launch.h"
#include "interpreter/profile/profile_advice.h"
#include "interpreter/profile/user_place.h"
#include "ir/op_def.h"
#include "support/check.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace lockstep::interpreter {

namespace {

std::int64_t steady_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// The quickest clock that all cores share; comparing it with the steady clock over the launch gives its unit.
std::uint64_t ticks() {
#if defined(__x86_64__)
  return __rdtsc();
#elif defined(__aarch64__)
  std::uint64_t count = 0;
  asm volatile("mrs %0, cntvct_el0" : "=r"(count));
  return count;
#else
  return static_cast<std::uint64_t>(steady_ns());
#endif
}

const Step* do_nothing(Machine&, const Step* step) { return step->target; }

/// Ticks for measuring one step, from steps that do nothing.
double calibrate(std::size_t max_slices) {
  constexpr std::size_t kSteps = 256;
  constexpr int kRounds = 16;
  Plan plan;
  plan.steps.resize(kSteps);
  for (std::size_t i = 0; i < kSteps; ++i) {
    plan.steps[i].run = do_nothing;
    plan.steps[i].target = i + 1 < kSteps ? &plan.steps[i + 1] : nullptr;
  }
  plan.prologue = plan.entry = plan.steps.data();
  const std::vector<MeasuredPlan> plans{{&plan, ProfilePart::program, std::vector<bool>(kSteps, false), {}}};
  Launch launch;
  launch.plan = &plan;
  Machine machine(launch);
  ProgramState program;
  machine.program = &program;
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kRounds; ++round) {
    StepProfiler profiler(plans, max_slices);
    program.next = plan.entry;
    const std::uint64_t begin = ticks();
    profiler.run(machine);
    least = std::min(least, static_cast<double>(ticks() - begin) / kSteps);
  }
  return least;
}

double overhead_of(bool traces) {
  static const double plain = calibrate(0), tracing = calibrate(std::size_t{1} << 12);
  return traces ? tracing : plain;
}

bool is_access(const Plan& plan, const Step& step) {
  if (step.site >= plan.sites.size() || step.operand_count == 0 || step.operand[0] == kNoSlot) return false;
  const TileType& type = *plan.slot_types[step.operand[0]];
  return type.kind == ScalarKind::pointer && !type.is_scalar() &&
         plan.sites[step.site].op->def().access.is_pointer_access();
}

}  // namespace

// ---- one worker ----

StepProfiler::StepProfiler(const std::vector<MeasuredPlan>& plans, std::size_t max_slices)
    : plans_(plans), arrived_(ticks()), left_(arrived_), max_slices_(max_slices) {
  for (const MeasuredPlan& measured : plans) times_.emplace_back(measured.plan->steps.size());
}

std::size_t StepProfiler::plan_of(const Step* step) const {
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    const auto& steps = plans_[i].plan->steps;
    if (!std::less<>()(step, steps.data()) && std::less<>()(step, steps.data() + steps.size())) return i;
  }
  LOCKSTEP_CHECK(false, "a step of a plan that the profiler does not know");
}

void StepProfiler::run(Machine& machine) {
  const Step* step = machine.program->next;
  const std::size_t plan = plan_of(step);
  const Step* const first = plans_[plan].plan->steps.data();
  const bool is_prologue = std::less<>()(step, plans_[plan].plan->entry);
  std::vector<StepTime>& times = times_[plan];
  const std::vector<bool>& accesses = plans_[plan].is_access;
  machine.status = Status::running;
  const std::uint64_t begin = ticks();
  std::uint64_t before = begin;
  if (max_slices_ != 0) begin_run(machine.program->number, begin);
  while (step != nullptr) {
    if (!machine.poll(step->cost)) [[unlikely]] {
      machine.program->next = step;
      break;
    }
    const auto index = static_cast<std::size_t>(step - first);
    StepTime& time = times[index];
    if (accesses[index] && machine.slots[step->operand[0]].form == Form::dense) ++time.scattered;
    const std::uint64_t read = machine.bytes_read, written = machine.bytes_written;
    const Step* const next = step->run(machine, step);
    time.read += machine.bytes_read - read;
    time.written += machine.bytes_written - written;
    const std::uint64_t now = ticks();
    time.ticks += now - before;
    ++time.calls;
    if (is_noting_) note_step(plan, step, before, now);
    before = now;
    step = next;
  }
  left_ = before;
  in_steps_ += left_ - begin;
  if (!is_prologue) ++runs_;
  if (max_slices_ != 0) end_run(left_);
}

// ---- slices ----

void StepProfiler::begin_run(std::uint64_t program, std::uint64_t time) {
  if (run_slices_.size() + step_slices_.size() >= max_slices_) thin_out();
  is_noting_ = samples(program);
  if (!is_noting_ && !run_slices_.empty() && !run_slices_.back().is_sampled) {
    RunSlice& last = run_slices_.back();
    const bool is_next = program == last.last || program == last.last + 1;
    if (is_next || run_slices_.size() > max_slices_ / 2) {
      last.first = std::min(last.first, program);
      last.last = std::max(last.last, program);
      return;
    }
  }
  run_slices_.push_back({time, time, program, program, step_slices_.size(), 0, is_noting_, is_noting_});
}

void StepProfiler::end_run(std::uint64_t time) {
  RunSlice& run = run_slices_.back();
  run.end = time;
  if (run.is_sampled) run.steps = step_slices_.size() - run.first_step;
  is_noting_ = false;
}

void StepProfiler::note_step(std::size_t plan, const Step* step, std::uint64_t begin, std::uint64_t end) {
  if (step_slices_.size() - run_slices_.back().first_step >= max_slices_ / 4) {
    run_slices_.back().is_whole = is_noting_ = false;
    return;
  }
  const auto index = static_cast<std::uint32_t>(step - plans_[plan].plan->steps.data());
  step_slices_.push_back({begin, end, index, static_cast<std::uint32_t>(plan)});
}

void StepProfiler::thin_out() {
  while (run_slices_.size() + step_slices_.size() > max_slices_ / 2 && every_ < std::uint64_t{1} << 62) {
    every_ *= 2;
    std::vector<RunSlice> runs;
    std::vector<StepSlice> steps;
    for (RunSlice run : run_slices_) {
      run.is_sampled = run.is_sampled && samples(run.first);
      if (run.is_sampled) {
        const auto from = step_slices_.begin() + static_cast<std::ptrdiff_t>(run.first_step);
        run.first_step = steps.size();
        steps.insert(steps.end(), from, from + static_cast<std::ptrdiff_t>(run.steps));
      } else if (!runs.empty() && !runs.back().is_sampled) {
        runs.back().end = run.end;
        runs.back().first = std::min(runs.back().first, run.first);
        runs.back().last = std::max(runs.back().last, run.last);
        continue;
      } else {
        run.steps = 0;
        run.first_step = steps.size();
        run.is_whole = false;
      }
      runs.push_back(run);
    }
    run_slices_ = std::move(runs);
    step_slices_ = std::move(steps);
  }
}

// ---- the launch ----

LaunchProfiler::LaunchProfiler(const ProfileRequest& request, unsigned threads)
    : request_(request), threads_(std::max(threads, 1u)) {
  overhead_of(request.trace_events != 0);  // before the clock starts
  start_ns_ = steady_ns();
  start_ticks_ = ticks();
}

void LaunchProfiler::add_plan(const Plan& plan, ProfilePart part) {
  MeasuredPlan measured{&plan, part, {}, parts_of_plan(plan)};
  for (const Step& step : plan.steps) measured.is_access.push_back(is_access(plan, step));
  plans_.push_back(std::move(measured));
}

StepProfiler& LaunchProfiler::worker() {
  const std::lock_guard lock(mutex_);
  const auto self = std::this_thread::get_id();
  for (const auto& [thread, profiler] : workers_) {
    if (thread == self) return *profiler;
  }
  const std::size_t most = request_.trace_events == 0 ? 0 : std::max<std::size_t>(request_.trace_events / threads_, 64);
  return *workers_.emplace_back(self, std::make_unique<StepProfiler>(plans_, most)).second;
}

// ---- results ----

/// Collects rows and finds the row of a step.
struct LaunchProfiler::RowMaker {
  Profile& profile;
  std::vector<std::vector<std::int32_t>> row_of;  // by plan, by step; -1: none yet

  RowMaker(Profile& made, const std::vector<MeasuredPlan>& plans) : profile(made) {
    for (const MeasuredPlan& measured : plans) row_of.emplace_back(measured.plan->steps.size(), -1);
  }

  /// The row of an op at its place.
  std::int32_t row_at(const Site& site, ProfilePart part) {
    ProfileRow row;
    row.op = site.op->spelling();
    row.place = user_place(site.location, row.function);
    row.part = part;
    const auto found = std::find_if(profile.rows.begin(), profile.rows.end(), [&](const ProfileRow& one) {
      return one.op == row.op && one.place == row.place && one.function == row.function && one.part == row.part;
    });
    if (found != profile.rows.end()) return static_cast<std::int32_t>(found - profile.rows.begin());
    profile.rows.push_back(std::move(row));
    return static_cast<std::int32_t>(profile.rows.size()) - 1;
  }

  std::int32_t row_of_step(const MeasuredPlan& measured, std::size_t plan, std::size_t step) {
    std::int32_t& row = row_of[plan][step];
    if (row < 0) {
      const Plan& of = *measured.plan;
      const bool is_prologue = std::less<>()(&of.steps[step], of.entry);
      row = row_at(of.sites[of.steps[step].site], is_prologue ? ProfilePart::prologue : measured.part);
    }
    return row;
  }
};

namespace {

std::uint64_t elements_of(const Plan& plan, const Step& step) {
  if (const TileType* type = fused_group_type(step); type != nullptr) return static_cast<std::uint64_t>(type->count);
  std::int64_t most = step.type == nullptr ? 1 : step.type->count;
  for (unsigned i = 0; i < std::min<unsigned>(step.operand_count, 4); ++i) {
    if (step.operand[i] != kNoSlot) most = std::max(most, plan.slot_types[step.operand[i]]->count);
  }
  return static_cast<std::uint64_t>(most);
}

/// The parts of a step with several ops.
std::pair<std::vector<StepPart>::const_iterator, std::vector<StepPart>::const_iterator> parts_of(
    const std::vector<StepPart>& parts, std::size_t step) {
  return std::equal_range(parts.begin(), parts.end(), StepPart{static_cast<std::uint32_t>(step), 0, 1},
                          [](const StepPart& a, const StepPart& b) { return a.step < b.step; });
}

}  // namespace

void LaunchProfiler::add_worker_time(const StepProfiler& worker, const Clocks& clocks, RowMaker& rows,
                                     Profile& profile) const {
  ProfileWorker& total = profile.workers.emplace_back();
  total.runs = worker.runs_;
  for (std::size_t p = 0; p < plans_.size(); ++p) {
    const Plan& plan = *plans_[p].plan;
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
      const StepProfiler::StepTime& time = worker.times_[p][i];
      if (time.calls == 0) continue;
      const auto measured = static_cast<double>(time.ticks);
      const double overhead = std::min(measured, clocks.overhead * static_cast<double>(time.calls));
      const double ns = (measured - overhead) * clocks.ns_per_tick;
      total.steps_ns += ns;
      total.measuring_ns += overhead * clocks.ns_per_tick;
      const auto add = [&](std::int32_t index, double share, bool is_shared) {
        ProfileRow& row = profile.rows[static_cast<std::size_t>(index)];
        row.calls += time.calls;
        row.ns += ns * share;
        row.elements += time.calls * elements_of(plan, plan.steps[i]);
        row.is_shared = row.is_shared || is_shared;
        const bool reads = !is_shared || row.op == "tt.load", writes = !is_shared || row.op == "tt.store";
        if (reads) row.bytes_read += time.read;
        if (writes) row.bytes_written += time.written;
        row.scattered += time.scattered;
      };
      const std::int32_t own = rows.row_of_step(plans_[p], p, i);
      const ProfilePart kind = profile.rows[static_cast<std::size_t>(own)].part;
      const auto [begin, end] = parts_of(plans_[p].parts, i);
      double weights = 0;
      for (auto part = begin; part != end; ++part) weights += part->weight;
      if (weights == 0) {
        add(own, 1, false);
        continue;
      }
      for (auto part = begin; part != end; ++part)
        add(rows.row_at(plan.sites[part->site], kind), part->weight / weights, true);
    }
  }
  const auto ns_between = [&](std::uint64_t from, std::uint64_t to) {
    return to < from ? 0 : static_cast<double>(to - from) * clocks.ns_per_tick;
  };
  total.before_ns = ns_between(clocks.start, worker.arrived_);
  total.scheduling_ns = std::max(
      0.0, ns_between(worker.arrived_, worker.left_) - static_cast<double>(worker.in_steps_) * clocks.ns_per_tick);
  total.after_ns =
      std::max(0.0, profile.wall_ns - total.before_ns - total.scheduling_ns - total.steps_ns - total.measuring_ns);
}

void LaunchProfiler::add_slices(const StepProfiler& worker, std::uint32_t index, const Clocks& clocks,
                                const RowMaker& rows, Profile& profile) const {
  const auto ns = [&](std::uint64_t time) {
    return time < clocks.start ? 0 : static_cast<double>(time - clocks.start) * clocks.ns_per_tick;
  };
  for (const StepProfiler::RunSlice& run : worker.run_slices_) {
    profile.slices.push_back({ns(run.begin), ns(run.end), -1, index, run.first, run.last, run.is_whole});
    for (std::size_t i = run.first_step; i < run.first_step + run.steps; ++i) {
      const StepProfiler::StepSlice& step = worker.step_slices_[i];
      profile.slices.push_back(
          {ns(step.begin), ns(step.end), rows.row_of[step.plan][step.step], index, run.first, run.last, true});
    }
  }
  profile.sampled_every = std::max(profile.sampled_every, worker.every_);
}

namespace {

/// Rows by time, and the slices' indices with them.
void sort_rows(Profile& profile) {
  std::vector<std::int32_t> order(profile.rows.size()), place(profile.rows.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int32_t>(i);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return profile.rows[static_cast<std::size_t>(a)].ns > profile.rows[static_cast<std::size_t>(b)].ns;
  });
  std::vector<ProfileRow> sorted;
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
    sorted.push_back(std::move(profile.rows[static_cast<std::size_t>(order[i])]));
  }
  profile.rows = std::move(sorted);
  for (ProfileSlice& slice : profile.slices) {
    if (slice.row >= 0) slice.row = place[static_cast<std::size_t>(slice.row)];
  }
}

void add_scattered(Profile& profile) {
  for (const ProfileRow& row : profile.rows) {
    if (row.scattered == 0) continue;
    ProfileAdvice& advice = profile.advice.emplace_back();
    advice.kind = ProfileAdvice::Kind::scattered;
    advice.place = row.place;
    advice.text = row.op + " took its addresses lane by lane (" + std::to_string(row.scattered) + " of " +
                  std::to_string(row.calls) + " calls): they are no arithmetic progression along the tile's dimensions";
  }
}

}  // namespace

std::shared_ptr<const Profile> LaunchProfiler::finish(const LaunchReport& report, std::string kernel,
                                                      std::vector<ProfileAdvice> advice) {
  const std::uint64_t end_ticks = ticks();
  const auto ns = static_cast<double>(steady_ns() - start_ns_);
  const std::lock_guard lock(mutex_);
  auto profile = std::make_shared<Profile>();
  Clocks clocks;
  clocks.start = start_ticks_;
  clocks.ns_per_tick = ns / static_cast<double>(std::max<std::uint64_t>(end_ticks - start_ticks_, 1));
  clocks.overhead = overhead_of(request_.trace_events != 0);
  profile->kernel = std::move(kernel);
  profile->start_ns = start_ns_;
  profile->wall_ns = ns;
  profile->programs = report.programs_run;
  profile->threads = std::max(report.threads, static_cast<unsigned>(workers_.size()));
  profile->thread_ns = ns * profile->threads;
  profile->ns_per_measurement = clocks.overhead * clocks.ns_per_tick;
  profile->advice = std::move(advice);
  RowMaker rows(*profile, plans_);
  for (const auto& [thread, worker] : workers_) add_worker_time(*worker, clocks, rows, *profile);
  for (std::size_t i = 0; i < workers_.size(); ++i)
    add_slices(*workers_[i].second, static_cast<std::uint32_t>(i), clocks, rows, *profile);
  sort_rows(*profile);
  add_scattered(*profile);
  return profile;
}

}  // namespace lockstep::interpreter
