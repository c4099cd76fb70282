#include "ir/passes/rewrite_block_pointers.h"

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/passes/block_places.h"
#include "ir/passes/passes.h"
#include "ir/walk.h"
#include "support/float_formats.h"

namespace lockstep::ir::passes {
namespace {

constexpr std::int64_t kSignedLess = 2, kSignedAtLeast = 5;  // arith.cmpi's predicates
constexpr std::int64_t kPadNan = 2;
constexpr std::int64_t kRelaxed = 1, kWholeGpu = 1;

struct Lanes {
  Value* pointers = nullptr;
  Value* mask = nullptr;  // null: all
};

class AccessRewriter {
 public:
  AccessRewriter(BlockPlaces& places, Context& context) : places_(places), context_(context), builder_(context) {}
  /// False: it stays as it is.
  bool rewrite(Op& op);

 private:
  /// Numbers of 64 bits. rows: those that a descriptor's rows have, instead of an offset along dimension 0.
  struct Place {
    Value* base = nullptr;
    std::vector<Value*> shape, strides, offsets;
    std::vector<std::int64_t> block;
    std::vector<bool> is_checked;
    Value* rows = nullptr;
  };
  std::optional<Place> place_of(Op& op);
  Lanes lanes_of(const Place& place);
  Value* index_along(const Place& place, std::size_t d);
  void load(Op& op, const Lanes& lanes, const Place& place);
  bool store(Op& op, const Lanes& lanes, const Place& place);
  std::optional<std::int64_t> atomic_kind(const Op& op, Type element) const;
  Value* padding(const Op& op, Type tile);

  Type number() { return context_.integer(64); }
  Value* make(std::string_view spelling, const std::vector<Value*>& operands, Type type, std::vector<NamedAttribute> attributes = {}) {
    return builder_.create(spelling, operands, {type}, std::move(attributes))->result();
  }
  Value* widened(Value* value) {
    const Type type = value->type();
    if (type.element() == number()) return value;
    return make("arith.extsi", {value}, type.is_tensor() ? context_.tensor(type.shape(), number()) : number());
  }
  Value* splat(Value* scalar, Type tile) { return make("tt.splat", {scalar}, tile); }
  Value* reshaped(Value* tile, const std::vector<std::int64_t>& shape) {
    if (tile->type().shape() == shape) return tile;
    return make("tt.reshape", {tile}, context_.tensor(shape, tile->type().element()));
  }

