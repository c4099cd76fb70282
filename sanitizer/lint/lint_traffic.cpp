#include "sanitizer/lint/lint_traffic.h"

namespace lockstep::sanitizer {

std::vector<ByteRun> runs_of(interpreter::AccessLanes& lanes) {
  std::vector<ByteRun> made;
  lanes.for_each_run([&](std::uint64_t address, std::int64_t bytes) {
    made.push_back({address, address + static_cast<std::uint64_t>(bytes)});
  });
  memory_model::join_runs(made);
  return made;
}

std::uint64_t sectors_of(const std::vector<ByteRun>& runs) { return memory_model::units_of(runs, kSectorBytes); }

void count(OpTraffic& traffic, Execution& run, const std::vector<ByteRun>& runs) {
  interpreter::AccessLanes& lanes = run.lanes();
  std::uint64_t hash = runs.size();
  for (const ByteRun& one : runs) {
    traffic.bytes += one.end - one.begin;
    hash = (hash ^ one.begin) * 0x9e3779b97f4a7c15u + (one.end - one.begin);
  }
  const bool has_same_program = traffic.last_program == run.program() && traffic.executions > 0;
  if (has_same_program && traffic.last_hash == hash && !runs.empty()) ++traffic.repeats;
  if (!has_same_program) ++traffic.programs;
  const bool is_one = runs.size() == 1 && runs[0].end - runs[0].begin == static_cast<std::uint64_t>(lanes.bytes());
  if (!runs.empty()) {
    traffic.is_one_each = traffic.is_one_each && is_one;
    const bool is_same = traffic.active == 0 || traffic.address == runs[0].begin;
    traffic.is_one_address = traffic.is_one_address && is_one && is_same;
    traffic.address = runs[0].begin;
  }
  ++traffic.executions;
  traffic.lanes += static_cast<std::uint64_t>(lanes.count());
  traffic.active += static_cast<std::uint64_t>(lanes.active());
  traffic.sectors += sectors_of(runs);
  traffic.runs += runs.size();
  traffic.last_program = run.program();
  traffic.last_hash = hash;
}

}  // namespace lockstep::sanitizer
