// Padding: which lanes of a program's values come from memory and which from a masked-off load: lanes that exist only
// because a tile is larger than the data. Computed by running the program again. Rules: a load gives padding where its
// mask is off (a block load where it lies beyond its tensor). Lane by lane, a result is padding where any operand's
// lane is; a selection follows the chosen side, and is padding where the condition's lane is. A result of several lanes
// (a reduction, a product) is padding where all of its data from memory is. Invariant: lanes that are called padding
// are padding; stored and reloaded values count as loaded. Not here: text, drawing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "debugger/engine/engine.h"
#include "debugger/engine/frame.h"
#include "debugger/session/problem.h"
#include "support/result.h"

namespace lockstep::debugger {

/// The value that fills the lanes that are off, and its load.
struct PaddingSource {
  enum class Kind : std::uint8_t { other, nothing, block } kind = Kind::other;  // `other`, none given, beyond a tensor
  const Point* load = nullptr;
  Datum value;  // of Kind::other: the first such lane's
};

/// The origin of each lane of a value: kNeither, kLoaded, or kFirstSource + number of a source.
class LaneOrigins {
 public:
  static constexpr std::uint8_t kNeither = 0, kLoaded = 1, kFirstSource = 2;
  explicit LaneOrigins(std::uint8_t all = kNeither) : all_(all) {}
  explicit LaneOrigins(std::vector<std::uint8_t> lanes);
  std::uint8_t at(std::int64_t lane) const { return lanes_ ? (*lanes_)[static_cast<std::size_t>(lane)] : all_; }
  bool is_uniform() const { return lanes_ == nullptr; }
  static bool is_padding(std::uint8_t origin) { return origin >= kFirstSource; }

 private:
  std::uint8_t all_;
  std::shared_ptr<const std::vector<std::uint8_t>> lanes_;  // null: all_ for each
};

/// Lanes counted by origin.
struct PaddingCounts {
  struct Share {
    PaddingSource source;
    std::int64_t lanes = 0;
  };
  std::int64_t lanes = 0, loaded = 0;
  std::vector<Share> shares;  // of the padding, by source
  std::int64_t padding() const;
};

/// Origins of all values of one program while it runs, from its first point on: visit() at each of its points, access()
/// before each of its accesses, leave() at the end of its turn.
class PaddingFlow {
 public:
  explicit PaddingFlow(const Engine& engine) : engine_(&engine) {}
  void visit();
  void access(interpreter::AccessLanes& lanes);
  void leave();
  /// It will see its last point again.
  void pause() { pending_.reset(); }
  LaneOrigins of(interpreter::Slot slot) const;
  LaneOrigins of(const ir::Value& value, std::uint32_t activation) const;
  const PaddingSource& source(std::uint8_t origin) const { return sources_[origin - LaneOrigins::kFirstSource]; }
  /// For these lanes; `lanes` gives each of `count`.
  template <typename LaneAt>
  PaddingCounts count(const LaneOrigins& origins, std::int64_t count, LaneAt&& lane_at) const {
    PaddingCounts counts;
    for (std::int64_t i = 0; i < count; ++i) add(counts, origins.at(lane_at(i)));
    return counts;
  }
  PaddingCounts count_all(const LaneOrigins& origins, std::int64_t lanes) const {
    return count(origins, lanes, [](std::int64_t lane) { return lane; });
  }

 private:
  /// An op that is about to run.
  struct Pending {
    const Point* point = nullptr;
    std::vector<std::uint8_t> off;   // of a load or an atomic: by lane
    std::optional<Datum> condition;  // of a selection; the index of a gather
  };
  using Lanes = std::vector<std::uint8_t>;
  void finish(const Pending& done, const Point* next);
  void hand_on(const Point& point, const Point* next);
  void pass_load(const Pending& done);
  LaneOrigins made(const Pending& done, std::size_t result) const;
  LaneOrigins moved(const Point& point, std::size_t result) const;
  LaneOrigins selected(const Pending& done) const;
  LaneOrigins gathered(const Pending& done) const;
  LaneOrigins lane_by_lane(const Point& point) const;
  LaneOrigins folded(const Point& point) const;
  LaneOrigins multiplied(const Point& point) const;
  LaneOrigins together(const Point& point) const;
  std::uint8_t source_of(const Pending& done);
  void add(PaddingCounts& counts, std::uint8_t origin) const;
  bool asks_for_values(const Point& point) const;
  LaneOrigins operand(const Point& point, std::size_t number) const;

  const Engine* engine_;
  std::optional<Pending> pending_;
  std::unordered_map<interpreter::Slot, LaneOrigins> origins_;  // without those that are kNeither
  std::vector<PaddingSource> sources_;
};

/// Keeps its results: the next question continues from there.
class Padding {
 public:
  explicit Padding(Engine& engine);
  /// For the current program now; `ahead`: so many ops further. Null: no load of the kernel has lanes that can be off,
  /// or no program is at a point. Problem: the program is too long to run again; pause() came.
  Expected<const PaddingFlow*, Problem> now(std::uint64_t ahead = 0);

 private:
  void go_on(PaddingFlow& flow, Mark from, Mark to);

  Engine& engine_;
  bool has_masks_ = false;
  struct Known {
    std::uint32_t timeline = 0;
    std::uint64_t program = 0;
    Mark at;
    PaddingFlow flow;
  };
  std::optional<Known> known_;
  std::optional<Known> ahead_;
};

}  // namespace lockstep::debugger
