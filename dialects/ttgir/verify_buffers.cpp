// Rules of TTGIR's buffers, views of them, barriers, products and warp groups. Source: the verifiers of Triton 3.6 and
// 3.9 (TritonGPU/IR/Ops.cpp, TritonNvidiaGPU/IR/Ops.cpp).
#include "dialects/ttgir/verify_buffers.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "ir/text/assembly_form.h"
#include "ir/verify/verifier.h"

namespace lockstep::dialects {
namespace {

using ir::Op;
using ir::Type;
using ir::Value;
using ir::VerifyContext;
using Extents = std::vector<std::int64_t>;

std::string in_words(const Extents& shape) {
  std::string out;
  for (const std::int64_t extent : shape) out += (out.empty() ? "" : "x") + std::to_string(extent);
  return "[" + out + "]";
}

bool fail(VerifyContext& context, const Op& op, const std::string& what) {
  return context.error(op, kBrokenOp, "'" + std::string(op.spelling()) + "': " + what);
}

/// The shape of a tile, or of what a memory descriptor shows.
const Extents& shape_of(Type type) { return type.is_memdesc() ? type.pointee().shape() : type.shape(); }

/// Null if the op has no such operand.
Type type_of_group(const Op& op, std::string_view name) {
  const std::size_t index = ir::operand_index(op.def(), name);
  const Value* value = index == ir::kNoIndex ? nullptr : op.operand_or_null(index);
  return value == nullptr ? Type() : value->type();
}

bool must_be_mutable(VerifyContext& context, const Op& op, Type buffer) {
  return !buffer || buffer.is_mutable() || fail(context, op, "it writes to a buffer that is not mutable");
}

bool keeps_mutability(VerifyContext& context, const Op& op) {
  return op.operand(0)->type().is_mutable() == op.result()->type().is_mutable() ||
         fail(context, op, "the result is as mutable as the source");
}

bool expect_extents(VerifyContext& context, const Op& op, const Extents& found, const Extents& wanted) {
  return found == wanted ||
         fail(context, op, "the result must have the shape " + in_words(wanted) + ", but has " + in_words(found));
}

bool is_permutation_of_axes(const Extents& order) {
  Extents sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] != static_cast<std::int64_t>(i)) return false;
  }
  return true;
}

}  // namespace

bool verify_buffer(VerifyContext& context, const Op& op) {
  const Type buffer = op.result()->type();
  if (op.operand_count() == 0 && !buffer.is_mutable())
    return fail(context, op, "a buffer that is not initialised must be mutable");
  if (buffer.buffer_shape().empty() || buffer.buffer_shape() == shape_of(buffer)) return true;
  return fail(context, op, "the result is a whole buffer, not a part of " + in_words(buffer.buffer_shape()));
}

bool verify_written(VerifyContext& context, const Op& op) { return must_be_mutable(context, op, type_of_group(op, "dst")); }

bool verify_copied_buffer(VerifyContext& context, const Op& op) {
  const Type buffer = type_of_group(op, "result");
  const Type pointers = type_of_group(op, "src");
  if (!pointers.is_tensor()) return fail(context, op, "it copies from a tile of pointers, not " + pointers.to_string());
  if (pointers.element().pointee() != buffer.pointee().element())
    return fail(context, op, "what is pointed to must be " + buffer.pointee().element().to_string());
  return must_be_mutable(context, op, buffer);
}

bool verify_lanes_of_axis(VerifyContext& context, const Op& op) {
  const Type buffer = op.operand(0)->type();
  const Type indices = type_of_group(op, "indices");
  const std::int64_t axis = op.integer_attribute("axis", -1);
  const std::size_t rank = shape_of(buffer).size();
  if (axis < 0 || axis >= static_cast<std::int64_t>(rank))
    return fail(context, op, "axis " + std::to_string(axis) + " must be in [0, " + std::to_string(rank) + ")");
  return indices.shape().size() == rank || fail(context, op, "indices must have as many axes as the buffer");
}

