// Walks through launches under the debugger's engine and holds it to its promises:
//   engine_walk ROOT POINTS CASE...   CASE: a golden or zoo file with `# args: run ...` lines; POINTS: most of one walk
// For checkpoint distances 1, 7, 64, none at all and the engine's own, with programs run ahead and not: every state
// that is reached a second time (n points forward, n back, jumps, restarts, from the end) hashes as it did the first
// time, and the launch ends with the bytes of a plain one. A look back at the past that is cancelled on its way leaves
// the state as it was. Kernels whose programs may see each other are walked in other orders of programs, too. Prints
// one line for each launch that fails; exit code 1 then. Launches that the command itself refuses, and those with more
// than 64 MiB of memory, are left out and counted.
#include <iostream>

#include "debugger/engine/engine.h"
#include "debugger/engine/steps.h"
#include "interpreter/batching/effects.h"
#include "interpreter/launch/prepared.h"
#include "interpreter/scheduler/race_reversal.h"
#include "tests/debugger/launches.h"

namespace {

namespace fs = std::filesystem;
using lockstep::debugger::Direction;
using lockstep::debugger::Engine;
using lockstep::debugger::Mark;
using lockstep::tests::bytes_hash;
using lockstep::tests::launches_of;
using lockstep::tests::session_of;

class Walk {
 public:
  Walk(Engine& engine, std::size_t most, std::string& failure) : engine_(engine), most_(most), failure_(failure) {
    engine_.catch_findings([](const lockstep::Finding&) { return false; });
  }

  bool run() {
    forward_all();
    if (!failure_.empty()) return false;
    return back_all() && jump() && look_back() && step_lines() && from_the_end();
  }

 private:
  bool fail(const std::string& what) {
    failure_ =
        what + " at turn " + std::to_string(engine_.mark().turn) + ", step " + std::to_string(engine_.mark().step);
    return false;
  }
  void forward_all() {
    while (engine_.point() != nullptr && states_.size() < most_) {
      states_.emplace_back(engine_.mark(), engine_.state_hash());
      engine_.go(Direction::forward, [] { return true; });
    }
  }
  bool is_as_before(std::size_t i) {
    if (engine_.point() == nullptr || engine_.mark() != states_[i].first) return fail("another mark");
    return engine_.state_hash() == states_[i].second || fail("another state");
  }
  bool back_all() {
    for (std::size_t i = states_.size(); i-- > 0;) {
      engine_.go(Direction::backward, [] { return true; });
      if (!is_as_before(i)) return false;
      if (i > 40 && i % 7 == 0) i -= i % 31;  // some of the way by jumps
      if (engine_.seek(states_[i].first); !is_as_before(i)) return false;
    }
    return engine_.go(Direction::backward, [] { return true; }).reason == lockstep::debugger::Stop::Reason::begin ||
           fail("no begin");
  }
  bool jump() {
    std::size_t at = 1;
    for (int i = 0; i < 24; ++i) {
      at = (at * 7919 + 13) % states_.size();
      engine_.seek(states_[at].first);
      if (!is_as_before(at)) return false;
    }
    return true;
  }
  /// Runs the past again until so many points were seen; that is cancelled then. False: it was over before.
  bool is_cancelled(std::size_t points) {
    const Engine::ReturnMark home = engine_.home();
    const Engine::ScopedReplay away(engine_);
    const auto visit = [&] {
      if (points-- == 0) engine_.pause();
    };
    try {
      engine_.replay({}, home.is_end ? Mark{~std::uint64_t{0}, 0} : home.mark, visit, {});
    } catch (const Engine::Paused&) {
      return true;
    }
    return false;
  }
  /// Whether it is cancelled or not, what comes before and after is as it was.
  bool look_back() {
    for (std::size_t i = states_.size() - 1; i > 1; i /= 2) {
      engine_.seek(states_[i].first);
      if (is_cancelled(i / 2); !is_as_before(i)) return fail("cancelled");
      if (is_cancelled(states_.size()); !is_as_before(i)) return fail("looked back");
      engine_.go(Direction::backward, [] { return true; });
      if (!is_as_before(i - 1)) return false;
      engine_.seek(states_[i].first);
      if (!is_as_before(i)) return false;
    }
    return true;
  }
  /// Lines backwards are those forwards; in another order than the grid's those of one program: where it ends, others
  /// may have run since its last line began.
  bool step_lines() {
    engine_.restart();
    std::vector<Mark> lines;
    std::uint64_t program = engine_.program();
    const auto is_midway = [&] { return engine_.program() != program && engine_.request().schedule != 0; };
    while (engine_.point() != nullptr && lines.size() < 60 && !is_midway()) {
      lines.push_back(engine_.mark());
      program = engine_.program();
      step_line(engine_, Direction::forward, false);
    }
    if (engine_.point() == nullptr || is_midway()) return true;
    for (std::size_t i = lines.size(); i-- > 1;) {
      step_line(engine_, Direction::backward, false);
      if (engine_.mark() != lines[i]) return fail("another line");
    }
    return true;
  }
  bool from_the_end() {
    engine_.go(Direction::forward, {});
    if (engine_.point() != nullptr) return fail("no end");
    const std::uint64_t end = engine_.state_hash();
    is_cancelled(states_.size() / 2);
    if (engine_.point() != nullptr || engine_.state_hash() != end) return fail("looked back from the end");
    engine_.go(Direction::backward, {});
    if (engine_.mark() != Mark{}) return fail("not at the beginning");
    if (!is_as_before(0)) return false;
    engine_.go(Direction::forward, {});
    return engine_.state_hash() == end || fail("another end");
  }

