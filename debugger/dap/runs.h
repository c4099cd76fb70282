// Runs: the launch moves, and the client learns where it stops. During a run that may be poked, requests that do not
// need a stopped launch are answered in between.
#pragma once

#include <functional>
#include <string>

#include "debugger/dap/state.h"

namespace lockstep::debugger::dap {

/// Where control makes slices, a run that may be poked can remain unfinished.
void run(State& state, const Run& run);
/// The next slice of the unfinished run.
void go_on(State& state);
/// Forgets it. `is_pause`: tells the client where it stopped.
void drop_unfinished(State& state, bool is_pause);
/// `move` can be paused, and pauses where the person leaves; returns why it was interrupted, if it was.
Interruption interruptible(State& state, const std::string& title, const std::function<void()>& move);
/// The answer of `ask`, which ends with a Problem when the session is paused: then "cancelled".
Answer withdrawable(State& state, const std::string& title, const std::function<Answer()>& ask);
/// The numbers given out so far are no longer valid.
void forget_references(State& state);
/// The events for the current position.
void report_stop(State& state, const StopEvent& stop_event, const std::string& reason);
/// exited and terminated, once.
void report_end(State& state);
/// 0, or 1 with a finding of tier error.
int exit_code(const State& state);

/// A message for the person, in the console.
void say(State& state, const std::string& text, const std::string& category = "console");

}  // namespace lockstep::debugger::dap
