#include "debugger/engine/engine.h"

#include <algorithm>
#include <set>

#include "support/report_status.h"

namespace lockstep::debugger {

std::unique_ptr<Engine> Engine::make(const ir::Module& module, const ir::Op& function, const TargetProfile& profile,
                                     const interpreter::RunRequest& request, const Options& options,
                                     DiagnosticSink& sink) {
  std::unique_ptr<Engine> made(new Engine(request, options));
  made->print_ = request.print;
  made->prepare_print();
  made->request_.stop = nullptr;
  made->request_.poll = nullptr;
  made->request_.progress = nullptr;
  made->request_.rollback = false;
  made->request_.limits.timeout_seconds = 0;
  made->request_.touches = interpreter::Touches::none;
  made->kernel_ = DebugKernel::make(module, function, profile, sink);
  if (made->kernel_ == nullptr) return nullptr;
  made->fast_ = interpreter::PreparedKernel::make(module, function, profile, sink);
  if (made->fast_ == nullptr) return nullptr;
  made->launch_ = interpreter::SteppedLaunch::make(made->kernel_->kernel(), made->request_, sink);
  if (made->launch_ == nullptr) return nullptr;
  made->programs_ = std::make_unique<Programs>(*made->launch_);
  made->history_ =
      std::make_unique<History>(*made->launch_, *made->programs_, options.history_bytes, options.checkpoint_distance);
  if (!made->history_->begin(*request.memory)) {
    report_status(sink, {"LS3012",
                         "the copy of what the kernel writes, for going backwards, does not fit into the " +
                             std::to_string(options.history_bytes >> 20) + " MiB of --history",
                         "give it more, for example --history 4GiB"});
    return nullptr;
  }
  made->branches_[0] = {};
  made->index_breakpoints();
  made->begin_turn(0);
  return made;
}

Engine::~Engine() {
  history_.reset();  // before the pool that its tiles come from
  programs_.reset();
}

std::optional<std::uint64_t> Engine::number_of(const ProgramId& id) const {
  std::uint64_t number = 0;
  for (std::size_t d = 3; d-- > 0;) {
    if (id[d] < 0 || id[d] >= grid()[d]) return std::nullopt;
    number = number * static_cast<std::uint64_t>(grid()[d]) + static_cast<std::uint64_t>(id[d]);
  }
  return number;
}

std::vector<interpreter::ProgramRange> Engine::finished() const {
  std::set<std::uint64_t> wrong;
  for (const auto& [moment, finding] : findings_) {
    if (finding.tier == Tier::error) wrong.insert(number_of(finding.program).value_or(program_count()));
  }
  std::map<std::uint64_t, const Gap*> gaps;
  for (const Gap& gap : gaps_) gaps[gap.first_program] = &gap;
  std::vector<interpreter::ProgramRange> all;
  const auto add = [&all](const interpreter::ProgramRange& range) {
    if (!all.empty() && all.back().last + 1 == range.first) {
      all.back().last = range.last;
    } else {
      all.push_back(range);
    }
  };
  std::uint64_t started = programs_->started_count();
  for (std::uint64_t number = 0; started > 0 && number < program_count();) {
    const auto gap = gaps.find(number);
    const std::uint64_t count = gap != gaps.end() ? gap->second->count : 1;
    if (gap != gaps.end()) {
      for (const auto& range : gap->second->finished) add(range);
    } else if (programs_->has_ended(number) && !wrong.contains(number)) {
      add({number, number});
    }
    started -= gap != gaps.end() || programs_->has_started(number) ? std::min(started, count) : 0;
    number += count;
  }
  return all;
}

// ---- what if ----

/// The present timeline ends here; what comes is another one.
void Engine::fork() {
  forget_announced();
  const Moment now = moment();
  branches_[timeline_].facts.last = now;
  branches_[timeline_].events = events_;
  const std::uint32_t id = static_cast<std::uint32_t>(branches_.size());
  branches_[id].facts = {id, timeline_, now, now};
  timeline_ = id;
  events_.erase(events_.upper_bound(now), events_.end());
  furthest_ = now;
}

void Engine::set_value(interpreter::Slot slot, const std::string& bytes) {
  fork();
  const Event event{Event::Kind::value, slot, bytes};
  events_.emplace(moment(), event);
  apply(event);
}

void Engine::set_memory(std::uint64_t address, const std::string& bytes) {
  set_memory(std::vector<MemoryEdit>{{address, bytes}});
}

void Engine::set_memory(const std::vector<MemoryEdit>& edits) {
  fork();
  const auto& written = launch_->written();
  for (const MemoryEdit& edit : edits) {
    const Event event{Event::Kind::memory, edit.address, edit.bytes};
    const auto storage = memory().find_storage(edit.address);
    if (storage && std::find(written.begin(), written.end(), *storage) == written.end())
      foreign_.keep(edit.address, static_cast<std::int64_t>(edit.bytes.size()));
    events_.emplace(moment(), event);
    apply(event);
  }
}

bool Engine::switch_to(std::uint64_t number) {
  if (point() == nullptr || number >= program_count() || programs_->has_ended(number)) return false;
  if (number == program()) return true;
  fork();
  const Event event{Event::Kind::turn, number, {}};
  events_.emplace(moment(), event);
  take_over(number);
  return true;
}

void Engine::take_over(std::uint64_t number) {
  const Next next = programs_->switch_to(number);
  next == Next::turn_over ? begin_turn(0) : settle(next);
}

void Engine::apply(const Event& event) {
  interpreter::Machine& machine = launch_->machine();
  if (event.kind == Event::Kind::memory) {
    const auto bytes = static_cast<std::int64_t>(event.bytes.size());
    history_->note_write(event.number, bytes);
    std::copy(event.bytes.begin(), event.bytes.end(), interpreter::bytes_at(event.number));
    return;
  }
  const auto slot = static_cast<interpreter::Slot>(event.number);
  const interpreter::TileType& type = machine.type_of(slot);
  programs_->note_edit();
  if (type.is_scalar()) {
    std::uint64_t bits = 0;
    std::copy(event.bytes.begin(), event.bytes.end(), reinterpret_cast<char*>(&bits));
    machine.set(slot, interpreter::uniform_tile(bits, machine.slots[slot].provenance));
    return;
  }
  const std::int32_t provenance = machine.slots[slot].provenance;
  interpreter::Tile tile = machine.allocate(type);
  tile.provenance = provenance;
  std::copy(event.bytes.begin(), event.bytes.end(), tile.data());
  machine.set(slot, tile);
}

/// Of this moment. A turn moves on to another moment, whose events come then.
void Engine::apply_events() {
  const auto [first, last] = events_.equal_range(moment());
  for (auto event = first; event != last; ++event) {
    if (event->second.kind == Event::Kind::turn) {
      take_over(event->second.number);
      return;
    }
    apply(event->second);
  }
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

bool Engine::has_set(interpreter::Slot slot, Moment from, Moment until) const {
  return std::any_of(events_.lower_bound(from), events_.upper_bound(until), [&](const auto& entry) {
    return entry.second.kind == Event::Kind::value && entry.second.number == slot;
  });
}

bool Engine::has_set(ByteRange bytes, Moment from, Moment until) const {
  return std::any_of(events_.lower_bound(from), events_.upper_bound(until), [&](const auto& entry) {
    const Event& event = entry.second;
    return event.kind == Event::Kind::memory && event.number < bytes.end &&
           bytes.begin < event.number + event.bytes.size();
  });
}

std::vector<Engine::Timeline> Engine::timelines() const {
  std::vector<Timeline> all;
  for (const auto& [id, branch] : branches_) {
    all.push_back(branch.facts);
    if (id == timeline_) all.back().last = moment();
  }
  return all;
}

bool Engine::switch_timeline(std::uint32_t id) {
  const auto found = branches_.find(id);
  if (found == branches_.end()) return false;
  if (id == timeline_) return true;
  branches_[timeline_].facts.last = moment();
  branches_[timeline_].events = events_;
  const Moment target = found->second.facts.last;
  timeline_ = id;
  back_to_start();
  events_ = found->second.events;
  furthest_ = target;
  begin_turn(target.turn);
  forward_to(target);
  return true;
}

}  // namespace lockstep::debugger
