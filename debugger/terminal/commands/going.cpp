// Commands that go: forwards and backwards.
#include "debugger/terminal/terminal.h"

namespace lockstep::debugger {

namespace {

constexpr std::uint64_t kMostTimes = 1'000'000;

Expected<std::uint64_t, Problem> count_in(std::string_view words) {
  if (words.empty()) return std::uint64_t{1};
  const auto count = parse_number(words);
  if (!count || *count == 0 || *count > kMostTimes)
    return Unexpected{Problem{"'" + std::string(words) + "' is no number of times", "1 to 1000000"}};
  return *count;
}

Problem at_the_end() { return {"the launch has ended", "`restart`, or go back: rs, rn, rc"}; }

}  // namespace

Terminal::Done Terminal::times(Words words, Direction direction, const Halt& (Session::*move)(Direction)) {
  const auto count = count_in(words);
  if (!count) return Unexpected{count.error()};
  const bool is_continue = move == &Session::go;
  if (session_.engine().point() == nullptr && direction == Direction::forward) {
    if (options_.at_end != AtEnd::asks || !is_continue) return Unexpected{at_the_end()};
    has_quit_ = true;
    return std::monostate{};
  }
  for (std::uint64_t i = 0; i < *count; ++i) {
    const Halt& halt = (session_.*move)(direction);
    const bool was_stopped = halt.stop.reason != Stop::Reason::arrived;
    if (halt.has_ended() || halt.stop.reason == Stop::Reason::begin || halt.stop.reason == Stop::Reason::paused) break;
    if (was_stopped && !is_continue) break;
  }
  show_halt(move == &Session::step_op);
  return std::monostate{};
}

Terminal::Done Terminal::lines(Words words, Direction direction, bool over) {
  const auto count = count_in(words);
  if (!count) return Unexpected{count.error()};
  if (session_.engine().point() == nullptr && direction == Direction::forward) return Unexpected{at_the_end()};
  for (std::uint64_t i = 0; i < *count; ++i) {
    if (session_.step_line(direction, over).stop.reason != Stop::Reason::arrived) break;
  }
  show_halt();
  return std::monostate{};
}

Terminal::Done Terminal::do_run(Words) {
  session_.run();
  show_halt();
  return std::monostate{};
}

Terminal::Done Terminal::do_restart(Words) {
  session_.restart();
  show_halt();
  return std::monostate{};
}

Terminal::Done Terminal::do_continue(Words words) { return times(words, Direction::forward, &Session::go); }
Terminal::Done Terminal::do_next(Words words) { return lines(words, Direction::forward, true); }
Terminal::Done Terminal::do_step(Words words) { return lines(words, Direction::forward, false); }
Terminal::Done Terminal::do_stepi(Words words) { return times(words, Direction::forward, &Session::step_op); }
Terminal::Done Terminal::do_finish(Words) { return times("", Direction::forward, &Session::finish); }
Terminal::Done Terminal::do_turn(Words words) { return times(words, Direction::forward, &Session::step_turn); }
Terminal::Done Terminal::do_reverse_turn(Words words) { return times(words, Direction::backward, &Session::step_turn); }
Terminal::Done Terminal::do_reverse_continue(Words words) { return times(words, Direction::backward, &Session::go); }
Terminal::Done Terminal::do_reverse_next(Words words) { return lines(words, Direction::backward, true); }
Terminal::Done Terminal::do_reverse_step(Words words) { return lines(words, Direction::backward, false); }
Terminal::Done Terminal::do_reverse_stepi(Words words) { return times(words, Direction::backward, &Session::step_op); }
Terminal::Done Terminal::do_reverse_finish(Words) { return times("", Direction::backward, &Session::finish); }

Terminal::Done Terminal::do_until(Words words) {
  if (session_.engine().point() == nullptr) return Unexpected{at_the_end()};
  if (words.empty()) return Unexpected{Problem{"until needs a place", "until 14, until op:tt.store, until loop:k"}};
  const auto where = session_.resolve(words);
  if (!where) return Unexpected{where.error()};
  session_.go_to_where(Direction::forward, *where);
  show_halt();
  return std::monostate{};
}

Terminal::Done Terminal::do_reverse_until(Words words) {
  const auto where = session_.resolve(words);
  if (!where) return Unexpected{where.error()};
  session_.go_to_where(Direction::backward, *where);
  show_halt();
  return std::monostate{};
}

Terminal::Done Terminal::do_iter(Words words) {
  const auto number = parse_number(take_word(words));
  if (!number || *number >> 62U != 0)
    return Unexpected{Problem{"iter needs the number of an iteration", "iter 3, iter 3 k"}};
  auto done = session_.go_to_iteration(static_cast<std::int64_t>(*number), words);
  if (!done) return done;
  show_halt();
  return std::monostate{};
}

}  // namespace lockstep::debugger
