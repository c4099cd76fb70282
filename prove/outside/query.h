// Query: gathers a question for a solver: whether facts of a launch can hold at once. Facts and the definitions of all
// letters in sight are added. Stages 4 and 5 of docs/design/prove.md. Errors: what is too large is not asked.
#pragma once

#include <vector>

#include "prove/outside/question.h"
#include "prove/outside/solver.h"

namespace lockstep::prove {

class Query {
 public:
  /// Everything that holds inside `path`.
  Query(const Atoms& atoms, const Path* path);
  /// poly >= 0.
  void take(const Poly& poly);
  void take(const Formula& formula);
  /// goal < 0.
  void deny(const Poly& goal) { take(Poly(-1) - goal); }
  /// impossible: there is no such place. values: one for each of `numbers()`.
  SolverReply ask(Solver& solver);
  /// Letters that are numbers of the launch, in the order of the reply's values.
  const std::vector<AtomId>& numbers() const { return question_.numbers; }

 private:
  void name(AtomId id);
  void name(const Poly& poly);
  void name(const Formula& formula);
  void define(AtomId id);
  void finish();

  const Atoms& atoms_;
  const Path* path_;
  Question question_;
  std::vector<AtomId> open_{};  // named, and not yet defined
  std::size_t named_ = 0;       // letters, each time they were
};

}  // namespace lockstep::prove
