#include "frontend/gluon/settle_layouts.h"

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "frontend/gluon/layout_encoding.h"
#include "ir/interfaces/region_branch.h"
#include "ir/op_def.h"
#include "ir/op_registry.h"
#include "ir/passes/passes.h"
#include "ir/verify/verifier.h"
#include "ir/walk.h"

namespace lockstep::frontend {

namespace {

constexpr std::string_view kSet = "gluon.set_auto_layout";

const ir::Encoding* encoding_in(const ir::Value& value) {
  return value.type().is_tensor() ? value.type().layout() : nullptr;
}

bool is_auto(const ir::Encoding* encoding) {
  const auto* open = encoding != nullptr ? encoding->as<ir::OpenEncoding>() : nullptr;
  return open != nullptr && !open->is_coalesced;
}

/// Spreads layouts from where they are known to values with AutoLayout, until nothing changes.
class LayoutFlow {
 public:
  explicit LayoutFlow(Compilation& compilation) : compilation_(compilation) {}
  bool run();

 private:
  using Op = ir::Op;
  using Value = ir::Value;

  /// Null: it is not known yet, or the value has none.
  const ir::Encoding* known(const Value& value) const {
    const ir::Encoding* written = encoding_in(value);
    if (!is_auto(written)) return written;
    const auto found = found_.find(&value);
    return found == found_.end() ? nullptr : found->second;
  }
  void assign(const Op& op, const Value& value, const ir::Encoding* encoding);
  void unify(const Op& op, const Value& left, const Value& right) {
    assign(op, left, known(right));
    assign(op, right, known(left));
  }
  void unify_all(const Op& op);
  void visit(const Op& op);
  void visit_movement(const Op& op);
  void visit_reduction(const Op& op);
  void settle(Op& op);
  void settle(Value& value) {
    if (const ir::Encoding* encoding = is_auto(encoding_in(value)) ? known(value) : nullptr)
      value.set_type(with_encoding(value.type(), encoding));
  }
  ir::Type with_encoding(const ir::Type type, const ir::Encoding* encoding) {
    return context().tensor(type.shape(), type.element(), context().encoding_attribute(encoding));
  }
  ir::Context& context() { return compilation_.module.context(); }
  void refuse(const Op& op, std::string message, std::string hint) {
    const std::string place = ir::place_of(op);
    if (!place.empty()) message += " (at " + place + ")";
    compilation_.sink.report({Severity::error, codes::kLayout, std::move(message), {}, {}, std::move(hint)});
    has_failed_ = true;
  }

