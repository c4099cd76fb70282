#include "interpreter/scheduler/grid.h"

#include <algorithm>
#include <functional>
#include <new>

#include "interpreter/access/storage_copy.h"
#include "interpreter/apart/access_places.h"
#include "interpreter/scheduler/cooperative.h"
#include "interpreter/scheduler/execution_mode.h"
#include "interpreter/scheduler/team.h"
#include "interpreter/scheduler/worker_pool.h"

namespace lockstep::interpreter {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

namespace {

constexpr auto kPollInterval = std::chrono::milliseconds(20);
constexpr auto kProgressInterval = std::chrono::milliseconds(200);
/// Work shorter than this is finished before other threads would wake up.
constexpr Seconds kAlone{60e-6};
/// The same before the first worker exists.
constexpr Seconds kAloneAtFirst{200e-6};
/// Bytes of a snapshot. If its copy takes longer than kMuchToCopy, programs of unknown length are tried first.
constexpr double kCopiedPerSecond = 4e9;
constexpr Seconds kMuchToCopy{300e-6};

/// Roughly the time of a program without loops, by its steps' costs (which are meant for polling and high for most); 0:
/// it has loops. If it is too low, the first run of a program shows it.
double straight_line_seconds(const Plan& plan) {
  constexpr double kCostSeconds = 0.4e-9, kStepSeconds = 10e-9;
  double seconds = 0;
  for (const Step* step = plan.entry; step != plan.steps.data() + plan.steps.size(); ++step) {
    if (step->target != nullptr && !std::less<>()(step, step->target)) return 0;
    seconds += kStepSeconds + step->cost * kCostSeconds;
  }
  return seconds;
}

}  // namespace

Grid::Grid(Launch& launch, unsigned threads, const std::function<void(const Progress&)>& progress)
    : launch_(launch),
      runner_(launch),
      progress_(progress),
      started_(Clock::now()),
      last_progress_(started_),
      last_poll_(started_) {
  threads_ = static_cast<unsigned>(std::clamp<std::uint64_t>(threads, 1, std::max<std::uint64_t>(runner_.units(), 1)));
}

Grid::Grid(Launch& launch, unsigned threads, const std::function<void(const Progress&)>& progress,
           const ProgramRange& programs)
    : Grid(launch, threads, progress) {
  runner_.stop_before(programs.last + 1);
  next_ = next_unit_ = std::min(programs.first, runner_.programs());
}

// ---- callbacks ----

bool Grid::call_back() {
  const auto time = Clock::now();
  if (time - last_poll_ < kPollInterval) return true;
  last_poll_ = time;
  report_progress(false);
  return !*launch_.poll || (*launch_.poll)();
}

void Grid::watch(Machine& machine) {
  if (progress_ || *launch_.poll) machine.on_poll = [this] { return call_back(); };
}

void Grid::report_progress(bool now) {
  const auto time = Clock::now();
  if (!progress_ || (!now && time - last_progress_ < kProgressInterval)) return;
  last_progress_ = time;
  progress_({runner_.done(), runner_.programs(), Seconds(time - started_).count()});
}

// ---- concurrent programs ----

void Grid::run_alone(Worker& worker, const ExecutionMode& mode, double expected_seconds) {
  const bool has_helpers = threads_ > 1;
  if (has_helpers && expected_seconds == 0) expected_seconds = straight_line_seconds(*launch_.plan);
  const Seconds alone = SharedWork::helpers_are_there() ? kAlone : kAloneAtFirst;
  const Seconds worth_it = alone + Seconds(static_cast<double>(mode.snapshot_bytes) / kCopiedPerSecond);
  const bool is_unknown = expected_seconds == 0 && worth_it < kMuchToCopy;
  if (has_helpers && (is_unknown || Seconds(expected_seconds) * static_cast<double>(runner_.programs()) > worth_it)) return;
  while (next_unit_ < runner_.units() && runner_.run_unit(worker, next_unit_)) {
    next_ = runner_.first_program(++next_unit_);
    if (has_helpers && Clock::now() - started_ > worth_it) return;
  }
}

/// Programs that are shown to be apart need no logs, and nothing to run again from.
bool Grid::leave_out_logs() {
  if (launch_.places == nullptr || !launch_.places->are_apart(launch_)) return false;
  for (ViewRange& view : launch_.views) view.is_logged = false;
  launch_.undoes = false;
  return true;
}

bool Grid::run_with_helpers(Worker& worker, const std::vector<memory_model::StorageId>& snapshot) {
  StorageCopy before(launch_.budget);
  const bool may_run_again = !leave_out_logs() || launch_.checks_signs;
  if (may_run_again && !before.take(*launch_.memory, snapshot)) return false;  // in order nothing is run twice
  Team team(runner_, totals_, next_unit_, threads_);
  team.run(worker);
  workers_ = team.size();
  if (!launch_.abort && team.programs_overlapped()) {
    before.restore();
    team.for_each([](Machine& member) {
      member.kept.take();
      member.kept_overflow = false;
    });
    begin_again_at(next_unit_ + team.take_back());
    return false;
  }
  team.for_each([this](Machine& member) {
    totals_.collect(member);
    totals_.collect_touched(member);
  });
  team.collect_open();
  return true;
}

void Grid::begin_again_at(std::uint64_t unit_number) {
  next_unit_ = std::min(unit_number, runner_.units());
  next_ = runner_.first_program(next_unit_);
  runner_.set_done(next_);
}

bool Grid::run_side_by_side(const ExecutionMode& mode, double expected_seconds) {
  Worker worker(launch_);
  watch(worker.machine);
  try {
    runner_.prepare(worker.machine, worker.program);
    run_alone(worker, mode, expected_seconds);
  } catch (const std::bad_alloc&) {
    launch_.out_of_memory = launch_.abort = true;
  }
  totals_.collect(worker.machine);
  totals_.collect_touched(worker.machine);
  return launch_.abort || next_ == runner_.programs() || run_with_helpers(worker, mode.snapshot);
}

// ---- in order ----

void Grid::run_in_order() {
  launch_.is_ordered = true;
  Machine machine(launch_);
  watch(machine);
  try {
    deadlocked_ = !run_cooperatively(runner_, machine, next_);
  } catch (const std::bad_alloc&) {
    launch_.out_of_memory = true;
  }
  totals_.collect(machine);
  totals_.collect_touched(machine);
}

// ---- results ----

double Grid::seconds_per_program() const {
  const std::uint64_t run = runner_.done();
  if (run == 0) return 0;
  return Seconds(Clock::now() - started_).count() * workers_ / static_cast<double>(run);
}

namespace {

std::vector<ProgramRange> join_ranges(std::vector<ProgramRange> ranges) {
  if (ranges.size() < 2) return ranges;
  std::sort(ranges.begin(), ranges.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::size_t kept = 0;
  for (const ProgramRange& range : ranges) {
    if (kept != 0 && ranges[kept - 1].last + 1 == range.first) {
      ranges[kept - 1].last = range.last;
    } else {
      ranges[kept++] = range;
    }
  }
  ranges.resize(kept);
  return ranges;
}

}  // namespace

void Grid::fill(LaunchReport& report) {
  report.programs_total = runner_.programs();
  report.programs_run = runner_.done();
  report.bytes_read = totals_.bytes_read;
  report.bytes_written = totals_.bytes_written;
  report.bytes_streamed = totals_.bytes_streamed;
  report.batches = launch_.batches.load();
  report.failed_batches = launch_.failed_batches.load();
  report.ahead = launch_.ahead_runs;
  report.scratch_bytes = launch_.budget.peak.load();
  report.threads = launch_.is_ordered ? 1 : threads_;
  // As much as one thread may keep, so that the number of threads decides nothing.
  if (launch_.touches != AccessTracking::none && !totals_.has_lost_touched && totals_.touched.size() <= AccessLog::kMaxEntries) {
    sort_log(totals_.touched);
    report.touched = std::make_shared<const std::vector<LoggedRange>>(std::move(totals_.touched));
  }
  totals_.findings.sort();
  report.findings = std::move(totals_.findings);
  report.finished = join_ranges(std::move(totals_.finished));
  report.outcome = launch_.out_of_memory ? Outcome::out_of_memory
                   : launch_.interrupted ? Outcome::interrupted
                   : launch_.timed_out   ? Outcome::timed_out
                   : deadlocked_         ? Outcome::deadlocked
                                         : Outcome::completed;
  report.seconds = Seconds(Clock::now() - started_).count();
  if (progress_) report_progress(true);
}

}  // namespace lockstep::interpreter
