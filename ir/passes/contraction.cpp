#include "ir/passes/contraction.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/builder.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/passes/passes.h"

namespace lockstep::ir::passes {
namespace {

/// Reassociate's ranks: what is read or comes from elsewhere in the order of the text, what is computed one more than
/// its operands.
class Ranks {
 public:
  void enter(const Block& block) {
    for (const auto& argument : block.arguments()) ranks_[argument.get()] = ++next_;
  }
  void enter(const Op& op) {
    std::int64_t rank = 0;
    for (const Value* operand : op.operands()) rank = std::max(rank, of(*operand));
    const bool is_read = op.def().access.is_tile_load() || !op.regions().empty();
    const bool moves = op.def().movement != Movement::none;
    if (is_constant(op)) rank = 0;
    else if (is_read) rank = ++next_;
    else if (!moves) ++rank;
    for (std::size_t i = 0; i < op.result_count(); ++i) ranks_[op.result(i)] = rank;
  }
  std::int64_t of(const Value& value) const {
    const auto found = ranks_.find(&value);
    return found != ranks_.end() ? found->second : 0;
  }

 private:
  std::unordered_map<const Value*, std::int64_t> ranks_;
  std::int64_t next_ = 0;
};

/// A product behind a sum's operand.
struct Product {
  Op* op = nullptr;        // null: there is none
  std::vector<Op*> moves;  // splat, expand_dims, broadcast from the product on
  std::size_t uses = 0;
};

Product product_behind(const Op& sum, std::size_t side) {
  constexpr std::size_t kManyUses = 1000;  // every thread adds it several times
  Product found;
  Op* op = sum.operand(side)->defining_op();
  while (op != nullptr && spreads(*op) && op->block() == sum.block()) {
    found.moves.push_back(op);
    op = op->operand(0)->defining_op();
  }
  if (op == nullptr || !is_float_product(*op) || op->block() != sum.block() || !stays_a_product(*op)) return {};
  std::reverse(found.moves.begin(), found.moves.end());
  found.op = op;
  found.uses = found.moves.empty() ? op->result()->uses().size() : kManyUses;
  return found;
}

bool is_joined(const Op& op) {
  if (!is_float_sum(op) && !is_float_difference(op)) return false;
  const auto kind = op.result()->type().element().scalar_kind();
  return kind && (*kind == ScalarKind::f16 || *kind == ScalarKind::bf16 || *kind == ScalarKind::f32 ||
                  *kind == ScalarKind::f64);
}

/// An addition of a quotient.
struct Added {
  Op* sum = nullptr;
  std::size_t side = 0;
  std::vector<Op*> moves;  // from the quotient to the sum
};

/// What ptxas makes of div.full.f32 and add.f32: both operands scaled so that the reciprocal is a normal number.
constexpr std::string_view kDivideAndAdd =
    "{ .reg .pred p, q; .reg .f32 m, x, y; abs.f32 m, $2; setp.gt.f32 p, m, 0f7E800000; setp.lt.f32 q, m, 0f00800000; "
    "mov.f32 x, $1; mov.f32 y, $2; @p mul.f32 x, x, 0f3E800000; @p mul.f32 y, y, 0f3E800000; "
    "@q mul.f32 x, x, 0f4B800000; @q mul.f32 y, y, 0f4B800000; rcp.approx.ftz.f32 y, y; fma.rn.f32 $0, y, x, $3; }";

/// One that a GPU rounds otherwise than to nearest.
bool is_quotient(const Op& op) {
  return computes(op, Arithmetic::quotient, Numbers::floats) && op.def().bound.gpu_ulp > 0 &&
         op.result()->type().element().scalar_kind() == ScalarKind::f32;
}

/// What Triton compiles to instructions with predicates or branches, at which ptxas ends a piece of code.
bool ends_straight_code(const Op& op) {
  if (is_pointer_load(op)) return op.operand_count() > 1;  // a mask
  return !op.regions().empty() || (op.def().effects != Effects::pure && op.def().effects != Effects::read);
}

/// Of a constant divisor whose reciprocal is a normal number, rounded to nearest; nullopt otherwise.
std::optional<std::uint64_t> constant_reciprocal(const Op& quotient) {
  const auto bits = splat_bits(quotient.operand(1));
  if (!bits) return std::nullopt;
  const float divisor = std::bit_cast<float>(static_cast<std::uint32_t>(*bits)), reciprocal = 1.0f / divisor;
  if (!std::isnormal(divisor) || !std::isnormal(reciprocal)) return std::nullopt;
  return std::bit_cast<std::uint32_t>(reciprocal);
}

class Joining {
 public:
  explicit Joining(Context& context) : context_(context), builder_(context) {}

