// Question: facts of a launch, of which a solver says whether all can hold at once. Letters have numbers in the order in
// which they are named, so equal questions have equal texts. Not here: what belongs to a question (query.h), who is asked
// (solver.h).
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "prove/atoms.h"

namespace lockstep::prove {

/// Holds: the formula; with `letter`, that this minimum, maximum or selection is what it is of its operands.
struct Assertion {
  Formula formula = Formula::constant(true);
  std::optional<AtomId> letter{};
};

struct Question {
  const Atoms* atoms = nullptr;
  std::vector<Assertion> assertions{};       // all of them
  std::map<AtomId, std::size_t> letters{};   // every one that they name
  std::vector<AtomId> numbers{};             // letters of the launch, whose values make one
};

/// The assertion as a formula alone. What nobody knows may be either, wherever it stands.
Formula formula_of(const Assertion& assertion, const Atoms& atoms);
/// Declarations and assertions in SMT-LIB 2.
std::string smt_text(const Question& question);
/// In smt_text.
std::string letter_name(const Question& question, AtomId id);

}  // namespace lockstep::prove
