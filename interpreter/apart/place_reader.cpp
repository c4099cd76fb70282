#include "interpreter/apart/place_reader.h"

#include <utility>

#include "ir/interfaces/op_kinds.h"
#include "ir/interfaces/region_branch.h"
#include "ir/op_def.h"

namespace lockstep::interpreter::apart {

namespace {

constexpr int kMostVisits = 400, kMaxMaskDepth = 40;

/// A copy of lanes of one operand.
bool copies_lanes(const ir::Op& op) { return ir::moves_lanes(op) && op.operand_count() == 1 && op.result_count() == 1; }

bool has_unknown(const ir::Dimensions& dimensions) {
  for (const int d : dimensions) {
    if (d < 0) return true;
  }
  return false;
}

/// The operand that an op hands on, lane by lane: a copy of lanes, or the number in more bits.
const ir::Value* handed_on(const ir::Value& value, ir::Dimensions& dimensions) {
  const ir::Op* op = value.defining_op();
  if (op == nullptr) return nullptr;
  if (copies_lanes(*op)) {
    dimensions = ir::dimensions_before(*op, dimensions);
    return op->operand(0);
  }
  return ir::extends_with_sign(*op) ? op->operand(0) : nullptr;
}

/// Bytes of what a pointer points to; 0: not elements.
int pointee_bytes(const ir::Value& pointer) {
  const ir::Type element = pointer.type().element();
  if (!element.is_pointer()) return 0;
  const auto kind = element.pointee().scalar_kind();
  return kind ? size_bytes(*kind) : 0;
}

}  // namespace

void PlaceReader::read(const ir::Op& access, AccessPlace& out) {
  out_ = &out;
  const ir::Value& pointer = *access.operand(0);
  out.bytes = pointee_bytes(pointer);
  if (!access.def().access.is_pointer_access() || out.bytes == 0) return;
  const int mask = access.def().access.mask;
  const ir::Value* masked = mask < 0 ? nullptr : access.operand_or_null(static_cast<std::size_t>(mask));
  if (masked != nullptr) read_mask(*masked, ir::own_dimensions(*masked), 0);
  add_pointer(pointer, ir::own_dimensions(pointer));
  out.is_known = is_known_ && out.arguments.size() == 1;
}

// ---- masks ----

void PlaceReader::read_mask(const ir::Value& mask, const ir::Dimensions& dimensions, int depth) {
  const ir::Op* op = mask.defining_op();
  if (op == nullptr || depth > kMaxMaskDepth) return;
  if (copies_lanes(*op)) return read_mask(*op->operand(0), ir::dimensions_before(*op, dimensions), depth + 1);
  if (ir::is_integer_comparison(*op)) return read_comparison(*op, dimensions);
  if (op->def().arithmetic != ir::Arithmetic::conjunction) return;
  for (const ir::Value* operand : op->operands()) read_mask(*operand, dimensions, depth + 1);
}

void PlaceReader::read_comparison(const ir::Op& comparison, const ir::Dimensions& dimensions) {
  const ir::Value *a = comparison.operand(0), *b = comparison.operand(1);
  const auto at_most = [&](const ir::Value* less, const ir::Value* more, int by) {
    add_bound(less, dimensions, {numbers_.of(*more), by, true});
    add_bound(more, dimensions, {numbers_.of(*less), -by, false});
  };
  switch (comparison.integer_attribute("predicate", -1)) {
    case 0:  // eq
      at_most(a, b, 0);
      at_most(b, a, 0);
      break;
    case 2: at_most(a, b, -1); break;  // slt
    case 3: at_most(a, b, 0); break;   // sle
    case 4: at_most(b, a, -1); break;  // sgt
    case 5: at_most(b, a, 0); break;   // sge
    default: break;
  }
}

void PlaceReader::add_bound(const ir::Value* value, ir::Dimensions dimensions, const NumberBound& bound) {
  while (!has_unknown(dimensions)) {
    ir::Dimensions before = dimensions;
    const ir::Value* source = handed_on(*value, before);
    if (source == nullptr) {
      bounded_.push_back({value, std::move(dimensions), bound});
      return;
    }
    value = source;
    dimensions = std::move(before);
  }
}

std::vector<NumberBound> PlaceReader::bounds_of(const ir::Value& value, const ir::Dimensions& dimensions) const {
  std::vector<NumberBound> found;
  for (const Bounded& one : bounded_) {
    if (one.value == &value && one.dimensions == dimensions) found.push_back(one.bound);
  }
  return found;
}

// ---- pointers ----

void PlaceReader::add_pointer(const ir::Value& pointer, const ir::Dimensions& dimensions) {
  if (!is_known_ || ++steps_ > kMostVisits) {
    is_known_ = false;
    return;
  }
  const ir::Op* op = pointer.defining_op();
  if (op == nullptr) return add_block_argument(pointer, dimensions);
  if (ir::is_displacement(*op)) {
    add_offset(*op, dimensions);
    return add_pointer(*op->operand(0), dimensions);
  }
  if (copies_lanes(*op)) return add_pointer(*op->operand(0), ir::dimensions_before(*op, dimensions));
  is_known_ = false;
}

void PlaceReader::add_offset(const ir::Op& displacement, const ir::Dimensions& dimensions) {
  const int bytes = pointee_bytes(*displacement.operand(0));
  if (bytes == 0) is_known_ = false;
  add(*displacement.operand(1), {numbers_.constant(bytes)}, dimensions);
}

/// The kernel's own argument, or a pointer that a loop moves on by the same sums in every turn.
void PlaceReader::add_block_argument(const ir::Value& pointer, const ir::Dimensions& dimensions) {
  const ir::Block& block = *pointer.owner_block();
  const ir::Op* around = block.parent_op();
  if (around == &kernel_ && &block == &kernel_.region().front()) {
    out_->arguments = {pointer.index()};
    return;
  }
  const bool is_carried = around != nullptr && ir::is_counted_loop(*around) && !ir::is_induction_variable(pointer);
  const ir::Value* next = is_carried ? ir::yielded_value(pointer) : nullptr;
  if (next == nullptr) {
    is_known_ = false;
    return;
  }
  counter_ = numbers_.of(*block.argument(0));
  step_ = numbers_.of(*around->operand(2));
  while (is_known_ && next != &pointer) {
    const ir::Op* moved = next->defining_op();
    is_known_ = moved != nullptr && ir::is_displacement(*moved) && ++steps_ <= kMostVisits;
    if (!is_known_) return;
    add_offset(*moved, dimensions);
    next = moved->operand(0);
  }
  counter_ = step_ = -1;
  add_pointer(*ir::initial_value(pointer), dimensions);
}

// ---- offsets ----

void PlaceReader::put(std::vector<Index> factors, Index number, std::vector<NumberBound> bounds) {
  PlaceTerm term;
  term.factors = std::move(factors);
  term.number = number;
  term.bounds = std::move(bounds);
  term.counter = counter_;
  term.step = step_;
  out_->terms.push_back(std::move(term));
}

void PlaceReader::add(const ir::Value& value, std::vector<Index> factors, const ir::Dimensions& dimensions) {
  if (!is_known_ || ++steps_ > kMostVisits) {
    is_known_ = false;
    return;
  }
  const Index number = numbers_.of(value);
  // A mask says nothing of what a loop added in earlier turns.
  auto bounds = counter_ < 0 ? bounds_of(value, dimensions) : std::vector<NumberBound>();
  const bool is_bounded = !bounds.empty() && !numbers_.depends_on_program(number);
  const ir::Op* op = value.defining_op();
  if (is_bounded || numbers_.is_fixed(number) || op == nullptr)
    return put(std::move(factors), number, std::move(bounds));
  add_op(*op, number, std::move(factors), dimensions);
}

void PlaceReader::add_op(const ir::Op& op, Index number, std::vector<Index> factors, const ir::Dimensions& dimensions) {
  const auto also = [&](Index factor) {
    std::vector<Index> more = factors;
    more.push_back(factor);
    return more;
  };
  if (ir::is_integer_sum(op) || ir::is_integer_difference(op)) {
    out_->exact.push_back(number);
    add(*op.operand(0), factors, dimensions);
    return add(*op.operand(1), ir::is_integer_sum(op) ? factors : also(numbers_.constant(-1)), dimensions);
  }
  for (std::size_t i = 0; i < 2 && ir::is_integer_product(op); ++i) {
    const Index factor = numbers_.of(*op.operand(i));
    if (!numbers_.is_fixed(factor)) continue;
    out_->exact.push_back(number);
    return add(*op.operand(1 - i), also(factor), dimensions);
  }
  if (ir::keeps_signed_integer(op)) {
    out_->exact.push_back(number);
    return add(*op.operand(0), std::move(factors), dimensions);
  }
  if (copies_lanes(op)) return add(*op.operand(0), std::move(factors), ir::dimensions_before(op, dimensions));
  put(std::move(factors), number, {});
  if (ir::is_program_id(op)) out_->terms.back().axis = static_cast<int>(op.integer_attribute("axis", 0)) % 3;
}

}  // namespace lockstep::interpreter::apart
