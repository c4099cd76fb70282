// if statements and conditional expressions.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "frontend/lowering/detached_block.h"
#include "frontend/lowering/function_lowering.h"
#include "ir/op_registry.h"

namespace lockstep::frontend {

namespace {

/// The first `return` in the statements, nested ones included, that leaves the function early; null if there is none.
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

}  // namespace

FunctionLowering::SubRegion FunctionLowering::enter_sub_region() {
  SubRegion region{scope_, definitions_, emit_.block()};
  definitions_.clear();
  return region;
}

void FunctionLowering::leave_sub_region(SubRegion&& region) {
  emit_.to_end(*region.block);
  const ir::Op* owner = region.block->parent_op();
  emit_.set_location(owner != nullptr ? owner->location() : Location());
  scope_ = std::move(region.live_in);
  definitions_ = std::move(region.previous_definitions);
}

/// False, and reported, for a tensor in a constexpr, which Triton does not look into here.
bool FunctionLowering::is_plain_condition(const Value& test) {
  if (!test.is_wrapped_tensor()) return true;
  report_.error(codes::kControlFlow,
                fmt::format("the condition is {}, which was annotated tl.constexpr", test.describe()),
                std::string(kLeaveAnnotationOut));
  return false;
}

void FunctionLowering::visit_if(const ast::If& node) {
  const Value test = visit(*node.test);
  report_.set_here(node.test->range);
  if (test.is_invalid() || !is_plain_condition(test)) return;
  if (const Tensor* tensor = test.tensor()) {
    if (tensor->type.numel() != 1) {
      report_.error(codes::kControlFlow,
                    fmt::format("the condition of an if must be a single value, not {}", tensor->type.to_string()),
                    "use tl.where, or reduce the block first: tl.max(mask.to(tl.int32)) > 0");
      return;
    }
    const Tensor scalar = tensor->is_block() ? semantics::unsplat(builder_, *tensor) : *tensor;
    const Tensor condition = semantics::cast(builder_, scalar, DType(Scalar::int1));
    if (!condition) return;
    const ast::Stmt* early = find_return(node.body, node.orelse);
    if (early == nullptr) return visit_if_structured(condition, node);
    if (loop_depth_ > 0) {
      report_.error_with_note(codes::kControlFlow,
                              "cannot have `return` statements inside `while` or `for` statements in triton",
                              "keep the result in a variable, and return it after the loop",
                              {"the return", {function_.module->file(), early->range}});
      return;
    }
    return visit_if_blocks(condition, node);
  }
  const Constant* constant = test.constant();
  if (constant == nullptr || (!constant->is_integral() && !constant->is_none())) {
    report_.error(codes::kControlFlow,
                  fmt::format("the condition of an if can be a bool, an int or None, not {}", test.describe()),
                  "compare it, for example with == or is not None");
    return;
  }
  visit_body(constant->truth() ? node.body : node.orelse);
}

FunctionLowering::Branch FunctionLowering::visit_branch(const ast::Body& body, ir::Block& block) {
  emit_.to_start(block);
  visit_body(body);
  return {definitions_, scope_, emit_.block()};
}

bool FunctionLowering::same_branch_type(const std::string& name, const Value& a, std::string_view a_where,
                                        const Value& b, std::string_view b_where) {
  if (a.is_invalid() || b.is_invalid()) return true;
  const bool carried = a.is_triton_value();
  if (carried && same_type(a, b) && !a.is_raw() && !a.is_dtype()) return true;
  report_.error(codes::kBranchTypes,
                fmt::format("'{}' is {} {}, but {} {}", name, a.describe(), a_where, b.describe(), b_where),
                "cast one side so that both branches give the same type and shape");
  return false;
}

bool FunctionLowering::merge_branches(const Scope& live_in, Branch& then_branch, Branch& else_branch,
                                      std::vector<std::string>& names) {
  for (const auto& [name, before] : live_in.entries()) {
    if (!before.is_triton_value()) continue;
    const Value& then_value = *then_branch.values.find(name);
    const Value& else_value = *else_branch.values.find(name);
    if (flatten(then_value) == flatten(else_value)) continue;
    then_branch.definitions.set(name, then_value);
    else_branch.definitions.set(name, else_value);
    names.push_back(name);
    if (!same_branch_type(name, before, "before the if", then_value, "after its first branch") ||
        !same_branch_type(name, before, "before the if", else_value, "after its else branch")) {
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
    if (!same_branch_type(name, *then_branch.definitions.find(name), "in the first branch",
                          *else_branch.definitions.find(name), "in the else branch"))
      return false;
    names.push_back(name);
  }
  return true;
}

void FunctionLowering::visit_if_blocks(const Tensor& condition, const ast::If& node) {
  SubRegion region = enter_sub_region();
  ir::Region& body = op_->region();
  ir::Block& then_block = body.add_block();
  ir::Block& else_block = body.add_block();
  emit_.to_end(*region.block);
  ir::Op* jump = region.block->append(ir::Op::create(emit_.context().ops().row("cf.cond_br"), emit_.location()));
  jump->add_operand(condition.handle);
  jump->add_successor(&then_block, {});
  jump->add_successor(&else_block, {});
  Branch then_branch = visit_branch(node.body, then_block);
  Branch else_branch{{}, region.live_in, &else_block};
  if (!node.orelse.empty()) {
    scope_ = region.live_in;
    definitions_.clear();
    else_branch = visit_branch(node.orelse, else_block);
  }
  std::vector<std::string> names;
  report_.set_here(node.range);
  if (stopped() || !merge_branches(region.live_in, then_branch, else_branch, names)) return stop();
  ir::Block& after = body.add_block();
  std::vector<Value> types;
  for (const std::string& name : names) types.push_back(*then_branch.definitions.find(name));
  for (Branch* branch : {&then_branch, &else_branch}) {
    emit_.to_end(*branch->last_block);
    std::vector<ir::Value*> values;
    for (const std::string& name : names) flatten(*branch->definitions.find(name), values);
    std::unique_ptr<ir::Op> op = ir::Op::create(emit_.context().ops().row("cf.br"), emit_.location());
    op->add_successor(&after, values);
    branch->last_block->append(std::move(op));
  }
  for (const ir::Value* handle : flatten(Value::tuple(types))) after.add_argument(handle->type());
  leave_sub_region(std::move(region));
  emit_.to_start(after);
  std::vector<ir::Value*> results;
  for (const auto& argument : after.arguments()) results.push_back(argument.get());
  std::size_t cursor = 0;
  for (std::size_t i = 0; i < names.size(); ++i) set_value(names[i], rebuild(types[i], results, cursor));
}

/// Names the first values, one name each, though a tuple has several values: so does Triton.
void FunctionLowering::name_values(const std::vector<ir::Value*>& values, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < std::min(values.size(), names.size()); ++i) emit_.name_value(values[i], names[i]);
}

void FunctionLowering::visit_if_structured(const Tensor& condition, const ast::If& node) {
  SubRegion region = enter_sub_region();
  const Location here = emit_.location();
  DetachedBlock then_block;
  DetachedBlock else_block;
  Branch then_branch = visit_branch(node.body, then_block.block());
  Branch else_branch{{}, region.live_in, &else_block.block()};
  if (!node.orelse.empty()) {
    scope_ = region.live_in;
    definitions_.clear();
    else_branch = visit_branch(node.orelse, else_block.block());
  }
  std::vector<std::string> names;
  report_.set_here(node.range);
  if (stopped() || !merge_branches(region.live_in, then_branch, else_branch, names)) return stop();
  std::vector<Value> types;
  for (const std::string& name : names) types.push_back(*then_branch.definitions.find(name));
  const std::vector<ir::Value*> then_values = flatten(Value::tuple(types));
  name_values(then_values, names);
  std::vector<ir::Type> result_types;
  for (const ir::Value* value : then_values) result_types.push_back(value->type());
  emit_.to_end(*region.block);
  emit_.set_location(here);
  ir::Op* op = emit_.create("scf.if", {condition.handle}, result_types);
  const std::array<Branch*, 2> branches{&then_branch, &else_branch};
  const std::array<DetachedBlock*, 2> blocks{&then_block, &else_block};
  for (std::size_t i = 0; i < 2; ++i) {
    ir::Block& target = op->region(i).add_block();
    blocks[i]->move_to(target);
    emit_.to_end(target);
    std::vector<ir::Value*> values;
    for (const std::string& name : names) flatten(*branches[i]->definitions.find(name), values);
    if (i == 1) name_values(values, names);
    if (names.empty()) emit_.set_location(here);
    emit_.create("scf.yield", values, {});
  }
  leave_sub_region(std::move(region));
  std::vector<ir::Value*> results;
  for (std::size_t i = 0; i < op->result_count(); ++i) results.push_back(op->result(i));
  std::size_t cursor = 0;
  for (std::size_t i = 0; i < names.size(); ++i) set_value(names[i], rebuild(types[i], results, cursor));
}

Value FunctionLowering::visit_if_expression(const ast::IfExp& node) {
  const Value test = visit(*node.test);
  if (test.is_invalid()) return {};
  if (const Tensor* tensor = test.tensor()) {
    report_.set_here(node.test->range);
    if (!is_plain_condition(test)) return {};
    if (tensor->is_block()) {
      report_.error(codes::kControlFlow,
                    fmt::format("the condition of a conditional expression must be a single value, not {}",
                                tensor->type.to_string()),
                    "use tl.where");
      return {};
    }
    return visit_dynamic_choice(semantics::cast(builder_, *tensor, DType(Scalar::int1)), node);
  }
  const Constant* constant = test.constant();
  if (constant == nullptr || (!constant->is_integral() && !constant->is_none())) {
    report_.set_here(node.test->range);
    report_.error(codes::kControlFlow,
                  fmt::format("the condition can be a bool, an int or None, not {}", test.describe()),
                  "compare it, for example with == or is not None");
    return {};
  }
  return visit(constant->truth() ? *node.body : *node.orelse);
}

Value FunctionLowering::visit_dynamic_choice(const Tensor& condition, const ast::IfExp& node) {
  if (!condition) return {};
  SubRegion region = enter_sub_region();
  const Location here = emit_.location();
  DetachedBlock then_block;
  DetachedBlock else_block;
  emit_.to_start(then_block.block());
  const Value then_value = visit(*node.body);
  const bool first_is_nothing = is_no_result(then_value);
  const Tensor first = first_is_nothing ? Tensor{} : semantics::to_tensor(builder_, then_value);
  emit_.to_start(else_block.block());
  const Value else_value = visit(*node.orelse);
  const bool is_nothing = first_is_nothing && is_no_result(else_value);
  const Tensor second = is_nothing ? Tensor{} : semantics::to_tensor(builder_, else_value);
  emit_.to_end(*region.block);
  emit_.set_location(here);
  report_.set_here(node.range);
  Value result = is_nothing ? then_value : Value();
  if (first && second && !(first.type == second.type)) {
    report_.error(
        codes::kBranchTypes,
        fmt::format("a conditional expression gives {} or {}", first.type.to_string(), second.type.to_string()),
        "with a run-time condition both sides need the same type and shape");
  } else if ((first && second) || is_nothing) {
    const std::vector<ir::Type> types = is_nothing ? std::vector<ir::Type>{} : std::vector{first.handle->type()};
    ir::Op* op = emit_.create("scf.if", {condition.handle}, types);
    const std::array<std::pair<DetachedBlock*, ir::Value*>, 2> sides{
        {{&then_block, first.handle}, {&else_block, second.handle}}};
    for (std::size_t i = 0; i < 2; ++i) {
      ir::Block& target = op->region(i).add_block();
      sides[i].first->move_to(target);
      emit_.to_end(target);
      emit_.create("scf.yield", is_nothing ? std::vector<ir::Value*>{} : std::vector{sides[i].second}, {});
    }
    if (!is_nothing) result = Tensor{op->result(), first.type};
  } else if (first_is_nothing && !else_value.is_invalid()) {
    report_.error(codes::kBranchTypes,
                  fmt::format("a conditional expression gives {} or {}", then_value.describe(), else_value.describe()));
  }
  leave_sub_region(std::move(region));
  return result;
}

}  // namespace lockstep::frontend
