// for and while loops.
#include "frontend/lowering/lower_loop.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "frontend/eval/name_definitions.h"
#include "frontend/lowering/control_flow.h"
#include "frontend/lowering/detached_block.h"
#include "frontend/semantics/value_parts.h"
#include "frontend/semantics/value_text.h"

namespace lockstep::frontend {

namespace {

struct LoopCarries {
  std::vector<std::string> names;
  std::vector<Value> types;
  std::vector<ir::Value*> inits;
};

struct LoopBounds {
  Value low, high, step;
  std::vector<ir::NamedAttribute> attributes;
};

const Value* keyword(const KeywordArguments& keywords, std::string_view name) {
  for (const auto& [key, value] : keywords) {
    if (key == name) return &value;
  }
  return nullptr;
}

/// The keyword that the iterator does not take; "" if it takes all.
std::string unknown_keyword(const std::string& kind, const KeywordArguments& keywords) {
  constexpr std::array<std::string_view, 9> kNames{"arg1",
                                                   "arg2",
                                                   "step",
                                                   "num_stages",
                                                   "loop_unroll_factor",
                                                   "disallow_acc_multi_buffer",
                                                   "flatten",
                                                   "warp_specialize",
                                                   "disable_licm"};
  const std::size_t known = kind == "tl.static_range" ? 3 : kNames.size();
  for (const auto& [name, value] : keywords) {
    if (std::find(kNames.begin(), kNames.begin() + static_cast<std::ptrdiff_t>(known), name) ==
        kNames.begin() + static_cast<std::ptrdiff_t>(known))
      return name;
  }
  return {};
}

ir::Attribute no_loop_motion(ir::Context& context) {
  return context.opaque_attribute("#llvm.loop_annotation<licm = <disable = true, versioningDisable = true>>");
}

bool is_negative(const Value& step) { return step.is_number() && step.constant()->as_double() < 0; }

/// Shows where the body sets the name, and the loop.
void report_carried(LoweringContext& in, std::string message, std::string hint, const std::string& name,
                    const ast::Stmt& loop) {
  const ast::Body& body = loop.is<ast::For>() ? loop.as<ast::For>()->body : loop.as<ast::While>()->body;
  const auto last = find_name_definition(body, name, std::numeric_limits<std::uint32_t>::max());
  in.report.set_here(last ? last->range : loop.range);
  in.report.error_with_note(codes::kLoopCarried, std::move(message), std::move(hint),
                            {"the loop that carries it", {in.function.module->file(), loop.range}});
}

bool check_carried(LoweringContext& in, const std::string& name, const Value& after, const Value& before,
                   const ast::Stmt& loop) {
  if (after.is_invalid() || before.is_invalid()) return true;
  const bool was_constant = before.constant() != nullptr;
  const bool is_constant = after.constant() != nullptr;
  if (is_triton_value(after) && was_constant == is_constant && (was_constant || same_type(after, before))) return true;
  report_carried(
      in, fmt::format("'{}' is {} before the loop but {} after an iteration", name, describe(before), describe(after)),
      was_constant
          ? "a compile-time value cannot change in a loop; give it a run-time value before the loop"
          : "a variable that changes in a loop must keep its type and shape; cast it, or set its type before the loop",
      name, loop);
  return false;
}

std::optional<LoopCarries> find_carries(LoweringContext& in, const ast::Stmt& loop, const ast::Body& body,
                                        const Scope& live_in, const std::string& ignored) {
  LoopCarries carries;
  {
    DetachedBlock dry_run;
    in.emit.to_start(dry_run.block());
    ++in.loop_depth;
    in.visit_body(body);
    --in.loop_depth;
    if (in.stopped()) return std::nullopt;
    for (const auto& [name, before] : live_in.entries()) {
      if (name == ignored) continue;
      if (!is_triton_value(before) || before.is_raw() || before.is_dtype()) {
        if (!in.definitions.contains(name) || before.is_invalid()) continue;
        report_carried(in, fmt::format("'{}' is {} before the loop and is assigned in it", name, describe(before)),
                       "give it a tensor or number before the loop", name, loop);
        return std::nullopt;
      }
      const Value& after = *in.scope.find(name);
      if (!check_carried(in, name, after, before, loop)) return std::nullopt;
      const std::vector<ir::Value*> handles = flatten(before);
      if (handles == flatten(after)) continue;
      carries.names.push_back(name);
      carries.types.push_back(before);
      carries.inits.insert(carries.inits.end(), handles.begin(), handles.end());
    }
  }
  if (in.report.count() > 0) return std::nullopt;
  in.scope = live_in;
  in.definitions.clear();
  return carries;
}

void bind_carries(LoweringContext& in, const LoopCarries& carries, const std::vector<ir::Value*>& handles) {
  std::size_t cursor = 0;
  for (std::size_t i = 0; i < carries.names.size(); ++i) {
    const std::size_t first = cursor;
    const Value value = rebuild(carries.types[i], handles, cursor);
    for (std::size_t k = first; k < cursor; ++k) in.emit.name_value(handles[k], carries.names[i]);
    in.set_value(carries.names[i], value);
  }
}

void lower_static_range(LoweringContext& in, const ast::For& node, const std::vector<Value>& arguments,
                        const KeywordArguments& keywords) {
  std::vector<Value> all = arguments;
  const Value* step_keyword = keyword(keywords, "step");
  const Value* end_keyword = keyword(keywords, "arg2");
  if (end_keyword != nullptr && all.size() == 1) all.push_back(*end_keyword);
  if (all.empty() || all.size() > 3) {
    in.report.error(codes::kArguments, fmt::format("tl.static_range takes 1 to 3 arguments, not {}", all.size()));
    return;
  }
  if (step_keyword != nullptr && all.size() == 1) all.insert(all.begin(), Value(Constant::integer(0)));
  if (step_keyword != nullptr) all.push_back(*step_keyword);
  std::vector<Integer> numbers;
  for (const Value& value : all) {
    if (value.constant() == nullptr || !value.constant()->is_integral()) {
      in.report.error(codes::kNotConstexpr,
                      fmt::format("tl.static_range needs compile-time integers, not {}", describe(value)),
                      "use tl.range for a run-time bound");
      return;
    }
    numbers.push_back(value.constant()->as_integer());
  }
  const Integer start = numbers.size() > 1 ? numbers[0] : 0;
  const Integer end = numbers.size() > 1 ? numbers[1] : numbers[0];
  const Integer step = numbers.size() > 2 ? numbers[2] : 1;
  if (step == 0) {
    in.report.error(codes::kConstantExpression, "the step of tl.static_range must not be zero");
    return;
  }
  for (const ast::StmtPtr& statement : node.orelse) {
    if (statement->kind == ast::Kind::ExprStmt || statement->kind == ast::Kind::Pass) continue;
    in.report.set_here(statement->range);
    in.report.error(codes::kUnsupportedNode, "the else of a tl.static_range loop may only hold expressions",
                    "Triton visits it after every iteration and assigns nothing; put the statement after the loop");
    return;
  }
  const std::string& target = node.target->as<ast::Name>()->id;
  for (Integer i = start; step > 0 ? i < end : i > end; i += step) {
    if (in.stopped()) return;
    in.scope.set(target, Value(Constant::integer(i)));
    in.visit_body(node.body);
    if (in.stopped() || in.report.count() > 0) return;
    in.visit_body(node.orelse);
  }
}

void loop_attributes(LoweringContext& in, const KeywordArguments& keywords, LoopBounds& bounds) {
  ir::Context& context = in.emit.context();
  const auto flag = [&](std::string_view name) {
    const Value* value = keyword(keywords, name);
    return value != nullptr && truth(*value).value_or(false);
  };
  const auto number = [&](std::string_view name, std::string attribute) {
    const Value* value = keyword(keywords, name);
    if (value == nullptr || value->is_none()) return;
    if (value->constant() == nullptr || !value->constant()->is_integral()) {
      in.report.error(codes::kNotConstexpr,
                      fmt::format("{} must be a compile-time integer, not {}", name, describe(*value)));
      return;
    }
    const Integer count = value->constant()->as_integer();
    if (count < INT32_MIN || count > INT32_MAX) {
      in.report.error(codes::kScalarRange, fmt::format("{} must fit into 32 bits, not {}", name, to_string(count)));
      return;
    }
    bounds.attributes.push_back({std::move(attribute), context.i32(static_cast<std::int64_t>(count))});
  };
  if (flag("disallow_acc_multi_buffer")) bounds.attributes.push_back({"tt.disallow_acc_multi_buffer", context.unit()});
  if (flag("flatten")) bounds.attributes.push_back({"tt.flatten", context.unit()});
  number("loop_unroll_factor", "tt.loop_unroll_factor");
  number("num_stages", "tt.num_stages");
  if (flag("disable_licm")) bounds.attributes.push_back({"llvm.loop_annotation", no_loop_motion(context)});
  if (flag("warp_specialize")) bounds.attributes.push_back({"tt.warp_specialize", context.unit()});
}

std::optional<LoopBounds> loop_bounds(LoweringContext& in, const ast::Call& iterator, const std::string& kind,
                                      const std::vector<Value>& arguments, const KeywordArguments& keywords) {
  LoopBounds bounds;
  std::vector<Value> all = arguments;
  if (kind == "tl.range") {
    const Value* end = keyword(keywords, "arg2");
    if (all.empty() && keyword(keywords, "arg1") != nullptr) all.push_back(*keyword(keywords, "arg1"));
    if (all.size() == 1 && end != nullptr) all.push_back(*end);
    constexpr std::array<std::string_view, 6> kOptions{"num_stages", "loop_unroll_factor", "disallow_acc_multi_buffer",
                                                       "flatten",    "warp_specialize",    "disable_licm"};
    KeywordArguments options = keywords;
    for (std::size_t i = 3; i < all.size() && i - 3 < kOptions.size(); ++i)
      options.emplace_back(kOptions[i - 3], all[i]);
    if (all.size() <= 3 + kOptions.size()) all.resize(std::min<std::size_t>(all.size(), 3));
    loop_attributes(in, options, bounds);
  }
  if (all.empty() || all.size() > 3) {
    in.report.error(codes::kArguments, fmt::format("{} got {} positional arguments", kind, all.size()));
    return std::nullopt;
  }
  const bool from_zero = all.size() == 1;
  bounds.low = from_zero ? Value(Constant::integer(0)) : all[0];
  // Python's range with one argument: Triton visits that argument twice.
  bounds.high = from_zero ? (kind == "range" ? in.visit(*iterator.args.front()) : all[0]) : all[1];
  bounds.step = all.size() > 2 ? all[2] : Value(Constant::integer(1));
  if (const Value* step = keyword(keywords, "step")) bounds.step = *step;
  if (bounds.step.is_none()) bounds.step = Value(Constant::integer(1));
  if (bounds.high.is_invalid() || bounds.step.is_invalid()) return std::nullopt;
  return bounds;
}

void emit_for(LoweringContext& in, const ast::For& node, const std::string& target,
              const std::vector<ir::Value*>& bounds, bool negative, const DType& type, ir::Value* placeholder,
              const std::vector<ir::NamedAttribute>& attributes) {
  SubRegion region = enter_sub_region(in);
  const Location here = in.emit.location();
  const std::optional<LoopCarries> carries = find_carries(in, node, node.body, region.live_in, target);
  if (!carries) return in.stop();
  in.emit.to_end(*region.block);
  in.emit.set_location(here);
  std::vector<ir::Value*> operands = bounds;
  operands.insert(operands.end(), carries->inits.begin(), carries->inits.end());
  std::vector<ir::Type> types;
  for (const ir::Value* init : carries->inits) types.push_back(init->type());
  ir::Op* op = in.emit.create("scf.for", operands, types, attributes);
  ir::Block& body = op->region().add_block();
  ir::Value* counter = body.add_argument(bounds[0]->type(), op->location());
  std::vector<ir::Value*> block_values;
  for (const ir::Type value_type : types) block_values.push_back(body.add_argument(value_type, op->location()));
  ++in.loop_depth;
  in.emit.to_start(body);
  bind_carries(in, *carries, block_values);
  in.visit_body(node.body);
  --in.loop_depth;
  if (in.stopped() || in.report.count() > 0) return in.stop();
  std::vector<ir::Value*> yielded;
  for (const std::string& name : carries->names) flatten(*in.scope.find(name), yielded);
  in.emit.create("scf.yield", yielded, {});
  in.emit.to_start(body);
  ir::Value* induction = counter;
  if (negative) {
    induction = in.emit.value("arith.subi", {bounds[1], counter}, counter->type());
    induction = in.emit.value("arith.addi", {induction, bounds[0]}, counter->type());
  }
  placeholder->replace_all_uses_with(induction);
  in.set_value(target, Tensor{induction, {type, {}}});
  in.emit.name_value(induction, target);
  leave_sub_region(in, std::move(region));
  std::vector<ir::Value*> results;
  for (std::size_t i = 0; i < op->result_count(); ++i) results.push_back(op->result(i));
  bind_carries(in, *carries, results);
}

void lower_dynamic_for(LoweringContext& in, const ast::For& node, LoopBounds bounds) {
  const std::string& target = node.target->as<ast::Name>()->id;
  const bool negative = is_negative(bounds.step);
  if (negative) {
    const ConstantResult positive = apply(ast::UnaryOperator::USub, *bounds.step.constant());
    bounds.step = Value(*positive);
    std::swap(bounds.low, bounds.high);
  }
  std::vector<Tensor> tensors;
  for (const Value* bound : {&bounds.low, &bounds.high, &bounds.step}) {
    tensors.push_back(semantics::to_tensor(in.builder, *bound));
    if (!tensors.back()) return;
  }
  for (const Tensor& tensor : tensors) {
    if (tensor.element().is_int() && !tensor.is_block()) continue;
    in.report.error(codes::kControlFlow, fmt::format("the bounds and step of a loop must be scalar integers, not {}",
                                                     tensor.type.to_string()));
    return;
  }
  const DType type = semantics::promote_integers(
      semantics::promote_integers(tensors[0].element(), tensors[1].element()), tensors[2].element());
  const ir::Type lowered = to_ir(in.emit.context(), type);
  std::vector<ir::Value*> handles;
  for (const Tensor& tensor : tensors) {
    const int difference = type.bit_width() - tensor.element().bit_width();
    const std::string_view op = difference == 0    ? "arith.bitcast"
                                : difference < 0   ? "arith.trunci"
                                : type.is_signed() ? "arith.extsi"
                                                   : "arith.extui";
    handles.push_back(in.emit.value(op, {tensor.handle}, lowered));
  }
  ir::Value* placeholder = in.emit.value("ub.poison", {}, lowered);
  in.set_value(target, Tensor{placeholder, {type, {}}});
  emit_for(in, node, target, handles, negative, type, placeholder, bounds.attributes);
}

}  // namespace

void lower_for(LoweringContext& in, const ast::For& node) {
  const auto* call = node.iter->as<ast::Call>();
  if (node.is_marked() || !node.target->is<ast::Name>()) {
    in.unsupported_node(node.is_marked() ? static_cast<const ast::Node&>(node) : *node.target);
    return;
  }
  const Value iterator = call != nullptr ? in.visit(*call->func) : Value();
  if (call != nullptr && iterator.is_invalid()) return;
  const std::string kind = iterator.host_function() != nullptr ? iterator.host_function()->name : "";
  if (kind != "range" && kind != "tl.range" && kind != "tl.static_range") {
    in.report.set_here(node.iter->range);
    in.report.error(codes::kControlFlow, "only `range`, `tl.range` and `tl.static_range` can be iterated over",
                    "to go through a tuple, index it in a tl.static_range loop");
    return;
  }
  std::vector<Value> arguments;
  for (const ast::ExprPtr& argument : call->args) arguments.push_back(in.visit(*argument));
  KeywordArguments keywords;
  for (const auto& item : call->keywords) {
    in.place(*item);
    const Location here = in.emit.location();
    keywords.emplace_back(item->arg.value_or("**"), in.visit(*item->value));
    in.emit.set_location(here);
  }
  in.report.set_here(node.iter->range);
  if (std::any_of(arguments.begin(), arguments.end(), [](const Value& value) { return value.is_invalid(); })) return;
  const std::string unknown = kind == "range" ? "" : unknown_keyword(kind, keywords);
  if (!unknown.empty())
    return in.report.error(codes::kArguments, fmt::format("{} got an unexpected keyword argument '{}'", kind, unknown));
  if (kind == "range" && !arguments.empty() && (!keywords.empty() || arguments.size() > 3)) {
    in.report.warn(
        codes::kArguments, "Triton passes over what range takes neither as start nor as stop or step",
        "Python's range takes three arguments and no keywords; tl.range takes step=, num_stages= and others");
    keywords.clear();
    arguments.resize(std::min<std::size_t>(arguments.size(), 3));
  }
  if (kind == "tl.static_range") return lower_static_range(in, node, arguments, keywords);
  std::optional<LoopBounds> bounds = loop_bounds(in, *call, kind, arguments, keywords);
  if (!bounds) return;
  if (!node.orelse.empty()) {
    in.report.error(codes::kControlFlow, "a run-time loop has no else");
    return;
  }
  lower_dynamic_for(in, node, std::move(*bounds));
}

void lower_while(LoweringContext& in, const ast::While& node) {
  if (!node.orelse.empty()) {
    in.report.error(codes::kControlFlow, "a while loop has no else in triton");
    return;
  }
  SubRegion region = enter_sub_region(in);
  const Location here = in.emit.location();
  const std::optional<LoopCarries> carries = find_carries(in, node, node.body, region.live_in, "");
  if (!carries) return in.stop();
  in.emit.to_end(*region.block);
  in.emit.set_location(here);
  std::vector<ir::Type> types;
  for (const ir::Value* init : carries->inits) types.push_back(init->type());
  ir::Op* op = in.emit.create("scf.while", carries->inits, types);
  const auto add_block = [&](std::size_t index, std::vector<ir::Value*>& values) {
    ir::Block& block = op->region(index).add_block();
    for (const ir::Type type : types) values.push_back(block.add_argument(type));
    in.emit.to_start(block);
    bind_carries(in, *carries, values);
    return &block;
  };
  std::vector<ir::Value*> before_values;
  ir::Block* before = add_block(0, before_values);
  Value test = in.visit(*node.test);
  in.report.set_here(node.test->range);
  if (test.record() != nullptr && test.record()->type == kCondition && !test.is_constexpr()) {
    if (truth(*field_of(test, "disable_licm")).value_or(true))  // any object is true
      op->set_attribute("llvm.loop_annotation", no_loop_motion(in.emit.context()));
    test = Value(*field_of(test, "arg1"));
  }
  if (test.is_invalid() || !is_plain_condition(in, test)) return in.stop();
  const Tensor* condition = test.tensor();
  if (condition == nullptr || !condition->element().is_bool() || condition->is_block()) {
    in.report.error(
        codes::kControlFlow,
        fmt::format("the condition of a while loop must be a scalar run-time bool, not {}", describe(test)),
        condition == nullptr ? "a loop that is not left by its condition is not supported" : "compare it: x != 0");
    return in.stop();
  }
  in.emit.to_end(*before);
  std::vector<ir::Value*> operands{condition->handle};
  operands.insert(operands.end(), before_values.begin(), before_values.end());
  in.emit.create("scf.condition", operands, {});
  std::vector<ir::Value*> after_values;
  add_block(1, after_values);
  ++in.loop_depth;
  in.visit_body(node.body);
  --in.loop_depth;
  if (in.stopped() || in.report.count() > 0) return in.stop();
  std::vector<ir::Value*> yielded;
  for (const std::string& name : carries->names) flatten(*in.scope.find(name), yielded);
  in.emit.create("scf.yield", yielded, {});
  leave_sub_region(in, std::move(region));
  std::vector<ir::Value*> results;
  for (std::size_t i = 0; i < op->result_count(); ++i) results.push_back(op->result(i));
  bind_carries(in, *carries, results);
}

}  // namespace lockstep::frontend
