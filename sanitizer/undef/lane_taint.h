// TaintSet: which lanes of values hold something that came from a fault (a quotient by zero, a NaN that was born), and
// where they end: in memory, in an address, in a branch. A mark is a number that its checker gave to a fault. Marks
// follow values element by element, through a selection from the chosen operand, through a conjunction only if the
// other side does not decide it. Invariant: a lane without a mark holds nothing of a fault, as far as values alone
// carry it (what goes through memory and back is not followed). Private to this folder.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "ir/analysis/value_slice.h"
#include "sanitizer/core/execution.h"

namespace lockstep::sanitizer {

/// By lane of a value; 0: no mark.
struct TaintSet {
  std::vector<std::uint32_t> lanes;
};

/// Ops that marks may pass: those that use a value of `seeds` or of such an op, including loops and branches.
class MarkFlow {
 public:
  void seed(const ir::Op& op) { values_.add_results(op); }
  /// Finds all; ops of called functions are not followed.
  void close();
  bool contains(const ir::Op& op) const { return ops_.contains(&op); }

 private:
  ir::ValueSlice values_;
  std::unordered_set<const ir::Op*> ops_;
};

/// Before an op: gives its results the marks of its operands (none: resets them).
void carry_marks(Execution& run);
/// Adds marks to lanes of a result, in before(), in place of those that they have.
void add_marks(Execution& run, const ir::Value& result, const std::vector<std::int64_t>& lanes, std::uint32_t mark);

/// Where marked lanes leave the values of the program.
struct MarkEnd {
  std::uint32_t mark = 0;
  std::int64_t lane = 0;
  std::uint64_t lanes = 0;
  std::string how;  // "its result is stored here"
};
/// Before an op: which marks it lets out. At most one end per mark. `with_masks`: a mask computed from a mark counts.
std::vector<MarkEnd> find_ends(Execution& run, bool with_masks = true);
/// The op can let marks out.
bool is_end(const ir::Op& op);

/// Faults of a launch by their marks.
class FaultLog {
 public:
  /// `tier`: that of a fault that reaches something.
  explicit FaultLog(Tier tier = Tier::error) : tier_(tier) {}
  /// The mark of a fault that the op causes in this program; the log keeps the facts of the first one.
  std::uint32_t note(Execution& run, Finding finding);
  /// The fault reaches something: reports it, with a note.
  void reach(Execution& run, const MarkEnd& end);
  /// Scalar faults that reached nothing, one per code and place, unless another one did reach something. Lanes of tiles
  /// that reach nothing are masked off somewhere: silent.
  void report_rest(Report& report) const;
  bool empty() const { return faults_.empty(); }

 private:
  struct Fault {
    Finding finding;
    bool has_reached = false;
  };
  struct Last {
    std::uint64_t program = 0;
    std::uint32_t mark = 0;
  };
  Tier tier_;
  std::vector<Fault> faults_;
  std::map<std::pair<const ir::Op*, FindingCode>, Last> last_;  // by op and code
};

}  // namespace lockstep::sanitizer
