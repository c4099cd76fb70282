// if statements and conditional expressions.
#include "frontend/lowering/lower_if.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "frontend/lowering/call_builtin.h"
#include "frontend/lowering/control_flow.h"
#include "frontend/lowering/detached_block.h"
#include "frontend/semantics/value_parts.h"
#include "frontend/semantics/value_text.h"
#include "ir/op_registry.h"

namespace lockstep::frontend {

namespace {

struct Branch {
  Scope definitions, values;
  ir::Block* last_block = nullptr;
};

/// The first `return` in the statements, including nested ones, that leaves the function early; null if there is none.
const ast::Stmt* find_return(const ast::Body& body);

const ast::Stmt* find_return(const ast::Body& first, const ast::Body& second) {
  const ast::Stmt* found = find_return(first);
  return found != nullptr ? found : find_return(second);
}

const ast::Stmt* find_return(const ast::Body& body) {
  for (const ast::StmtPtr& statement : body) {
    const ast::Stmt* found = statement->is<ast::Return>() ? statement.get() : nullptr;
    if (const auto* branch = statement->as<ast::If>()) found = find_return(branch->body, branch->orelse);
    if (const auto* loop = statement->as<ast::For>()) found = find_return(loop->body, loop->orelse);
    if (const auto* loop = statement->as<ast::While>()) found = find_return(loop->body, loop->orelse);
    if (const auto* with = statement->as<ast::With>()) found = find_return(with->body);
    if (found != nullptr) return found;
  }
  return nullptr;
}

Branch lower_branch(LoweringContext& in, const ast::Body& body, ir::Block& block) {
  in.emit.to_start(block);
  in.visit_body(body);
  return {in.definitions, in.scope, in.emit.block()};
}

bool same_branch_type(LoweringContext& in, const std::string& name, const Value& a, std::string_view a_where,
                      const Value& b, std::string_view b_where) {
  if (a.is_invalid() || b.is_invalid()) return true;
  const bool carried = is_triton_value(a);
  if (carried && same_type(a, b) && !a.is_raw() && !a.is_dtype()) return true;
  in.report.error(codes::kBranchTypes,
                  fmt::format("'{}' is {} {}, but {} {}", name, describe(a), a_where, describe(b), b_where),
                  "cast one side so that both branches give the same type and shape");
  return false;
}

bool merge_branches(LoweringContext& in, const Scope& live_in, Branch& then_branch, Branch& else_branch,
                    std::vector<std::string>& names) {
  for (const auto& [name, before] : live_in.entries()) {
    if (!is_triton_value(before)) continue;
    const Value& then_value = *then_branch.values.find(name);
    const Value& else_value = *else_branch.values.find(name);
    if (flatten(then_value) == flatten(else_value)) continue;
    then_branch.definitions.set(name, then_value);
    else_branch.definitions.set(name, else_value);
    names.push_back(name);
    if (!same_branch_type(in, name, before, "before the if", then_value, "after its first branch") ||
        !same_branch_type(in, name, before, "before the if", else_value, "after its else branch")) {
      return false;
    }
  }
  std::vector<std::string> both;
  for (const auto& [name, value] : then_branch.definitions.entries()) {
    if (else_branch.definitions.contains(name) && std::find(names.begin(), names.end(), name) == names.end())
      both.push_back(name);
  }
  std::sort(both.begin(), both.end());
  for (const std::string& name : both) {
    if (!same_branch_type(in, name, *then_branch.definitions.find(name), "in the first branch",
                          *else_branch.definitions.find(name), "in the else branch"))
      return false;
    names.push_back(name);
  }
  return true;
}

void lower_if_blocks(LoweringContext& in, const Tensor& condition, const ast::If& node) {
  SubRegion region = enter_sub_region(in);
  ir::Region& body = in.op->region();
  ir::Block& then_block = body.add_block();
  ir::Block& else_block = body.add_block();
  in.emit.to_end(*region.block);
  ir::Op* jump = region.block->append(ir::Op::create(in.emit.context().ops().row("cf.cond_br"), in.emit.location()));
  jump->add_operand(condition.handle);
  jump->add_successor(&then_block, {});
  jump->add_successor(&else_block, {});
  Branch then_branch = lower_branch(in, node.body, then_block);
  Branch else_branch{{}, region.live_in, &else_block};
  if (!node.orelse.empty()) {
    in.scope = region.live_in;
    in.definitions.clear();
    else_branch = lower_branch(in, node.orelse, else_block);
  }
  std::vector<std::string> names;
  in.report.set_here(node.range);
  if (in.stopped() || !merge_branches(in, region.live_in, then_branch, else_branch, names)) return in.stop();
  ir::Block& after = body.add_block();
  std::vector<Value> types;
  for (const std::string& name : names) types.push_back(*then_branch.definitions.find(name));
  for (Branch* branch : {&then_branch, &else_branch}) {
    in.emit.to_end(*branch->last_block);
    std::vector<ir::Value*> values;
    for (const std::string& name : names) flatten(*branch->definitions.find(name), values);
    std::unique_ptr<ir::Op> op = ir::Op::create(in.emit.context().ops().row("cf.br"), in.emit.location());
    op->add_successor(&after, values);
    branch->last_block->append(std::move(op));
  }
  for (const ir::Value* handle : flatten(Value::tuple(types))) after.add_argument(handle->type());
  leave_sub_region(in, std::move(region));
  in.emit.to_start(after);
  std::vector<ir::Value*> results;
  for (const auto& argument : after.arguments()) results.push_back(argument.get());
  std::size_t cursor = 0;
  for (std::size_t i = 0; i < names.size(); ++i) in.set_value(names[i], rebuild(types[i], results, cursor));
}

/// Names the first values, one name each, though a tuple has several values, as Triton does.
void name_values(LoweringContext& in, const std::vector<ir::Value*>& values, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < std::min(values.size(), names.size()); ++i) in.emit.name_value(values[i], names[i]);
}

void lower_if_structured(LoweringContext& in, const Tensor& condition, const ast::If& node) {
  SubRegion region = enter_sub_region(in);
  const Location here = in.emit.location();
  DetachedBlock then_block;
  DetachedBlock else_block;
  Branch then_branch = lower_branch(in, node.body, then_block.block());
  Branch else_branch{{}, region.live_in, &else_block.block()};
  if (!node.orelse.empty()) {
    in.scope = region.live_in;
    in.definitions.clear();
    else_branch = lower_branch(in, node.orelse, else_block.block());
  }
  std::vector<std::string> names;
  in.report.set_here(node.range);
  if (in.stopped() || !merge_branches(in, region.live_in, then_branch, else_branch, names)) return in.stop();
  std::vector<Value> types;
  for (const std::string& name : names) types.push_back(*then_branch.definitions.find(name));
  const std::vector<ir::Value*> then_values = flatten(Value::tuple(types));
  name_values(in, then_values, names);
  std::vector<ir::Type> result_types;
  for (const ir::Value* value : then_values) result_types.push_back(value->type());
  in.emit.to_end(*region.block);
  in.emit.set_location(here);
  ir::Op* op = in.emit.create("scf.if", {condition.handle}, result_types);
  const std::array<Branch*, 2> branches{&then_branch, &else_branch};
  const std::array<DetachedBlock*, 2> blocks{&then_block, &else_block};
  for (std::size_t i = 0; i < 2; ++i) {
    ir::Block& target = op->region(i).add_block();
    blocks[i]->move_to(target);
    in.emit.to_end(target);
    std::vector<ir::Value*> values;
    for (const std::string& name : names) flatten(*branches[i]->definitions.find(name), values);
    if (i == 1) name_values(in, values, names);
    if (names.empty()) in.emit.set_location(here);
    in.emit.create("scf.yield", values, {});
  }
  leave_sub_region(in, std::move(region));
  std::vector<ir::Value*> results;
  for (std::size_t i = 0; i < op->result_count(); ++i) results.push_back(op->result(i));
  std::size_t cursor = 0;
  for (std::size_t i = 0; i < names.size(); ++i) in.set_value(names[i], rebuild(types[i], results, cursor));
}

Value lower_dynamic_choice(LoweringContext& in, const Tensor& condition, const ast::IfExp& node) {
  if (!condition) return {};
  SubRegion region = enter_sub_region(in);
  const Location here = in.emit.location();
  DetachedBlock then_block;
  DetachedBlock else_block;
  in.emit.to_start(then_block.block());
  const Value then_value = in.visit(*node.body);
  const bool first_is_nothing = is_no_result(then_value);
  const Tensor first = first_is_nothing ? Tensor{} : semantics::to_tensor(in.builder, then_value);
  in.emit.to_start(else_block.block());
  const Value else_value = in.visit(*node.orelse);
  const bool is_nothing = first_is_nothing && is_no_result(else_value);
  const Tensor second = is_nothing ? Tensor{} : semantics::to_tensor(in.builder, else_value);
  in.emit.to_end(*region.block);
  in.emit.set_location(here);
  in.report.set_here(node.range);
  Value result = is_nothing ? then_value : Value();
  if (first && second && !(first.type == second.type)) {
    in.report.error(
        codes::kBranchTypes,
        fmt::format("a conditional expression gives {} or {}", first.type.to_string(), second.type.to_string()),
        "with a run-time condition both sides need the same type and shape");
  } else if ((first && second) || is_nothing) {
    const std::vector<ir::Type> types = is_nothing ? std::vector<ir::Type>{} : std::vector{first.handle->type()};
    ir::Op* op = in.emit.create("scf.if", {condition.handle}, types);
    const std::array<std::pair<DetachedBlock*, ir::Value*>, 2> sides{
        {{&then_block, first.handle}, {&else_block, second.handle}}};
    for (std::size_t i = 0; i < 2; ++i) {
      ir::Block& target = op->region(i).add_block();
      sides[i].first->move_to(target);
      in.emit.to_end(target);
      in.emit.create("scf.yield", is_nothing ? std::vector<ir::Value*>{} : std::vector{sides[i].second}, {});
    }
    if (!is_nothing) result = Tensor{op->result(), first.type};
  } else if (first_is_nothing && !else_value.is_invalid()) {
    in.report.error(codes::kBranchTypes,
                    fmt::format("a conditional expression gives {} or {}", describe(then_value), describe(else_value)));
  }
  leave_sub_region(in, std::move(region));
  return result;
}

}  // namespace

