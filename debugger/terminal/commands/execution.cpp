// Commands that run the launch: forwards and backwards.
#include "debugger/terminal/commands/families.h"
#include "debugger/terminal/commands/stops.h"
#include "debugger/terminal/inspect.h"

namespace lockstep::debugger {

namespace {

constexpr std::uint64_t kMostTimes = 1'000'000;

Expected<std::uint64_t, Problem> count_in(std::string_view words) {
  if (words.empty()) return std::uint64_t{1};
  const auto count = parse_number(words);
  if (!count || *count == 0 || *count > kMostTimes)
    return Unexpected{Problem{"'" + std::string(words) + "' is not a count", "1 to 1000000"}};
  return *count;
}

Problem at_the_end() { return {"the launch has ended", "`restart`, or go back: rs, rn, rc"}; }

Done times(CommandContext& in, std::string_view words, Direction direction, const StopEvent& (Session::*move)(Direction)) {
  const auto count = count_in(words);
  if (!count) return Unexpected{count.error()};
  const bool is_continue = move == &Session::go;
  if (in.session.engine().point() == nullptr && direction == Direction::forward) {
    if (in.state.at_end != AtEnd::asks || !is_continue) return Unexpected{at_the_end()};
    in.state.has_quit = true;
    return {};
  }
  for (std::uint64_t i = 0; i < *count; ++i) {
    const StopEvent& stop_event = (in.session.*move)(direction);
    const bool was_stopped = stop_event.stop.reason != Stop::Reason::arrived;
    if (stop_event.has_ended() || stop_event.stop.reason == Stop::Reason::begin || stop_event.stop.reason == Stop::Reason::paused) break;
    if (was_stopped && !is_continue) break;
  }
  show_halt(in, move == &Session::step_op);
  return {};
}

Done lines(CommandContext& in, std::string_view words, Direction direction, bool over) {
  const auto count = count_in(words);
  if (!count) return Unexpected{count.error()};
  if (in.session.engine().point() == nullptr && direction == Direction::forward) return Unexpected{at_the_end()};
  for (std::uint64_t i = 0; i < *count; ++i) {
    if (in.session.step_line(direction, over).stop.reason != Stop::Reason::arrived) break;
  }
  show_halt(in);
  return {};
}

Done do_run(CommandContext& in, std::string_view) {
  in.session.run();
  show_halt(in);
  return {};
}

Done do_restart(CommandContext& in, std::string_view) {
  in.session.restart();
  show_halt(in);
  return {};
}

Done do_continue(CommandContext& in, std::string_view words) {
  return times(in, words, Direction::forward, &Session::go);
}
Done do_next(CommandContext& in, std::string_view words) { return lines(in, words, Direction::forward, true); }
Done do_step(CommandContext& in, std::string_view words) { return lines(in, words, Direction::forward, false); }
Done do_stepi(CommandContext& in, std::string_view words) {
  return times(in, words, Direction::forward, &Session::step_op);
}
Done do_finish(CommandContext& in, std::string_view) { return times(in, "", Direction::forward, &Session::finish); }
Done do_turn(CommandContext& in, std::string_view words) {
  return times(in, words, Direction::forward, &Session::step_turn);
}
Done do_reverse_turn(CommandContext& in, std::string_view words) {
  return times(in, words, Direction::backward, &Session::step_turn);
}
Done do_reverse_continue(CommandContext& in, std::string_view words) {
  return times(in, words, Direction::backward, &Session::go);
}
Done do_reverse_next(CommandContext& in, std::string_view words) { return lines(in, words, Direction::backward, true); }
Done do_reverse_step(CommandContext& in, std::string_view words) {
  return lines(in, words, Direction::backward, false);
}
Done do_reverse_stepi(CommandContext& in, std::string_view words) {
  return times(in, words, Direction::backward, &Session::step_op);
}
Done do_reverse_finish(CommandContext& in, std::string_view) {
  return times(in, "", Direction::backward, &Session::finish);
}

Done do_until(CommandContext& in, std::string_view words) {
  if (in.session.engine().point() == nullptr) return Unexpected{at_the_end()};
  if (words.empty()) return Unexpected{Problem{"until needs a place", "until 14, until op:tt.store, until loop:k"}};
  const auto where = in.session.resolve(words);
  if (!where) return Unexpected{where.error()};
  in.session.go_to_where(Direction::forward, *where);
  show_halt(in);
  return {};
}

Done do_reverse_until(CommandContext& in, std::string_view words) {
  const auto where = in.session.resolve(words);
  if (!where) return Unexpected{where.error()};
  in.session.go_to_where(Direction::backward, *where);
  show_halt(in);
  return {};
}

Done do_iter(CommandContext& in, std::string_view words) {
  const auto number = parse_number(take_word(words));
  if (!number || *number >> 62U != 0)
    return Unexpected{Problem{"iter needs the number of an iteration", "iter 3, iter 3 k"}};
  auto done = in.session.go_to_iteration(static_cast<std::int64_t>(*number), words);
  if (!done) return done;
  show_halt(in);
  return {};
}

/// 0: the default group; 1: partition 0.
Expected<std::uint32_t, Problem> group_in(std::string_view words) {
  const Problem wrong{"'" + std::string(words) + "' is not a group of warps", "group default, group 0 (partition 0); `info groups` lists them"};
  if (words == "default") return std::uint32_t{0};
  const auto number = parse_number(words);
  if (!number || *number + 1 >= interpreter::kMostGroups) return Unexpected{wrong};
  return static_cast<std::uint32_t>(*number) + 1;
}

Done run_group(CommandContext& in, std::string_view words, Direction direction) {
  const auto group = group_in(words);
  if (!group) return Unexpected{group.error()};
  auto done = in.session.step_group(direction, *group);
  if (!done) return done;
  show_halt(in);
  return {};
}

Done do_group(CommandContext& in, std::string_view words) { return run_group(in, words, Direction::forward); }
Done do_reverse_group(CommandContext& in, std::string_view words) { return run_group(in, words, Direction::backward); }

}  // namespace

CommandRows going_commands() {
  static constexpr Command kRows[] = {
      {"run", "r", "run", "run from the start to the first stop", CommandGroup::going, do_run},
      {"restart", "", "restart", "go back to the first op", CommandGroup::going, do_restart},
      {"continue", "c cont", "continue [N]", "to the next stop (the Nth)", CommandGroup::going, do_continue, true},
      {"next", "n", "next [N]", "to the next line, over calls", CommandGroup::going, do_next, true},
      {"step", "s", "step [N]", "to the next line, into calls", CommandGroup::going, do_step, true},
      {"stepi", "si", "stepi [N]", "one op of the TTIR", CommandGroup::going, do_stepi, true},
      {"finish", "fin", "finish", "to the end of this function", CommandGroup::going, do_finish, true},
      {"until", "u unt", "until PLACE", "to a place: a line, file.py:14, op:tt.store, loop:k, *17", CommandGroup::going,
       do_until, true, places_to_stop},
      {"iter", "", "iter N [VARIABLE]", "to iteration N (from 0) of the loop, forwards or backwards",
       CommandGroup::going, do_iter},
      {"timeslice", "turn", "timeslice [N]", "to where the next time slice begins, of any program", CommandGroup::going,
       do_turn, true},
      {"group", "partition", "group default | N", "to the next line of that group of warps (N: of partition N)",
       CommandGroup::going, do_group, true},
      {"rgroup", "reverse-group", "rgroup default | N", "back to the line before of that group of warps", CommandGroup::back,
       do_reverse_group, true},
      {"rc", "reverse-continue", "rc [N]", "back to the stop before", CommandGroup::back, do_reverse_continue, true},
      {"rn", "reverse-next", "rn [N]", "back to the line before, over calls", CommandGroup::back, do_reverse_next,
       true},
      {"rs", "reverse-step", "rs [N]", "back to the line before, into calls", CommandGroup::back, do_reverse_step,
       true},
      {"rsi", "reverse-stepi", "rsi [N]", "back by one op", CommandGroup::back, do_reverse_stepi, true},
      {"rfinish", "reverse-finish", "rfinish", "back to where this function was called", CommandGroup::back,
       do_reverse_finish, true},
      {"rtimeslice", "rturn reverse-turn", "rtimeslice [N]", "back to where this time slice began, or the one before", CommandGroup::back,
       do_reverse_turn, true},
      {"runtil", "reverse-until", "runtil PLACE", "back to a place", CommandGroup::back, do_reverse_until, true},
  };
  return kRows;
}

}  // namespace lockstep::debugger
