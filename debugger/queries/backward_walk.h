// BackwardWalk: walks the past of a launch backwards from now, turn by turn, and carries needs: lanes of values, bytes
// of memory. A derived class defines what an op's lanes need of its operands; the walk passes lanes through loops,
// branches and calls. It first records a turn forwards. Precondition: a scoped replay of the engine (past.h) that only
// the walk moves. Not here: which lanes matter (lane_needs.h), text.
#pragma once

#include <cstdint>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "debugger/engine/engine.h"
#include "debugger/engine/frame.h"
#include "debugger/queries/byte_set.h"
#include "debugger/queries/lane_needs.h"

namespace lockstep::debugger {

/// An execution of an op, as it was seen going forward.
struct Visit {
  Mark mark;
  const Point* point = nullptr;
  std::vector<std::uint64_t> addresses;              // of a memory op, by lane; 0: off
  int bytes = 0;                                     // of an element
  std::vector<std::pair<std::size_t, Datum>> asked;  // operands that decide (asks_for_value)

  /// Bytes of a lane; from 0 on: the lane is off.
  ByteRange range(std::int64_t lane) const {
    const std::uint64_t address = addresses[static_cast<std::size_t>(lane)];
    return {address, address + static_cast<std::uint64_t>(bytes)};
  }
};

/// The writes of a turn, and its program.
struct Turn {
  std::uint64_t number = 0, program = 0;
  std::vector<ByteRange> written;
};

class BackwardWalk {
 protected:
  /// `follows_way`: if a part of a branch or loop took part, its condition is needed, too.
  BackwardWalk(Engine& engine, bool follows_way)
      : engine_(engine), kernel_(engine.kernel()), follows_way_(follows_way) {}
  ~BackwardWalk() = default;
  BackwardWalk(const BackwardWalk&) = delete;
  BackwardWalk& operator=(const BackwardWalk&) = delete;

  /// Through all turns before `end`, the last one first, until nothing is needed.
  void walk(Mark end);
  /// Through the turn of `end` only, back to its beginning.
  void walk_turn(Mark end, std::uint64_t program);
  bool has_needs() const;

  // The walk passed an op: take() the needs of its results (and needed_ of memory), need() its operands.
  virtual void pass_results(const Visit& visit) = 0;  // neither memory nor control flow
  virtual void pass_load(const Visit& visit) = 0;
  virtual void pass_store(const Visit& visit) = 0;
  virtual void pass_atomic(const Visit& visit) = 0;
  /// A needed value is a constant (made by an op) or a parameter of the kernel.
  virtual void end_at(const ir::Value& value, const LaneSet& lanes) = 0;

  /// Takes and clears the need of the value, in the current program.
  LaneSet take(const ir::Value& value, std::uint32_t activation);
  void need(const ir::Value& value, std::uint32_t activation, const LaneSet& lanes);
  void need_all(const ir::Value& value, std::uint32_t activation);
  /// Operands from `first` on by lane: pointers, masks, indices.
  void need_operands(const Point& point, const LaneSet& lanes, std::size_t first);
  /// Lanes that touch needed bytes.
  void add_needed_lanes(const Visit& visit, LaneSet& lanes) const;
  /// Memory at these lanes is needed from now on.
  void need_memory(const Visit& visit, const LaneSet& lanes);
  /// The op took part: so did the loops and branches around it.
  void note_way(const ir::Op& op);
  /// For find_needs(): the value of a visit's deciding operands.
  static LaneValue value_of(const Visit& visit);

  /// The needs of a program's values, going backwards.
  struct ProgramNeeds {
    std::unordered_map<interpreter::Slot, LaneSet> slots;
    std::set<const ir::Op*> decided;  // loops and branches in which something took part
  };

  Engine& engine_;
  const DebugKernel& kernel_;
  ByteSet needed_;
  std::unordered_map<std::uint64_t, ProgramNeeds> programs_;
  ProgramNeeds* now_ = nullptr;
  std::uint64_t program_ = 0;

 private:
  void find_turns(Mark end);
  std::vector<Visit> record(const Turn& turn, Mark end);
  void go_back(const Turn& turn, const std::vector<Visit>& visits);
  void pass(const Visit& visit, const Visit* next);
  void pass_condition(const Point& point);
  void pass_for(const Point& point);
  void pass_branch(const Visit& visit, const Visit* next);
  bool hand_back(const Point& point, const Point* next);

  bool follows_way_, has_begun_ = false;
  std::vector<Turn> turns_;
};

}  // namespace lockstep::debugger
