// KernelNumbers: those integers of a kernel that addresses and masks are made from, as a list that a launch goes through
// once for the range of each: no look-ups, no memory. Invariant: a range holds every value that the launch can make; an
// op that may wrap gets the whole range of its type and is marked. Not here: ranges for checkers
// (sanitizer/memory/value_ranges.h), which know every value and look into arrays.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "interpreter/apart/range_rules.h"
#include "ir/op.h"

namespace lockstep::interpreter {
struct Launch;
}

namespace lockstep::interpreter::apart {

class KernelNumbers {
 public:
  using Index = std::int32_t;

  /// `kernel`: a tt.func.
  explicit KernelNumbers(const ir::Op& kernel) : kernel_(kernel) {}

  // ---- once ----

  /// The number of an integer value or tile; of others, a number that may be anything.
  Index of(const ir::Value& value) { return find(value, 0); }
  Index constant(std::int64_t value);
  /// It may be one and the same number in all of a launch: made from arguments and constants alone.
  bool is_fixed(Index number) const { return nodes_[at(number)].is_fixed; }
  /// It depends on which program it is, other than by what is loaded.
  bool depends_on_program(Index number) const { return nodes_[at(number)].depends_on_program; }

  // ---- in a launch ----

  struct Values {
    std::vector<Range> ranges;  // by number
    std::vector<bool> wraps;    // the op may not fit its type, so that the range is that of the type
    const Range& operator[](Index number) const { return ranges[static_cast<std::size_t>(number)]; }
  };
  Values in_launch(const Launch& launch) const;

 private:
  enum class Kind : std::uint8_t { anything, given, argument, program_id, program_count, binary, copy, unsigned_copy, choice, counter };
  struct Node {
    Kind kind = Kind::anything;
    ScalarKind type = ScalarKind::i64;
    ir::Calculation what;
    std::array<Index, 3> operand{-1, -1, -1};
    std::size_t index = 0;  // of the argument; the axis
    Range range;            // given
    bool is_fixed = false, depends_on_program = false, is_unsigned = false;
  };
  static std::size_t at(Index number) { return static_cast<std::size_t>(number); }
  Index find(const ir::Value& value, int depth);
  Node made(const ir::Value& value, int depth);
  Node made_by(const ir::Op& op, Node node, int depth);
  Node counter(const ir::Op& loop, Node node, int depth);
  Index add(const Node& node);
  Range range_of(const Node& node, const Launch& launch, const Values& values, bool& wraps) const;

  const ir::Op& kernel_;
  std::vector<Node> nodes_;  // operands before their users
  std::unordered_map<const ir::Value*, Index> known_;
};

}  // namespace lockstep::interpreter::apart
