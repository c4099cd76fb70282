// DebugLaunch: a launch of a Python program that is bound and has not begun; a debugger may make it instead of the
// interpreter, in the terminal or for an editor. Invariants: what the launch does to memory is what it does without a
// debugger, apart from what the person changes; it ends where the person ends it, else it comes to its end. Everything
// that Python does for it (reading, writing, printing) happens with the interpreter's lock, all else without. Not here:
// when a launch is debugged (lockstep.debugging).
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "debugger/session/session.h"
#include "interpreter/access/storage_copy.h"
#include "interpreter/launch/launch.h"
#include "python/native/debug/debug_questions.h"
#include "python/native/kernel_data.h"
#include "sanitizer/core/check_options.h"

namespace lockstep::python {

class DebugConsole;

/// How a debugger is to begin.
struct DebugWish {
  std::uint64_t history_bytes = std::uint64_t{512} << 20;
  std::vector<std::string> catches;  // filters or codes; of the first stop on
  bool runs_to_breakpoint = false;   // to the kernel's first breakpoint() that is reached; none: nobody is asked
  std::vector<std::string> scripts, commands;
  bool is_batch = false;  // ends after the commands, and at the first that cannot be done
  ExpectedTensors expected;
  std::function<std::vector<debugger::OuterFrame>(const debugger::Place&)> outer;  // of Session::Setup
};

/// How it ended. ran_on: report() has the report; bad_command: so it does, but a command of a batch failed;
/// interrupted: so it does, but Ctrl-C stopped the launch; killed: the user ended it; gave_up: Ctrl-C before an editor
/// connected or while one was connected, or Python's side of the console failed; refused: it did not begin, and
/// problem() says why.
enum class DebugEnd : std::uint8_t { ran_on, killed, bad_command, interrupted, gave_up, refused };

class DebugLaunch {
 public:
  /// `request`: without callbacks; its memory must outlive close().
  DebugLaunch(std::shared_ptr<const KernelData> kernel, const interpreter::RunRequest& request,
              const sanitizer::CheckOptions& checks, const std::vector<memory_model::Extent>& read_only);
  ~DebugLaunch();

  const KernelData& kernel() const { return *kernel_; }
  const std::array<std::int64_t, 3>& grid() const { return request_.grid; }
  /// Lines with breakpoint() in the kernel: file ("" if unknown), line.
  std::vector<std::pair<std::string, std::uint32_t>> breakpoints() const;

  /// `console`: lockstep.debug_console.Console. Raises what its functions raise.
  DebugEnd talk(const pybind11::object& console, DebugWish wish);
  /// Waits for one editor on 127.0.0.1. `console.announce(address)` says where. Port 0: any that is free.
  DebugEnd serve(const pybind11::object& console, DebugWish wish, std::uint16_t port);

  const std::string& problem() const { return problem_; }

  /// The report of a launch that a debugger ran; nullopt: no debugger did, and the launch has not begun.
  std::optional<interpreter::LaunchReport>& report() { return report_; }
  /// Releases the launch's memory.
  void close();

 private:
  using Line = std::function<void(const std::string&)>;
  bool begin(DebugWish& wish, Line print, Line log);
  DebugEnd converse(DebugConsole& console, const DebugWish& wish);
  void finish(bool is_interrupted);
  void abandon();
  std::optional<Report> checked_run(const std::atomic<bool>& stop);

  std::shared_ptr<const KernelData> kernel_;
  interpreter::RunRequest request_;
  sanitizer::CheckOptions checks_;
  std::vector<debugger::ByteRange> read_only_;
  bool is_open_ = true;
  std::chrono::steady_clock::time_point begun_;
  interpreter::MemoryBudget budget_;
  std::optional<interpreter::StorageCopy> before_;  // for the option rollback
  std::string problem_;
  std::unique_ptr<DebugQuestions> questions_;
  std::unique_ptr<debugger::Session> session_;
  std::optional<interpreter::LaunchReport> report_;
};

}  // namespace lockstep::python
