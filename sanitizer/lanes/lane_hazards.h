// LaneHazards: detects, while one launch runs with steps, what lanes of one program do to each other's bytes, under a
// memory model and a version of Triton (whose barriers count). Keeps a shadow of every running program. Invariant:
// reports at most one finding of a kind for one execution of an op, that of the first lane.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>

#include "sanitizer/lanes/lane_order.h"
#include "sanitizer/lanes/lane_shadow.h"

namespace lockstep::sanitizer {

/// What two lanes did.
enum class Hazard : std::uint8_t { read_after_write, write_after_read, write_after_write, duplicate, pipelined };
inline constexpr std::size_t kHazards = 5;

/// The first lane with a hazard, and how many have one.
struct HazardFound {
  std::int64_t lane = 0, other_lane = 0;  // other_lane: of a duplicate
  ShadowSide other;
  std::uint64_t address = 0, count = 0;
};

class LaneHazards {
 public:
  LaneHazards(const LaunchContext& context, const LaneFacts& facts);

  void barrier(Execution& run) { shadow(run).pass_barrier(); }
  /// A load of the same iteration whose lanes may come before or after the next store; null: none.
  void set_harmless(const ir::Op* load) { harmless_ = load; }
  void before_access(Execution& run);
  void after_access(Execution& run);

 private:
  /// One execution of an op.
  struct Running {
    Execution& run;
    LaneShadow& shadow;
    const LaneAccess& op;
    std::uint32_t number = 0;
    const char* values = nullptr;  // of a store
    std::int64_t lane = 0;
    std::uint64_t address = 0, cell = 0;
    LaneIdentity who = 0;
    bool is_shared = false;  // several lanes store to an element
    std::array<std::optional<HazardFound>, kHazards> found{};
  };
  LaneShadow& shadow(const Execution& run);
  bool is_watched(Execution& run) const;
  void check_release(Execution& run);
  void touch(Running& now);
  void load_cell(Running& now, ShadowCell& cell);
  void store_cell(Running& now, ShadowCell& cell);
  bool meets(const Running& now, const ShadowSide& side) const;
  void note(Running& now, Hazard hazard, const ShadowSide& other) const;
  void report(Running& now);
  Finding text_of(Running& now, Hazard hazard, const HazardFound& found);

  const LaunchContext& context_;
  std::unordered_map<const ir::Op*, const LaneAccess*> accesses_;
  std::set<std::int32_t> written_, loaded_;  // storages; -1: any
  bool may_interleave_ = false;              // programs wait for each other, so that several are under way
  std::uint64_t cell_bytes_ = 1;
  LaneOrdering ordering_;
  const ir::Op* harmless_ = nullptr;
  std::map<std::uint64_t, std::unique_ptr<LaneShadow>> shadows_;  // by program
};

/// Storages that arguments lie in; -1 among them: any.
std::set<std::int32_t> storages_of(const interpreter::RunRequest& request, const interpreter::PointerSet& memory);

/// Bytes of an element of what a memory op moves.
int element_bytes(const ir::Op& op);

}  // namespace lockstep::sanitizer
