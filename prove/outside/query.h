// Query: facts of a launch, written for a solver in SMT-LIB 2; whether all of them can hold at once. Letters get numbers in
// the order in which they are named, so equal queries have equal texts. Facts and the definitions of all letters in sight
// are added. Stage 5 of docs/design/prove.md. Errors: what is too large has no text.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "prove/atoms.h"
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
  const std::vector<AtomId>& numbers() const { return numbers_; }

 private:
  std::string text(const Poly& poly);
  std::string text(const Formula& formula);
  std::string letter(AtomId id);
  void define(AtomId id);
  void assert_that(const std::string& what);
  void finish();

  const Atoms& atoms_;
  const Path* path_;
  std::map<AtomId, std::size_t> letters_;
  std::vector<AtomId> open_;  // named, and not yet defined
  std::vector<AtomId> numbers_;
  std::string declarations_, assertions_;
  std::size_t unknown_ = 0;
};

}  // namespace lockstep::prove
