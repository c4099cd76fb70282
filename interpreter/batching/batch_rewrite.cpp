#include "interpreter/batching/batch_rewrite.h"

#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "interpreter/batching/batch_import.h"
#include "ir/builder.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/interfaces/region_branch.h"
#include "ir/opcode.h"
#include "ir/verify/verifier.h"
#include "support/check.h"

namespace lockstep::interpreter {

namespace {

using ir::Type;
using ir::Value;
using Shape = std::vector<std::int64_t>;
using Attributes = std::vector<ir::NamedAttribute>;

class Rewriter {
 public:
  Rewriter(const ir::Op& function, const BatchAnalysis& analysis, std::uint32_t programs)
      : original_(function),
        analysis_(analysis),
        made_(std::make_unique<BatchFunction>(ir::function_type(function).context().ops())),
        importer_(made_->module.context()),
        builder_(made_->module.context()),
        side_(made_->module.context()) {
    made_->programs = programs;
  }

  std::unique_ptr<BatchFunction> run() {
    builder_.set_insertion_point_to_end(made_->module.body());
    builder_.set_location(original_.location());
    ir::Op* function = builder_.create(original_.def(), {}, {}, function_attributes());
    function->set_span(original_.span());
    made_->function = function;
    if (analysis_.part != nullptr) {
      rewrite_part(*analysis_.part, function->region());
    } else {
      rewrite_region(original_.region(), function->region());
    }
    DiagnosticSink sink;
    if (!ir::verify(made_->module, sink)) return nullptr;
    return std::move(made_);
  }

 private:
  Attributes function_attributes() {
    Attributes kept;
    for (const char* name : {"sym_name", "function_type", "sym_visibility"}) {
      if (const ir::Attribute value = original_.attribute(name)) kept.push_back({name, importer_.attribute(value)});
    }
    return kept;
  }

  // ---- types and values ----

  bool varies(const Value* value) const { return analysis_.varying.contains(value); }
  bool has_varying_operand(const ir::Op& op) const {
    for (const Value* operand : op.operands()) {
      if (varies(operand)) return true;
    }
    return false;
  }

  /// The type with the programs as its first dimension.
  Type lifted(Type from) {
    Shape shape = from.shape();
    shape.insert(shape.begin(), made_->programs);
    return tensor(std::move(shape), importer_.type(from.element()));
  }
  Type tensor(Shape shape, Type element) { return made_->module.context().tensor(std::move(shape), element); }
  Type type_of(const Value* value) { return varies(value) ? lifted(value->type()) : importer_.type(value->type()); }

  /// The value's counterpart in its own form: with a leading dimension if it varies.
  Value* mapped(const Value* value) const {
    const auto found = values_.find(value);
    LOCKSTEP_CHECK(found != values_.end(), "a value is used before the op that makes it");
    return found->second;
  }

  /// Ops that only change a value's form come right after it, so that all uses share them.
  void place_after(Value* value) {
    if (ir::Op* op = value->defining_op()) {
      side_.set_insertion_point_after(*op);
      side_.set_location(op->location());
    } else {
      ir::Block& block = *value->owner_block();
      side_.set_insertion_point_to_end(block);
      if (!block.ops().empty()) side_.set_insertion_point_before(*block.ops().front());
      side_.set_location(builder_.location());
    }
  }
  Value* beside(std::string_view spelling, Value* operand, Type type, Attributes attributes = {}) {
    ir::Op* op = side_.create(spelling, {operand}, {type}, std::move(attributes));
    op->set_span(span_);
    side_.set_insertion_point_after(*op);
    return op->result();
  }
  Value* expand(Value* value, std::int64_t axis) {
    const Shape& from = value->type().shape();
    Shape shape(from.begin(), from.begin() + axis);  // inserting into a copy trips g++ 16's -Warray-bounds
    shape.push_back(1);
    shape.insert(shape.end(), from.begin() + axis, from.end());
    return beside("tt.expand_dims", value, tensor(std::move(shape), value->type().element()),
                  {{"axis", made_->module.context().i32(axis)}});
  }

