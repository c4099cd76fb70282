// The races of a launch as findings: one for each pair of accesses and argument, with both sides, their values and the
// edge that is missing between them. Invariant: the same races in the same order make the same bytes. Not here: finding
// them (race_engine.h).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "sanitizer/core/execution.h"
#include "sanitizer/race/happens_before.h"

namespace lockstep::sanitizer {

struct RaceEvent {
  std::uint32_t site = 0;  // of the access that is being made, by the program that runs
  RaceAccesses other;      // what it races with; the program is `other_program`
  std::uint32_t other_program = 0;
  std::uint32_t blame = 0;  // in RaceBlames; 0: nothing tried to order them
  bool other_is_read = false, has_read_before = false;
  bool unlocks = false;  // a plain store to what the program had swapped
  std::int64_t lane = 0;
  std::uint64_t address = 0;
};

/// The code of the finding.
FindingCode race_code(const RaceSites& sites, const RaceBlames& blames, const RaceEvent& event);

/// One side of a race, for texts.
struct RaceSide {
  const RaceSite* site = nullptr;
  std::uint32_t program = 0;
  std::string who, line;
};
/// The plain access first, else the current one.
struct RaceSides {
  RaceSide main, other;
  bool is_swapped = false;  // `main` is the earlier one
};

class RaceReport {
 public:
  RaceReport(const RaceSites& sites, const RaceBlames& blames) : sites_(sites), blames_(blames) {}

  /// Call it before the access. Returns the number of the race's record, from 1.
  std::uint32_t add(Execution& run, const RaceEvent& event);
  /// One event of the record turned out to belong to another race.
  void take_back(std::uint32_t record);
  void finish(Report& report);

 private:
  struct Record {
    Finding finding;
    std::uint64_t count = 0;
    std::set<std::uint32_t> programs;
    bool differs = true;  // what was stored
  };
  using Key = std::tuple<FindingCode, std::uint32_t, std::uint32_t, std::int32_t>;

  Finding make(Execution& run, const RaceEvent& event, FindingCode code, bool differs) const;
  RaceSides sides_of(Execution& run, const RaceEvent& event) const;
  std::string message_of(Execution& run, const RaceEvent& event, FindingCode code, bool differs) const;
  std::string stores_text(Execution& run, const RaceEvent& event, bool differs) const;
  void add_blame_notes(Execution& run, const RaceEvent& event, Finding& finding) const;

  const RaceSites& sites_;
  const RaceBlames& blames_;
  std::map<Key, std::size_t> numbers_;
  std::vector<Record> records_;
};

}  // namespace lockstep::sanitizer
