// Programs in order, on one thread. A program that only waits gives way at a back-edge; it is resumed in rounds, and a
// new program is started when a whole round of those already started changed nothing. So few programs are alive at
// once, locks and flags work whoever they wait for, and a round in which nobody can ever move again is a proven
// deadlock.
#include <algorithm>
#include <exception>
#include <memory>

#include "interpreter/grid.h"
#include "memory_model/describe.h"

namespace lockstep::interpreter {

namespace {

constexpr std::uint64_t kMaxIdleRounds = 1u << 16;

std::string program_text(const std::array<std::int32_t, 3>& id) {
  return "(" + std::to_string(id[0]) + "," + std::to_string(id[1]) + "," + std::to_string(id[2]) + ")";
}

/// What a waiting program looks at: "lock[0]".
std::string awaited(const Machine& machine, const ProgramState& program) {
  if (program.observed_view < 0 || program.observed_address == 0) return "memory";
  const auto& view = machine.launch.memory->view(memory_model::ViewId{program.observed_view});
  return memory_model::element_text(view, program.observed_address);
}

void report_deadlock(Machine& machine, const std::vector<std::unique_ptr<ProgramState>>& waiting, bool is_proven) {
  const ProgramState& first = *waiting.front();
  const Site& site = machine.plan->sites[first.observed_site];
  Finding finding;
  finding.code = "LS901";
  finding.location = site.location;
  finding.op = std::string(site.op->spelling());
  finding.program = first.id;
  finding.count = finding.programs = waiting.size();
  const bool is_one = waiting.size() == 1;
  finding.message = "deadlock: " + std::string(is_one ? "program " : "programs ") + program_text(first.id) +
                    (is_one ? "" : ".." + program_text(waiting.back()->id)) + (is_one ? " waits for " : " wait for ") +
                    awaited(machine, first) + ", which no program can change any more";
  if (!is_proven) finding.message += " (nothing changed it in " + std::to_string(kMaxIdleRounds) + " rounds)";
  if (first.observed_view >= 0)
    finding.argument = machine.launch.memory->view(memory_model::ViewId{first.observed_view}).name;
  for (std::size_t i = 1; i < waiting.size() && i < 4; ++i) {
    finding.notes.push_back({"program " + program_text(waiting[i]->id) + " waits for " + awaited(machine, *waiting[i]),
                             machine.plan->sites[waiting[i]->observed_site].location});
  }
  machine.findings.add(std::move(finding));
}

/// Time passes only when nobody can move: the first poll with a timeout that waits then gives up.
bool expire_a_poll(const std::vector<std::unique_ptr<ProgramState>>& waiting) {
  const auto first = std::find_if(waiting.begin(), waiting.end(),
                                  [](const auto& p) { return p->polling != nullptr && p->poll_may_expire; });
  if (first == waiting.end()) return false;
  (*first)->poll_expired = true;
  return true;
}

}  // namespace

void Grid::run_in_order() {
  launch_.is_ordered = true;
  Machine machine(launch_);
  watch(machine);
  std::vector<std::unique_ptr<ProgramState>> waiting, idle_states;
  std::uint64_t next = next_, idle_rounds = 0;
  /// True if the program gave way.
  const auto resume = [&](ProgramState& program) {
    machine.program = &program;
    machine.slots = program.slots.data();
    machine.run();
    if (machine.status == Status::done) {
      machine.note_end(program);
      done_.fetch_add(1, std::memory_order_relaxed);
    }
    return machine.status == Status::yielded;
  };
  try {
    while ((next < programs_ || !waiting.empty()) && machine.poll()) {
      const std::uint64_t changes = machine.memory_changes;
      std::size_t kept = 0, finished = 0;
      for (std::size_t i = 0; i < waiting.size() && machine.poll(); ++i) {
        if (resume(*waiting[i])) {
          std::swap(waiting[kept++], waiting[i]);
        } else {
          ++finished;
          idle_states.push_back(std::move(waiting[i]));
        }
      }
      if (launch_.abort) break;
      waiting.resize(kept);
      const bool moved = finished != 0 || machine.memory_changes != changes;
      if (moved) {
        idle_rounds = 0;
        if (!waiting.empty()) continue;
      }
      if (next < programs_) {
        if (idle_states.empty()) {
          idle_states.push_back(std::make_unique<ProgramState>());
          prepare(machine, *idle_states.back());
        }
        auto program = std::move(idle_states.back());
        idle_states.pop_back();
        start(*launch_.plan, *program, next++);
        if (resume(*program)) {
          waiting.push_back(std::move(program));
        } else {
          idle_states.push_back(std::move(program));
        }
        continue;
      }
      const bool all_stuck = std::all_of(waiting.begin(), waiting.end(), [](const auto& p) { return p->is_stuck; });
      if (waiting.empty() || (!all_stuck && ++idle_rounds < kMaxIdleRounds) || expire_a_poll(waiting)) continue;
      report_deadlock(machine, waiting, all_stuck);
      deadlocked_ = true;
      break;
    }
  } catch (const std::bad_alloc&) {
    launch_.out_of_memory = true;
  }
  collect(machine);
  collect_touched(machine);
}

}  // namespace lockstep::interpreter
