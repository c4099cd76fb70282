// Padding: which lanes of a program's values come from memory and which from a masked-off load: lanes that exist only
// because a tile is larger than the data. Worked out by going once more over the program's way. Rules: a load gives
// padding where its mask is off (a block load where it lies beyond its tensor). Lane by lane, a result is padding where
// any operand's lane is; of a selection it is what the chosen side is, and padding where the condition's lane is. What
// comes of several lanes (a reduction, a product) is padding where all that came from memory is. Invariant: lanes that
// are named padding are; what was stored and loaded again counts as loaded. Not here: text, drawing.
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

/// What lanes that are off were filled with, and by which load.
struct PaddingSource {
  enum class Kind : std::uint8_t { other, nothing, block } kind = Kind::other;  // `other`, none given, beyond a tensor
  const Point* load = nullptr;
  Datum value;  // of Kind::other: the first such lane's
};

/// By lane of a value where it comes from: kNeither, kLoaded, or kFirstSource + number of a source.
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

/// Lanes counted by where they come from.
struct PaddingCounts {
  struct Share {
    PaddingSource source;
    std::int64_t lanes = 0;
  };
  std::int64_t lanes = 0, loaded = 0;
  std::vector<Share> shares;  // of the padding, by source
  std::int64_t padding() const;
};

/// Origins of all values of one program, while it runs: visit() standing at each of its points, access() before each of
/// its accesses, leave() where its turn is over, from its first point on.
class PaddingFlow {
 public:
  explicit PaddingFlow(const Engine& engine) : engine_(&engine) {}
  void visit();
  void access(interpreter::AccessLanes& lanes);
  void leave();
  /// It will be shown the point again where it was last.
  void pause() { pending_.reset(); }
  LaneOrigins of(interpreter::Slot slot) const;
  LaneOrigins of(const ir::Value& value, std::uint32_t activation) const;
  const PaddingSource& source(std::uint8_t origin) const { return sources_[origin - LaneOrigins::kFirstSource]; }
  /// Of these lanes; `lanes` gives each of `count`.
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

/// Keeps what it worked out: the next question goes on from there.
class Padding {
 public:
  explicit Padding(Engine& engine);
  /// Where the program that stands is now; `ahead`: so many ops further. Null: no load of the kernel has lanes that can
  /// be off, or nobody stands at a point. Problem: the program is too long to be gone over again; pause() came.
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
