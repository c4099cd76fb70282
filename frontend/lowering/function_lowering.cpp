// A function instance from signature to terminator.
#include "frontend/lowering/function_lowering.h"

#include <fmt/format.h>

#include "frontend/eval/constexpr_function.h"
#include "frontend/lowering/call_arguments.h"
#include "frontend/lowering/lower_expression.h"
#include "frontend/lowering/lower_statement.h"
#include "frontend/lowering/mangle.h"
#include "frontend/semantics/value_parts.h"
#include "ir/op_registry.h"
#include "support/check.h"

namespace lockstep::frontend {

namespace {

/// The parameter whose name Triton gives the value of parameter i: it pairs the ordinary ones with the first values,
/// which belong to others if there are positional-only ones. Null: the value gets no name.
const Parameter* named_by(const LoweringContext& in, std::size_t i) {
  const std::size_t place = i + in.function.node->args->posonlyargs.size();
  const bool is_ordinary =
      place < in.function.parameters.size() && in.function.parameters[place].kind == ParameterKind::ordinary;
  return is_ordinary ? &in.function.parameters[place] : nullptr;
}

std::vector<Value> create_function(LoweringContext& in, const std::vector<Value>& arguments,
                                   const std::vector<std::int64_t>& divisibility) {
  ir::Context& context = in.emit.context();
  std::vector<ir::Type> inputs;
  for (const Value& argument : arguments) flatten_types(context, argument, inputs);
  in.emit.builder().set_insertion_point_to_end(in.compilation.module.body());
  in.op = in.emit.create("tt.func", {}, {},
                         {{"sym_name", context.string(in.symbol)},
                          {"function_type", context.type_attribute(context.function(inputs, {}))},
                          {"sym_visibility", context.string(in.is_kernel ? "public" : "private")},
                          {"noinline", context.boolean(in.function.noinline)}});
  if (in.partition_warps > 0) in.op->set_attribute("ttg.num-warps", context.i32(in.partition_warps));
  if (in.is_kernel) in.compilation.module.op().set_location(in.op->location());
  ir::Block& entry = in.op->region().add_block();
  std::vector<ir::Value*> handles;
  for (const ir::Type type : inputs) handles.push_back(entry.add_argument(type, in.op->location()));
  std::size_t cursor = 0;
  std::vector<Value> bound;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::size_t first = cursor;
    bound.push_back(arguments[i].is_raw() ? Value(Constant()) : rebuild(arguments[i], handles, cursor));
    // Triton wraps a function argument: it is callable, but not a function for builtins.
    if (bound.back().jit() != nullptr) bound.back() = bound.back().as_constexpr();
    for (std::size_t k = first; k < cursor; ++k) {
      if (const Parameter* named = named_by(in, i)) in.emit.name_value(handles[k], named->name);
      if (k < divisibility.size() && divisibility[k] != 0)
        ir::set_argument_attribute(context, *in.op, k, "tt.divisibility", context.i32(divisibility[k]));
    }
  }
  in.emit.to_start(entry);
  return bound;
}

void finish_function(LoweringContext& in) {
  ir::Context& context = in.emit.context();
  Compilation::Function& entry = in.compilation.functions[in.symbol];
  entry.op = in.op;
  entry.result = in.result.value_or(Value::raw_none());
  std::vector<ir::Value*> handles;
  std::vector<ir::Type> types;
  for (const ir::Value* handle : flatten(entry.result)) types.push_back(handle->type());
  for (const ir::Type type : types) handles.push_back(in.emit.value("ub.poison", {}, type));
  if (!types.empty()) {
    const ir::Type old = ir::function_type(*in.op);
    in.op->set_attribute("function_type", context.type_attribute(context.function(old.inputs(), types)));
  }
  in.emit.create("tt.return", handles, {});
  entry.is_complete = true;
}

void bind_parameters(LoweringContext& in, const std::vector<Value>& bound) {
  // Parameters with defaults come first in the order of names, from the last to the first: Triton binds their defaults
  // so.
  for (std::size_t i = in.function.parameters.size(); i-- > 0;) {
    const Parameter& parameter = in.function.parameters[i];
    if (parameter.default_value != nullptr && parameter.kind == ParameterKind::ordinary)
      in.scope.set(parameter.name, Value());
  }
  for (std::size_t i = 0; i < bound.size(); ++i) {
    const Parameter* named = named_by(in, i);
    if (named == nullptr) continue;
    in.set_value(named->name, bound[i]);
    if (named == &in.function.parameters[i]) continue;
    in.report.set_here(named->range);
    in.report.warn(codes::kArguments,
                   fmt::format("Triton 3.6 gives '{}' the value of '{}'", named->name, in.function.parameters[i].name),
                   "leave out the '/': with positional-only parameters, names get the values of others");
  }
}

bool check_parameters(LoweringContext& in) {
  for (const Parameter& parameter : in.function.parameters) {
    if (!parameter.is_constexpr || parameter.kind != ParameterKind::ordinary) continue;
    if (!parameter.do_not_specialize && !parameter.do_not_specialize_on_alignment) continue;
    in.report.set_here(parameter.range);
    in.report.error(codes::kSpecialisation,
                    fmt::format("'{}' is a tl.constexpr and is listed in do_not_specialize", parameter.name),
                    "a constexpr is always a specialisation: remove one of the two");
    return false;
  }
  return true;
}

Value emit_call(LoweringContext& in, Compilation::Function& function, const std::string& symbol,
                const std::vector<Value>& arguments) {
  std::vector<ir::Type> types;
  for (const ir::Value* handle : flatten(function.result)) types.push_back(handle->type());
  ir::Op* op = in.emit.create("tt.call", flatten(Value::tuple(arguments)), types,
                              {{"callee", in.emit.context().symbol(symbol)}});
  std::vector<ir::Value*> results;
  for (std::size_t i = 0; i < op->result_count(); ++i) results.push_back(op->result(i));
  std::size_t cursor = 0;
  return rebuild(function.result, results, cursor);
}

}  // namespace

