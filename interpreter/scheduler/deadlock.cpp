#include "interpreter/scheduler/deadlock.h"

#include <algorithm>

#include "interpreter/launch/name_op.h"
#include "memory_model/describe.h"

namespace lockstep::interpreter {

namespace {

std::string program_text(const std::array<std::int32_t, 3>& id) {
  return "(" + std::to_string(id[0]) + "," + std::to_string(id[1]) + "," + std::to_string(id[2]) + ")";
}

std::array<std::int32_t, 3> id_of(const Launch& launch, std::uint64_t number) {
  const auto x = static_cast<std::uint64_t>(launch.grid[0]), y = static_cast<std::uint64_t>(launch.grid[1]);
  return {static_cast<std::int32_t>(number % x), static_cast<std::int32_t>(number / x % y),
          static_cast<std::int32_t>(number / x / y)};
}

/// Programs that wait at one place for one thing.
struct Group {
  std::vector<const ProgramState*> programs;  // rising
  const ProgramState& first() const { return *programs.front(); }
};

bool wait_for_the_same(const ProgramState& a, const ProgramState& b) {
  return a.observed_site == b.observed_site && a.observed_view == b.observed_view &&
         a.observed_address == b.observed_address;
}

std::vector<Group> groups_of(const LivePrograms& waiting) {
  LivePrograms sorted = waiting;
  std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->number < b->number; });
  std::vector<Group> groups;
  for (const ProgramState* program : sorted) {
    const auto same = std::find_if(groups.begin(), groups.end(),
                                   [&](const Group& one) { return wait_for_the_same(one.first(), *program); });
    if (same != groups.end()) {
      same->programs.push_back(program);
    } else {
      groups.push_back({{program}});
    }
  }
  return groups;
}

/// "program (1,0,0) waits", "programs (1,0,0)..(7,0,0) wait", "programs (1,0,0), (4,0,0) and 3 more wait".
std::string who_waits(const Group& group) {
  const auto& programs = group.programs;
  if (programs.size() == 1) return "program " + program_text(programs[0]->id) + " waits";
  const bool is_range = programs.back()->number - programs.front()->number == programs.size() - 1;
  std::string text = "programs " + program_text(programs[0]->id);
  if (is_range) return text + ".." + program_text(programs.back()->id) + " wait";
  text += (programs.size() == 2 ? " and " : ", ") + program_text(programs[1]->id);
  if (programs.size() > 2) text += " and " + std::to_string(programs.size() - 2) + " more";
  return text + " wait";
}

/// "lock[0]".
std::string awaited(const Machine& machine, const ProgramState& program) {
  if (program.observed_view < 0 || program.observed_address == 0) return "memory";
  const auto& view = machine.launch.memory->view(memory_model::ViewId{program.observed_view});
  return memory_model::element_text(view, program.observed_address);
}

std::string line_text(const Location& location) {
  const Location place = location.innermost_file();
  return place.is_unknown() ? "" : " (line " + std::to_string(place->line) + ")";
}

/// The state of the program that changed it last.
std::string fate_of(const ProgramState& awaiting, const LivePrograms& waiting, const Machine& machine,
                    std::uint64_t number) {
  if (number == awaiting.number) return ", which is itself among those that wait";
  const auto other =
      std::find_if(waiting.begin(), waiting.end(), [number](const auto& p) { return p->number == number; });
  if (other == waiting.end()) return ", which has ended";
  return ", which waits for " + awaited(machine, **other);
}

/// The edge of the wait graph: the holder, or the last writer.
FindingNote last_change_note(const Machine& machine, const LivePrograms& waiting, const ProgramState& program) {
  const std::string what = awaited(machine, program);
  const auto known = machine.last_changes.find(program.observed_address);
  if (known == machine.last_changes.end()) return {"no program that ran changed " + what, {}};
  const auto& [number, site] = known->second;
  return {what + " was changed last by program " + program_text(id_of(machine.launch, number)) +
              fate_of(program, waiting, machine, number),
          machine.plan->sites[site].location};
}

std::string message_of(const Machine& machine, const Group& group, const DeadlockFacts& facts) {
  const ProgramState& first = group.first();
  std::string text = "deadlock: " + who_waits(group) + " for " + awaited(machine, first) +
                     line_text(machine.plan->sites[first.observed_site].location);
  if (facts.never_started != 0) {
    const bool is_one = facts.never_started == 1;
    text += "; " + std::to_string(facts.never_started) + (is_one ? " program is" : " programs are") +
            " not started, as only " + std::to_string(machine.launch.resident) + " have room at once";
  } else {
    text += ", which no program can change any more";
  }
  if (!facts.is_proven) text += " (nothing changed it in " + std::to_string(facts.rounds) + " rounds)";
  return text;
}

}  // namespace

void report_deadlock(Machine& machine, const LivePrograms& waiting, const DeadlockFacts& facts) {
  constexpr std::size_t kMostGroups = 4;
  const std::vector<Group> groups = groups_of(waiting);
  const ProgramState& first = groups.front().first();
  const Site& site = machine.plan->sites[first.observed_site];
  Finding finding;
  finding.code = FindingCode::LS901;
  finding.location = site.location;
  name_op(finding, *site.op);
  finding.program = first.id;
  finding.count = finding.programs = waiting.size();
  finding.message = message_of(machine, groups.front(), facts);
  if (first.observed_view >= 0)
    finding.argument = machine.launch.memory->view(memory_model::ViewId{first.observed_view}).name;
  for (std::size_t i = 0; i < groups.size() && i < kMostGroups; ++i) {
    const ProgramState& one = groups[i].first();
    if (i != 0)
      finding.notes.push_back(
          {who_waits(groups[i]) + " for " + awaited(machine, one), machine.plan->sites[one.observed_site].location});
    if (one.observed_address != 0) finding.notes.push_back(last_change_note(machine, waiting, one));
  }
  if (groups.size() > kMostGroups)
    finding.notes.push_back({std::to_string(groups.size() - kMostGroups) + " more groups wait", {}});
  if (facts.never_started != 0)
    finding.hint = "launch at most as many programs as are resident at once, or let no program wait for a later one";
  machine.findings.add(std::move(finding));
}

}  // namespace lockstep::interpreter
