#include "interpreter/gpu_bits/marks.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "interpreter/gpu_bits/loops.h"
#include "ir/builder.h"
#include "ir/context.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/layouts/reduction_order.h"
#include "ir/layouts/scan_order.h"
#include "ir/layouts/tile_layouts.h"
#include "ir/layouts/to_linear.h"
#include "ir/passes/contraction.h"
#include "ir/walk.h"

namespace lockstep::interpreter::gpu_bits {
namespace {

constexpr std::string_view kMark = "lockstep.bits";
constexpr std::string_view kWarpGroupProduct = "ttng.warp_group_dot", kTensorMemoryProduct = "ttng.tc_gen5_mma";
constexpr std::string_view kScaledProduct = "ttng.tc_gen5_mma_scaled";
constexpr std::string_view kReshape = "tt.reshape";

/// The number whose bits choose among `masks`, the first mask by the highest bit.
std::int32_t spread(std::int64_t number, const std::vector<std::int32_t>& masks) {
  std::int32_t made = 0;
  for (std::size_t i = 0; i < masks.size(); ++i)
    if ((number >> (masks.size() - 1 - i) & 1) != 0) made |= masks[i];
  return made;
}

std::vector<std::int32_t> warp_masks(const ir::ReductionOrder& order) {
  std::vector<std::int32_t> masks;
  for (std::size_t bit = order.warp_bits.size(); bit > 0; --bit)
    masks.push_back(std::int32_t{1} << order.warp_bits[bit - 1]);
  return masks;
}

bool is_permutation_of(const std::vector<std::int64_t>& places, std::int64_t n) {
  std::vector<bool> seen(static_cast<std::size_t>(n));
  for (const std::int64_t place : places) {
    if (place < 0 || place >= n || seen[static_cast<std::size_t>(place)]) return false;
    seen[static_cast<std::size_t>(place)] = true;
  }
  return static_cast<std::int64_t>(places.size()) == n;
}

/// nullopt: the layout does not hold every element along the axis once.
std::optional<FoldOrder> order_of(const ir::Encoding& layout, const std::vector<std::int64_t>& shape,
                                  std::size_t axis) {
  const ir::LinearLayout linear = ir::to_linear_layout(layout, shape);
  const ir::ReductionOrder order = ir::reduction_order(linear, axis);
  if (order.registers.empty()) return std::nullopt;
  const std::vector<std::int32_t> parts = warp_masks(order);
  const std::int64_t lanes = std::int64_t{1} << order.lane_masks.size(), warps = std::int64_t{1} << parts.size();
  FoldOrder made;
  made.per_thread = static_cast<std::int64_t>(order.registers.front().size());
  for (const std::int32_t reg : order.registers.front()) {
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      for (std::int64_t warp = 0; warp < warps; ++warp) {
        const auto element = linear.apply(
            {{"register", reg}, {"lane", spread(lane, order.lane_masks)}, {"warp", spread(warp, parts)}});
        made.places.push_back(element[axis]);
      }
    }
  }
  made.is_contracted = made.per_thread > 1 || lanes > 1;
  made.is_of_lanes = made.per_thread == 1 && warps == 1;
  if (!is_permutation_of(made.places, shape[axis])) return std::nullopt;
  return made;
}

bool computes_floats(const ir::Op& op) {
  return op.result_count() != 0 && op.result(0)->type().element().is_float();
}

/// The type of an operand's elements, also of a buffer's.
ir::Type element_of(const ir::Op& op, std::size_t operand) {
  const ir::Type type = op.operand(operand)->type();
  return type.is_memdesc() ? type.pointee().element() : type.element();
}

class Marking {
 public:
  Marking(ir::Module& module, const ir::Op& function, const GpuTarget& target)
      : context_(module.context()),
        target_(target),
        layouts_(module.context(), function, target.num_warps, target.capability) {}

  /// False: a float op without a model.
  bool mark(ir::Op& op) {
    if (ir::is_reduction(op)) return mark_reduction(op);
    if (ir::is_scan(op)) return mark_scan(op);
    if (ir::is_matrix_product(op) || op.spelling() == kWarpGroupProduct) return mark_product(op);
    if (op.spelling() == kTensorMemoryProduct) return mark_tensor_product(op);
    if (op.spelling() == kScaledProduct) return false;
    if (has_loop(op) || op.attribute("asm_string"))
      op.set_attribute(std::string(kMark), context_.unit());
    return true;
  }

