// CodeCoverage: which lines, branch outcomes and mask outcomes of a kernel's source the launches exercised. Plain data;
// sanitizer/coverage/code_coverage.h fills it. Invariant: sets only, no counts, so that it is the same for any number
// of threads, and the union of two is that of the launches together. Not here: coverage of outputs (check_coverage.h).
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace lockstep {

/// 1-based; column 0: the whole line.
struct CodePlace {
  std::string file;
  std::uint32_t line = 0, column = 0;
  friend bool operator<(const CodePlace& a, const CodePlace& b);
};

/// Both outcomes of a branch or mask. `first`: a condition that held, a loop that iterated, a lane that a mask let
/// through; `second`: a condition that did not hold, a loop without an iteration, a lane that a mask kept off.
struct CodeSides {
  std::string kind;  // "if", "for", "while"; "load", "store", "atomic"
  bool first = false, second = false;
};

struct CodeCoverage {
  std::map<CodePlace, bool> lines;  // lines with ops of the compiled kernel: whether one of them ran; column 0
  std::map<CodePlace, CodeSides> branches, masks;

  void add_line(const CodePlace& place, bool ran) { lines[place] = lines[place] || ran; }
};

/// For `branches` or `masks`: the union with the present outcomes.
void add_sides(std::map<CodePlace, CodeSides>& sides, const CodePlace& place, const CodeSides& seen);

/// "never true", "never off" ...; "" if both outcomes were seen.
std::string missing_side(const CodeSides& sides);

/// Lines for people: how much of each kind was seen, then the rest, with the source.
std::string code_coverage_text(const CodeCoverage& coverage);
/// A JSON array with an object for each file.
std::string code_coverage_json(const CodeCoverage& coverage);

}  // namespace lockstep
