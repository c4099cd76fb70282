// State: the state of a conversation: the client's settings, the launch, the numbers given out. Handlers of requests
// are functions over it (dispatch.cpp has the table). Invariant: only the thread that owns the launch touches it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "debugger/dap/arguments.h"
#include "debugger/dap/console.h"
#include "debugger/dap/control.h"
#include "debugger/dap/progress.h"
#include "debugger/dap/references.h"
#include "debugger/dap/stop_table.h"
#include "debugger/dap/transport/channel.h"
#include "debugger/dap/transport/launcher.h"
#include "debugger/dap/transport/queue.h"

namespace lockstep::debugger::dap {

/// What `initialize` said.
struct Client {
  std::int64_t first_line = 1, first_column = 1;
  bool has_memory_events = false, has_invalidated = false, has_ansi = false;
};

/// The options of `launch` besides the launch itself.
struct LaunchOptions {
  bool stops_on_entry = false, stops_at_end = true;
  std::vector<std::int64_t> first_program;  // empty, or three
  std::size_t most_threads = 16;
};

/// A target that `gotoTargets` offered.
struct GotoTarget {
  enum class Kind : std::uint8_t { line, iteration } kind = Kind::line;
  Direction direction = Direction::forward;
  Where where;
  std::int64_t iteration = 0;
  std::string loop;
};

/// A call that `stepInTargets` offered.
struct StepTarget {
  Place site;            // of the call
  Where where;           // its first point, and what comes where the call is left out
  bool is_here = false;  // it begins where the program stands
};

struct SeenPicture;  // requests_pictures.cpp

/// A movement of the launch.
struct Run {
  std::function<const StopEvent&()> move;
  std::string reason = "step";               // of the stopped event where it arrives
  bool may_be_poked = false;                 // moving again goes on
  std::string title = "running the launch";  // where it takes long
  Direction direction = Direction::forward;
};

struct State {
  State(Channel& channel_to, const Offer& offer_of, Control& control_of, Progress& progress_of, Queue& queue_of)
      : channel(channel_to), offer(offer_of), control(control_of), progress(progress_of), queue(queue_of) {}

  Channel& channel;
  const Offer& offer;
  Control& control;
  Progress& progress;
  Queue& queue;

  Client client;
  LaunchOptions options;
  std::unique_ptr<Launched> launched;  // null: no launch yet
  std::unique_ptr<Console> console;    // null: nothing was typed yet
  StopTable stops;
  References references;
  std::vector<GotoTarget> goto_targets;
  std::vector<StepTarget> step_targets;
  std::shared_ptr<const SeenPicture> seen_picture;  // what was asked for last; null: nothing
  Json proof;  // what lockstep/prove answered last; null: nothing
  std::set<std::int64_t> announced_threads;
  bool is_initialized = false, is_configured = false;
  std::int64_t request = 0;       // whose answer is worked out
  bool is_running = false;        // requests are answered in between
  std::optional<Run> unfinished;  // a run whose slice is over
  bool is_terminated = false;     // the client was told that the launch is over
  bool has_ended = false;         // nothing more is answered

  Session& session() const { return launched->session(); }
  Engine& engine() const { return launched->session().engine(); }
};

/// A handler's answer: a body, or a reason against it; and what comes after the answer is sent.
struct Answer {
  Json body;
  std::string problem;  // empty: success
  std::string kind;     // "notStopped", "cancelled"
  std::function<void()> after;
};
inline Answer done(Json body = Json()) { return {std::move(body), {}, {}, {}}; }
inline Answer refuse(std::string problem) { return {Json(), std::move(problem), {}, {}}; }
inline Answer then(Answer answer, std::function<void()> after) {
  answer.after = std::move(after);
  return answer;
}

/// The thread number of a program, and that of a launch that has ended.
inline std::int64_t thread_of(std::uint64_t program) { return static_cast<std::int64_t>(program) + 1; }
inline std::int64_t launch_thread(const State& state) { return thread_of(state.engine().program_count()); }
/// A thread is a program; one with partitions is a thread for its default group, and one for each partition.
struct ThreadPlace {
  std::uint64_t program = 0;
  std::uint32_t group = 0;
};
inline std::int64_t thread_of(const State& state, ThreadPlace place) {
  if (place.group == 0) return thread_of(place.program);
  return launch_thread(state) + static_cast<std::int64_t>(place.program * (interpreter::kMostGroups - 1) + place.group);
}
/// Numbers up to launch_thread are programs (and the launch).
inline ThreadPlace place_of_thread(const State& state, std::int64_t thread) {
  constexpr std::int64_t kPartitions = interpreter::kMostGroups - 1;
  const std::int64_t beyond = thread - launch_thread(state) - 1;
  if (beyond < 0) return {static_cast<std::uint64_t>(thread - 1), 0};
  return {static_cast<std::uint64_t>(beyond / kPartitions), static_cast<std::uint32_t>(beyond % kPartitions) + 1};
}
/// Where it stands now.
inline std::int64_t current_thread(const State& state) {
  if (state.engine().point() == nullptr) return launch_thread(state);
  return thread_of(state, {state.engine().program(), state.engine().programs().current().group});
}

}  // namespace lockstep::debugger::dap