  Engine& engine_;
  std::size_t most_;  // points looked at; the launch is then run to its end without looking
  std::string& failure_;
  std::vector<std::pair<Mark, std::uint64_t>> states_;
};

constexpr std::uint64_t kNone = std::uint64_t{1} << 60;  // no checkpoint but the start

constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;  // hashing more at every point takes too long

bool is_large(const lockstep::driver::PreparedLaunch& session) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < session.memory().storage_count(); ++i)
    bytes += session.memory().storage({static_cast<std::int32_t>(i)}).extent.bytes();
  return bytes > kMostBytes;
}

/// Orders of programs besides the grid's, where there is something to see of them: some that are drawn, and two that
/// hold one program back.
std::vector<std::uint64_t> other_orders(const lockstep::interpreter::LaunchRequest& request) {
  using lockstep::interpreter::RaceReversal;
  const auto effects = lockstep::interpreter::effects_of(*request.module, *request.function);
  if (effects.atomic.empty() && effects.observed.empty()) return {};
  return {1, 0x1234567, *RaceReversal{0, 0, 1, 1}.number(), *RaceReversal{0, 1, 2, 1}.number()};
}

std::vector<std::uint64_t> orders_of(const std::vector<std::string>& words) {
  lockstep::DiagnosticSink sink;
  return other_orders(session_of(words, sink)->request());
}

/// "" where all promises are kept; nullopt: the command refuses the launch, or it is large.
std::optional<std::string> walk(const std::vector<std::string>& words, std::size_t most, std::uint64_t schedule,
                                const std::vector<std::uint64_t>& distances) {
  std::optional<std::uint64_t> plain;
  {
    lockstep::DiagnosticSink sink;
    const auto session = session_of(words, sink);
    if (session == nullptr || is_large(*session)) return std::nullopt;
    auto request = session->request();
    request.schedule = schedule;
    request.threads = 1;
    request.print = [](const std::string&) {};
    if (const auto report = lockstep::interpreter::launch(request, sink))
      if (report->outcome == lockstep::interpreter::Outcome::completed) plain = bytes_hash(*session);
  }
  for (const std::uint64_t distance : distances) {
    for (const bool runs_ahead : {true, false}) {
      lockstep::DiagnosticSink sink;
      const auto session = session_of(words, sink);
      auto request = session->request();
      request.schedule = schedule;
      request.print = [](const std::string&) {};
      Engine::Options options;
      options.checkpoint_distance = distance;
      options.runs_ahead = runs_ahead;
      const auto engine = Engine::make(*request.module, *request.function, request.profile, request, options, sink);
      if (engine == nullptr) return "no engine";
      std::string failure;
      if (engine->point() != nullptr && !Walk(*engine, most, failure).run())
        return failure + " (distance " + std::to_string(distance) + (runs_ahead ? ", ahead)" : ")");
      if (plain && bytes_hash(*session) != *plain) return "other bytes than a plain launch";
    }
  }
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  fs::current_path(argv[1]);
  int failed = 0, walked = 0, refused = 0;
  for (int i = 3; i < argc; ++i) {
    for (const auto& words : launches_of(argv[i])) {
      std::vector<std::pair<std::uint64_t, std::string>> failures;
      const auto walk_in = [&](std::uint64_t schedule, const std::vector<std::uint64_t>& distances) {
        const auto result = walk(words, std::stoul(argv[2]), schedule, distances);
        result ? ++walked : ++refused;
        if (result && !result->empty()) failures.emplace_back(schedule, *result);
        return result.has_value();
      };
      if (walk_in(0, {1, 7, 64, kNone, 0})) {
        for (const std::uint64_t schedule : orders_of(words)) walk_in(schedule, {7, 0});
      }
      failed += failures.empty() ? 0 : 1;
      for (const auto& [schedule, failure] : failures)
        std::cout << argv[i] << ": " << words[2] << ": " << failure << ", schedule " << schedule << "\n";
    }
  }
  std::cout << walked << " launches walked, " << refused << " refused by the command or larger than 64 MiB, " << failed
            << " failed\n";
  return failed == 0 ? 0 : 1;
}