bool verify_memdesc_index(VerifyContext& context, const Op& op) {
  const Extents& from = shape_of(op.operand(0)->type());
  if (from.size() < 2) return fail(context, op, "it needs a buffer of at least two axes, not " + in_words(from));
  return expect_extents(context, op, shape_of(op.result()->type()), {from.begin() + 1, from.end()});
}

bool verify_memdesc_subslice(VerifyContext& context, const Op& op) {
  const Extents& from = shape_of(op.operand(0)->type());
  const Extents& to = shape_of(op.result()->type());
  const Extents& offsets = op.attribute("offsets")->values;
  if (to.size() != from.size() || offsets.size() != from.size())
    return fail(context, op, "result and offsets must have as many axes as " + in_words(from));
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (offsets[i] >= 0 && offsets[i] + to[i] <= from[i]) continue;
    return fail(context, op, "the part " + in_words(to) + " at " + in_words(offsets) + " is not inside " + in_words(from));
  }
  if (op.operand(0)->type().pointee().element() == op.result()->type().pointee().element()) return true;
  return fail(context, op, "the elements of the result are those of the source");
}

bool verify_memdesc_trans(VerifyContext& context, const Op& op) {
  if (!keeps_mutability(context, op)) return false;
  const Extents& from = shape_of(op.operand(0)->type());
  const Extents& order = op.attribute("order")->values;
  if (order.size() != from.size() || !is_permutation_of_axes(order))
    return fail(context, op, "order " + in_words(order) + " must be a permutation of the axes");
  Extents wanted;
  for (const std::int64_t axis : order) wanted.push_back(from[static_cast<std::size_t>(axis)]);
  return expect_extents(context, op, shape_of(op.result()->type()), wanted);
}

bool verify_memdesc_reshape(VerifyContext& context, const Op& op) {
  const Type from = op.operand(0)->type().pointee();
  const Type to = op.result()->type().pointee();
  if (from.element() != to.element()) return fail(context, op, "the elements of the result are those of the source");
  return from.element_count() == to.element_count() ||
         fail(context, op, in_words(from.shape()) + " cannot become " + in_words(to.shape()));
}

bool verify_memdesc_reinterpret(VerifyContext& context, const Op& op) {
  return op.operand(0)->type().memory_space() == op.result()->type().memory_space() ||
         fail(context, op, "the result lies in the memory of the source");
}

bool verify_tmem_subslice(VerifyContext& context, const Op& op) {
  if (!keeps_mutability(context, op)) return false;
  const Extents& from = shape_of(op.operand(0)->type());
  const Extents& to = shape_of(op.result()->type());
  const bool has_offset = static_cast<bool>(op.attribute("offset"));
  if (has_offset == static_cast<bool>(op.attribute("N"))) return fail(context, op, "it needs offset, or N as in 3.6");
  const std::int64_t offset = op.integer_attribute(has_offset ? "offset" : "N", 0);
  const std::int64_t axis = op.integer_attribute("dim", 1);
  if (from.size() != 2 || to.size() != 2 || axis < 0 || axis > 1)
    return fail(context, op, "it takes rows or columns of a matrix");
  const auto at = static_cast<std::size_t>(axis);
  if (offset >= 0 && offset + to[at] <= from[at] && to[1 - at] == from[1 - at]) return true;
  return fail(context, op, in_words(to) + " at " + std::to_string(offset) + " is not inside " + in_words(from));
}

bool verify_barrier(VerifyContext& context, const Op& op) {
  const Type barrier = op.operand(0)->type();
  const Type word = barrier.pointee();
  const std::int64_t blocks = context.module().op().integer_attribute("ttg.num-ctas", 1);
  const bool is_barrier = word.element().is_integer(64) && word.shape().size() == 1;
  if (!is_barrier || word.shape()[0] > blocks)
    return fail(context, op, "a barrier is a buffer of i64, a word for each block, not " + barrier.to_string());
  return op.integer_attribute("count", 1) >= 1 || fail(context, op, "count must be at least 1");
}

