#include "interpreter/scheduler/grid.h"

#include <algorithm>
#include <exception>
#include <functional>

#include "interpreter/access/storage_copy.h"
#include "interpreter/scheduler/schedule.h"
#include "interpreter/scheduler/team.h"
#include "interpreter/scheduler/worker_pool.h"

namespace lockstep::interpreter {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

namespace {

constexpr auto kPollInterval = std::chrono::milliseconds(20);
constexpr auto kProgressInterval = std::chrono::milliseconds(200);
/// Work shorter than this is done before other threads would wake up.
constexpr Seconds kAlone{60e-6};
/// The same where no worker was made yet.
constexpr Seconds kAloneAtFirst{200e-6};
/// Bytes of a snapshot. Where its copy takes longer than kMuchToCopy, programs of unknown length are tried first.
constexpr double kCopiedPerSecond = 4e9;
constexpr Seconds kMuchToCopy{300e-6};
/// So many failed batches, with fewer than so many whole ones for each, and the rest of the launch does without.
constexpr std::uint64_t kFailedBatches = 4, kWholePerFailed = 4;

/// Of a program without loops, roughly, by its steps' costs (which are meant for polling and high for most); 0: it has
/// loops. Where it is too low the first run of a program shows it.
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
    : launch_(launch), progress_(progress), started_(Clock::now()), last_progress_(started_), last_poll_(started_) {
  programs_ = static_cast<std::uint64_t>(launch_.grid[0]) * static_cast<std::uint64_t>(launch_.grid[1]) *
              static_cast<std::uint64_t>(launch_.grid[2]);
  const auto row = static_cast<std::uint64_t>(launch_.grid[0]);
  units_in_row_ = (row + launch_.batch_programs - 1) / launch_.batch_programs;
  units_ = row == 0 ? 0 : programs_ / row * units_in_row_;
  threads_ = static_cast<unsigned>(std::clamp<std::uint64_t>(threads, 1, std::max<std::uint64_t>(units_, 1)));
}

Grid::Grid(Launch& launch, unsigned threads, const std::function<void(const Progress&)>& progress,
           const ProgramRange& programs)
    : Grid(launch, threads, progress) {
  LOCKSTEP_CHECK(launch.batch_programs == 1, "some programs of a grid run without batches");
  programs_ = units_ = std::min(programs.last + 1, programs_);
  next_ = next_unit_ = std::min(programs.first, programs_);
}

// ---- programs ----

std::array<std::int32_t, 3> Grid::id_of(std::uint64_t number) const {
  const auto x = static_cast<std::uint64_t>(launch_.grid[0]), y = static_cast<std::uint64_t>(launch_.grid[1]);
  return {static_cast<std::int32_t>(number % x), static_cast<std::int32_t>(number / x % y),
          static_cast<std::int32_t>(number / x / y)};
}

Grid::Unit Grid::unit(std::uint64_t number) const {
  const auto row = static_cast<std::uint64_t>(launch_.grid[0]);
  const std::uint64_t x = number % units_in_row_ * launch_.batch_programs;
  return {number / units_in_row_ * row + x,
          static_cast<std::uint32_t>(std::min<std::uint64_t>(launch_.batch_programs, row - x))};
}

void Grid::prepare(Machine& machine, ProgramState& program) const {
  const Plan& plan = *machine.plan;
  program.slots.resize(plan.slot_types.size());
  for (const auto& [slot, tile] : plan.constants) program.slots[slot] = tile;
  for (std::size_t i = 0; i < launch_.arguments.size(); ++i) program.slots[plan.arguments[i]] = launch_.arguments[i];
  program.next = plan.prologue;
  machine.program = &program;
  machine.slots = program.slots.data();
  machine.run();
}

void Grid::start(const Plan& plan, ProgramState& program, std::uint64_t number) const {
  program.number = number;
  program.id = id_of(number);
  program.next = plan.entry;
  program.observed = program.last_observed = program.carried = program.back_edges = program.steps = 0;
  program.clock = 0;
  program.changed_memory = true;
  program.is_stuck = program.is_faulted = false;
  program.waiting_at = nullptr;
  program.polling = nullptr;
}

bool Grid::run_program(Machine& machine, ProgramState& program, std::uint64_t number) {
  start(*launch_.plan, program, number);
  machine.run();
  if (machine.status != Status::done) return false;
  machine.note_end(program);
  done_.fetch_add(1, std::memory_order_relaxed);
  return true;
}

// ---- batches ----

Status Grid::run_batch(Worker& worker, const Unit& unit) {
  Machine& machine = worker.machine;
  const std::uint64_t bytes_read = machine.bytes_read, bytes_written = machine.bytes_written;
  machine.plan = launch_.plan_of_batches;
  machine.batch.programs = unit.programs;
  machine.batch.has_failed = false;
  machine.batch.stores.clear();
  if (worker.batch.slots.empty()) prepare(machine, worker.batch);
  machine.program = &worker.batch;
  machine.slots = worker.batch.slots.data();
  start(*machine.plan, worker.batch, unit.first);
  machine.run();
  machine.plan = launch_.plan;
  machine.batch.programs = 0;
  machine.program = &worker.program;
  machine.slots = worker.program.slots.data();
  if (machine.status == Status::done && machine.batch.has_failed) machine.status = Status::bailed;
  if (machine.status == Status::done) {
    machine.note_end(worker.batch, unit.programs);
    done_.fetch_add(unit.programs, std::memory_order_relaxed);
    launch_.batches.fetch_add(1, std::memory_order_relaxed);
  } else if (machine.status == Status::bailed) {
    machine.bytes_read = bytes_read;
    machine.bytes_written = bytes_written;
    note_failed_batch();
  }
  return machine.status;
}

/// Where too many batches fail they only cost time.
void Grid::note_failed_batch() {
  const std::uint64_t failed = launch_.failed_batches.fetch_add(1, std::memory_order_relaxed) + 1;
  const std::uint64_t whole = launch_.batches.load(std::memory_order_relaxed);
  if (failed >= kFailedBatches && failed * kWholePerFailed > whole) launch_.gave_up_batches = true;
}

bool Grid::run_unit(Worker& worker, std::uint64_t number) {
  const Unit programs = unit(number);
  if (programs.programs == launch_.batch_programs && programs.programs > 1 &&
      !launch_.gave_up_batches.load(std::memory_order_relaxed)) {
    const Status status = run_batch(worker, programs);
    if (status != Status::bailed) return status == Status::done;
  }
  for (std::uint32_t i = 0; i < programs.programs; ++i) {
    if (!run_program(worker.machine, worker.program, programs.first + i)) return false;
  }
  return true;
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
  progress_({done_.load(), programs_, Seconds(time - started_).count()});
}

// ---- side by side ----

void Grid::run_alone(Worker& worker, const Schedule& schedule, double expected_seconds) {
  const bool has_helpers = threads_ > 1;
  if (has_helpers && expected_seconds == 0) expected_seconds = straight_line_seconds(*launch_.plan);
  const Seconds alone = SharedWork::helpers_are_there() ? kAlone : kAloneAtFirst;
  const Seconds worth_it = alone + Seconds(static_cast<double>(schedule.snapshot_bytes) / kCopiedPerSecond);
  const bool is_unknown = expected_seconds == 0 && worth_it < kMuchToCopy;
  if (has_helpers && (is_unknown || Seconds(expected_seconds) * static_cast<double>(programs_) > worth_it)) return;
  while (next_unit_ < units_ && run_unit(worker, next_unit_)) {
    next_ = ++next_unit_ < units_ ? unit(next_unit_).first : programs_;
    if (has_helpers && Clock::now() - started_ > worth_it) return;
  }
}

bool Grid::run_with_helpers(Worker& worker, const std::vector<memory_model::StorageId>& snapshot) {
  StorageCopy before(launch_.budget);
  if (!before.take(*launch_.memory, snapshot)) return false;  // in order nothing is run twice
  Team team(*this);
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
    collect(member);
    collect_touched(member);
  });
  team.collect_open();
  return true;
}

