// Runs: the launch moves and the client is told where it stands then. While a run that may be poked is under way,
// requests that do not need it to stand are answered in between.
#pragma once

#include <functional>
#include <string>

#include "debugger/dap/state.h"

namespace lockstep::debugger::dap {

/// Where control makes slices, a run that may be poked can be unfinished afterwards.
void run(State& state, const Run& run);
/// The next slice of the unfinished run.
void go_on(State& state);
/// Forgets it. `is_pause`: the client is told where it stands.
void drop_unfinished(State& state, bool is_pause);
/// `move` can be paused, and is paused where the person leaves: why it was interrupted, if it was.
Interruption interruptible(State& state, const std::string& title, const std::function<void()>& move);
/// What `ask` answers, which stops with a Problem when the session is paused: "cancelled" then.
Answer withdrawable(State& state, const std::string& title, const std::function<Answer()>& ask);
/// Numbers that were given out are valid no more.
void forget_references(State& state);
/// The events for where it stands now.
void report_stop(State& state, const StopEvent& stop_event, const std::string& reason);
/// exited and terminated, once.
void report_end(State& state);
/// 0, or 1 where a finding of tier error was made.
int exit_code(const State& state);

/// A message for the person, in the console.
void say(State& state, const std::string& text, const std::string& category = "console");

}  // namespace lockstep::debugger::dap
