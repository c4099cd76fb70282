#include "debugger/engine/engine.h"

#include <algorithm>
#include <set>

namespace lockstep::debugger {

std::unique_ptr<Engine> Engine::make(const ir::Module& module, const ir::Op& function, const TargetProfile& profile,
                                     const interpreter::RunRequest& request, const Options& options,
                                     DiagnosticSink& sink) {
  std::unique_ptr<Engine> made(new Engine(request, options));
  if (!made->begin(module, function, profile, sink)) return nullptr;
  return made;
}

std::vector<interpreter::ProgramRange> Engine::finished() const {
  std::set<std::uint64_t> wrong;
  for (const auto& [mark, finding] : findings()) {
    if (finding.tier == Tier::error) wrong.insert(number_of(finding.program).value_or(program_count()));
  }
  return ahead_.finished(programs(), program_count(), wrong);
}

// ---- what if ----

/// The present timeline ends here; another one begins.
void Engine::fork() {
  log_.forget_announced();
  timelines_.fork(mark());
  furthest_ = mark();
}

bool Engine::switch_timeline(std::uint32_t id) {
  if (!timelines_.contains(id)) return false;
  if (id == timelines_.current()) return true;
  const Mark target = timelines_.switch_to(id, mark());
  back_to_start();
  furthest_ = target;
  begin_turn(target.turn);
  forward_to(target);
  return true;
}

void Engine::set_value(interpreter::Slot slot, const std::string& bytes) {
  fork();
  const TimelineEvent event{TimelineEvent::Kind::value, slot, bytes};
  timelines_.add(mark(), event);
  apply(event);
}

void Engine::set_memory(std::uint64_t address, const std::string& bytes) {
  set_memory(std::vector<MemoryEdit>{{address, bytes}});
}

void Engine::set_memory(const std::vector<MemoryEdit>& edits) {
  fork();
  const auto& written = launch_->written();
  for (const MemoryEdit& edit : edits) {
    const TimelineEvent event{TimelineEvent::Kind::memory, edit.address, edit.bytes};
    const auto storage = memory().find_storage(edit.address);
    if (storage && std::find(written.begin(), written.end(), *storage) == written.end())
      foreign_.keep(edit.address, static_cast<std::int64_t>(edit.bytes.size()));
    timelines_.add(mark(), event);
    apply(event);
  }
}

bool Engine::switch_to(std::uint64_t number) {
  if (point() == nullptr || number >= program_count() || programs_->has_ended(number)) return false;
  if (number == program()) return true;
  fork();
  const TimelineEvent event{TimelineEvent::Kind::turn, number, {}};
  timelines_.add(mark(), event);
  take_over(number);
  return true;
}

bool Engine::read_before(std::uint64_t address, std::size_t bytes, char* out) const {
  if (history_->read_before(address, bytes, out)) return true;
  const auto storage = memory().find_storage(address);
  if (!storage || bytes > memory().storage(*storage).extent.end - address) return false;
  std::copy_n(interpreter::bytes_at(address), bytes, out);
  foreign_.read_before(address, bytes, out);
  return true;
}

bool Engine::with_memory_before(const std::function<void()>& act) {
  interpreter::MemoryBudget budget;
  interpreter::StorageCopy now(budget);
  if (!now.take(memory(), launch_->written())) return false;
  MemoryLog foreign_now;
  foreign_now.keep_places_of(foreign_);
  struct PutBack {
    const interpreter::StorageCopy& now;
    const MemoryLog& foreign_now;
    ~PutBack() {
      now.restore();
      foreign_now.put_back();
    }
  };
  const PutBack guard{now, foreign_now};
  history_->put_base();
  foreign_.put_back();
  act();
  return true;
}

}  // namespace lockstep::debugger