  void go_through(Block& block) {
    ranks_.enter(block);
    for (auto it = block.ops().begin(); it != block.ops().end();) {
      Op& op = **it++;
      for (const auto& region : op.regions()) {
        for (const auto& inner : region->blocks()) go_through(*inner);
      }
      ranks_.enter(op);
      if (is_joined(op)) join(op);
    }
  }

  /// Replaces a division by what ptxas makes of it, if it makes something else of it than the division.
  void join_quotient(Op& quotient) {
    std::vector<Added> sums;
    const std::optional<std::uint64_t> reciprocal = constant_reciprocal(quotient);
    if (find_sums(quotient, *quotient.result(), {}, sums)) {
      for (const Added& added : sums) {
        // Of two quotients the first one is joined.
        if (added.side == 0 || !is_only_added(added.sum->operand(0)->defining_op())) join_sum(quotient, added, reciprocal);
      }
    }
    if (reciprocal && quotient.result()->has_uses()) {
      builder_.set_insertion_point_before(quotient);
      builder_.set_location(quotient.location());
      const Type type = quotient.result()->type();
      Op* product = builder_.create("arith.mulf", {quotient.operand(0), builder_.constant(type, *reciprocal)}, {type});
      product->set_attribute(std::string(kQuotientMark), context_.unit());
      quotient.result()->replace_all_uses_with(product->result());
    }
    if (!quotient.result()->has_uses()) quotient.erase();
  }

 private:
  void join(Op& sum) {
    const Product first = product_behind(sum, 0), second = product_behind(sum, 1);
    if (first.op == nullptr && second.op == nullptr) return;
    join_with(sum, takes_second(sum, first, second) ? 1 : 0, takes_second(sum, first, second) ? second : first);
  }

  bool takes_second(const Op& sum, const Product& first, const Product& second) const {
    if (first.op == nullptr || second.op == nullptr) return first.op == nullptr;
    const bool is_swapped = is_float_sum(sum) && ranks_.of(*sum.operand(1)) < ranks_.of(*sum.operand(0));
    return is_swapped ? second.uses <= first.uses : second.uses < first.uses;
  }

  Value* moved(Value* value, const Product& product) {
    for (const Op* move : product.moves) {
      const Type shape = move->result()->type();
      Op* made = builder_.create(move->spelling(), {value}, {shape});
      for (const NamedAttribute& attribute : move->attributes()) made->set_attribute(attribute.name, attribute.value);
      ranks_.enter(*made);
      value = made->result();
    }
    return value;
  }
  Value* negated(Value* value) {
    Op* made = builder_.create("arith.negf", {value}, {value->type()});
    ranks_.enter(*made);
    return made->result();
  }

  void join_with(Op& sum, std::size_t side, const Product& product) {
    builder_.set_insertion_point_before(sum);
    builder_.set_location(sum.location());
    Value *a = moved(product.op->operand(0), product), *b = moved(product.op->operand(1), product);
    Value* c = sum.operand(1 - side);
    if (is_float_difference(sum) && side == 0) c = negated(c);
    if (is_float_difference(sum) && side == 1) a = negated(a);
    Op* fused = builder_.create("math.fma", {a, b, c}, {sum.result()->type()});
    fused->set_span(sum.span());
    ranks_.enter(*fused);
    sum.result()->replace_all_uses_with(fused->result());
    sum.erase();
    for (auto move = product.moves.rbegin(); move != product.moves.rend(); ++move) {
      if ((*move)->result()->has_uses()) return;
      (*move)->erase();
    }
    if (!product.op->result()->has_uses()) product.op->erase();
  }

