#include "ir/passes/contraction.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/builder.h"
#include "ir/interfaces/op_kinds.h"

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
  if (op == nullptr || !is_float_product(*op) || op->block() != sum.block()) return {};
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

class Joining {
 public:
  explicit Joining(Context& context) : builder_(context) {}

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

  Builder builder_;
  Ranks ranks_;
};

}  // namespace

void contract_as_compiled(Module& module) { Joining(module.context()).go_through(module.body()); }

}  // namespace lockstep::ir::passes
