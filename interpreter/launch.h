// The interpreter's public door: run a kernel of a verified module over a grid on the CPU.
// Results are the same bytes for any thread count. Nothing here knows files, Python or the terminal.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "checkers/finding.h"
#include "ir/module.h"
#include "memory_model/view.h"
#include "support/diagnostic.h"
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

struct Progress {
  std::uint64_t programs_done = 0;
  std::uint64_t programs_total = 0;
  double seconds = 0;
};

struct LaunchRequest {
  const ir::Module* module = nullptr;
  const ir::Op* function = nullptr;  // a tt.func of it
  std::array<std::int64_t, 3> grid{1, 1, 1};
  std::vector<Argument> arguments;
  memory_model::AddressSpace* memory = nullptr;
  unsigned threads = 0;  // 0: all cores
  TargetProfile profile;
  Limits limits;
  const std::atomic<bool>* stop = nullptr;        // set by Ctrl-C
  std::function<void(const Progress&)> progress;  // called from the calling thread a few times a second; may be empty
  std::function<void(const std::string&)> print;  // tt.print lines; default: standard output
};

enum class Outcome : std::uint8_t { completed, interrupted, timed_out, out_of_memory, deadlocked };

struct LaunchReport {
  Outcome outcome = Outcome::completed;
  std::uint64_t programs_run = 0, programs_total = 0;
  double seconds = 0;
  std::uint64_t bytes_read = 0, bytes_written = 0;  // by the kernel, masked lanes not counted
  std::uint64_t scratch_bytes = 0;                  // peak of all workers
  unsigned threads = 1;
  Report findings;
};

/// Plans and runs. nullopt: diagnosed in `sink` (an op that is not implemented yet is Severity::unsupported).
std::optional<LaunchReport> launch(const LaunchRequest& request, DiagnosticSink& sink);

}  // namespace lockstep::interpreter
