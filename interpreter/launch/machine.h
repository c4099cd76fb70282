// Machine: the state that a step may touch. One per worker: the slots of the program it runs, its buffers, its counts
// and findings, and the launch it belongs to. It polls about once a millisecond. Invariant: a program's whole state is
// ProgramState (slots, next step, id), so it can be left after any step, copied and resumed; none of it is on the host
// stack. Units: bytes unless a name says otherwise.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "findings/finding.h"
#include "interpreter/access/access_log.h"
#include "interpreter/access/float_log.h"
#include "interpreter/access/row_log.h"
#include "interpreter/batching/ahead_run.h"
#include "interpreter/batching/batch_run.h"
#include "interpreter/launch/launch.h"
#include "interpreter/plan/plan.h"
#include "interpreter/scheduler/undo.h"
#include "interpreter/tile/buffer_pool.h"
#include "memory_model/view.h"

namespace lockstep::interpreter {

namespace apart {
class AccessPlaces;
}
struct BatchPlan;
struct Machine;

/// bailed: a batch of programs must run one by one (BatchRun).
enum class Status : std::uint8_t { running, done, yielded, stopped, bailed };

struct ProgramState {
  std::array<std::int32_t, 3> id{};
  std::uint64_t number = 0;  // in grid order, x fastest
  bool is_faulted = false;   // it has a finding of tier error
  std::vector<Tile> slots;
  const Step* next = nullptr;
  std::uint64_t back_edges = 0;  // of waiting loops, taken so far
  std::uint64_t steps = 0;       // counted at back-edges, for Limits::max_steps_per_program
  // Waiting for other programs: what the program saw and did since the last back-edge of a loop that may wait.
  std::uint64_t observed = 0;  // hash of the values that atomics and observed loads returned
  std::uint64_t last_observed = 0;
  std::uint64_t carried = 0;    // hash of what the loop carries, at the last back-edge
  bool changed_memory = true;   // it stored, or an atomic changed memory
  bool is_stuck = false;        // yielded in a state that will repeat until somebody else changes memory
  bool has_more_to_do = false;  // yielded after an atomic, waiting for nobody (Launch::schedule)
  const Step* waiting_at = nullptr;
  std::uint32_t observed_site = 0;  // of the last observing access
  std::int32_t observed_view = -1;
  std::uint64_t observed_address = 0;
  // tt.atomic_poll: the waiting step, and the state of its lanes (atomic_poll.cpp).
  const Step* polling = nullptr;
  std::vector<std::uint8_t> polled;
  bool poll_may_expire = false;  // it has a timeout
  bool poll_expired = false;
  std::shared_ptr<void> instrumentation_state;  // what steps that instrument the ops' own keep for it (PlanBuilder::instrument)
  std::uint64_t clock = 0;          // what %clock and %globaltimer read last (ptx/special.h)
};

/// Runs programs in place of a machine, as Machine::run does, and measures them (profile/profiler.h).
class StepRunner {
 public:
  virtual void run(Machine& machine) = 0;

