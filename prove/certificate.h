// Certificate: why a polynomial is >= 0, in steps that are checked without a search. Not here: who finds one (eliminate.h),
// who writes it (proof_file.h), who reads it (tools/check_proof.py shares nothing with this room).
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "ir/op.h"
#include "prove/poly.h"

namespace lockstep::prove {

/// One step from a goal to another that suffices. Everything is an integer, so with d = divide:
/// factor: goal -> factor * goal + factor - 1, factor >= 1 being known. Else goal -> scale * (goal / d, its constant
/// rounded down) + scale - 1 - times * by * fact * other, with atoms `by` that are not negative and known facts.
struct CertificateStep {
  Integer divide = 1;
  Integer scale = 1, times = 0;
  Monomial by{};
  Poly fact{};
  std::optional<Poly> other{};   // linear programs multiply facts
  std::optional<Poly> factor{};
};

/// After the steps no coefficient is negative, and no atom of the rest; or a case for each value of an atom; or the steps
/// lead from -1: there is no such place.
struct Certificate {
  bool is_absurd = false;
  std::vector<CertificateStep> steps{};
  std::optional<AtomId> cases_of{};
  std::vector<Certificate> cases{};
};

/// goal >= 0 was decided so.
struct Decided {
  Poly goal;
  Certificate why;
};

/// Of a hint: the number, at the first lane of a run along the dimension, is `quotient` times what is promised.
struct Multiple {
  const ir::Op* op = nullptr;
  std::size_t dimension = 0;
  Poly quotient;
};

/// What a proof rests on beside the kernel's text and the contract.
struct ProofNotes {
  std::map<const ir::Op*, std::vector<Decided>> taken;  // the form of an op's result rests on them
  std::map<const ir::Op*, std::vector<std::pair<AtomId, Poly>>> lemmas;  // >= 0: facts of an atom that were proved
  std::vector<Decided> settled;                         // what was owed
  std::map<const ir::Op*, std::vector<std::optional<Poly>>> changes;  // of loops: of each carried value, in a turn
  std::vector<Multiple> multiples;
  std::vector<const ir::Value*> forgotten;              // values that are any number of their type, by choice
};

}  // namespace lockstep::prove
