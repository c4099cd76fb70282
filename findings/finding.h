// Finding: a typed fact about what a kernel did (three-digit codes, bug-zoo numbering), made by an observer, kept in a
// Report, rendered once. The detection site builds no text beyond the message's own facts.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "findings/codes.h"
#include "support/location.h"

namespace lockstep {

using ProgramId = std::array<std::int32_t, 3>;

/// A line of history or context: "allocated here", "last stored by program (3,0,0)".
struct FindingNote {
  std::string message;
  Location location;
};

/// A loop around the op of a finding, and its iteration then.
struct LoopTurn {
  std::string variable;      // "k"; empty: it has no name
  std::int64_t value = 0;    // of the variable
  std::uint64_t number = 0;  // of the iteration, from 0
  std::uint64_t count = 1;   // iterations that the loop makes
};
/// "1st", "22nd", "113th".
std::string ordinal_text(std::uint64_t number);
/// "k = 1, the last of 2 iterations", "k = 32, the 2nd of 8 iterations", "k = 0, the only iteration".
std::string iteration_text(const LoopTurn& turn);
/// The texts of all of them, joined by "; ".
std::string iterations_text(const std::vector<LoopTurn>& loops);

struct Finding {
  FindingCode code = FindingCode::none;
  Tier tier = Tier::error;
  std::string message;             // first line: "out-of-bounds read: x[1000..1023], x has 1000 elements"
  Location location;               // of the op
  std::string op;                  // "tt.load"
  std::string op_name;             // "tl.load": what texts call it; empty: op
  ProgramId program{};             // first program in grid order that did it
  std::vector<std::int64_t> lane;  // element position in the tile; empty for scalars
  std::string argument;            // "x"; empty if none
  std::int64_t element = 0;        // index of the element in the argument's own (flat, strided) numbering
  // Lanes in which it happened (a scalar has one), over all executions of the op by all programs: docs/checking.md,
  // "How findings are counted".
  std::uint64_t count = 1;
  std::uint64_t programs = 1;   // distinct programs
  std::vector<LoopTurn> loops;  // scf.for around the op when `program` did it first, outermost first
  std::vector<FindingNote> notes;
  std::string hint;
};

/// Programs of a grid, as intervals along x.
class ProgramSet {
 public:
  /// False: it is in the set already.
  bool insert(const ProgramId& id);
  /// Calls body(first, count) for every interval.
  template <typename Body>
  void for_each(Body&& body) const {
    for (const auto& [first, last] : intervals_) body(ProgramId{first[2], first[1], first[0]}, last - first[2] + 1);
  }

 private:
  std::map<ProgramId, std::int32_t> intervals_;  // z, y and the first x; the last x
};

/// Findings of one launch, merged by (code, tier, op, location, argument), sorted by (line, column, code, argument):
/// the same bytes for any thread count. Adding takes constant time.
class Report {
 public:
  /// Keeps the one of the smallest program (x fastest, then y, then z), and adds counts. A program counts once, in any
  /// order; a finding of several programs (or none) adds its number.
  void add(Finding finding);
  void merge(Report&& other);
  void sort();
  const std::vector<Finding>& findings() const { return findings_; }
  /// Errors with these codes become warnings.
  void demote(const std::function<bool(FindingCode code)>& is_meant);
  bool has(Tier tier) const;

 private:
  std::size_t place_of(const Finding& finding);

  std::vector<Finding> findings_;
  std::vector<ProgramSet> programs_;                             // of each finding, since it was last sorted
  std::unordered_multimap<std::size_t, std::size_t> positions_;  // by hash; empty while there are few
};

/// Human text with the Python (or TTIR) source line and caret if the file is readable:
/// `FILE:LINE:COL: error: message [LS101]`, source, caret, `program (7,0,0), lane 1000`, notes, hint.
std::string render_text(const Finding& finding, bool color = false);

}  // namespace lockstep