 protected:
  ~StepRunner() = default;
};

/// A view for the access path.
struct ViewRange {
  std::uint64_t begin = 0, end = 0;  // extent
  bool is_dense = false;
  bool is_constant = false;   // nothing in this launch writes its storage: tiles may lie in it
  bool is_logged = false;     // accesses are logged to prove that programs are independent
  bool is_kept = false;       // accesses are kept for the launch's report (RunRequest::touches)
  bool is_streamed = false;   // nothing in this launch reads its storage, and what is stored is much (kernels::stream)
  bool is_unwritten = false;  // no op of this launch writes its storage; a debugger may, then it is not constant
};

/// The shared state of a launch's workers.
struct Launch {
  const Plan* plan = nullptr;
  const memory_model::AddressSpace* memory = nullptr;
  std::array<std::int64_t, 3> grid{1, 1, 1};
  std::vector<std::uint64_t> only;  // programs that run, rising; empty: all
  std::vector<ViewRange> views;  // by ViewId
  std::vector<Tile> arguments;
  std::vector<std::vector<std::int64_t>> records;  // of descriptors among the arguments
  MemoryBudget budget;
  const std::atomic<bool>* stop = nullptr;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  std::uint64_t max_steps = UINT64_MAX;  // of a program, counted at back-edges
  std::atomic<bool> abort{false};        // a worker found a reason to stop; all follow
  std::atomic<bool> timed_out{false}, interrupted{false}, out_of_memory{false};
  const std::function<void(const std::string&)>* print = nullptr;  // empty: standard output
  const std::function<bool()>* poll = nullptr;
  Reach reach = Reach::view;
  AccessTracking touches = AccessTracking::none;
  std::uint64_t resident = 0, schedule = 0;  // RunRequest's
  std::int64_t stream_bytes = 0;             // Tuning::stream_bytes
  bool undoes = false;           // programs read what they write: chunks side by side keep what they overwrite
  double bytes_per_program = 0;  // stored, as far as an earlier launch tells; 0: unknown
  bool asserts_are_errors = true;
  bool is_ordered = false;      // programs run one after the other on one worker
  bool has_tensor_unit = true;  // sm_90 and later move blocks of tensor descriptors by hardware
  bool logs_updates = false;    // it has atomics whose float additions go through FloatLog
  std::function<StepRunner&()> runner_of_thread;  // empty: machines run their steps themselves
  void* instrumentation_state = nullptr;  // RunRequest's
  // Programs that run as one (batch_plan.h).
  const Plan* plan_of_batches = nullptr;
  std::uint32_t batch_programs = 1;          // of a batch; 1: no batches
  const BatchPlan* ahead = nullptr;          // of an ordered launch (ahead_part.h)
  std::uint64_t ahead_runs = 0;
  std::atomic<bool> gave_up_batches{false};  // too many of them failed
  std::atomic<std::uint64_t> batches{0}, failed_batches{0};
  std::atomic<std::uint32_t> failed_at{0};  // site of plan_of_batches where one failed last
  AsyncOrder async_order = AsyncOrder::late;  // RunRequest's
  std::uint64_t async_seed = 0;
  bool has_strict_proxy = false;
  bool checks_signs = false;  // float maxima and minima as integers run side by side (see make_one_float_update)
  const apart::AccessPlaces* places = nullptr;  // of the kernel's accesses; null: not known
};

/// The last change of a single element that programs may wait for.
struct LastChange {
  std::uint64_t program = 0;
  std::uint32_t site = 0;
};

class OperandCache;

struct Machine {
  explicit Machine(Launch& shared)
      : launch(shared),
        plan(shared.plan),
        pool(shared.budget),
        runner(shared.runner_of_thread ? &shared.runner_of_thread() : nullptr) {}

  Launch& launch;
  const Plan* plan;  // that it runs: the launch's, or that of a batch
  BufferPool pool;
  ProgramState* program = nullptr;
  Tile* slots = nullptr;  // program->slots.data()
  Status status = Status::running;
  std::int64_t poll_budget = 0;  // cost of steps (Step::cost) until the clock is read
  std::uint64_t bytes_read = 0, bytes_written = 0, bytes_streamed = 0;
  Report findings;
  std::vector<ProgramRange> finished;  // without a finding of tier error
  AccessLog log;
  bool log_overflow = false;
  RowLog row_log;  // rows of gathers that are not in `log`
  AccessLog kept;  // for the launch's report
  bool kept_overflow = false;
  UndoLog* undo = nullptr;  // of the chunk that it runs, where stores may have to be taken back
  std::uint32_t chunk = 0;
  std::uint64_t memory_changes = 0;                            // in ordered launches
  std::unordered_map<std::uint64_t, LastChange> last_changes;  // by address, of scalar atomics and stores in them
  FloatLog float_log;
  BatchRun batch;
  AheadRun ahead;
  std::shared_ptr<OperandCache> operands;  // of dots (dot_cache.h); null until one is kept
  bool is_beside_others = false;  // other workers run programs at the same time: accesses are logged, float atomics too
  std::function<bool()> on_poll;  // callbacks, on the calling thread; false: stop
  std::function<void()> on_late_store;  // an asynchronous copy from a buffer is about to write memory