  Compilation& compilation_;
  std::unordered_map<const Value*, const ir::Encoding*> found_;
  bool has_changed_ = false, has_failed_ = false, has_auto_ = false;
};

void LayoutFlow::assign(const Op& op, const Value& value, const ir::Encoding* encoding) {
  if (has_failed_ || encoding == nullptr || !is_auto(encoding_in(value))) return;
  const auto [entry, is_new] = found_.try_emplace(&value, encoding);
  has_changed_ = has_changed_ || is_new;
  if (is_new || entry->second == encoding) return;
  const std::vector<std::int64_t> shape = value.type().shape();
  refuse(op, "a tensor with AutoLayout would need two layouts: " + from_encoding(*entry->second, shape)->repr() +
                 " and " + from_encoding(*encoding, shape)->repr(),
         "convert it for one of its uses: gl.convert_layout(x, layout)");
}

void LayoutFlow::unify_all(const Op& op) {
  const Value* first = nullptr;
  const auto meet = [&](const Value& value) {
    if (encoding_in(value) == nullptr) return;
    if (first != nullptr) unify(op, *first, value);
    if (first == nullptr) first = &value;
  };
  for (int round = 0; round < 2; ++round) {
    for (const Value* operand : op.operands()) meet(*operand);
    for (std::size_t i = 0; i < op.result_count(); ++i) meet(*op.result(i));
  }
}

void LayoutFlow::visit_reduction(const Op& op) {
  const auto axis = static_cast<std::uint32_t>(op.integer_attribute("axis", 0));
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    const Value &from = *op.operand(i), &to = *op.result(i);
    unify(op, *op.operand(0), from);
    if (const ir::Encoding* encoding = known(from)) {
      assign(op, to, encoding_of_reduction(context().encodings(), encoding, axis));
    } else if (const ir::Encoding* result = known(to)) {
      assign(op, from, encoding_of_new_axis(context().encodings(), result, axis));
    }
  }
}

void LayoutFlow::visit_movement(const Op& op) {
  using ir::Movement;
  const Value &from = *op.operand(0), &to = *op.result(0);
  ir::EncodingTable& table = context().encodings();
  const ir::Encoding* encoding = known(from);
  const std::vector<std::int64_t> shape = from.type().is_tensor() ? from.type().shape() : std::vector<std::int64_t>();
  switch (op.def().movement) {
    case Movement::broadcast: return unify(op, from, to);
    case Movement::gather: return unify(op, *op.operand(1), to);
    case Movement::expand_dims: {
      const auto axis = static_cast<std::uint32_t>(op.integer_attribute("axis", 0));
      if (encoding != nullptr) return assign(op, to, encoding_of_new_axis(table, encoding, axis));
      if (known(to) != nullptr) assign(op, from, encoding_of_reduction(table, known(to), axis));
      return;
    }
    case Movement::reshape:  // ttg.convert_layout keeps the shape
      if (encoding != nullptr && shape != to.type().shape())
        assign(op, to, encoding_of_reshape(table, encoding, shape, to.type().shape()));
      return;
    case Movement::transpose: {
      const std::vector<std::int64_t> order = op.attribute("order")->values;
      if (encoding != nullptr)
        assign(op, to, encoding_of_transpose(table, encoding, shape, ir::Extents(order.begin(), order.end())));
      return;
    }
    case Movement::join:
      unify(op, from, *op.operand(1));
      if (encoding != nullptr) assign(op, to, encoding_of_join(table, encoding, shape));
      return;
    case Movement::split:
      if (encoding != nullptr) assign(op, to, encoding_of_split(table, encoding, shape));
      return unify(op, to, *op.result(1));
    default: return;
  }
}

void LayoutFlow::visit(const Op& op) {
  for (const ir::RegionEdge& edge : ir::successor_edges(op)) {
    for (std::size_t i = 0; i < edge.count; ++i) unify(op, *edge.source(i), *edge.target(i));
  }
  if (op.spelling() == kSet) return assign(op, *op.operand(0), known(*op.result(0)));
  switch (op.def().combination) {
    case ir::Combination::reduction: return visit_reduction(op);
    case ir::Combination::scan:
    case ir::Combination::code: return unify_all(op);
    case ir::Combination::none: break;
    default: return;
  }
  if (op.def().movement != ir::Movement::none) return visit_movement(op);
  if (op.regions().empty() && op.def().control == ir::Control::none) unify_all(op);
}

/// Writes what was found into the types of an op's results and blocks; the rest is reported.
void LayoutFlow::settle(Op& op) {
  for (std::size_t i = 0; i < op.result_count(); ++i) settle(*op.result(i));
  for (const auto& region : op.regions()) {
    for (const auto& block : region->blocks()) {
      for (const auto& argument : block->arguments()) settle(*argument);
      for (const auto& inner : block->ops()) settle(*inner);
    }
  }
  for (std::size_t i = 0; i < op.result_count() && !has_failed_; ++i) {
    if (is_auto(encoding_in(*op.result(i))))
      refuse(op, "no use says which layout a tensor with AutoLayout has", "give it one: layout=, or gl.set_auto_layout");
  }
  const ir::Attribute value = op.attribute("value");
  if (op.def().origin == ir::Origin::constant && value && value.is_dense() &&
      value->type != op.result()->type())
    op.set_attribute("value", context().dense(op.result()->type(), value->data, value->is_splat));
}

bool LayoutFlow::run() {
  ir::Op& module = compilation_.module.op();
  std::vector<Op*> set;
  const auto note = [&](const Op& op) {
    for (std::size_t i = 0; i < op.result_count(); ++i) has_auto_ = has_auto_ || is_auto(encoding_in(*op.result(i)));
    if (op.spelling() == kSet) set.push_back(const_cast<Op*>(&op));
  };
  ir::walk(module, note);
  if (!has_auto_) return true;
  do {
    has_changed_ = false;
    ir::walk(module, [&](const Op& op) { visit(op); });
  } while (has_changed_ && !has_failed_);
  if (!has_failed_) settle(module);
  if (has_failed_) return false;
  for (Op* op : set) {
    op->result()->replace_all_uses_with(op->operand(0));
    op->erase();
  }
  return true;
}

/// Constants of a region and of what is inside of it, in the order of the text. An isolated region keeps its own.
void collect_constants(const ir::Region& region, std::vector<ir::Op*>& constants);

/// Moves constants to the front of the outermost region that sees them, where Triton's passes put them.
void hoist_constants(const ir::Region& region) {
  if (region.empty()) return;
  std::vector<ir::Op*> constants;
  collect_constants(region, constants);
  ir::Block& entry = region.front();
  for (auto it = constants.rbegin(); it != constants.rend(); ++it) entry.insert(entry.ops().begin(), (*it)->detach());
}

void collect_constants(const ir::Region& region, std::vector<ir::Op*>& constants) {
  for (const auto& block : region.blocks()) {
    for (const auto& op : block->ops()) {
      if (op->def().origin == ir::Origin::constant) constants.push_back(op.get());
      for (const auto& inner : op->regions()) {
        if (inner->is_isolated())
          hoist_constants(*inner);
        else
          collect_constants(*inner, constants);
      }
    }
  }
}

}  // namespace

bool run_gluon_pipeline(Compilation& compilation) {
  ir::Module& module = compilation.module;
  ir::passes::simplify_blocks(module);
  ir::passes::inline_calls(module);
  ir::passes::simplify_blocks(module);
  if (!LayoutFlow(compilation).run()) return false;
  for (int round = 0; round < 2; ++round) {
    ir::passes::fold_constants(module);
    for (const ir::Op* function : module.functions()) hoist_constants(function->region());
    ir::passes::merge_common_subexpressions(module);
    ir::passes::remove_dead_code(module);
  }
  return true;
}

}  // namespace lockstep::frontend
