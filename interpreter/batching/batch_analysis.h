// Batch analysis: may several programs of a kernel run as one, and which of its values differ between them? Programs of
// a batch share y and z and follow each other along x, so that only values that depend on the program id along x (or on
// memory at such an address) vary. Invariant: values outside `varying` are the same for all programs of a batch. Not
// here: arguments: the schedule decides whether the storages of a launch allow batches.
#pragma once

#include <cstdint>
#include <unordered_set>

#include "interpreter/batching/ahead_part.h"
#include "interpreter/launch/tuning.h"
#include "ir/op.h"
#include "ir/op_traits.h"

namespace lockstep::interpreter {

struct BatchAnalysis {
  bool is_possible = false;
  std::unordered_set<const ir::Value*> varying;
  // Values that depend on loaded data or compare one dimension with another: ordinary programs hold them dense, too.
  std::unordered_set<const ir::Value*> dense_anyway;
  std::int64_t largest = 0;    // elements of the largest varying value in one program
  bool has_products = false;   // of matrices that vary
  const AheadPart* part = nullptr;  // what runs as one; null: all of the function
  bool orders_stores = false;  // more than one store may be carried out by a program: their order must be proved

  /// Most programs of a batch, a power of two; below 2: none.
  std::uint32_t most_programs(const Tuning& tuning) const;
};

/// `function`: a verified tt.func.
BatchAnalysis analyse_for_batch(const ir::Op& function);
/// The same for a part of it, which must outlive the analysis. What is kept varies.
BatchAnalysis analyse_for_batch(const ir::Op& function, const AheadPart& part);

using ir::BatchingRule;

/// How an op with varying operands is lifted (batch_rewrite.cpp): its row's rule, made definite by its types and
/// attributes.
BatchingRule batching_rule(const ir::Op& op);

}  // namespace lockstep::interpreter
