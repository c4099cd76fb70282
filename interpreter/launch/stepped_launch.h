// SteppedLaunch: a launch whose programs the caller moves (debugger/): it has arguments, views and one machine, and
// starts programs. Invariant: steps act as in program order on one thread; loads copy, so that the caller may change
// any byte and any slot between two steps. Not here: an order of programs.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "interpreter/launch/machine.h"
#include "interpreter/launch/prepared.h"

namespace lockstep::interpreter {

class SteppedLaunch {
 public:
  /// `kernel` (PreparedKernel::make_kept) and the request's objects must outlive it. Null: diagnosed.
  static std::unique_ptr<SteppedLaunch> make(const PreparedKernel& kernel, const RunRequest& request,
                                             DiagnosticSink& sink);

  Machine& machine() { return *machine_; }
  Launch& launch() { return launch_; }
  const Plan& plan() const { return *launch_.plan; }
  /// Of the grid.
  std::uint64_t programs() const { return programs_; }
  std::array<std::int32_t, 3> id_of(std::uint64_t number) const;
  /// A program before its first step, with fresh slots.
  void begin(ProgramState& program, std::uint64_t number);
  /// Storages that the kernel may write.
  const std::vector<memory_model::StorageId>& written() const { return written_; }
  /// Programs can wait for each other or must run in order, so none may run ahead.
  bool is_in_order() const { return is_in_order_; }

 private:
  SteppedLaunch() = default;

  Launch launch_;
  std::unique_ptr<Machine> machine_;
  std::uint64_t programs_ = 0;
  std::vector<memory_model::StorageId> written_;
  bool is_in_order_ = false;
};

}  // namespace lockstep::interpreter
