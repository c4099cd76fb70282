// The interpreter's public door: run a kernel of a verified module over a grid on the CPU.
// Results are the same bytes for any thread count. Not here: files, Python, the terminal.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "findings/finding.h"
#include "interpreter/access/access_log.h"
#include "ir/module.h"
#include "memory_model/view.h"
#include "support/diagnostics/diagnostic.h"
#include "support/target_profile.h"

namespace lockstep::interpreter {

/// One kernel argument, in the order of the tt.func's parameters.
struct Argument {
  enum class Kind : std::uint8_t { scalar, pointer, descriptor } kind = Kind::scalar;
  std::uint64_t bits = 0;       // scalar: value in the parameter's type, zero-extended
  memory_model::ViewId view{};  // pointer: a view registered in the address space; its base address is passed.
                                // descriptor: a view of the descriptor's rank, shape and strides
  bool pads_nan = false;        // descriptor: what is read outside of the tensor is NaN, not 0
};

struct Limits {
  double timeout_seconds = 0;               // 0: none
  std::uint64_t max_memory_bytes = 0;       // scratch of the launch; 0: none
  std::uint64_t max_steps_per_program = 0;  // 0: none
};

struct Profile;  // profile.h

struct ProfileRequest {
  bool is_on = false;
  std::size_t trace_events = 0;  // at most so many slices of a trace are kept; 0: none
};

struct Progress {
  std::uint64_t programs_done = 0;
  std::uint64_t programs_total = 0;
  double seconds = 0;
};

/// What a pointer derived from an argument may touch. view: the elements of the argument's view (findings LS101..LS104,
/// LS109). storage: every byte of the storage that the view lies in, as on a GPU; LS102 then never occurs, and views
/// need no footprint (AddressSpace::add_bare_view).
enum class Reach : std::uint8_t { view, storage };

/// Which accesses to written or updated storages a launch keeps for its report (LaunchReport::touched): none; writes:
/// the writes of all programs together; programs: reads and writes of every program (then without batches).
enum class AccessTracking : std::uint8_t { none, writes, programs };

/// When asynchronous operations of TTGIR complete: when a program waits for one; where they are issued; by a seed.
enum class AsyncOrder : std::uint8_t { late, early, random };

/// One launch of a planned kernel (prepared.h). All callbacks run on the calling thread, one at a time, and may be
/// empty; the launch rethrows their exceptions after stopping its programs.
struct RunRequest {
  std::array<std::int64_t, 3> grid{1, 1, 1};
  /// The numbers (x fastest) of the programs that run, rising; empty: all. The others do nothing at all. No batches.
  std::vector<std::uint64_t> only;
  std::vector<Argument> arguments;
  memory_model::AddressSpace* memory = nullptr;
  unsigned threads = 0;  // 0: all cores
  Reach reach = Reach::view;
  /// Copies storages that the kernel may write before the launch, and restores them if it ends with a finding of tier
  /// error or is not completed. Cost: a copy of those storages, whole (about 0.1 ms a MiB and as much memory, counted
  /// in scratch_bytes and against max_memory_bytes); nothing when the kernel writes nothing.
  bool rollback = false;
  /// Tier of LS120, a failed tl.device_assert: error, or a warning for kernels that the GPU would run without it.
  bool asserts_are_errors = true;
  Limits limits;
  void* instrumentation_state = nullptr;  // for the steps of PreparedKernel::make_instrumented
  AccessTracking touches = AccessTracking::none;
  /// The number of resident programs, in grid order, where programs wait for each other; the others start when one
  /// ends. 0: any number.
  std::uint64_t resident = 0;
  /// 0: programs run in grid order and give way only when they wait. Else the seed of another order: programs start out
  /// of order (unless `resident` decides) and any of them may continue after an atomic. One thread.
  std::uint64_t schedule = 0;
  AsyncOrder async_order = AsyncOrder::late;
  std::uint64_t async_seed = 0;   // of AsyncOrder::random
  bool has_strict_proxy = false;  // a group's own stores need a fence too (docs/design/asynchrony.md)
  ProfileRequest profiling;                 // fills LaunchReport::profile; costs time, changes nothing else
  const std::atomic<bool>* stop = nullptr;  // set by Ctrl-C
  std::function<bool()> poll;               // at least every 50 ms while programs run; false: stop, as `stop` does
  std::function<void(const Progress&)> progress;  // a few times a second
  std::function<void(const std::string&)> print;  // tt.print lines; default: standard output

  /// Programs that run. Precondition: the grid's extents are not negative, and their product fits.
  std::uint64_t programs() const {
    return only.empty() ? static_cast<std::uint64_t>(grid[0] * grid[1] * grid[2]) : only.size();
  }
};

struct LaunchRequest : RunRequest {
  const ir::Module* module = nullptr;
  const ir::Op* function = nullptr;  // a tt.func of it
  TargetProfile profile;
};

enum class Outcome : std::uint8_t { completed, interrupted, timed_out, out_of_memory, deadlocked };

/// Programs by number (x fastest, then y, then z), both ends included.
struct ProgramRange {
  std::uint64_t first = 0, last = 0;
  friend bool operator==(const ProgramRange&, const ProgramRange&) = default;
};

/// Which checkers ran in a launch: bits as in sanitizer::CheckOptions. Of the requested ones, `ranges` checked the
/// touched memory and `steps` single executions; the others were ruled out by the text and the arguments.
struct ChecksRun {
  std::uint32_t asked = 0, ranges = 0, steps = 0;
};

struct LaunchReport {
  Outcome outcome = Outcome::completed;
  std::uint64_t programs_run = 0, programs_total = 0;
  double seconds = 0;
  std::uint64_t bytes_read = 0, bytes_written = 0;  // by the kernel, masked lanes not counted
  std::uint64_t bytes_streamed = 0;                 // of those written, by stores past the caches; whole batches count
  std::uint64_t scratch_bytes = 0;                  // peak: tiles of all workers, copies for rollback
  /// Runs of several programs as one, and how many of them failed and ran one by one. They change nothing else here.
  std::uint64_t batches = 0, failed_batches = 0;
  std::uint64_t ahead = 0;  // runs of several programs' scans before their turns (batching/ahead_part.h)
  unsigned threads = 1;
  ChecksRun looked;              // set by sanitizer::CheckedKernel
  std::uint32_t schedules = 1;  // orders of programs that were tried; the other facts are of the first
  /// Programs that ran to their end without a finding of tier error, rising; even after an interruption. After a
  /// completed launch, the same for any thread count.
  std::vector<ProgramRange> finished;
  bool rolled_back = false;  // what the kernel may write is as it was before the launch
  Report findings;
  /// As RunRequest::touches asks; the chunk is the program's number if programs are separate. Sorted by begin. Atomics
  /// count as writes. Null without a request, or if it was too much to keep.
  std::shared_ptr<const std::vector<LoggedRange>> touched;
  std::shared_ptr<const Profile> profile;  // null unless asked for
};

/// Plans and runs: PreparedKernel::make and launch. nullopt: diagnosed in `sink` (an op that is not implemented yet is
/// Severity::unsupported).
std::optional<LaunchReport> launch(const LaunchRequest& request, DiagnosticSink& sink);

}  // namespace lockstep::interpreter