  // ---- divisions, as ptxas has them ----

  /// Whether ptxas has a quotient and a sum of it in one piece of straight code.
  static bool is_straight(const Op& quotient, const Op& sum) {
    if (quotient.block() != sum.block()) return false;
    for (auto at = std::next(quotient.position()); at->get() != &sum; ++at) {
      if (at == std::prev(quotient.block()->ops().end()) || ends_straight_code(**at)) return false;
    }
    return true;
  }

  /// Sums that add a quotient, each with the side on which it is; false: something else uses it, too.
  bool find_sums(const Op& quotient, const Value& value, std::vector<Op*> moves, std::vector<Added>& sums) {
    for (const Use& use : value.uses()) {
      Op& user = *use.user;
      if (spreads(user)) {
        std::vector<Op*> further = moves;
        further.push_back(&user);
        if (!find_sums(quotient, *user.result(), std::move(further), sums)) return false;
      } else if (is_joined(user) && user.operand(0) != user.operand(1) && is_straight(quotient, user)) {
        sums.push_back({&user, use.operand, moves});
      } else {
        return false;
      }
    }
    return true;
  }

  bool is_only_added(const Op* op) {
    while (op != nullptr && spreads(*op)) op = op->operand(0)->defining_op();
    std::vector<Added> sums;
    return op != nullptr && is_quotient(*op) && find_sums(*op, *op->result(), {}, sums);
  }

  void join_sum(const Op& quotient, const Added& added, const std::optional<std::uint64_t>& reciprocal) {
    Op& sum = *added.sum;
    builder_.set_insertion_point_before(sum);
    builder_.set_location(sum.location());
    const Product moves{nullptr, added.moves, 0};
    Value *x = moved(quotient.operand(0), moves), *y = moved(quotient.operand(1), moves);
    Value* c = sum.operand(1 - added.side);
    if (is_float_difference(sum) && added.side == 0) c = negated(c);
    if (is_float_difference(sum) && added.side == 1) x = negated(x);
    const Type type = sum.result()->type();
    Op* fused = nullptr;
    if (reciprocal)
      fused = builder_.create("math.fma", {x, builder_.constant(type, *reciprocal), c}, {type});
    else
      fused = builder_.create("tt.elementwise_inline_asm", {x, y, c}, {type},
                              {{"asm_string", context_.string(std::string(kDivideAndAdd))},
                               {"constraints", context_.string("=f,f,f,f")},
                               {"packed_element", context_.i32(1)},
                               {"pure", context_.boolean(true)}});
    fused->set_span(sum.span());
    sum.result()->replace_all_uses_with(fused->result());
    sum.erase();
    for (auto move = added.moves.rbegin(); move != added.moves.rend() && !(*move)->result()->has_uses(); ++move)
      (*move)->erase();
  }

  Context& context_;
  Builder builder_;
  Ranks ranks_;
};

template <typename Condition>
void collect(Block& block, const Condition& condition, std::vector<Op*>& found) {
  for (const auto& op : block.ops()) {
    if (condition(*op)) found.push_back(op.get());
    for (const auto& region : op->regions()) {
      for (const auto& inner : region->blocks()) collect(*inner, condition, found);
    }
  }
}

// ---- products of f32 by parts (F32DotTC) ----

constexpr std::int64_t kTf32 = 0, kTf32x3 = 1, kIeee = 2, kBf16x3 = 3, kBf16x6 = 4;  // inputPrecision

bool has_parts(const Op& op) {
  if (!is_matrix_product(op) || op.operand(0)->type().element().scalar_kind() != ScalarKind::f32) return false;
  const std::int64_t precision = op.integer_attribute("inputPrecision", kIeee);
  return (precision == kTf32x3 || precision == kBf16x3 || precision == kBf16x6) &&
         op.result()->type().layout() == nullptr;
}

/// Replaces a product by those of its operands' parts, the smallest first; NaNs of these count as zeros.
class Parts {
 public:
  explicit Parts(Context& context) : context_(context), builder_(context) {}

