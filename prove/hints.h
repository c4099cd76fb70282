// Hints: promises to the compiler, for every launch: tt.divisibility, tt.contiguity and tt.constancy of an op's result, as
// sanitizer/core/hints.cpp reads them for one launch, and assumptions. An assumption is owed first; then it is a fact of
// its path. Not here: what is promised of arguments (the contract has it, driver/proving/asked.h).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "prove/ledger.h"
#include "prove/statement.h"

namespace lockstep::prove {

class Hints {
 public:
  Hints(const ir::Op& function, Atoms& atoms, Ledger& ledger, Statement& statement)
      : function_(function), atoms_(atoms), ledger_(ledger), statement_(statement) {}
  /// What the op promises of its result, whose form is given.
  void owe(const ir::Op& op, const Form& form, Path* path);
  /// The condition holds; then it is a fact.
  void assume(const ir::Op& op, const Form& condition, Path* path);

 private:
  struct Lanes {  // of a result
    const ir::Op& op;
    const Poly& number;
    Integer step;  // between consecutive ones
  };
  struct Known {  // letter = divisor * quotient + remainder, remainder <= 0
    AtomId letter = 0;
    Integer divisor;
    Poly quotient, remainder;
  };
  struct Replaced {  // coefficient * others * letter
    Known known;
    Integer coefficient;
    Monomial others;
  };
  bool settle_formula(const ir::Op& op, const Formula& formula, Path* path, const std::vector<Poly>& facts);
  bool settle_equal(const ir::Op& op, const Poly& difference, Path* path);
  bool settle_multiple(const Lanes& lanes, std::size_t dimension, std::int64_t divisor, Path* path);
  bool settle_group(const Lanes& lanes, std::size_t dimension, std::int64_t size, const Integer& step, Path* path);
  Poly at_lane(const Lanes& lanes, std::size_t dimension, const Poly& lane);
  /// The number by the divisor, letters that are known to be multiples being replaced; what has to be one for that
  /// becomes a condition.
  std::optional<Poly> quotient_of(const ir::Op& op, Poly number, const Integer& divisor, Path* path, std::vector<Replaced>& replaced);
  /// sign * what was replaced >= 0.
  std::optional<Certificate> why_equal(const std::vector<Replaced>& replaced, int sign) const;
  std::vector<Known> known_multiples(const Path* path);
  std::optional<Known> new_multiple(const ir::Op& op, const Monomial& monomial, const Integer& divisor);

  const ir::Op& function_;
  Atoms& atoms_;
  Ledger& ledger_;
  Statement& statement_;
};

}  // namespace lockstep::prove
