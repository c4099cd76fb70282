#include "debugger/engine/ahead_runs.h"

#include <algorithm>
#include <map>

namespace lockstep::debugger {

void AheadRuns::forget_from(Mark here, bool is_start) {
  std::erase_if(gaps_, [&](const Gap& gap) { return Mark{gap.first_turn, 0} >= here; });
  std::erase_if(first_turns_, [&](const auto& entry) { return Mark{entry.first, 0} > here || is_start; });
}

std::optional<std::uint64_t> AheadRuns::turn_of(std::uint64_t program) const {
  const auto known = std::find_if(first_turns_.begin(), first_turns_.end(),
                                  [&](const auto& entry) { return entry.second == program; });
  std::optional<std::uint64_t> turn;
  if (known != first_turns_.end()) turn = known->first;
  for (const Gap& gap : gaps_) {
    if (gap.first_program <= program && program < gap.first_program + gap.count)
      turn = gap.first_turn + (program - gap.first_program);
  }
  return turn;
}

std::optional<AheadRuns::Gap> AheadRuns::gap_at(std::uint64_t turn) const {
  const auto gap = std::find_if(gaps_.begin(), gaps_.end(), [&](const Gap& known) {
    return known.first_turn <= turn && turn < known.first_turn + known.count;
  });
  if (gap == gaps_.end()) return std::nullopt;
  return *gap;
}

std::vector<interpreter::ProgramRange> AheadRuns::finished(const Programs& programs, std::uint64_t program_count,
                                                           const std::set<std::uint64_t>& wrong) const {
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
  std::uint64_t started = programs.started_count();
  for (std::uint64_t number = 0; started > 0 && number < program_count;) {
    const auto gap = gaps.find(number);
    const std::uint64_t count = gap != gaps.end() ? gap->second->count : 1;
    if (gap != gaps.end()) {
      for (const auto& range : gap->second->finished) add(range);
    } else if (programs.has_ended(number) && !wrong.contains(number)) {
      add({number, number});
    }
    started -= gap != gaps.end() || programs.has_started(number) ? std::min(started, count) : 0;
    number += count;
  }
  return all;
}

}  // namespace lockstep::debugger
