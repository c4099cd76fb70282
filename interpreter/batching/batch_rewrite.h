// Batch rewrite: a function in which several programs of a kernel run as one. The program id along x becomes a tile of
// `programs` ids, and every value that depends on it gets a leading dimension of that extent; everything else is
// unchanged and computed once. Control flow must not differ between the programs: where a condition or bound varies, a
// *demand* asks for one value that all of them share, at run time. Invariant: program p of the batch computes in slice
// p exactly what it would alone (every op works along its own axes, reductions in the same order). batch_analysis.h
// decides what an op may do in a batch; batch_plan.h turns demands and guards into steps.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

#include "interpreter/batching/batch_analysis.h"
#include "ir/module.h"

namespace lockstep::interpreter {

/// The rewritten function in a module and context of its own. Locations and spans are those of the original, which must
/// outlive it.
struct BatchFunction {
  explicit BatchFunction(const ir::OpRegistry& ops) : module(ops) {}
  ir::Module module;
  const ir::Op* function = nullptr;
  std::uint32_t programs = 0;
  std::unordered_set<const ir::Op*> demands;          // tt.reduce over axis 0 of values that must all be the same
  std::unordered_set<const ir::Value*> structured;    // pointers and masks that are worth a batch only if not dense
  std::vector<const ir::Value*> kept;                 // counterparts of the results of BatchAnalysis::part
  std::unordered_set<const ir::Op*> shared_accesses;  // loads and stores that all programs make alike: made once
};

/// Null if something in the function cannot be lifted. `programs`: a power of two, at least 2.
std::unique_ptr<BatchFunction> rewrite_for_batch(const ir::Op& function, const BatchAnalysis& analysis,
                                                 std::uint32_t programs);

}  // namespace lockstep::interpreter
