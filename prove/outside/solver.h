// Solver: somebody else who decides whether facts can hold at once, asked in SMT-LIB 2 where the stages of this room found
// no proof. It hands over no certificate, so what it decides is said to be proved by it. Not here: who it is (driver/proving).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "prove/poly.h"

namespace lockstep::prove {

struct SolverReply {
  enum class Kind : std::uint8_t { impossible, possible, unknown, absent } kind = Kind::unknown;
  std::vector<Integer> values{};  // possible: of the letters asked for, in their order; or none
  std::string note{};             // unknown, absent: why, in words
};

class Solver {
 public:
  virtual ~Solver() = default;
  /// declarations: SMT-LIB 2 text of declarations and assertions over integers. wanted: letters whose values make a launch.
  virtual SolverReply ask(const std::string& declarations, const std::vector<std::string>& wanted) = 0;
  /// With its version: "z3 4.8.12". Known after the first answer.
  virtual std::string name() const = 0;
};

}  // namespace lockstep::prove