  /// The value as a tile of [programs] + shape, where `shape` is the value's own or the value is a scalar.
  Value* tile(const Value* value, const Shape& shape) {
    Value* from = mapped(value);
    Shape whole = shape;
    whole.insert(whole.begin(), made_->programs);
    const Type type = tensor(std::move(whole), importer_.type(value->type().element()));
    if (from->type() == type) return from;
    Value*& made = tiles_[{from, type.node()}];
    if (made == nullptr) {
      place_after(from);
      made = varies(value) ? spread(from, type, shape.size()) : repeated(from, type);
    }
    return made;
  }
  Value* tile(const Value* value) { return tile(value, value->type().shape()); }
  /// [programs] -> [programs, ...]
  Value* spread(Value* value, Type type, std::size_t rank) {
    for (std::size_t d = 0; d < rank; ++d) value = expand(value, static_cast<std::int64_t>(d) + 1);
    return beside("tt.broadcast", value, type);
  }
  /// [...] -> [programs, ...]
  Value* repeated(Value* value, Type type) {
    if (!value->type().is_tensor()) return beside("tt.splat", value, type);
    return beside("tt.broadcast", expand(value, 0), type);
  }

  /// The single value of a scalar that all programs must agree on.
  Value* scalar(const Value* value) {
    if (!varies(value)) return mapped(value);
    ir::Context& context = made_->module.context();
    const Type type = importer_.type(value->type());
    ir::Op* op = create("tt.reduce", {mapped(value)}, {type}, {{"axis", context.i32(0)}});
    ir::Block& block = op->region().add_block();
    Value* first = block.add_argument(type);
    block.add_argument(type);
    ir::Builder inner(context);
    inner.set_insertion_point_to_end(block);
    inner.set_location(builder_.location());
    inner.create("tt.reduce.return", {first}, {});
    made_->demands.insert(op);
    return op->result();
  }

  // ---- ops ----

  ir::Op* create(std::string_view spelling, const std::vector<Value*>& operands, const std::vector<Type>& types,
                 Attributes attributes = {}, std::vector<std::uint32_t> segments = {}) {
    ir::Op* op = builder_.create(spelling, operands, types, std::move(attributes), std::move(segments));
    op->set_span(span_);
    return op;
  }
  /// The op with other operands; its results vary or not, with the types for it.
  ir::Op* recreate(const ir::Op& op, const std::vector<Value*>& operands, Attributes attributes) {
    std::vector<Type> types;
    for (std::size_t i = 0; i < op.result_count(); ++i) types.push_back(type_of(op.result(i)));
    ir::Op* made = create(op.spelling(), operands, types, std::move(attributes), op.operand_segments());
    while (made->regions().size() < op.regions().size()) made->add_region();
    bind(op, *made);
    return made;
  }
  ir::Op* recreate(const ir::Op& op, const std::vector<Value*>& operands) {
    return recreate(op, operands, importer_.attributes(op));
  }
  void bind(const ir::Op& op, const ir::Op& made) {
    for (std::size_t i = 0; i < op.result_count(); ++i) values_[op.result(i)] = made.result(i);
  }
  Attributes with(const ir::Op& op, std::string_view name, ir::Attribute value) {
    Attributes attributes = importer_.attributes(op);
    for (ir::NamedAttribute& attribute : attributes) {
      if (attribute.name == name) attribute.value = value;
    }
    return attributes;
  }

  void rewrite(const ir::Op& op) {
    builder_.set_location(op.location());
    span_ = op.span();
    const BatchingRule rule = batching_rule(op);
    if (rule == BatchingRule::control) return rewrite_control(op);
    if (rule == BatchingRule::program_id && varies(op.result())) return rewrite_program_id(op);
    if (has_varying_operand(op)) return lift(op, rule);
    copy(op);
    if (rule == BatchingRule::load || rule == BatchingRule::store)
      made_->shared_accesses.insert(builder_.block()->ops().back().get());
  }

