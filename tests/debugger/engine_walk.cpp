// Walks through launches under the debugger's engine and holds it to its promises:
//   engine_walk ROOT POINTS CASE...   CASE: a golden or zoo file with `# args: run ...` lines; POINTS: most of one walk
// For checkpoint distances 1, 7, 64, none at all and the engine's own, with programs run ahead and not: every state that is
// reached a second time (n points forward, n back, jumps, restarts, from the end) hashes as it did the first time, and
// the launch ends with the bytes of a plain one. Prints one line for each launch that fails; exit code 1 then. Launches
// that the command itself refuses, and those with more than 64 MiB of memory, are left out and counted.
#include <iostream>

#include "debugger/engine/engine.h"
#include "interpreter/prepared.h"
#include "tests/debugger/launches.h"

namespace {

namespace fs = std::filesystem;
using lockstep::debugger::Direction;
using lockstep::debugger::Engine;
using lockstep::debugger::Moment;
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
    return back_all() && jump() && step_lines() && from_the_end();
  }

 private:
  bool fail(const std::string& what) {
    failure_ =
        what + " at turn " + std::to_string(engine_.moment().turn) + ", step " + std::to_string(engine_.moment().step);
    return false;
  }
  void forward_all() {
    while (engine_.point() != nullptr && states_.size() < most_) {
      states_.emplace_back(engine_.moment(), engine_.state_hash());
      engine_.go(Direction::forward, [] { return true; });
    }
  }
  bool is_as_before(std::size_t i) {
    if (engine_.point() == nullptr || engine_.moment() != states_[i].first) return fail("another moment");
    return engine_.state_hash() == states_[i].second || fail("another state");
  }
  bool back_all() {
    for (std::size_t i = states_.size(); i-- > 0;) {
      engine_.go(Direction::backward, [] { return true; });
      if (!is_as_before(i)) return false;
      if (i > 40 && i % 7 == 0) i -= i % 31;  // some of the way by jumps
      if (engine_.go_to(states_[i].first); !is_as_before(i)) return false;
    }
    return engine_.go(Direction::backward, [] { return true; }).reason == lockstep::debugger::Stop::Reason::begin ||
           fail("no begin");
  }
  bool jump() {
    std::size_t at = 1;
    for (int i = 0; i < 24; ++i) {
      at = (at * 7919 + 13) % states_.size();
      engine_.go_to(states_[at].first);
      if (!is_as_before(at)) return false;
    }
    return true;
  }
  /// Lines backwards are those forwards.
  bool step_lines() {
    engine_.restart();
    std::vector<Moment> lines;
    while (engine_.point() != nullptr && lines.size() < 60) {
      lines.push_back(engine_.moment());
      engine_.step_line(Direction::forward, false);
    }
    if (engine_.point() == nullptr) return true;
    for (std::size_t i = lines.size(); i-- > 1;) {
      engine_.step_line(Direction::backward, false);
      if (engine_.moment() != lines[i]) return fail("another line");
    }
    return true;
  }
  bool from_the_end() {
    engine_.go(Direction::forward, {});
    if (engine_.point() != nullptr) return fail("no end");
    const std::uint64_t end = engine_.state_hash();
    engine_.go(Direction::backward, {});
    if (engine_.moment() != Moment{}) return fail("not at the beginning");
    if (!is_as_before(0)) return false;
    engine_.go(Direction::forward, {});
    return engine_.state_hash() == end || fail("another end");
  }

  Engine& engine_;
  std::size_t most_;  // points looked at; the launch is then run to its end without looking
  std::string& failure_;
  std::vector<std::pair<Moment, std::uint64_t>> states_;
};

constexpr std::uint64_t kNone = std::uint64_t{1} << 60;  // no checkpoint but the start

constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;  // hashing more at every point takes too long

bool is_large(const lockstep::cli::RunSession& session) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < session.memory().storage_count(); ++i)
    bytes += session.memory().storage({static_cast<std::int32_t>(i)}).extent.bytes();
  return bytes > kMostBytes;
}

/// "" where all promises are kept; nullopt: the command refuses the launch, or it is large.
std::optional<std::string> walk(const std::vector<std::string>& words, std::size_t most) {
  std::optional<std::uint64_t> plain;
  {
    lockstep::DiagnosticSink sink;
    const auto session = session_of(words, sink);
    if (session == nullptr || is_large(*session)) return std::nullopt;
    auto request = session->request();
    request.threads = 1;
    request.print = [](const std::string&) {};
    if (const auto report = lockstep::interpreter::launch(request, sink))
      if (report->outcome == lockstep::interpreter::Outcome::completed) plain = bytes_hash(*session);
  }
  for (const std::uint64_t distance : std::initializer_list<std::uint64_t>{1, 7, 64, kNone, 0}) {
    for (const bool runs_ahead : {true, false}) {
      lockstep::DiagnosticSink sink;
      const auto session = session_of(words, sink);
      auto request = session->request();
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
      const auto result = walk(words, std::stoul(argv[2]));
      result ? ++walked : ++refused;
      if (!result || result->empty()) continue;
      ++failed;
      std::cout << argv[i] << ": " << words[2] << ": " << *result << "\n";
    }
  }
  std::cout << walked << " launches walked, " << refused << " refused by the command or larger than 64 MiB, " << failed << " failed\n";
  return failed == 0 ? 0 : 1;
}
