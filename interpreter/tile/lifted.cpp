#include "interpreter/tile/lifted.h"

#include <unordered_map>

#include "interpreter/evaluators/elementwise_ops.h"
#include "interpreter/plan/plan_builder.h"
#include "interpreter/plan/simple_ops.h"
#include "interpreter/tile/dense.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/opcode.h"

namespace lockstep::interpreter {

namespace {

constexpr std::size_t kMaxOps = 1024;  // a chain of scf.if doubles nothing, but tiles of all ops are held
constexpr int kMaxLiftedDepth = 64;

class Lifter {
 public:
  Lifter(PlanBuilder& builder, const ir::Region& region, const std::vector<std::int64_t>& shape)
      : builder_(builder), region_(region), shape_(shape) {}

  std::optional<Lifted> run() {
    if (region_.blocks().size() != 1) return std::nullopt;
    const ir::Block& block = region_.front();
    if (!find_captured(block, 0)) return std::nullopt;
    std::size_t next = made_.captured.size();
    for (const auto& argument : block.arguments()) index_[argument.get()] = next++;
    made_.arguments = block.arguments().size();
    next_ = next;
    if (!lift_ops(block)) return std::nullopt;
    for (const ir::Value* value : block.ops().back()->operands()) made_.returned.push_back(index_.at(value));
    find_last_uses();
    return std::move(made_);
  }

 private:
  bool is_inside(const ir::Value* value) const {
    const ir::Op* at = value->defining_op();
    const ir::Block* block = at != nullptr ? at->block() : value->owner_block();
    for (; block != nullptr; block = block->parent_op() != nullptr ? block->parent_op()->block() : nullptr) {
      if (block == &region_.front()) return true;
    }
    return false;
  }

  bool capture(const ir::Value* value) {
    if (index_.contains(value)) return true;
    const Slot slot = builder_.slot_of(value);
    if (slot == kNoSlot || !builder_.type(slot)->is_scalar()) return false;
    index_[value] = made_.captured.size();
    made_.captured.push_back(slot);
    return true;
  }

  /// Outer values and constants come first.
  bool find_captured(const ir::Block& block, int depth) {
    if (depth > kMaxLiftedDepth) return false;
    for (const auto& op : block.ops()) {
      if (ir::is_constant(*op)) {
        const bool is_bound = builder_.constant_of(op->result(0)) != nullptr || evaluate_constant(builder_, *op);
        if (!is_bound || !capture(op->result(0))) return false;
        continue;
      }
      for (const ir::Value* value : op->operands()) {
        if (!is_inside(value) && !capture(value)) return false;
      }
      if (!op->regions().empty() && !ir::is_choice(*op)) return false;
      for (const auto& region : op->regions()) {
        if (region->empty()) continue;
        if (region->blocks().size() != 1 || !find_captured(region->front(), depth + 1)) return false;
      }
    }
    return true;
  }

  const TileType* type_of(const ir::Value* value) {
    const auto kind = value->type().scalar_kind();
    return kind && !value->type().is_tensor() ? builder_.tile_type(*kind, shape_) : nullptr;
  }

  bool lift_ops(const ir::Block& block) {
    for (const auto& op : block.ops()) {
      if (op.get() == block.ops().back().get() && op->def().is_terminator) return true;
      if (ir::is_constant(*op)) continue;
      if (made_.ops.size() >= kMaxOps) return false;
      if (ir::is_choice(*op) ? !lift_if(*op) : !lift_op(*op)) return false;
    }
    return false;  // no terminator
  }

  bool lift_op(const ir::Op& op) {
    if (!op.regions().empty() || op.result_count() != 1 || op.operand_count() == 0 || op.operand_count() > 3)
      return false;
    LiftedOp lifted;
    std::array<const TileType*, 3> types{};
    for (std::size_t i = 0; i < op.operand_count(); ++i) {
      types[i] = type_of(op.operand(i));
      if (types[i] == nullptr) return false;
      lifted.from[i] = index_.at(op.operand(i));
    }
    const TileType* result = type_of(op.result(0));
    const auto elementwise = result != nullptr ? elementwise_of(op, types, result, builder_.profile()) : std::nullopt;
    if (!elementwise) return false;
    lifted.op = *elementwise;
    made_.ops.push_back(lifted);
    index_[op.result(0)] = next_++;
    return true;
  }