 private:
  bool mark_reduction(ir::Op& op) {
    if (!computes_floats(op)) return true;
    const ir::Encoding* layout = layouts_.of(*op.operand(0));
    if (layout == nullptr) return false;
    const auto axis = static_cast<std::size_t>(op.integer_attribute("axis", 0));
    const auto order = order_of(*layout, op.operand(0)->type().shape(), axis);
    if (!order) return false;
    const bool is_contracted = order->is_contracted && contract(op);
    std::vector<std::int64_t> values{order->per_thread, is_contracted ? 1 : 0};
    values.insert(values.end(), order->places.begin(), order->places.end());
    op.set_attribute(std::string(kMark), context_.dense_array(context_.integer(64), std::move(values)));
    return !(is_contracted && order->is_of_lanes && is_spread(op));
  }

  /// Whether more than its first thread uses the result: of a contracted sum of lanes alone, two halves of the lanes have
  /// different results (x y + z, where the other has z + x y), of which the mark has the first.
  static bool is_spread(const ir::Op& op) {
    const auto& uses = op.result()->uses();
    return std::any_of(uses.begin(), uses.end(), [](const ir::Use& use) { return !ir::is_pointer_store(*use.user); });
  }

  bool mark_scan(ir::Op& op) {
    if (!computes_floats(op)) return true;
    const ir::Encoding* layout = layouts_.of_scan(op);
    if (layout == nullptr) return false;
    const auto& shape = op.operand(0)->type().shape();
    const auto* blocked = layout->as<ir::BlockedEncoding>();
    if (blocked == nullptr && shape.size() != 1) return false;
    const auto axis = static_cast<std::size_t>(op.integer_attribute("axis", 0));
    const auto order = ir::scan_order(ir::to_linear_layout(*layout, shape), axis,
                                      blocked != nullptr ? blocked->order : ir::Extents{0});
    if (!order) return false;
    const bool joins = order->per_thread > 1 || order->lanes > 1 || shape[axis] > 1;
    op.set_attribute(std::string(kMark),
                     context_.dense_array(context_.integer(64),
                                          {order->per_thread, order->lanes, joins && contract(op) ? 1 : 0}));
    return true;
  }

  /// Whether the sum's terms are products of its block, which the compiler joins with the first addition of each. Those
  /// need their factors then: an op after the reduction reads those, so that they live (no element-wise one, which would
  /// be computed together with the product).
  bool contract(ir::Op& op) {
    if (op.operand_count() != 1 || op.region().front().ops().size() != 2) return false;
    const ir::Op& combine = *op.region().front().ops().front();
    const ir::Op* product = product_of(op);
    if (!ir::is_float_sum(combine) || product == nullptr) return false;
    ir::Builder builder(context_);
    builder.set_insertion_point_after(op);
    builder.set_location(product->location());
    const ir::Type type = product->result()->type();
    std::vector<std::int64_t> pairs = type.shape();
    pairs.push_back(2);
    builder.create("tt.join", {product->operand(0), product->operand(1)},
                   {context_.tensor(std::move(pairs), type.element())});
    return true;
  }

  /// The product of its block that a sum adds, of the sum's own shape: behind a reshape it is made anew; null: there is none.
  const ir::Op* product_of(ir::Op& op) {
    ir::Op* source = op.operand(0)->defining_op();
    ir::Op* reshape = source != nullptr && source->spelling() == kReshape ? source : nullptr;
    const ir::Op* product = reshape != nullptr ? reshape->operand(0)->defining_op() : source;
    if (product == nullptr || !ir::is_float_product(*product) || product->block() != op.block()) return nullptr;
    if (product->attribute(ir::passes::kQuotientMark) || !ir::passes::stays_a_product(*product)) return nullptr;
    if (reshape == nullptr) return product;
    ir::Builder builder(context_);
    builder.set_insertion_point_before(op);
    builder.set_location(product->location());
    std::vector<ir::Value*> factors;
    for (ir::Value* factor : product->operands())
      factors.push_back(builder.create(kReshape, {factor}, {reshape->result()->type()}, copied(*reshape))->result());
    ir::Op* made = builder.create(product->spelling(), factors, {reshape->result()->type()});
    op.set_operand(0, made->result());
    return made;
  }
  static std::vector<ir::NamedAttribute> copied(const ir::Op& op) {
    return {op.attributes().begin(), op.attributes().end()};
  }

  bool mark_product(ir::Op& op) {
    if (!computes_floats(op)) return true;
    const std::int64_t products = products_of(op);
    if (products > 0) op.set_attribute(std::string(kMark), context_.i32(products));
    return products >= 0;
  }

  /// As published (MMA-Sim, arXiv 2511.10909: a B200's tcgen05.mma has the order and the 25 bits of an H100's wgmma). Not
  /// measured here, so a float product always is one to say something of.
  bool mark_tensor_product(ir::Op& op) {
    const auto a = element_of(op, 0).scalar_kind(), b = element_of(op, 1).scalar_kind();
    const auto c = element_of(op, 2).scalar_kind();
    if (!element_of(op, 2).is_float()) return true;
    if (!a || !c || *c != ScalarKind::f32 || a != b) return false;
    const bool is_half = *a == ScalarKind::f16 || *a == ScalarKind::bf16;
    if (is_half || *a == ScalarKind::f32)
      op.set_attribute(std::string(kMark), context_.i32(is_half ? kOfHalves : kOfTf32));
    return false;
  }