bool verify_tma_copy(VerifyContext& context, const Op& op) {
  const std::size_t coordinates = op.operand_group(1).size();
  if (coordinates < 1 || coordinates > 5) return fail(context, op, "it takes one to five coordinates");
  return must_be_mutable(context, op, type_of_group(op, "result"));
}

bool verify_buffer_product(VerifyContext& context, const Op& op) {
  if (const std::int64_t precision = op.integer_attribute("inputPrecision", 0); precision < 0 || precision > 4)
    return fail(context, op, "inputPrecision must be in [0, 4]");
  const Extents& a = shape_of(op.operand(0)->type());
  const Extents& b = shape_of(op.operand(1)->type());
  const Extents& d = shape_of(op.operand(2)->type());
  if (a.size() != 2 || b.size() != 2 || d.size() != 2) return fail(context, op, "it multiplies matrices");
  if (a[1] == b[0] && d[0] == a[0] && d[1] == b[1]) return true;
  return fail(context, op, in_words(a) + " times " + in_words(b) + " is not " + in_words(d));
}

bool verify_tensormap(VerifyContext& context, const Op& op) {
  constexpr std::pair<std::string_view, std::int64_t> kMost[] = {
      {"elem_type", 15}, {"interleave_layout", 2}, {"swizzle_mode", 3}, {"fill_mode", 1}};
  for (const auto& [name, most] : kMost) {
    const std::int64_t value = op.integer_attribute(name, 0);
    if (value < 0 || value > most)
      return fail(context, op, std::string(name) + " must be in [0, " + std::to_string(most) + "]");
  }
  const std::size_t rank = op.operand_group(2).size();
  const bool is_even = rank >= 1 && rank <= 5 && op.operand_group(3).size() == rank &&
                       op.operand_group(4).size() + 1 == rank && op.operand_group(5).size() == rank;
  return is_even || fail(context, op, "a descriptor of one to five dimensions has a stride less");
}

bool verify_cancel_answer(VerifyContext& context, const Op& op) {
  const bool is_result = op.result_count() != 0 && op.operand_count() == 0;
  const Type answer = is_result ? op.result()->type() : op.operand(0)->type().pointee();
  return answer.element().is_integer(64) || fail(context, op, "the answer is held as i64");
}

bool verify_fp4_to_fp(VerifyContext& context, const Op& op) {
  Extents wanted = op.operand(0)->type().shape();
  const std::int64_t axis = op.integer_attribute("axis", -1);
  if (axis < 0 || axis >= static_cast<std::int64_t>(wanted.size())) return fail(context, op, "axis must be one of src");
  wanted[static_cast<std::size_t>(axis)] *= 2;
  return expect_extents(context, op, op.result()->type().shape(), wanted);
}

bool verify_warp_specialize(VerifyContext& context, const Op& op) {
  const std::size_t partitions = op.regions().size() - 1;
  if (op.attribute("partitionNumWarps")->values.size() != partitions)
    return fail(context, op, "partitionNumWarps must name the warps of each partition");
  std::vector<Type> captured;
  for (const Value* value : op.operands()) captured.push_back(value->type());
  for (std::size_t i = 0; i <= partitions; ++i) {
    if (op.region(i).empty()) return fail(context, op, "a region is empty");
    if (i == 0) continue;
    std::vector<Value*> arguments;
    for (const auto& argument : op.region(i).front().arguments()) arguments.push_back(argument.get());
    const std::string what = "arguments of partition" + std::to_string(i - 1);
    if (!context.expect_types(op, arguments, captured, kBrokenOp, what)) return false;
  }
  return true;
}

bool verify_warp_yield(VerifyContext& context, const Op& op) {
  const Op* parent = op.parent_op();
  if (parent == nullptr || !parent->def().isolates_later_regions || op.block()->parent() != &parent->region(0))
    return fail(context, op, "it ends the default region of ttg.warp_specialize");
  std::vector<Type> results;
  for (std::size_t i = 0; i < parent->result_count(); ++i) results.push_back(parent->result(i)->type());
  return context.expect_types(op, op.operands(), results, kBrokenOp, "the values of 'ttg.warp_yield'");
}

}  // namespace lockstep::dialects