  bool lift_if(const ir::Op& op) {
    std::array<const ir::Op*, 2> ends{};
    for (std::size_t side = 0; side < op.regions().size() && side < 2; ++side) {
      if (op.region(side).empty()) continue;
      if (!lift_ops(op.region(side).front())) return false;
      ends[side] = op.region(side).front().ops().back().get();
    }
    for (std::size_t i = 0; i < op.result_count(); ++i) {
      if (ends[0] == nullptr || ends[1] == nullptr || i >= ends[0]->operand_count() || i >= ends[1]->operand_count())
        return false;
      if (!select(op, ends[0]->operand(i), ends[1]->operand(i), op.result(i))) return false;
    }
    return true;
  }

  bool select(const ir::Op& op, const ir::Value* then, const ir::Value* otherwise, const ir::Value* result) {
    LiftedOp lifted;
    lifted.op.arity = Elementwise::Arity::ternary;
    lifted.op.rule = Elementwise::Rule::select;
    lifted.op.operands = 3;
    lifted.op.result = type_of(result);
    if (lifted.op.result == nullptr) return false;
    lifted.op.ternary = kernels::ternary(kernels::Ternary::select, lifted.op.result->kind);
    lifted.op.operand = {type_of(op.operand(0)), lifted.op.result, lifted.op.result};
    lifted.from = {index_.at(op.operand(0)), index_.at(then), index_.at(otherwise)};
    made_.ops.push_back(lifted);
    index_[result] = next_++;
    return lifted.op.ternary != nullptr;
  }

  void find_last_uses() {
    const std::size_t inputs = made_.captured.size() + made_.arguments;
    std::vector<bool> is_used(inputs + made_.ops.size(), false);
    for (const std::size_t value : made_.returned) is_used[value] = true;
    for (std::size_t at = made_.ops.size(); at-- > 0;) {
      LiftedOp& op = made_.ops[at];
      for (std::size_t i = 0; i < static_cast<std::size_t>(op.op.operands); ++i) {
        const std::size_t value = op.from[i];
        op.is_last_use[i] = value >= inputs && !is_used[value];
        is_used[value] = true;
      }
    }
  }

  PlanBuilder& builder_;
  const ir::Region& region_;
  const std::vector<std::int64_t>& shape_;
  Lifted made_;
  std::unordered_map<const ir::Value*, std::size_t> index_;
  std::size_t next_ = 0;
};

/// The same bits as another kind.
Tile reinterpret(Machine& machine, const Elementwise& op, const Tile& a) {
  const bool reads_as_is = a.form == Form::uniform || a.form == Form::dense ||
                           (op.rule == Elementwise::Rule::convert && a.form != Form::gather);
  if (!reads_as_is) return make_contiguous(machine, a, *op.operand[0]);
  BufferPool::retain(a);
  return a;
}

}  // namespace

std::optional<Lifted> lift(PlanBuilder& builder, const ir::Region& region, const std::vector<std::int64_t>& shape) {
  return Lifter(builder, region, shape).run();
}

std::vector<Tile> run_lifted(Machine& machine, const Lifted& lifted, std::span<const Tile> arguments) {
  std::vector<Tile> values;
  values.reserve(lifted.captured.size() + arguments.size() + lifted.ops.size());
  for (const Slot slot : lifted.captured) values.push_back(machine.slots[slot]);
  values.insert(values.end(), arguments.begin(), arguments.end());
  const std::size_t inputs = values.size();
  for (const LiftedOp& one : lifted.ops) {
    std::array<const Tile*, 3> operands{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(one.op.operands); ++i) operands[i] = &values[one.from[i]];
    const Tile made = one.op.arity == Elementwise::Arity::copy
                          ? reinterpret(machine, one.op, *operands[0])
                          : run_elementwise(machine, one.op, operands, one.is_last_use);
    for (std::size_t i = 0; i < static_cast<std::size_t>(one.op.operands); ++i) {
      if (one.is_last_use[i]) machine.pool.release(values[one.from[i]]);
    }
    values.push_back(made);
  }
  std::vector<Tile> results;
  for (const std::size_t index : lifted.returned) {
    BufferPool::retain(values[index]);
    results.push_back(values[index]);
  }
  for (std::size_t i = inputs; i < values.size(); ++i) machine.pool.release(values[i]);
  return results;
}

}  // namespace lockstep::interpreter
