// KernelNumbers: those integers of a kernel that addresses and masks are made from, as a list that a launch goes
// through once for the range of each: no look-ups, no memory. Invariant: a range holds every value that the launch can
// make; an op that may wrap gets the whole range of its type and is marked. Not here: ranges for checkers
// (sanitizer/memory/value_ranges.h), which know every value.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "interpreter/apart/range_rules.h"
#include "interpreter/batching/effects.h"
#include "ir/op.h"

namespace lockstep::interpreter {
struct Launch;
}

namespace lockstep::interpreter::apart {

class KernelNumbers {
 public:
  using Index = std::int32_t;

  /// `kernel`: a tt.func; `accesses`: of its module, for it.
  KernelNumbers(const ir::Op& kernel, const std::vector<PlainAccess>& accesses);

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
  /// The range of each array that numbers are loaded from; reads them.
  std::vector<Range> arrays_in(const Launch& launch) const;
  /// The same, whatever memory holds.
  std::vector<Range> any_arrays() const;
  /// `arrays`: as they are now.
  Values in_launch(const Launch& launch, const std::vector<Range>& arrays) const;

 private:
  enum class Kind : std::uint8_t {
    anything,
    given,
    argument,
    program_id,
    program_count,
    binary,
    copy,
    unsigned_copy,
    choice,
    counter,
    loaded
  };
  struct Node {
    Kind kind = Kind::anything;
    ScalarKind type = ScalarKind::i64;
    ir::Calculation what;
    std::array<Index, 3> operand{-1, -1, -1};
    std::size_t index = 0;  // of the argument; the axis; of the array
    Range range;            // given
    bool is_fixed = false, depends_on_program = false, is_unsigned = false;
  };
  static std::size_t at(Index number) { return static_cast<std::size_t>(number); }
  Index find(const ir::Value& value, int depth);
  Node made(const ir::Value& value, int depth);
  Node made_by(const ir::Op& op, Node node, int depth);
  Node counter(const ir::Op& loop, Node node, int depth);
  Index add(const Node& node);
  Node loaded(const ir::Op& load, Node node, int depth);
  /// What the values of a launch are made from.
  struct Source {
    const Launch& launch;
    const std::vector<Range>& arrays;
    const Values& values;
  };
  static Range range_of(const Node& node, const Source& source, bool& wraps);

  const ir::Op& kernel_;
  std::vector<Node> nodes_;  // operands before their users
  std::unordered_map<const ir::Value*, Index> known_;
  std::unordered_map<const ir::Op*, std::size_t> argument_of_load_;  // where it is one
  struct Array {
    std::size_t argument = 0;
    ScalarKind kind = ScalarKind::i64;
  };
  std::vector<Array> arrays_;
};

}  // namespace lockstep::interpreter::apart
