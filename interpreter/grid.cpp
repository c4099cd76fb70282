#include "interpreter/grid.h"

#include <algorithm>
#include <exception>

#include "interpreter/schedule.h"
#include "interpreter/storage_copy.h"
#include "interpreter/team.h"

namespace lockstep::interpreter {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

namespace {

constexpr auto kPollInterval = std::chrono::milliseconds(20);
constexpr auto kProgressInterval = std::chrono::milliseconds(200);
/// Work shorter than this is done before other threads would wake up.
constexpr Seconds kAlone{60e-6};
/// Bytes of a snapshot. Where its copy takes longer than kMuchToCopy, programs of unknown length are tried first.
constexpr double kCopiedPerSecond = 4e9;
constexpr Seconds kMuchToCopy{300e-6};

}  // namespace

Grid::Grid(Launch& launch, unsigned threads, const std::function<void(const Progress&)>& progress)
    : launch_(launch), progress_(progress), started_(Clock::now()), last_progress_(started_), last_poll_(started_) {
  programs_ = static_cast<std::uint64_t>(launch_.grid[0]) * static_cast<std::uint64_t>(launch_.grid[1]) *
              static_cast<std::uint64_t>(launch_.grid[2]);
  threads_ = static_cast<unsigned>(std::clamp<std::uint64_t>(threads, 1, std::max<std::uint64_t>(programs_, 1)));
}

// ---- programs ----

std::array<std::int32_t, 3> Grid::id_of(std::uint64_t number) const {
  const auto x = static_cast<std::uint64_t>(launch_.grid[0]), y = static_cast<std::uint64_t>(launch_.grid[1]);
  return {static_cast<std::int32_t>(number % x), static_cast<std::int32_t>(number / x % y),
          static_cast<std::int32_t>(number / x / y)};
}

void Grid::prepare(Machine& machine, ProgramState& program) const {
  program.slots.resize(launch_.plan->slot_types.size());
  for (const auto& [slot, tile] : launch_.plan->constants) program.slots[slot] = tile;
  for (std::size_t i = 0; i < launch_.arguments.size(); ++i)
    program.slots[launch_.plan->arguments[i]] = launch_.arguments[i];
  program.next = launch_.plan->prologue;
  machine.program = &program;
  machine.slots = program.slots.data();
  machine.run();
}

void Grid::start(ProgramState& program, std::uint64_t number) const {
  program.number = number;
  program.id = id_of(number);
  program.next = launch_.plan->entry;
  program.observed = program.last_observed = program.carried = program.back_edges = program.steps = 0;
  program.clock = 0;
  program.changed_memory = true;
  program.is_stuck = program.is_faulted = false;
  program.waiting_at = nullptr;
  program.polling = nullptr;
}

bool Grid::run_program(Machine& machine, ProgramState& program, std::uint64_t number) {
  start(program, number);
  machine.run();
  if (machine.status != Status::done) return false;
  machine.note_end(program);
  done_.fetch_add(1, std::memory_order_relaxed);
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

void Grid::run_alone(Machine& machine, ProgramState& program, const Schedule& schedule, double expected_seconds) {
  const bool has_helpers = threads_ > 1;
  const Seconds worth_it = kAlone + Seconds(static_cast<double>(schedule.snapshot_bytes) / kCopiedPerSecond);
  const bool is_unknown = expected_seconds == 0 && worth_it < kMuchToCopy;
  if (has_helpers && (is_unknown || Seconds(expected_seconds) * static_cast<double>(programs_) > worth_it)) return;
  while (next_ < programs_ && run_program(machine, program, next_)) {
    ++next_;
    if (has_helpers && Clock::now() - started_ > worth_it) return;
  }
}

bool Grid::run_with_helpers(Machine& machine, ProgramState& program,
                            const std::vector<memory_model::StorageId>& snapshot) {
  StorageCopy before(launch_.budget);
  if (!before.take(*launch_.memory, snapshot)) return false;  // in order nothing is run twice
  Team team(*this);
  team.run(machine, program);
  workers_ = team.size();
  if (!launch_.abort && team.programs_overlapped()) {
    before.restore();
    done_ = next_;
    return false;
  }
  team.for_each([this](Machine& member) { collect(member); });
  return true;
}

bool Grid::run_side_by_side(const Schedule& schedule, double expected_seconds) {
  Machine machine(launch_);
  ProgramState program;
  watch(machine);
  try {
    prepare(machine, program);
    run_alone(machine, program, schedule, expected_seconds);
  } catch (const std::bad_alloc&) {
    launch_.out_of_memory = launch_.abort = true;
  }
  collect(machine);
  return launch_.abort || next_ == programs_ || run_with_helpers(machine, program, schedule.snapshot);
}

// ---- results ----

void Grid::collect(Machine& machine) {
  bytes_read_ += std::exchange(machine.bytes_read, 0);
  bytes_written_ += std::exchange(machine.bytes_written, 0);
  findings_.merge(std::move(machine.findings));
  finished_.insert(finished_.end(), machine.finished.begin(), machine.finished.end());
  machine.finished.clear();
}

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
  report.scratch_bytes = launch_.budget.used.load();
  report.threads = launch_.is_ordered ? 1 : threads_;
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