  void replace(Op& dot) {
    builder_.set_insertion_point_before(dot);
    builder_.set_location(dot.location());
    const std::int64_t precision = dot.integer_attribute("inputPrecision", kIeee);
    is_tf32_ = precision == kTf32x3;
    const int count = precision == kBf16x6 ? 3 : 2;
    const std::vector<Value*> a = parts_of(dot.operand(0), count), b = parts_of(dot.operand(1), count);
    const Type type = dot.result()->type();
    Value* zero = builder_.constant(type, 0);
    Value* sum = zero;
    if (count == 3) {
      sum = multiply(a[1], b[1], sum);
      sum = multiply(a[2], b[0], sum);
      sum = multiply(a[0], b[2], sum);
    }
    sum = multiply(a[1], b[0], sum);
    sum = multiply(a[0], b[1], sum);
    constexpr std::int64_t kUnordered = 14;
    const Type truth = context_.tensor(type.shape(), context_.integer(1));
    Value* is_nan = builder_.create("arith.cmpf", {sum, sum}, {truth},
                                    {{"predicate", context_.integer_attribute(context_.integer(64), kUnordered)}})
                        ->result();
    sum = builder_.create("arith.select", {is_nan, zero, sum}, {type})->result();
    sum = multiply(a[0], b[0], sum);
    dot.result()->replace_all_uses_with(builder_.create("arith.addf", {sum, dot.operand(2)}, {type})->result());
    dot.erase();
  }

 private:
  std::vector<Value*> parts_of(Value* whole, int count) {
    const Type type = whole->type();
    const Type narrow = context_.tensor(type.shape(), context_.scalar(ScalarKind::bf16));
    std::vector<Value*> parts;
    for (Value* rest = whole; count > 0; --count) {
      Value* part = is_tf32_ ? as_tf32(rest) : builder_.create("arith.truncf", {rest}, {narrow})->result();
      parts.push_back(part);
      if (count == 1) break;
      Value* wide = is_tf32_ ? part : builder_.create("arith.extf", {part}, {type})->result();
      rest = builder_.create("arith.subf", {rest, wide}, {type})->result();
      if (is_tf32_) return {part, rest};
    }
    return parts;
  }
  Value* as_tf32(Value* value) {
    return builder_.create("tt.elementwise_inline_asm", {value}, {value->type()},
                           {{"asm_string", context_.string("cvt.rna.tf32.f32 $0, $1;")},
                            {"constraints", context_.string("=r,r")},
                            {"packed_element", context_.i32(1)},
                            {"pure", context_.boolean(true)}})
        ->result();
  }
  Value* multiply(Value* a, Value* b, Value* c) {
    return builder_.create("tt.dot", {a, b, c}, {c->type()}, {{"inputPrecision", context_.i32(is_tf32_ ? kTf32 : kIeee)}})
        ->result();
  }

  Context& context_;
  Builder builder_;
  bool is_tf32_ = false;
};

}  // namespace

bool stays_a_product(const Op& product) {
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    const Op* selection = product.operand(side)->defining_op();
    if (selection == nullptr || !is_selection(*selection) || selection->result()->uses().size() != 1) continue;
    const bool has_constant = splat_bits(selection->operand(1)) || splat_bits(selection->operand(2));
    if (has_constant && splat_bits(product.operand(1 - side))) return false;
  }
  return true;
}

void contract_as_compiled(Module& module) {
  std::vector<Op*> dots, quotients;
  collect(module.body(), has_parts, dots);
  Parts parts(module.context());
  for (Op* dot : dots) parts.replace(*dot);
  Joining joining(module.context());
  joining.go_through(module.body());
  collect(module.body(), is_quotient, quotients);
  for (Op* quotient : quotients) joining.join_quotient(*quotient);
}

}  // namespace lockstep::ir::passes