  BlockPlaces& places_;
  Context& context_;
  Builder builder_;
};

std::optional<AccessRewriter::Place> AccessRewriter::place_of(Op& op) {
  Value* pointer = op.operand(0);
  const Op* origin = places_.origin(*pointer);
  if (origin == nullptr) return std::nullopt;
  Place place;
  place.base = origin->operand(0);
  for (Value* one : origin->operand_group(1)) place.shape.push_back(widened(one));
  for (Value* one : origin->operand_group(2)) place.strides.push_back(widened(one));
  place.block = pointer->type().pointee().shape();
  const MemoryAccess& access = op.def().access;
  if (is_block_pointer(pointer->type())) {
    place.offsets = places_.offsets(pointer);
    place.is_checked.assign(place.block.size(), false);
    if (const Attribute checked = op.attribute("boundaryCheck")) {
      for (const std::int64_t d : checked->values) place.is_checked.at(static_cast<std::size_t>(d)) = true;
    }
    return place;
  }
  place.is_checked.assign(place.block.size(), true);
  if (access.place == MemoryAccess::Place::block) {
    for (Value* index : op.operand_group(static_cast<std::size_t>(access.indices))) place.offsets.push_back(widened(index));
  } else {  // rows by their numbers, columns from one on
    place.offsets = {nullptr, nullptr};
    for (Value* one : op.operands()) {
      if (one->type().is_tensor() && one->type().shape().size() == 1) place.rows = widened(one);
      if (one->type().is_integer()) place.offsets[1] = widened(one);
    }
    if (place.rows == nullptr || place.block.size() != 2 || place.offsets[1] == nullptr) return std::nullopt;
    place.block[0] = place.rows->type().shape()[0];
  }
  if (place.offsets.size() != place.block.size()) return std::nullopt;
  return place;
}

// In all of the block's dimensions, of extent 1 in all but d.
Value* AccessRewriter::index_along(const Place& place, std::size_t d) {
  const std::int64_t extent = place.block[d];
  const Type line = context_.tensor({extent}, number());
  Value* index = place.rows;
  if (place.offsets[d] != nullptr) {
    Value* lanes = make("tt.make_range", {}, context_.tensor({extent}, context_.integer(32)),
                        {{"end", context_.i32(extent)}, {"start", context_.i32(0)}});
    index = make("arith.addi", {splat(place.offsets[d], line), widened(lanes)}, line);
  }
  std::vector<std::int64_t> shape{extent};
  for (std::size_t axis = 0; axis < place.block.size(); ++axis) {
    if (axis == d) continue;
    shape.insert(axis < d ? shape.begin() + static_cast<std::ptrdiff_t>(axis) : shape.end(), 1);
    index = make("tt.expand_dims", {index}, context_.tensor(shape, number()), {{"axis", context_.i32(static_cast<std::int64_t>(axis))}});
  }
  return index;
}

Lanes AccessRewriter::lanes_of(const Place& place) {
  const Type pointers = context_.tensor(place.block, place.base->type());
  const Type numbers = context_.tensor(place.block, number()), truths = context_.tensor(place.block, context_.integer(1));
  Lanes lanes{splat(place.base, pointers)};
  for (std::size_t d = 0; d < place.block.size(); ++d) {
    Value* index = index_along(place, d);
    const Type along = index->type(), truth = context_.tensor(along.shape(), context_.integer(1));
    Value* moved = make("arith.muli", {index, splat(place.strides[d], along)}, along);
    lanes.pointers = make("tt.addptr", {lanes.pointers, make("tt.broadcast", {moved}, numbers)}, pointers);
    if (!place.is_checked[d]) continue;
    const auto compare = [&](std::int64_t predicate, Value* with) {
      return make("arith.cmpi", {index, with}, truth, {{"predicate", context_.integer_attribute(number(), predicate)}});
    };
    Value* is_inside = make("arith.andi", {compare(kSignedAtLeast, builder_.constant(along, 0)), compare(kSignedLess, splat(place.shape[d], along))}, truth);
    is_inside = make("tt.broadcast", {is_inside}, truths);
    lanes.mask = lanes.mask == nullptr ? is_inside : make("arith.andi", {lanes.mask, is_inside}, truths);
  }
  return lanes;
}

// Outside of a descriptor's tensor there is always something; through a block pointer where the load names it.
Value* AccessRewriter::padding(const Op& op, Type tile) {
  const Op* origin = places_.origin(*op.operand(0));
  const bool is_pointer = is_block_pointer(op.operand(0)->type());
  const std::int64_t said = (is_pointer ? op : *origin).integer_attribute("padding", 0);
  if (is_pointer && said == 0) return nullptr;
  const bool is_nan = said == kPadNan && tile.element().is_float();
  return builder_.constant(tile, is_nan ? encode_float(*tile.element().scalar_kind(), std::numeric_limits<double>::quiet_NaN()) : 0);
}

void AccessRewriter::load(Op& op, const Lanes& lanes, const Place& place) {
  const Type tile = context_.tensor(place.block, op.result()->type().element());
  Value* other = lanes.mask != nullptr ? padding(op, tile) : nullptr;
  std::vector<Value*> operands{lanes.pointers};
  if (lanes.mask != nullptr) operands.push_back(lanes.mask);
  if (other != nullptr) operands.push_back(other);
  Op* made = builder_.create("tt.load", operands, {tile}, {}, {1, lanes.mask != nullptr ? 1U : 0U, other != nullptr ? 1U : 0U});
  made->set_span(op.span());
  op.result()->replace_all_uses_with(reshaped(made->result(), op.result()->type().shape()));
}

std::optional<std::int64_t> AccessRewriter::atomic_kind(const Op& op, Type element) const {
  // As the two ops' rows number them: add, min, max, inc, dec, and, or, xor.
  constexpr std::int64_t kAdd = 4, kAddFloats = 5, kMax = 6, kMin = 7, kAnd = 1, kOr = 2, kXor = 3;
  const bool is_float = element.is_float();
  switch (op.integer_attribute("kind", 0)) {
    case 1: return is_float ? kAddFloats : kAdd;
    case 2: return is_float ? std::nullopt : std::optional(kMin);
    case 3: return is_float ? std::nullopt : std::optional(kMax);
    case 6: return kAnd;
    case 7: return kOr;
    case 8: return kXor;
    default: return std::nullopt;
  }
}

bool AccessRewriter::store(Op& op, const Lanes& lanes, const Place& place) {
  Value* value = reshaped(op.operand(static_cast<std::size_t>(op.def().access.value)), place.block);
  std::vector<Value*> operands{lanes.pointers, value};
  if (lanes.mask != nullptr) operands.push_back(lanes.mask);
  if (op.def().access.kind == MemoryAccess::Kind::atomic) {
    const auto kind = atomic_kind(op, value->type().element());
    if (!kind) return false;
    builder_.create("tt.atomic_rmw", operands, {value->type()},
                    {{"atomic_rmw_op", context_.i32(*kind)}, {"sem", context_.i32(kRelaxed)}, {"scope", context_.i32(kWholeGpu)}})->set_span(op.span());
  } else {
    builder_.create("tt.store", operands, {})->set_span(op.span());
  }
  return true;
}

bool AccessRewriter::rewrite(Op& op) {
  builder_.set_insertion_point_before(op);
  builder_.set_location(op.location());
  const std::optional<Place> place = place_of(op);
  if (!place) return false;
  builder_.set_insertion_point_before(op);
  const Lanes lanes = lanes_of(*place);
  if (op.def().access.kind == MemoryAccess::Kind::load)
    load(op, lanes, *place);
  else if (!store(op, lanes, *place))
    return false;
  op.erase();
  return true;
}

/// Ops that make or move a place, without users. What else is dead stays: a load may be out of bounds.
void erase_unused_places(Op& function) {
  std::vector<Op*> unused;
  do {
    for (Op* op : unused) op->erase();
    unused.clear();
    walk(function, [&](const Op& op) {
      if (op.result_count() != 1 || !op.regions().empty() || op.result()->has_uses() || !is_pure(op)) return;
      const Type type = op.result()->type();
      if (is_block_pointer(type) || type.is_descriptor()) unused.push_back(const_cast<Op*>(&op));
    });
  } while (!unused.empty());
}

}  // namespace

void rewrite_block_pointers(Module& module) {
  bool is_changed = false;
  for (Op* function : module.functions()) {
    std::vector<Op*> accesses;
    walk(*function, [&](const Op& op) {
      const bool is_access = op.def().access.is_access() && op.operand_count() > 0;
      if (is_access && (is_block_pointer(op.operand(0)->type()) || op.operand(0)->type().is_descriptor())) accesses.push_back(const_cast<Op*>(&op));
    });
    if (accesses.empty()) continue;
    BlockPlaces places(*function, module.context());
    if (!places.prepare()) continue;
    AccessRewriter rewriter(places, module.context());
    for (Op* access : accesses) rewriter.rewrite(*access);
    places.finish();
    erase_unused_places(*function);
    is_changed = true;
  }
  if (is_changed) merge_common_subexpressions(module);
}

}  // namespace lockstep::ir::passes