  Tile& slot(Slot s) { return slots[s]; }
  const TileType& type_of(Slot s) const { return *plan->slot_types[s]; }
  /// Overwrites a slot; takes over the tile's buffer count.
  void set(Slot s, const Tile& tile) {
    Tile& old = slots[s];
    pool.release(old);
    old = tile;
  }
  /// A contiguous dense tile of `type` with a fresh buffer.
  Tile allocate(const TileType& type);
  /// Releases the operands that die at this step.
  void release_dead(const Step& step) {
    for (unsigned i = 0; i < step.operand_count; ++i) {
      if (step.dies >> i & 1) pool.release(slots[step.operand[i]]);
    }
  }
  /// Adds a finding of the running program.
  void report(Finding finding) {
    if (batch.programs != 0) {
      batch.has_failed = true;
      return;
    }
    if (finding.tier == Tier::error) program->is_faulted = true;
    findings.add(std::move(finding));
  }
  /// The same for `step` of the plan: with the iterations of the loops around it (loops_around.h).
  void report(Finding finding, const Step* step);
  /// Notes that the program, and as many after it as make `count`, ended.
  void note_end(const ProgramState& ended, std::uint64_t count = 1) {
    if (ended.is_faulted) return;
    if (!finished.empty() && finished.back().last + 1 == ended.number) {
      finished.back().last = ended.number + count - 1;
    } else {
      finished.push_back({ended.number, ended.number + count - 1});
    }
  }
  /// Notes that the running program changed memory that others may wait for.
  void note_change() {
    program->changed_memory = true;
    ++memory_changes;
  }
  /// The same for one element.
  void note_change_of(std::uint64_t address, const Step* step) {
    constexpr std::size_t kMostKept = std::size_t{1} << 16;
    note_change();
    if (last_changes.size() < kMostKept || last_changes.contains(address))
      last_changes[address] = {program->number, step->site};
  }
  /// Mixes a value that other programs may have written into what the program saw.
  void observe(const Step* step, std::int32_t view, std::uint64_t address, std::uint64_t value) {
    program->observed = (program->observed ^ value) * 0x9e3779b97f4a7c15u + 1;
    program->observed_site = step->site;
    program->observed_view = view;
    program->observed_address = address;
  }
  /// Ends the batch; its programs will run one by one.
  const Step* bail() {
    status = Status::bailed;
    return nullptr;
  }
  const Step* finish(const Step* step) {
    if (step->dies != 0) release_dead(*step);
    return step + 1;
  }
  /// Polls stop, timeout and limits after work of `cost`; false: the program must stop now (status is set).
  bool poll(std::int64_t cost = 1) { return (poll_budget -= cost) >= 0 || poll_slowly(); }
  bool poll_slowly();
  /// Runs the program from its `next` until it ends or is suspended.
  void run();
  /// Runs a region's steps (PlanBuilder::plan_sub_region) to their end. False: the program must stop; loops of a region
  /// do not yield to other programs.
  bool run_region(const Step* entry) {
    const bool was_in_region = is_in_region;  // regions nest
    is_in_region = true;
    while (entry != nullptr && poll(entry->cost)) entry = entry->run(*this, entry);
    is_in_region = was_in_region;
    if (status != Status::done) return false;
    status = Status::running;
    return true;
  }
  bool is_in_region = false;
  StepRunner* runner;  // runs the steps instead, where the launch is measured; else null
};

/// Holds a temporary tile and releases it.
class Temporary {
 public:
  Temporary(Machine& machine, const Tile& tile) : machine_(machine), tile_(tile) {}
  ~Temporary() { machine_.pool.release(tile_); }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  const Tile& operator*() const { return tile_; }
  const Tile* operator->() const { return &tile_; }
  /// Gives the tile away; the caller owns its count.
  Tile take() {
    Tile tile = tile_;
    tile_.buffer = nullptr;
    return tile;
  }

 private:
  Machine& machine_;
  Tile tile_;
};

}  // namespace lockstep::interpreter