  void copy(const ir::Op& op) {
    std::vector<Value*> operands;
    for (const Value* operand : op.operands()) operands.push_back(mapped(operand));
    ir::Op* made = recreate(op, operands);
    copy_regions(op, *made);
  }
  /// Regions in which nothing varies.
  void copy_regions(const ir::Op& op, ir::Op& made) {
    ir::Block& outside = *builder_.block();
    const Location location = builder_.location();
    const SourceSpan span = span_;
    for (std::size_t i = 0; i < op.regions().size(); ++i) rewrite_region(op.region(i), made.region(i));
    builder_.set_insertion_point_to_end(outside);
    builder_.set_location(location);
    span_ = span;
  }

  void lift(const ir::Op& op, BatchingRule rule) {
    switch (rule) {
      case BatchingRule::elementwise: return lift_elementwise(op);
      case BatchingRule::load:
      case BatchingRule::store: return lift_access(op);
      case BatchingRule::splat: values_[op.result()] = tile(op.operand(0), op.result()->type().shape()); return;
      case BatchingRule::unsplat: create_reshape(op); return;
      case BatchingRule::broadcast:
      case BatchingRule::reshape:
      case BatchingRule::split: recreate(op, {mapped(op.operand(0))}); return;
      case BatchingRule::expand_dims: recreate(op, {mapped(op.operand(0))}, shifted_axis(op)); return;
      case BatchingRule::trans: recreate(op, {mapped(op.operand(0))}, with(op, "order", shifted_order(op))); return;
      case BatchingRule::join: recreate(op, {tile(op.operand(0)), tile(op.operand(1))}); return;
      case BatchingRule::cat: return lift_cat(op);
      case BatchingRule::along_axis: return lift_along_axis(op);
      case BatchingRule::product:
        recreate(op, {tile(op.operand(0)), tile(op.operand(1)), tile(op.operand(2))});
        return;
      case BatchingRule::assertion: recreate(op, {tile(op.operand(0))}); return;
      case BatchingRule::assumption: return;  // computes nothing
      default: LOCKSTEP_CHECK(false, "an op that no batch admits: " + std::string(op.spelling()));
    }
  }

  void rewrite_program_id(const ir::Op& op) {
    ir::Context& context = made_->module.context();
    const std::int64_t programs = made_->programs;
    const Type type = lifted(op.result()->type());
    Value* first = create(op.spelling(), {}, {type.element()}, importer_.attributes(op))->result();
    Value* firsts = create("tt.splat", {first}, {type})->result();
    Value* range =
        create("tt.make_range", {}, {type}, {{"start", context.i32(0)}, {"end", context.i32(programs)}})->result();
    values_[op.result()] = create("arith.addi", {firsts, range}, {type})->result();
  }

  void lift_elementwise(const ir::Op& op) {
    std::vector<Value*> operands;
    for (const Value* operand : op.operands()) operands.push_back(tile(operand, op.result()->type().shape()));
    recreate(op, operands);
  }

  void lift_access(const ir::Op& op) {
    std::vector<Value*> operands;
    for (const Value* operand : op.operands()) {
      operands.push_back(tile(operand, op.operand(0)->type().shape()));
      const bool is_data = ir::is_pointer_store(op) ? operands.size() == 2 : operands.size() == 3;
      if (!is_data && varies(operand) && !analysis_.dense_anyway.contains(operand))
        made_->structured.insert(operands.back());
    }
    recreate(op, operands);
  }

  void create_reshape(const ir::Op& op) {
    values_[op.result()] = create("tt.reshape", {mapped(op.operand(0))}, {lifted(op.result()->type())})->result();
  }
  Attributes shifted_axis(const ir::Op& op) {
    return with(op, "axis", made_->module.context().i32(op.integer_attribute("axis", 0) + 1));
  }
  ir::Attribute shifted_order(const ir::Op& op) {
    Shape axes{0};
    for (const std::int64_t axis : op.attribute("order")->values) axes.push_back(axis + 1);
    return order(std::move(axes));
  }
  ir::Attribute order(Shape axes) {
    return made_->module.context().dense_array(made_->module.context().integer(32), std::move(axes));
  }

