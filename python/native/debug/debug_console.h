// DebugConsole: a debugger session's use of Python: writing, reading lines, printing, announcing where it waits; the
// methods of a lockstep.debug_console.Console. Every method may be called from any thread without the interpreter's
// lock. It keeps an exception of Python; from then on it writes nothing and has no more input. Not here: commands.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <csignal>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "debugger/session/session.h"
#include "debugger/terminal/line_input.h"

namespace lockstep::python {

class DebugConsole {
 public:
  /// With the lock. Remembers the present handler of Ctrl-C, which is active while a line is read.
  explicit DebugConsole(const pybind11::object& console);
  DebugConsole(const DebugConsole&) = delete;
  DebugConsole& operator=(const DebugConsole&) = delete;

  bool has_color() const { return has_color_; }
  std::size_t width() const { return width_; }
  void write(std::string_view text) { call("write", text); }
  void print(std::string_view line) { call("print", line); }
  void announce(std::string_view address) { call("announce", address); }
  /// Frames around the kernel's, of Session::Setup.
  std::vector<debugger::OuterFrame> outer_frames(const debugger::Place& here);
  /// nullopt: the end of the input.
  std::optional<std::string> read(const std::string& prompt);
  std::unique_ptr<debugger::LineInput> input(debugger::LineInput::Complete complete);

  /// Called once, by the thread that failed.
  void when_failed(std::function<void()> act) { when_failed_ = std::move(act); }
  bool has_failed() const { return has_failed_; }
  /// With the lock: raises the kept exception.
  void raise_pending();

 private:
  class Input;
  void call(const char* method, std::string_view text);
  void fail(pybind11::error_already_set& error);

  const pybind11::object& console_;
  bool has_color_ = false;
  std::size_t width_ = 0;
  struct sigaction outside_ = {};
  std::atomic<bool> has_failed_{false};
  std::function<void()> when_failed_;
  PyObject *type_ = nullptr, *value_ = nullptr, *trace_ = nullptr;
};

/// While it lives, Ctrl-C sets the flag. Not nested.
class StopOnInterrupt {
 public:
  StopOnInterrupt();
  ~StopOnInterrupt();
  StopOnInterrupt(const StopOnInterrupt&) = delete;
  StopOnInterrupt& operator=(const StopOnInterrupt&) = delete;
  const std::atomic<bool>* flag() const;

 private:
  struct sigaction before_ = {};
};

}  // namespace lockstep::python
