#include "backend_cuda/layout/linear_form.h"

#include <algorithm>

#include "ir/analysis/nesting.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/interfaces/region_branch.h"
#include "ir/op_def.h"
#include "ir/passes/passes.h"

namespace lockstep::backend_cuda {
namespace {

constexpr int kMaxDepth = 64;

/// A constant with its sign.
std::optional<std::int64_t> constant_of(const ir::Value* value) {
  const auto bits = ir::passes::splat_bits(value);
  if (!bits) return std::nullopt;
  const auto kind = value->type().element().scalar_kind();
  if (kind == ScalarKind::i32) return static_cast<std::int32_t>(*bits);
  return kind == ScalarKind::i64 ? std::optional(static_cast<std::int64_t>(*bits)) : std::nullopt;
}

bool is_parameter(const ir::Value* value) {
  const ir::Block* block = value->owner_block();
  return block != nullptr && ir::is_function(*block->parent_op()) &&
         block == &block->parent_op()->region().front();
}

void add(LinearForm& form, LinearTerm term) {
  if (term.factor == 0) return;
  const auto found = std::find_if(form.begin(), form.end(), [&](const LinearTerm& other) { return other.meets(term); });
  if (found == form.end()) {
    form.push_back(std::move(term));
  } else if ((found->factor += term.factor) == 0) {
    form.erase(found);
  }
}

std::optional<LinearForm> product_of(const LinearForm& a, const LinearForm& b) {
  LinearForm product;
  for (const LinearTerm& x : a) {
    for (const LinearTerm& y : b) {
      if (x.has_index() && y.has_index()) return std::nullopt;
      LinearTerm term = x.has_index() ? x : y;
      const LinearTerm& other = x.has_index() ? y : x;
      term.factor *= other.factor;
      term.parameters.insert(term.parameters.end(), other.parameters.begin(), other.parameters.end());
      std::sort(term.parameters.begin(), term.parameters.end(),
                [](const ir::Value* p, const ir::Value* q) { return p->index() < q->index(); });
      add(product, std::move(term));
    }
  }
  return product;
}

/// Follows values; `loop_` is the loop whose body they may stand in.
class Reader {
 public:
  explicit Reader(const ir::Op& loop) : loop_(loop), body_(loop.region().front()) {}

  std::optional<LinearForm> number(const ir::Value* value, int depth = 0) const {
    if (depth > kMaxDepth) return std::nullopt;
    if (const auto constant = constant_of(value)) {
      LinearForm form;
      add(form, {*constant, {}, nullptr, -1});
      return form;
    }
    const ir::Op* made = value->defining_op();
    if (made == nullptr) {
      auto form = atom(value);
      if (form && is_parameter(value)) form = LinearForm{{1, {value}, nullptr, -1}};
      return form;
    }
    if (const auto moved = spread(*made)) return in_dimensions(*made, number(*moved, depth + 1));
    if (ir::is_range(*made)) {
      LinearForm form{{1, {}, nullptr, 0}};
      add(form, {made->integer_attribute("start", 0), {}, nullptr, -1});
      return form;
    }
    if (ir::extends_with_sign(*made)) return number(made->operand(0), depth + 1);
    const bool is_sum = ir::is_integer_sum(*made), is_difference = ir::is_integer_difference(*made);
    if (!is_sum && !is_difference && !ir::is_integer_product(*made)) return atom(value);
    const auto a = number(made->operand(0), depth + 1), b = number(made->operand(1), depth + 1);
    if (!a || !b) return atom(value);
    if (is_sum || is_difference) return sum_of(*a, *b, is_sum ? 1 : -1);
    const auto product = product_of(*a, *b);
    return product ? product : atom(value);
  }

  std::optional<LinearAddress> address(const ir::Value* value, int depth = 0) const {
    if (depth > kMaxDepth) return std::nullopt;
    if (is_parameter(value)) return LinearAddress{value, {}};
    const ir::Op* made = value->defining_op();
    if (made == nullptr) return carried(value, depth);
    if (const auto moved = spread(*made)) {
      auto from = address(*moved, depth + 1);
      if (from) from->offset = *in_dimensions(*made, from->offset);
      return from;
    }
    if (!ir::is_displacement(*made)) return std::nullopt;
    auto from = address(made->operand(0), depth + 1);
    const auto offset = number(made->operand(1), depth + 1);
    if (!from || !offset) return std::nullopt;
    from->offset = sum_of(from->offset, *offset);
    return from;
  }

 private:
  static std::optional<const ir::Value*> spread(const ir::Op& op) {
    return ir::spreads(op) ? std::optional<const ir::Value*>(op.operand(0)) : std::nullopt;
  }

  /// Dimensions of the operand of a shape op as those of its result.
  static std::optional<LinearForm> in_dimensions(const ir::Op& op, std::optional<LinearForm> form) {
    if (!form || !ir::moves_as(op, ir::Movement::expand_dims)) return form;
    const auto axis = static_cast<int>(op.integer_attribute("axis", 0));
    for (LinearTerm& term : *form) term.dimension += term.dimension >= axis ? 1 : 0;
    return form;
  }

  /// A number that is known before the loop, or the loop's counter.
  std::optional<LinearForm> atom(const ir::Value* value) const {
    const bool is_inside = ir::block_of(*value) == &body_ && value != body_.argument(0);
    if (value->type().is_tensor() || is_inside) return std::nullopt;
    const auto kind = value->type().scalar_kind();
    if (kind != ScalarKind::i32 && kind != ScalarKind::i64) return std::nullopt;
    return LinearForm{{1, {}, value, -1}};
  }

  /// An argument of the loop that each iteration moves on by as much: a multiple of the counter.
  std::optional<LinearAddress> carried(const ir::Value* value, int depth) const {
    if (value->owner_block() != &body_ || value == body_.argument(0)) return std::nullopt;
    auto from = address(ir::initial_value(*value), depth + 1);
    const ir::Op* next = ir::yielded_value(*value)->defining_op();
    const auto step = constant_of(loop_.operand(2));
    const auto first = number(loop_.operand(0), depth + 1);
    if (!from || next == nullptr || !ir::is_displacement(*next) || next->operand(0) != value || !step || *step <= 0 ||
        !first)
      return std::nullopt;
    const auto moved = number(next->operand(1), depth + 1);
    if (!moved) return std::nullopt;
    LinearForm per_count = *moved;
    for (LinearTerm& term : per_count) {
      if (term.has_index() || term.factor % *step != 0) return std::nullopt;
      term.factor /= *step;
    }
    const auto count = sum_of({{1, {}, body_.argument(0), -1}}, *first, -1);
    const auto all = product_of(per_count, count);
    if (!all) return std::nullopt;
    from->offset = sum_of(from->offset, *all);
    return from;
  }

  const ir::Op& loop_;
  const ir::Block& body_;
};

}  // namespace

LinearForm sum_of(const LinearForm& a, const LinearForm& b, std::int64_t sign) {
  LinearForm sum = a;
  for (LinearTerm term : b) {
    term.factor *= sign;
    add(sum, std::move(term));
  }
  return sum;
}

std::optional<LinearForm> linear_form(const ir::Value* value, const ir::Op& loop) { return Reader(loop).number(value); }

std::optional<LinearAddress> linear_address(const ir::Value* value, const ir::Op& loop) {
  return Reader(loop).address(value);
}

}  // namespace lockstep::backend_cuda