void Grid::keep_touched(std::vector<LoggedRange> touched, bool has_lost_some) {
  has_lost_touched_ |= has_lost_some;
  if (touched_.empty()) {
    touched_ = std::move(touched);
  } else {
    touched_.insert(touched_.end(), touched.begin(), touched.end());
  }
}

void Grid::collect_touched(Machine& machine) {
  const bool has_lost_some = std::exchange(machine.kept_overflow, false);
  keep_touched(machine.kept.take(), has_lost_some);
}

void Grid::begin_again_at(std::uint64_t unit_number) {
  next_unit_ = std::min(unit_number, units_);
  next_ = next_unit_ < units_ ? unit(next_unit_).first : programs_;
  done_ = next_;
}

bool Grid::run_side_by_side(const Schedule& schedule, double expected_seconds) {
  Worker worker(launch_);
  watch(worker.machine);
  try {
    prepare(worker.machine, worker.program);
    run_alone(worker, schedule, expected_seconds);
  } catch (const std::bad_alloc&) {
    launch_.out_of_memory = launch_.abort = true;
  }
  collect(worker.machine);
  collect_touched(worker.machine);
  return launch_.abort || next_ == programs_ || run_with_helpers(worker, schedule.snapshot);
}

// ---- results ----

double Grid::seconds_per_program() const {
  const std::uint64_t run = done_.load();
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
  report.programs_total = programs_;
  report.programs_run = done_.load();
  report.bytes_read = bytes_read_;
  report.bytes_written = bytes_written_;
  report.bytes_streamed = bytes_streamed_;
  report.batches = launch_.batches.load();
  report.failed_batches = launch_.failed_batches.load();
  report.scratch_bytes = launch_.budget.peak.load();
  report.threads = launch_.is_ordered ? 1 : threads_;
  // As much as one thread may keep, so that the number of threads decides nothing.
  if (launch_.touches != Touches::none && !has_lost_touched_ && touched_.size() <= AccessLog::kMaxEntries) {
    sort_log(touched_);
    report.touched = std::make_shared<const std::vector<LoggedRange>>(std::move(touched_));
  }
  findings_.sort();
  report.findings = std::move(findings_);
  report.finished = join_ranges(std::move(finished_));
  report.outcome = launch_.out_of_memory ? Outcome::out_of_memory
                   : launch_.interrupted ? Outcome::interrupted
                   : launch_.timed_out   ? Outcome::timed_out
                   : deadlocked_         ? Outcome::deadlocked
                                         : Outcome::completed;
  report.seconds = Seconds(Clock::now() - started_).count();
  if (progress_) report_progress(true);
}

}  // namespace lockstep::interpreter