void lower_if(LoweringContext& in, const ast::If& node) {
  const Value test = in.visit(*node.test);
  in.report.set_here(node.test->range);
  if (test.is_invalid() || !is_plain_condition(in, test)) return;
  if (const Tensor* tensor = test.tensor()) {
    if (tensor->type.numel() != 1) {
      in.report.error(codes::kControlFlow,
                      fmt::format("the condition of an if must be a single value, not {}", tensor->type.to_string()),
                      "use tl.where, or reduce the block first: tl.max(mask.to(tl.int32)) > 0");
      return;
    }
    const Tensor scalar = tensor->is_block() ? semantics::unsplat(in.builder, *tensor) : *tensor;
    const Tensor condition = semantics::cast(in.builder, scalar, DType(Scalar::int1));
    if (!condition) return;
    const ast::Stmt* early = find_return(node.body, node.orelse);
    if (early == nullptr) return lower_if_structured(in, condition, node);
    if (in.loop_depth > 0) {
      in.report.error_with_note(codes::kControlFlow,
                                "cannot have `return` statements inside `while` or `for` statements in triton",
                                "keep the result in a variable, and return it after the loop",
                                {"the return", {in.function.module->file(), early->range}});
      return;
    }
    return lower_if_blocks(in, condition, node);
  }
  const Constant* constant = test.constant();
  if (constant == nullptr || (!constant->is_integral() && !constant->is_none())) {
    in.report.error(codes::kControlFlow,
                    fmt::format("the condition of an if can be a bool, an int or None, not {}", describe(test)),
                    "compare it, for example with == or is not None");
    return;
  }
  in.visit_body(constant->truth() ? node.body : node.orelse);
}

Value lower_if_expression(LoweringContext& in, const ast::IfExp& node) {
  const Value test = in.visit(*node.test);
  if (test.is_invalid()) return {};
  if (const Tensor* tensor = test.tensor()) {
    in.report.set_here(node.test->range);
    if (!is_plain_condition(in, test)) return {};
    if (tensor->is_block()) {
      in.report.error(codes::kControlFlow,
                      fmt::format("the condition of a conditional expression must be a single value, not {}",
                                  tensor->type.to_string()),
                      "use tl.where");
      return {};
    }
    return lower_dynamic_choice(in, semantics::cast(in.builder, *tensor, DType(Scalar::int1)), node);
  }
  const Constant* constant = test.constant();
  if (constant == nullptr || (!constant->is_integral() && !constant->is_none())) {
    in.report.set_here(node.test->range);
    in.report.error(codes::kControlFlow,
                    fmt::format("the condition can be a bool, an int or None, not {}", describe(test)),
                    "compare it, for example with == or is not None");
    return {};
  }
  return in.visit(constant->truth() ? *node.body : *node.orelse);
}

}  // namespace lockstep::frontend