  static constexpr std::int32_t kOfTf32 = 8, kOfHalves = 16, kOfEighths = 32;

  /// 0: computed as without the mark, which is exact; -1: no model is known.
  std::int64_t products_of(const ir::Op& op) const {
    constexpr std::int64_t kTf32 = 0, kIeee = 2;
    const auto a = element_of(op, 0).scalar_kind(), b = element_of(op, 1).scalar_kind();
    const auto c = op.result(0)->type().element().scalar_kind();
    if (!a || !b || !c || *c == ScalarKind::f64) return 0;
    const std::int64_t precision = op.integer_attribute("inputPrecision", kIeee);
    if (*a == ScalarKind::f32 && precision == kIeee) return 0;
    const bool is_half = *c == ScalarKind::f16;
    if ((*c != ScalarKind::f32 && !is_half) || target_.capability != 90) return -1;
    if (*a == ScalarKind::f16 || *a == ScalarKind::bf16) return kOfHalves;
    if (*a == ScalarKind::f32) return precision == kTf32 ? kOfTf32 : -1;
    // f8 by wgmma, if it may add short sums; mma.sync multiplies them as f16.
    const bool is_short = op.integer_attribute("maxNumImpreciseAcc", 0) >= kOfEighths;
    if (op.spelling() == kWarpGroupProduct) return is_short || is_half ? kOfEighths : -1;
    return ir::is_warp_group_product(op, target_.num_warps, target_.capability) ? kOfEighths : kOfHalves;
  }

  ir::Context& context_;
  GpuTarget target_;
  ir::TileLayouts layouts_;
};

/// The ops inside, in their order; a region that combines lanes has elements, no tiles.
template <typename Visit>
void walk_ops(ir::Op& op, Visit&& visit) {
  visit(op);
  for (const auto& region : op.regions()) {
    for (const auto& block : region->blocks()) {
      for (const auto& inner : block->ops()) walk_ops(*inner, visit);
    }
  }
}

}  // namespace

std::vector<const ir::Op*> mark_for_gpu_bits(ir::Module& module, const GpuTarget& target) {
  std::vector<const ir::Op*> unknown;
  for (const auto& function : module.body().ops()) {
    if (!ir::is_function(*function) || function->region().empty()) continue;
    Marking marking(module, *function, target);
    walk_ops(*function, [&](ir::Op& op) {
      if (!marking.mark(op)) unknown.push_back(&op);
    });
  }
  return unknown;
}

std::string own_order_text(const ir::Op& op, const GpuTarget& target) {
  const std::string place = op.location().is_unknown() ? "" : Location(user_frame(op.location()).user).file_text() + ": ";
  if (is_marked(op) && op.spelling() == kTensorMemoryProduct) {
    return place + "--bits adds in this " + std::string(op.spelling()) +
           " as MMA-Sim publishes it of a B200 (arXiv 2511.10909); Lockstep was not compared with one";
  }
  return place + "--bits has no model of how sm_" + std::to_string(target.capability) + " adds in this " +
         std::string(op.spelling()) + "; it adds in Lockstep's own order";
}

bool is_marked(const ir::Op& op) { return static_cast<bool>(op.attribute(kMark)); }

std::optional<FoldOrder> marked_order(const ir::Op& op) {
  const ir::Attribute mark = op.attribute(kMark);
  if (!mark || !mark.is_dense_array() || mark->values.size() < 3) return std::nullopt;
  return FoldOrder{mark->values[0], mark->values[1] != 0, false, {mark->values.begin() + 2, mark->values.end()}};
}

std::optional<ScanOrder> marked_scan(const ir::Op& op) {
  const ir::Attribute mark = op.attribute(kMark);
  if (!mark || !mark.is_dense_array() || mark->values.size() != 3) return std::nullopt;
  return ScanOrder{mark->values[0], mark->values[1], mark->values[2] != 0};
}

std::vector<const ir::Value*> joined_factors(const ir::Op& op) {
  if (!ir::folds_lines(op)) return {};
  const auto order = marked_order(op);
  const auto scan = marked_scan(op);
  const bool is_contracted = ir::is_scan(op) ? scan && scan->is_contracted : order && order->is_contracted;
  const ir::Op* product = is_contracted ? op.operand(0)->defining_op() : nullptr;
  if (product == nullptr) return {};
  return {product->operands().begin(), product->operands().end()};
}

std::int64_t marked_products(const ir::Op& op) { return op.integer_attribute(kMark, 0); }

}  // namespace lockstep::interpreter::gpu_bits
