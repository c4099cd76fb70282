// Marks on ops of a module that is to give a GPU's bits (`--bits`): attributes `lockstep.bits`, from which the
// evaluators choose. Invariant: without marks every op computes as ever; a mark never changes what an op means, only
// how it rounds and in which order it adds.
//   elementwise ops, inline assembly: unit. The loop of loops.h, the instructions of instructions.h.
//   tt.dot, ttng.warp_group_dot, ttng.tc_gen5_mma: the products that the tensor core adds at once (16; 8 of tf32; 32 of
//     f8 with short sums).
//   tt.reduce: [values of a thread, whether it is contracted, places along the axis ...]; FoldOrder.
//   tt.scan: [values of a thread, lanes of a warp, whether it is contracted]; ScanOrder.
// Not here: contraction, which is ir::passes::fuse_multiply_add.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/module.h"

namespace lockstep::interpreter::gpu_bits {

/// How a GPU combines the elements along an axis: those of a thread one after another, then halves of the rest.
struct FoldOrder {
  std::int64_t per_thread = 1;
  /// A sum of products x y: what combines a product first rounds x y + z once. x and y live until after the reduction.
  bool is_contracted = false;
  /// Each element is in a lane of its own, of one warp. Not in the mark.
  bool is_of_lanes = false;
  /// places[r * threads + t]: the position of thread t's value number r; a permutation.
  std::vector<std::int64_t> places;
};

/// How a GPU scans along an axis: ir::ScanOrder.
struct ScanOrder {
  std::int64_t per_thread = 1, lanes = 1;
  /// As that of FoldOrder: a product x y that is still to be added is joined with its addition.
  bool is_contracted = false;
};

struct GpuTarget {
  int num_warps = 4;
  int capability = 90;
};

/// Marks all ops for which a model is known. The result: floating-point ops of which none is known, and marked ones whose
/// model was not measured here, in their order.
std::vector<const ir::Op*> mark_for_gpu_bits(ir::Module& module, const GpuTarget& target);

/// What is said of such an op.
std::string own_order_text(const ir::Op& op, const GpuTarget& target);

bool is_marked(const ir::Op& op);
/// Of a marked reduction.
std::optional<FoldOrder> marked_order(const ir::Op& op);
std::optional<ScanOrder> marked_scan(const ir::Op& op);
/// Of a marked fold that is contracted: the factors of what it adds, which it reads beside its operands; else none.
std::vector<const ir::Value*> joined_factors(const ir::Op& op);
/// Of a marked product; 0 without a mark.
std::int64_t marked_products(const ir::Op& op);

}  // namespace lockstep::interpreter::gpu_bits