Value FunctionLowering::visit(const ast::Expr& node) { return lower_expression(*this, node); }

void FunctionLowering::visit_body(const ast::Body& body) { lower_statements(*this, body); }

bool FunctionLowering::run(const std::vector<Value>& arguments, const std::vector<std::int64_t>& divisibility) {
  LOCKSTEP_CHECK(arguments.size() == function.parameters.size(),
                 "arguments do not match the parameters of " + function.name);
  if (!check_parameters(*this)) return false;
  emit.set_position(function.module->file()->position(function.node->range.begin).line, 0);
  const std::vector<Value> bound = create_function(*this, arguments, divisibility);
  bind_parameters(*this, bound);
  visit_body(function.node->body);
  if (report.count() > 0 || has_stopped) return false;
  finish_function(*this);
  return true;
}

Value FunctionLowering::call_function(const JitFunction& callee, std::vector<Value> positional,
                                      const KeywordArguments& keywords) {
  if (callee.is_constexpr_function || callee.is_plain_python)
    return checked(run_constexpr_function(compilation.modules, callee, positional, keywords));
  if (!bind_call(*this, callee, positional, keywords)) return {};
  const std::string name = mangle(callee, positional, partition_warps);
  const auto [entry, is_new] = compilation.functions.try_emplace(name);
  if (!is_new && entry->second.failed) {
    report.note_failure();
    return {};
  }
  if (!is_new && !entry->second.is_complete) {
    report.error(codes::kRecursion, fmt::format("{}() calls itself with the same types and constants", callee.name),
                 "recursion must end at compile time, by a constexpr argument");
    return {};
  }
  if (is_new) {
    if (compilation.depth >= Compilation::kMaxCallDepth || compilation.functions.size() > Compilation::kMaxFunctions) {
      report.error(codes::kRecursion, fmt::format("calls are nested too deeply at {}()", callee.name));
      entry->second.failed = true;
      return {};
    }
    std::vector<DiagnosticNote> chain{{fmt::format("called from here, in {}()", function.name), report.span()}};
    chain.insert(chain.end(), report.call_chain().begin(), report.call_chain().end());
    ++compilation.depth;
    FunctionLowering lowering(compilation, callee, name, false, std::move(chain));
    lowering.partition_warps = partition_warps;
    lowering.builder.set_warps(partition_warps);
    const bool fine = lowering.run(positional);
    --compilation.depth;
    if (!fine) {
      entry->second.failed = true;
      report.note_failure();
      return {};
    }
  }
  return emit_call(*this, compilation.functions[name], name, positional);
}

Value FunctionLowering::call_in_partition(const JitFunction& callee, std::vector<Value> positional, int warps) {
  const int outer = partition_warps;
  if (warps > 0) partition_warps = warps;
  const Value result = call_function(callee, std::move(positional), {});
  partition_warps = outer;
  return result;
}

}  // namespace lockstep::frontend
