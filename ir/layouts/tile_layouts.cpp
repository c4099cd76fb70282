#include "ir/layouts/tile_layouts.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "ir/interfaces/op_kinds.h"
#include "ir/interfaces/region_branch.h"
#include "ir/layouts/from_linear.h"
#include "ir/layouts/linear_layout.h"
#include "ir/layouts/to_linear.h"
#include "ir/module.h"
#include "ir/walk.h"

namespace lockstep::ir {
namespace {

constexpr std::uint32_t kLanesPerWarp = 32;

bool reads_pointers(const Op& op) {
  return (is_pointer_load(op) || is_pointer_store(op)) && op.operand(0)->type().is_tensor();
}

int element_bytes_of(const Op& access) {
  const auto kind = access.operand(0)->type().element().pointee().scalar_kind();
  return kind ? size_bytes(*kind) : 8;
}

/// Another product that is made of this one's result, or that this one is made of.
bool has_chained_product(const Op& dot, bool looks_back) {
  std::vector<const Value*> open{dot.result()};
  std::unordered_map<const Value*, bool> seen;
  while (!open.empty()) {
    const Value* value = open.back();
    open.pop_back();
    if (!seen.emplace(value, true).second) continue;
    for (const Use& use : value->uses()) {
      if (use.user != &dot && multiplies_matrices(*use.user)) return true;
      for (std::size_t i = 0; i < use.user->result_count(); ++i) open.push_back(use.user->result(i));
      for (const RegionEdge& edge : successor_edges(*use.user)) {
        for (std::size_t i = 0; i < edge.count; ++i)
          if (edge.source(i) == value) open.push_back(edge.target(i));
      }
    }
  }
  if (!looks_back) return false;
  for (std::size_t i = 0; i < dot.operand_count(); ++i) open.push_back(dot.operand(i));
  seen.clear();
  while (!open.empty()) {
    const Value* value = open.back();
    open.pop_back();
    if (!seen.emplace(value, true).second) continue;
    for (const Value* incoming : incoming_values(*value)) open.push_back(incoming);
    const Op* op = value->defining_op();
    if (op == nullptr || op == &dot) continue;
    if (multiplies_matrices(*op)) return true;
    for (const Value* operand : op->operands()) open.push_back(operand);
  }
  return false;
}

/// Computes elements of those at the same places; assembly and mapped functions do, in packs or not.
bool is_lane_by_lane(const Op& op) {
  if (op.def().movement != Movement::none) return false;
  if (op.def().combination == Combination::code) return true;
  return op.def().combination == Combination::none && op.regions().empty();
}

}  // namespace

bool is_warp_group_product(const Op& dot, int num_warps, int capability) {
  const Type type = dot.result()->type();
  const auto& shape = type.shape();
  if (capability != 90 || shape.size() != 2 || num_warps % 4 != 0) return false;
  if (shape[0] % 64 != 0 || shape[1] % 8 != 0) return false;
  const Type a = dot.operand(0)->type().element(), b = dot.operand(1)->type().element();
  if (!a.is_float() || !b.is_float() || !type.element().is_float()) return false;
  const auto kind = a.scalar_kind();
  if (!kind || *kind == ScalarKind::f64) return false;
  constexpr std::int64_t kTf32 = 0, kInstruction = 32;
  if (*kind == ScalarKind::f32) return dot.integer_attribute("inputPrecision", 2) == kTf32;
  const bool is_f8 = size_bytes(*kind) == 1;
  return !is_f8 || dot.integer_attribute("maxNumImpreciseAcc", 0) >= kInstruction ||
         type.element().scalar_kind() != ScalarKind::f32;
}

TileLayouts::TileLayouts(Context& context, const Op& function, int num_warps, int capability)
    : context_(context),
      axes_(function),
      warps_(static_cast<std::uint32_t>(num_warps)),
      capability_(capability) {
  gather_accesses(function);
}

void TileLayouts::gather_accesses(const Op& function) {
  walk(function, [&](const Op& op) {
    if (!reads_pointers(op)) return;
    const Value* pointers = op.operand(0);
    const std::vector<int> order = axes_.order_of(pointers);
    if (order.empty()) return;
    std::int64_t& widest = widest_[{pointers->type().shape(), order}];
    widest = std::max(widest, axes_.vector_length(pointers, nullptr, order[0], element_bytes_of(op)));
  });
}

const Encoding* TileLayouts::blocked(const std::vector<std::int64_t>& shape, Extents size_per_thread,
                                     const Extents& order) {
  const std::size_t rank = shape.size();
  BlockedEncoding made;
  made.threads_per_warp.assign(rank, 1);
  made.warps_per_cta.assign(rank, 1);
  std::uint32_t lanes = kLanesPerWarp, warps = warps_, threads = kLanesPerWarp * warps_;
  for (std::size_t i = 0; i + 1 < rank; ++i) {
    const std::size_t d = order[i];
    const auto wanted = static_cast<std::uint32_t>(std::max<std::int64_t>(1, shape[d] / size_per_thread[d]));
    const std::uint32_t here = std::clamp(threads, 1u, wanted);
    made.threads_per_warp[d] = std::clamp(here, 1u, lanes);
    made.warps_per_cta[d] = std::clamp(here / made.threads_per_warp[d], 1u, warps);
    lanes /= made.threads_per_warp[d];
    warps /= made.warps_per_cta[d];
    threads /= here;
  }
  made.threads_per_warp[order[rank - 1]] = lanes;
  made.warps_per_cta[order[rank - 1]] = warps;
  made.size_per_thread = std::move(size_per_thread);
  made.order = order;
  return context_.encodings().get(std::move(made));
}

const Encoding* TileLayouts::default_layout(const std::vector<std::int64_t>& shape) {
  Extents order;
  for (std::size_t d = shape.size(); d > 0; --d) order.push_back(static_cast<std::uint32_t>(d - 1));
  return blocked(shape, Extents(shape.size(), 1), order);
}

TileLayouts::Choice TileLayouts::of_access(const Op& op) {
  const Value* pointers = op.operand(0);
  const auto& shape = pointers->type().shape();
  const std::int64_t count = pointers->type().element_count(), threads = kLanesPerWarp * std::int64_t{warps_};
  if (count < threads) return {};  // cheap: it is loaded anew wherever it is needed
  const std::vector<int> order = axes_.order_of(pointers);
  const std::int64_t most = std::max<std::int64_t>(count / threads, 1);
  Extents size(shape.size(), 1), dimensions(order.begin(), order.end());
  size[dimensions[0]] = static_cast<std::uint32_t>(std::min(widest_.at({shape, order}), most));
  return {Anchor::access, blocked(shape, std::move(size), dimensions)};
}

// ---- products ----

const Encoding* TileLayouts::by_warp_group(const Op& dot) {
  const auto& shape = dot.result()->type().shape();
  const int bits = 8 * size_bytes(*dot.operand(0)->type().element().scalar_kind());
  constexpr std::int64_t kRows = 16, kWidest = 256, kStep = 8;
  const std::int64_t row_warps = std::max<std::int64_t>(shape[0] / kRows, 1);
  const std::int64_t column_warps = std::max<std::int64_t>(std::int64_t{warps_} / row_warps, 1);
  std::int64_t columns = std::min(kWidest, std::max<std::int64_t>(shape[1] / column_warps, kStep)) / kStep * kStep;
  while (shape[1] % columns != 0) columns -= kStep;
  NvidiaMmaEncoding made;
  made.version_major = 3;
  made.instr_shape = {16, static_cast<std::uint32_t>(columns), static_cast<std::uint32_t>(256 / bits)};
  std::uint32_t rows = 4, across = 1;
  if (has_chained_product(dot, false)) rows = warps_;
  while (rows * across < warps_) {
    if (shape[0] > kRows * std::int64_t{rows})
      rows *= 2;
    else
      across *= 2;
  }
  made.warps_per_cta = {rows, across};
  return context_.encodings().get(std::move(made));
}

const Encoding* TileLayouts::by_warp(const Op& dot) {
  const auto& shape = dot.result()->type().shape();
  if (shape.size() != 2) return nullptr;
  NvidiaMmaEncoding made;
  made.version_major = 2;
  made.instr_shape = {16, 8};
  std::uint32_t rows = 1, across = 1;
  if (has_chained_product(dot, true)) {
    (shape[0] >= shape[1] ? rows : across) = warps_;
  } else {
    std::int64_t down = (shape[0] + 15) / 16, right = (shape[1] + 7) / 8;
    while (rows * across < warps_) {
      if (down >= right) {
        rows *= 2;
        if (down != 1) down /= 2;
      } else {
        across *= 2;
        right /= 2;
      }
    }
  }
  made.warps_per_cta = {rows, across};
  return context_.encodings().get(std::move(made));
}

const Encoding* TileLayouts::of_product(const Op& dot) {
  if (const Encoding* own = dot.result()->type().layout()) return own;
  if (is_warp_group_product(dot, static_cast<int>(warps_), capability_)) return by_warp_group(dot);
  const auto kind = dot.operand(0)->type().element().scalar_kind();
  constexpr std::int64_t kIeee = 2;
  if (!kind || *kind == ScalarKind::f64) return nullptr;
  if (*kind == ScalarKind::f32 && dot.integer_attribute("inputPrecision", kIeee) == kIeee) return nullptr;
  return by_warp(dot);
}

// ---- what is computed of them ----

const Encoding* TileLayouts::of(const Value& value) {
  if (const Encoding* own = value.type().layout()) return own->is_distributed() ? own : nullptr;
  const Choice choice = choose(value);
  if (choice.anchor == Anchor::anywhere) return default_layout(value.type().shape());
  return choice.anchor == Anchor::unknown ? nullptr : choice.layout;
}

/// A scan has the layout of the store to which its results go, or else its operand's if that is a blocked one, which it
/// needs, or else the one that every tile has at first.
const Encoding* TileLayouts::of_scan(const Op& scan) {
  const Value& source = *scan.operand(0);
  if (source.type().layout() != nullptr) return of(source);
  if (const Encoding* stored = of_store_behind(scan)) return stored;
  const Choice choice = choose(source);
  const bool is_blocked = choice.layout != nullptr && choice.layout->as<BlockedEncoding>() != nullptr;
  return is_blocked ? choice.layout : default_layout(source.type().shape());
}

/// Of the first store of what is computed of the scan's results lane by lane; null: there is none.
const Encoding* TileLayouts::of_store_behind(const Op& scan) {
  const auto& shape = scan.operand(0)->type().shape();
  std::vector<const Value*> open;
  for (std::size_t i = 0; i < scan.result_count(); ++i) open.push_back(scan.result(i));
  std::unordered_set<const Value*> seen(open.begin(), open.end());
  for (std::size_t next = 0; next < open.size(); ++next) {
    for (const Use& use : open[next]->uses()) {
      if (is_pointer_store(*use.user) && use.operand == 1) return of_access(*use.user).layout;
      if (!is_lane_by_lane(*use.user)) continue;
      for (std::size_t i = 0; i < use.user->result_count(); ++i) {
        const Value* made = use.user->result(i);
        if (made->type().is_tensor() && made->type().shape() == shape && seen.insert(made).second) open.push_back(made);
      }
    }
  }
  return nullptr;
}

TileLayouts::Choice TileLayouts::choose(const Value& value) {
  const auto [at, is_new] = choices_.try_emplace(&value);
  if (!is_new) {
    meets_open_ = meets_open_ || open_.contains(&value);
    return at->second;
  }
  const bool is_first = open_.empty();
  if (is_first) explored_.clear();
  open_.insert(&value);
  explored_.push_back(&value);
  // A loop's own values do not count while it is looked at.
  const Choice made = choose_again(value);
  open_.erase(&value);
  choices_[&value] = made;
  if (is_first && meets_open_) {
    // What was found meanwhile may lack what comes around the loop.
    for (const Value* other : explored_)
      if (other != &value) choices_.erase(other);
  }
  if (is_first) meets_open_ = false;
  return made;
}

TileLayouts::Choice TileLayouts::choose_again(const Value& value) {
  if (!value.type().is_tensor()) return {};
  if (const Op* op = value.defining_op(); op != nullptr && !is_structured(*op)) return of_result(*op, value);
  return best_of(incoming_values(value));
}

TileLayouts::Choice TileLayouts::best_of(const std::vector<Value*>& values) {
  Choice best;
  for (const Value* value : values) {
    const Choice one = choose(*value);
    if (one.anchor > best.anchor) best = one;
  }
  return best;
}

TileLayouts::Choice TileLayouts::of_result(const Op& op, const Value& value) {
  if (is_pointer_load(op)) return reads_pointers(op) ? of_access(op) : Choice{Anchor::unknown, nullptr};
  if (multiplies_matrices(op)) {
    const Encoding* layout = is_matrix_product(op) ? of_product(op) : nullptr;
    return {layout != nullptr ? Anchor::product : Anchor::unknown, layout};
  }
  if (folds_lines(op)) {
    Choice source = choose(*op.operand(0));
    if (is_scan(op) || source.anchor == Anchor::unknown) return source;
    const Encoding* parent = of(*op.operand(0));
    const auto axis = static_cast<std::uint32_t>(op.integer_attribute("axis", 0));
    return {source.anchor, context_.encodings().get(SliceEncoding{axis, parent})};
  }
  if (op.def().movement != Movement::none) return of_movement(op);
  if (op.operand_count() == 0) return {};
  if (!is_lane_by_lane(op)) return {Anchor::unknown, nullptr};
  std::vector<Value*> tiles;
  for (Value* operand : op.operands()) {
    if (operand->type().is_tensor() && operand->type().shape() == value.type().shape()) tiles.push_back(operand);
  }
  return best_of(tiles);
}

TileLayouts::Choice TileLayouts::of_movement(const Op& op) {
  if (moves_as(op, Movement::splat)) return {};
  const Choice source = choose(*op.operand(0));
  if (source.anchor == Anchor::anywhere || source.anchor == Anchor::unknown) return source;
  const auto& shape = op.operand(0)->type().shape();
  switch (op.def().movement) {
    case Movement::broadcast: return source;
    case Movement::expand_dims: {
      const auto* slice = source.layout->as<SliceEncoding>();
      const auto axis = static_cast<std::uint32_t>(op.integer_attribute("axis", 0));
      return slice != nullptr && slice->dim == axis ? Choice{source.anchor, slice->parent} : Choice{};
    }
    case Movement::transpose: {
      const Attribute order = op.attribute("order");
      const LinearLayout moved = permute_dimensions(to_linear_layout(*source.layout, shape),
                                                    Extents(order->values.begin(), order->values.end()));
      const Encoding* layout = from_linear_layout(context_.encodings(), moved);
      return {layout != nullptr ? source.anchor : Anchor::unknown, layout};
    }
    case Movement::reshape: {
      const LinearLayout moved =
          reshape_dimensions(to_linear_layout(*source.layout, shape), op.result()->type().shape());
      const Encoding* layout = from_linear_layout(context_.encodings(), moved);
      return {layout != nullptr ? source.anchor : Anchor::unknown, layout};
    }
    default: return {Anchor::unknown, nullptr};
  }
}

}  // namespace lockstep::ir
