// BackwardWalk: the past of a launch from now on backwards, program by program as they took turns, carrying what is
// needed: lanes of values, bytes of memory. Who derives from it says what an op's lanes need of its operands; loops,
// branches and calls hand lanes on here. The way of a turn is recorded forwards first. Precondition: a scoped replay of
// the engine (past.h), which nothing moves meanwhile but the walk. Not here: which lanes matter (lane_needs.h), text.
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

  /// Bytes of a lane; from 0 on: it is off.
  ByteRange range(std::int64_t lane) const {
    const std::uint64_t address = addresses[static_cast<std::size_t>(lane)];
    return {address, address + static_cast<std::uint64_t>(bytes)};
  }
};

/// What a turn wrote, and whose it was.
struct Turn {
  std::uint64_t number = 0, program = 0;
  std::vector<ByteRange> written;
};

class BackwardWalk {
 protected:
  /// `follows_way`: where a branch or loop was taken in which something took part, what decided that is needed, too.
  BackwardWalk(Engine& engine, bool follows_way)
      : engine_(engine), kernel_(engine.kernel()), follows_way_(follows_way) {}
  ~BackwardWalk() = default;
  BackwardWalk(const BackwardWalk&) = delete;
  BackwardWalk& operator=(const BackwardWalk&) = delete;

  /// Through all turns before `end`, the last one first, until nothing is needed any more.
  void walk(Mark end);
  /// Through the turn of `end` only, from there to its beginning.
  void walk_turn(Mark end, std::uint64_t program);
  bool has_needs() const;

  // An op was passed: take() what is needed of its results (and needed_ of memory), need() what they were made of.
  virtual void pass_results(const Visit& visit) = 0;  // neither memory nor control flow
  virtual void pass_load(const Visit& visit) = 0;
  virtual void pass_store(const Visit& visit) = 0;
  virtual void pass_atomic(const Visit& visit) = 0;
  /// What is needed is a constant (made by an op) or a parameter of the kernel.
  virtual void end_at(const ir::Value& value, const LaneSet& lanes) = 0;

  /// What is needed of the value, of the program under way; from now on nothing is.
  LaneSet take(const ir::Value& value, std::uint32_t activation);
  void need(const ir::Value& value, std::uint32_t activation, const LaneSet& lanes);
  void need_all(const ir::Value& value, std::uint32_t activation);
  /// Operands from `first` on by lane: pointers, masks, indices.
  void need_operands(const Point& point, const LaneSet& lanes, std::size_t first);
  /// Lanes that touch bytes which are needed.
  void add_needed_lanes(const Visit& visit, LaneSet& lanes) const;
  /// What lies in memory at these lanes is needed from now on.
  void need_memory(const Visit& visit, const LaneSet& lanes);
  /// The op took part: so did the loops and branches around it.
  void note_way(const ir::Op& op);
  /// For find_needs(): of a visit's deciding operands.
  static LaneValue value_of(const Visit& visit);

  /// What a program's values are needed for while time runs backwards.
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
