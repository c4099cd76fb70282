// LaneUpdates: updates that lanes of one tile lose to each other (LS407). A store writes what each lane made of its own
// load of the same element; where several lanes share the element, all of them loaded what was there before any of them
// stored, so that one of their values stays and the others' updates are gone. The checker does not guess: it runs the
// ops between the load and the store again, one lane after the other on each element, each with the result of the lane
// before it (update_kernel.h). Invariant: a finding is a fact of this execution: some lane stored another number than
// its elements have after that. Barriers and memory models do not matter to it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sanitizer/core/execution.h"
#include "sanitizer/lanes/update_ops.h"

namespace lockstep::sanitizer {

class UpdateKernel;

class LaneUpdates {
 public:
  LaneUpdates(const LaunchContext& context, const std::vector<LaneUpdate>& updates);
  ~LaneUpdates();

  /// Whether before() and after() must see an op.
  static bool is_watched(const std::vector<LaneUpdate>& updates, const ir::Op& op);
  /// For a store: the load, if its lanes may come before or after the store; else null.
  const ir::Op* before(Execution& run);
  void after(Execution& run);
  /// Removes other findings on the same loads and stores: LS407 replaces them, as a barrier does not repair a lost
  /// update.
  static void give_way(Report& findings);

 private:
  using Bytes = std::vector<char>;
  /// Lanes of the load's last execution, and the operands of the ops behind it.
  struct Seen {
    bool is_open = false;  // lanes may share elements
    std::vector<std::uint64_t> addresses;
    std::vector<std::uint8_t> on;
    Bytes loaded;
    std::unordered_map<const ir::Value*, Bytes> leaves;
    Location location;
  };
  /// Lanes of the store by element: only those that computed their value from a load of that element.
  struct Shared {
    std::map<std::uint64_t, std::vector<std::int64_t>> lanes;
    std::unordered_map<std::int64_t, std::int64_t> loaded_by;  // lane of the store -> lane of the load
    std::size_t most = 0;
  };
  struct Lost {
    std::uint64_t lanes = 0, elements = 0, gone = 0;  // gone: updates, in the order that lanes have here
    std::int64_t lane = -1;  // the first of them
    std::int64_t wrong = 0;  // one that stores another number to its element
    std::uint64_t address = 0, left = 0, right = 0;
  };
  enum class Verdict : std::uint8_t { open, harmless, lost };

  Seen& seen(const Execution& run, std::size_t update);
  void begin_load(Execution& run, const LaneUpdate& update, Seen& seen) const;
  static Shared find_shared(Execution& run, const LaneUpdate& update, const Seen& seen);
  Verdict judge(Execution& run, std::size_t number, const Seen& seen);
  bool is_settled(Execution& run, std::size_t number, const Seen& seen, const Shared& shared);
  std::unique_ptr<Lost> apply_in_turn(Execution& run, std::size_t number, const Seen& seen, const Shared& shared);
  void report(Execution& run, const LaneUpdate& update, const Seen& seen, const Lost& lost) const;

  const LaunchContext& context_;
  const std::vector<LaneUpdate>& updates_;
  std::unordered_map<const ir::Op*, std::vector<std::size_t>> by_op_;  // numbers of updates that an op concerns
  std::vector<std::unique_ptr<UpdateKernel>> kernels_;
  std::map<std::uint64_t, std::vector<Seen>> seen_;  // by program
};

}  // namespace lockstep::sanitizer
