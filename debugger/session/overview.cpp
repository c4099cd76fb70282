#include "debugger/session/overview.h"

#include <set>

namespace lockstep::debugger {

namespace {

bool has_fault(const Session& session, const ProgramId& id) {
  for (const auto& [mark, finding] : session.engine().findings()) {
    if (finding.tier == Tier::error && finding.program == id) return true;
  }
  return false;
}

}  // namespace

ProgramStatus status_of(const Session& session, std::uint64_t program) {
  const Engine& engine = session.engine();
  if (engine.point() != nullptr && engine.program() == program) return ProgramStatus::focus;
  if (has_fault(session, engine.program_id(program))) return ProgramStatus::fault;
  if (engine.programs().has_live(program)) return ProgramStatus::waiting;
  return engine.programs().has_started(program) ? ProgramStatus::ended : ProgramStatus::not_started;
}

std::vector<ProgramFacts> notable_programs(const Session& session, std::size_t most) {
  const Engine& engine = session.engine();
  std::vector<ProgramFacts> facts;
  std::set<std::uint64_t> seen;
  const auto add = [&](std::uint64_t number) {
    if (facts.size() >= most || number >= engine.program_count() || !seen.insert(number).second) return;
    ProgramFacts one{number, engine.program_id(number), status_of(session, number), {}, 0};
    if (const LiveProgram* live = engine.programs().find(number)) {
      one.steps = live->steps;
      if (!live->trail().empty()) one.place = live->trail().back().place;
    }
    facts.push_back(one);
  };
  if (engine.point() != nullptr) add(engine.program());
  for (const auto& [number, live] : engine.programs().live()) add(number);
  for (const auto& [mark, finding] : engine.findings()) {
    if (const auto number = engine.number_of(finding.program)) add(*number);
  }
  for (std::uint64_t number = 0; number < engine.program_count() && facts.size() < most; ++number) add(number);
  return facts;
}

std::vector<OuterFrame> outer_frames(const Session& session) {
  const Point* point = session.engine().point();
  if (point == nullptr || !session.setup().outer) return {};
  const std::size_t level = session.hidden_levels();
  return session.setup().outer(level < point->frames.size() ? point->frames[level] : Place{});
}

ProgramCounts count_programs(const Session& session) {
  const Engine& engine = session.engine();
  std::set<ProgramId> faults;
  for (const auto& [mark, finding] : engine.findings()) {
    if (finding.tier == Tier::error) faults.insert(finding.program);
  }
  ProgramCounts counts;
  counts.live = engine.programs().live().size();
  counts.not_started = engine.program_count() - engine.programs().started_count();
  counts.ended = engine.programs().started_count() - counts.live;
  counts.faults = faults.size();
  return counts;
}

}  // namespace lockstep::debugger
