// A proof as a file, for a reader that trusts nothing of the prover: the kernel's text, the contract, the conditions, and
// certificates. JSON, the same bytes on every machine. tools/check_proof.py reads it. Format: docs/design/prove.md.
#pragma once

#include <string>
#include <vector>

#include "prove/evaluate.h"
#include "prove/statement.h"

namespace lockstep::prove {

/// What a proof is of, beside the statement.
struct ProofSubject {
  const ir::Op& function;
  const std::string& ttir;                // its module's text, without locations
  const Contract& contract;
  const std::vector<std::string>& words;  // the contract as given, for people
  const Numbers& witness;  // of one launch that meets contract and conditions: these do not contradict each other
};

/// Precondition: nothing is undecided.
std::string proof_text(const ProofSubject& subject, const Statement& statement, const Atoms& atoms);

}  // namespace lockstep::prove
