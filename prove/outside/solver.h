// Solver: somebody else who decides whether facts can hold at once, asked where the stages of this room found no proof. It
// hands over no certificate, so what it decides is said to be proved by it. Not here: who it is (driver/proving).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "prove/outside/question.h"

namespace lockstep::prove {

struct SolverReply {
  enum class Kind : std::uint8_t { impossible, possible, unknown, absent } kind = Kind::unknown;
  std::vector<Integer> values{};  // possible: of the question's numbers, in their order; or none
  std::string note{};             // unknown, absent: why, in words
};

class Solver {
 public:
  virtual ~Solver() = default;
  virtual SolverReply ask(const Question& question) = 0;
  /// Who gave the last answer, with its version: "z3 4.8.12". Known after the first answer.
  virtual std::string name() const = 0;
};

}  // namespace lockstep::prove