  /// All elements of one side, then all of the other.
  void lift_cat(const ir::Op& op) {
    const std::int64_t programs = made_->programs, count = op.operand(0)->type().element_count();
    const Type element = importer_.type(op.result()->type().element()), flat = tensor({programs, count}, element);
    Value* left = create("tt.reshape", {tile(op.operand(0))}, {flat})->result();
    Value* right = create("tt.reshape", {tile(op.operand(1))}, {flat})->result();
    Value* pairs = create("tt.join", {left, right}, {tensor({programs, count, 2}, element)})->result();
    Value* sides =
        create("tt.trans", {pairs}, {tensor({programs, 2, count}, element)}, {{"order", order({0, 2, 1})}})->result();
    values_[op.result()] = create("tt.reshape", {sides}, {lifted(op.result()->type())})->result();
  }

  void lift_along_axis(const ir::Op& op) {
    std::vector<Value*> operands;
    for (const Value* operand : op.operands()) operands.push_back(tile(operand));
    ir::Op* made = recreate(op, operands, shifted_axis(op));
    copy_regions(op, *made);
  }

  // ---- control ----

  /// Operands that are passed on to `targets`, each in its target's form. A value that an op passes into a region, or a
  /// terminator out of one, takes its target's form.
  void pass(const ir::Op& op, std::vector<Value*>& operands) {
    const auto edges = ir::successor_edges(op);
    if (!edges.empty()) pass(edges.front(), operands);  // all ways hand on the same
  }
  void pass(const ir::RegionEdge& edge, std::vector<Value*>& operands) {
    for (std::size_t i = 0; i < edge.count; ++i)
      operands.push_back(varies(edge.target(i)) ? tile(edge.source(i)) : mapped(edge.source(i)));
  }

  void rewrite_control(const ir::Op& op) {
    std::vector<Value*> operands;
    for (std::size_t i = 0; i < ir::deciding_operands(op); ++i) operands.push_back(scalar(op.operand(i)));
    if (!op.successors().empty()) return rewrite_branch(op, operands);
    pass(op, operands);
    ir::Op* made = recreate(op, operands);
    copy_regions(op, *made);
  }

  void rewrite_branch(const ir::Op& op, const std::vector<Value*>& operands) {
    const auto edges = ir::successor_edges(op);
    std::vector<std::vector<Value*>> passed(op.successors().size());
    for (std::size_t i = 0; i < passed.size(); ++i)
      pass(edges[i], passed[i]);
    ir::Op* made = create(op.spelling(), operands, {}, importer_.attributes(op));
    for (std::size_t i = 0; i < passed.size(); ++i)
      made->add_successor(blocks_.at(op.successors()[i].block), passed[i]);
  }

  void add_block(const ir::Block& from, ir::Region& to) {
    ir::Block& made = to.add_block();
    blocks_[&from] = &made;
    for (const auto& argument : from.arguments())
      values_[argument.get()] = made.add_argument(type_of(argument.get()), argument->location());
  }

  void rewrite_part(const AheadPart& part, ir::Region& to) {
    const ir::Block& entry = original_.region().front();
    add_block(entry, to);
    builder_.set_insertion_point_to_end(*blocks_.at(&entry));
    for (const auto& op : entry.ops()) {
      if (part.ops.contains(op.get())) rewrite(*op);
    }
    create("tt.return", {}, {});
    for (const ir::Op* op : part.kept) made_->kept.push_back(mapped(op->result()));
  }

  void rewrite_region(const ir::Region& from, ir::Region& to) {
    for (const auto& block : from.blocks()) add_block(*block, to);
    for (const auto& block : from.blocks()) {
      builder_.set_insertion_point_to_end(*blocks_.at(block.get()));
      for (const auto& op : block->ops()) rewrite(*op);
    }
  }

  const ir::Op& original_;
  const BatchAnalysis& analysis_;
  std::unique_ptr<BatchFunction> made_;
  Importer importer_;
  ir::Builder builder_, side_;
  SourceSpan span_;
  std::unordered_map<const Value*, Value*> values_;
  std::map<std::pair<const Value*, const ir::TypeNode*>, Value*> tiles_;
  std::unordered_map<const ir::Block*, ir::Block*> blocks_;
};

}  // namespace

std::unique_ptr<BatchFunction> rewrite_for_batch(const ir::Op& function, const BatchAnalysis& analysis,
                                                 std::uint32_t programs) {
  return Rewriter(function, analysis, programs).run();
}

}  // namespace lockstep::interpreter
