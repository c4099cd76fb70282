// Contract and Statement: what is asked of a kernel, and the answer, without words. A statement with no `undecided`
// holds for every launch that meets the contract and the conditions. Not here: launches that are run to try it
// (driver/proving), texts (words.h).
#pragma once

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ir/op.h"
#include "prove/atoms.h"
#include "prove/certificate.h"
#include "prove/forms.h"
#include "prove/pair_proof.h"
#include "prove/outside/solver.h"

namespace lockstep::prove {

/// What is assumed of the integers in an argument's memory; polynomials over parameters.
struct DataRange {
  Poly low, high;  // both ends included
  std::string text;  // as given
  bool rises = false;  // a later element is never below an earlier one
};

/// Of an argument's integers: elements 2 k and 2 k + 1 are a pair (sequence, chunk). Sequence s of `offsets`, whose memory
/// rises, is from element s to element s + 1 of it; chunk * size is less than its length.
struct ChunkTable {
  std::string offsets;
  Poly size, sequences;  // both 1 or more
  std::string text;      // as given
};

/// Element e is at the sum of e[d] * strides[d], in elements, 0 <= e[d] < shape[d].
struct Output {
  std::vector<Poly> shape, strides;
};

/// By the names of the kernel's arguments; all polynomials are over parameters.
struct Contract {
  std::array<Poly, 3> grid;
  std::map<std::string, Poly> integers;  // those without one are parameters of their own name, 1 or more
  std::map<std::string, Poly> elements;  // of tensors, from their first; without one: a parameter, elements_of(name)
  std::vector<Poly> facts;               // >= 0
  std::map<std::string, DataRange> data;
  std::map<std::string, ChunkTable> chunks;
  std::map<std::string, Output> outputs;  // of which every element is to be written
  bool wants_races = false, wants_lanes = false, wants_hints = false, wants_coverage = false;  // beside bounds and integers
  bool wants_certificates = false;  // what has none is not decided
};

/// The parameter for the elements that an argument owns from its address on.
std::string elements_of(const std::string& argument);
bool is_elements(const std::string& parameter);

struct Condition {
  Poly rest;  // >= 0 suffices
  const ir::Op* op = nullptr;
  Property property = Property::bounds;
  std::string argument{};  // bounds: whose memory
  bool is_lower_end = false;
  bool is_of_contract = false;  // bounds: the contract says how much the argument owns
};

/// For each element, the point at which a store writes it: a polynomial for each letter; those without one are 0. Or two
/// cases: elements where `difference` is >= 0, and those where it is not.
struct Covered {
  const ir::Op* op = nullptr;  // null: cases
  std::vector<std::pair<AtomId, Poly>> map{};
  Poly difference{};
  std::vector<Covered> cases{};
};

struct Covering {
  std::string argument;
  std::vector<std::size_t> sizes;  // how many of its dimensions are taken together
  Covered by;
};

struct Undecided {
  const ir::Op* op = nullptr;
  Property property = Property::bounds;
  std::string reason;
  std::string argument{};
  const ir::Value* unknown = nullptr;  // on which it depends
};

/// Decided by a solver, without a certificate.
struct Uncertified {
  const ir::Op* op = nullptr;
  Property property = Property::bounds;
  std::string by;  // "z3 4.8.12"
};

struct Statement {
  std::vector<Condition> conditions;
  std::vector<Undecided> undecided;
  std::vector<Uncertified> uncertified{};
  std::vector<std::pair<const ir::Op*, Property>> settled{};  // what was owed and holds, by itself or under conditions
  std::vector<std::vector<std::pair<AtomId, Integer>>> suspects{};  // a solver's numbers for what was not decided; to be run
  std::size_t accesses = 0;  // proved in bounds, perhaps under conditions
  std::size_t integers = 0, loops = 0, divisions = 0;
  std::size_t races = 0, lanes = 0;  // pairs of accesses that never meet; stores whose lanes never do
  std::size_t covered = 0;  // outputs
  std::size_t hints = 0;  // promises to the compiler that hold, and assumptions
  std::size_t steps = 0;
  std::vector<std::string> suggestions;  // assumptions about data that say more of what is undecided
  std::vector<PairProof> pairs{};
  std::vector<Covering> coverings{};
  ProofNotes notes{};
};

/// One kernel of a verified module, every launch of it. Adds atoms to `atoms`, which has the contract's. solver: asked last;
/// null: nobody is.
Statement prove(const ir::Op& function, const Contract& contract, Atoms& atoms, Solver* solver = nullptr);

}  // namespace lockstep::prove
