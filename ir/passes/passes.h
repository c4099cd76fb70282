// Passes on modules built by the frontend: inlining, folding, clean-up, and those rewrites of Triton's make_ttir that
// change computed values (an addition folded into a dot, a broadcast product summed as a dot). They keep results equal
// to those of the `.ttir` of the same source; they do not aim at Triton's exact text. Modules must verify before and do
// after. Source: behaviour of Triton 3.6's make_ttir, probed with its own pass manager; tests/unit/ir_passes_with_ops
// has the probes.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "ir/module.h"

namespace lockstep::ir::passes {

/// Maps values and blocks of a cloned piece to their copies.
struct CloneMap {
  std::unordered_map<const Value*, Value*> values;
  std::unordered_map<const Block*, Block*> blocks;
  Value* value(Value* original) const;  // the copy, or the original if it was not cloned
};

/// Copies an op with its regions; operands are mapped, results and inner values entered in `map`. `caller`: location of
/// the call that is being inlined (every copied location becomes a call site), unknown to keep locations.
std::unique_ptr<Op> clone_op(const Op& op, CloneMap& map, Context& context, Location caller = {});

/// Replaces every tt.call of a function that is not noinline by its body. Calls that would put several blocks into a
/// region that admits one (early return inside a loop's callee), and recursive calls, stay calls.
void inline_calls(Module& module);
/// Removes pure ops without users, dead loads, and private functions without callers.
void remove_dead_code(Module& module);
/// Merges equal pure ops where one dominates the other within a block or an enclosing block.
void merge_common_subexpressions(Module& module);
/// Constant folding and identities that change no bit, splats and broadcasts of constants, scf.if on constants.
void fold_constants(Module& module);
/// dot + add, select of a masked load, broadcast-multiply-sum to dot.
void combine(Module& module);

/// Merges blocks with their only predecessor and drops unreachable ones.
void simplify_blocks(Module& module);

/// Products added or subtracted in their block become math.fma, as a default build of Triton contracts them
/// (run --fp-fusion on). Not part of the pipeline.
void fuse_multiply_add(Module& module);

/// All relevant passes of make_ttir, in its order.
void run_ttir_pipeline(Module& module);

/// A constant's single value: of arith.constant, scalar or splat; bits in the element's format. nullopt otherwise.
std::optional<std::uint64_t> splat_bits(const Value* value);
/// Limits of a tt.clampf that Triton recognises as -x and x: two constants, or 0 - x and x; f32 and f16 only (S-77).
bool has_opposite_limits(const Op& clamp);
/// True for an op without effects on memory, control or the outside.
bool is_pure(const Op& op);

}  // namespace lockstep::ir::passes
