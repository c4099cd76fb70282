// A function instance from signature to terminator.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "frontend/lowering/function_lowering.h"
#include "support/check.h"

namespace lockstep::frontend {

namespace {

using Path = std::vector<std::size_t>;

std::string path_text(const Path& path) {
  return path.size() == 1 ? fmt::format("({},)", path[0]) : fmt::format("({})", fmt::join(path, ", "));
}

/// A tuple that was annotated tl.constexpr counts as one constant: ['constexpr[32]', 'constexpr[64]'].
std::string constexpr_tuple_text(const std::vector<Value>& elements) {
  std::vector<std::string> texts;
  for (const Value& element : elements) texts.push_back(fmt::format("'constexpr[{}]'", element.str()));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

std::string mangle_type(const Value& value) {
  if (const Tensor* tensor = value.tensor()) return tensor->type.mangle();
  if (const DescriptorValue* descriptor = value.descriptor()) return "TD" + descriptor->block.mangle();
  const AggregateValue* aggregate = value.aggregate();
  const std::vector<Value>* parts = aggregate != nullptr ? aggregate->fields.get() : value.elements();
  if (parts == nullptr) return fmt::format("constexpr_type[{}]", value.str());
  std::vector<std::string> types;
  for (const Value& part : *parts) types.push_back(mangle_type(part));
  if (aggregate == nullptr) return fmt::format("T{}T", fmt::join(types, "_"));
  return fmt::format("{}.{}<{}>", aggregate->type->module->name(), aggregate->type->name, fmt::join(types, ", "));
}

/// Constants of the arguments by path, and the mangled types of the tensors, in order.
void collect(const Value& value, Path& path, std::vector<std::string>& types, std::vector<std::string>& constants) {
  if (const std::vector<Value>* elements = value.elements()) {
    if (value.is_constexpr())
      constants.push_back(path_text(path) + fmt::format("cconstexpr[{}]", constexpr_tuple_text(*elements)));
    for (std::size_t i = 0; !value.is_constexpr() && i < elements->size(); ++i) {
      path.push_back(i);
      collect((*elements)[i], path, types, constants);
      path.pop_back();
    }
    return;
  }
  if (value.tensor() != nullptr || value.descriptor() != nullptr || value.aggregate() != nullptr) {
    types.push_back(mangle_type(value));
  } else {
    constants.push_back(path_text(path) + (value.is_raw() ? "cNone" : fmt::format("cconstexpr[{}]", value.str())));
  }
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace

std::string mangle(const JitFunction& function, const std::vector<Value>& arguments) {
  std::vector<std::string> types;
  std::vector<std::string> constants;
  Path path;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    path.assign(1, i);
    collect(arguments[i], path, types, constants);
  }
  std::string text = fmt::format("{}", fmt::join(constants, "_"));
  text = replaced(replaced(text, ".", "_d_"), "'", "_sq_");
  text = replaced(replaced(text, "[", "_"), "]", "_");
  return fmt::format("{}.{}__{}__{}", function.module->name(), function.qualified_name, fmt::join(types, "_"), text);
}

FunctionLowering::FunctionLowering(Compilation& compilation, const JitFunction& function, std::string symbol,
                                   bool is_kernel, std::vector<DiagnosticNote> call_chain)
    : compilation_(compilation),
      function_(function),
      symbol_(std::move(symbol)),
      is_kernel_(is_kernel),
      report_(compilation.sink, function.module->file(), std::move(call_chain)),
      emit_(compilation.module, function.module->file()->path()),
      builder_(emit_, report_, compilation.options) {
  indentation_ = function.module->file()->position(function.node->range.begin).column - 1;
  report_.set_here(function.node->name_range);
}

void FunctionLowering::place(const ast::Node& node) {
  const LineColumn at = function_.module->file()->position(node.range.begin);
  emit_.set_position(at.line, at.column - 1 >= indentation_ ? at.column - 1 - indentation_ : 0);
}

bool FunctionLowering::stopped() {
  if (stopped_ || compilation_.sink.is_full()) return true;
  const bool too_many = ++compilation_.visits > Compilation::kMaxVisits;
  const bool too_deep = compilation_.nesting > Compilation::kMaxNesting;
  if (!too_many && !too_deep) return false;
  report_.error(codes::kRecursion,
                too_many ? "the kernel is too large: its compile-time loops and calls visit too many nodes"
                         : "expressions, statements and calls are nested too deeply",
                too_many ? "use tl.range instead of tl.static_range for long loops" : "");
  stopped_ = true;
  return true;
}

std::vector<Value> FunctionLowering::create_function(const std::vector<Value>& arguments,
                                                     const std::vector<std::int64_t>& divisibility) {
  ir::Context& context = emit_.context();
  std::vector<ir::Type> inputs;
  for (const Value& argument : arguments) flatten_types(context, argument, inputs);
  emit_.builder().set_insertion_point_to_end(compilation_.module.body());
  op_ = emit_.create("tt.func", {}, {},
                     {{"sym_name", context.string(symbol_)},
                      {"function_type", context.type_attribute(context.function(inputs, {}))},
                      {"sym_visibility", context.string(is_kernel_ ? "public" : "private")},
                      {"noinline", context.boolean(function_.noinline)}});
  if (is_kernel_) compilation_.module.op().set_location(op_->location());
  ir::Block& entry = op_->region().add_block();
  std::vector<ir::Value*> handles;
  for (const ir::Type type : inputs) handles.push_back(entry.add_argument(type, op_->location()));
  std::size_t cursor = 0;
  std::vector<Value> bound;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::size_t first = cursor;
    bound.push_back(arguments[i].is_raw() ? Value(Constant()) : rebuild(arguments[i], handles, cursor));
    // Triton wraps a function that is an argument: it can be called, but is no function to builtins.
    if (bound.back().jit() != nullptr) bound.back() = bound.back().as_constexpr();
    for (std::size_t k = first; k < cursor; ++k) {
      if (const Parameter* named = named_by(i)) emit_.name_value(handles[k], named->name);
      if (k < divisibility.size() && divisibility[k] != 0)
        ir::set_argument_attribute(context, *op_, k, "tt.divisibility", context.i32(divisibility[k]));
    }
  }
  emit_.to_start(entry);
  return bound;
}

/// The parameter whose name Triton gives the value of parameter i: it pairs the ordinary ones with the first values,
/// which are others where there are positional-only ones. Null: the value gets no name.
const Parameter* FunctionLowering::named_by(std::size_t i) const {
  const std::size_t place = i + function_.node->args->posonlyargs.size();
  const bool is_ordinary =
      place < function_.parameters.size() && function_.parameters[place].kind == ParameterKind::ordinary;
  return is_ordinary ? &function_.parameters[place] : nullptr;
}

void FunctionLowering::bind_parameters(const std::vector<Value>& bound) {
  // Parameters with defaults come first in the order of names, from the last to the first: Triton binds their defaults
  // so.
  for (std::size_t i = function_.parameters.size(); i-- > 0;) {
    const Parameter& parameter = function_.parameters[i];
    if (parameter.default_value != nullptr && parameter.kind == ParameterKind::ordinary)
      scope_.set(parameter.name, Value());
  }
  for (std::size_t i = 0; i < bound.size(); ++i) {
    const Parameter* named = named_by(i);
    if (named == nullptr) continue;
    set_value(named->name, bound[i]);
    if (named == &function_.parameters[i]) continue;
    report_.set_here(named->range);
    report_.warn(codes::kArguments,
                 fmt::format("Triton 3.6 gives '{}' the value of '{}'", named->name, function_.parameters[i].name),
                 "leave out the '/': beside positional-only parameters names get the values of others");
  }
}

bool FunctionLowering::check_parameters() {
  for (const Parameter& parameter : function_.parameters) {
    if (!parameter.is_constexpr || parameter.kind != ParameterKind::ordinary) continue;
    if (!parameter.do_not_specialize && !parameter.do_not_specialize_on_alignment) continue;
    report_.set_here(parameter.range);
    report_.error(codes::kSpecialisation,
                  fmt::format("'{}' is a tl.constexpr and is listed in do_not_specialize", parameter.name),
                  "a constexpr is always a specialisation: remove one of the two");
    return false;
  }
  return true;
}

bool FunctionLowering::run(const std::vector<Value>& arguments, const std::vector<std::int64_t>& divisibility) {
  LOCKSTEP_CHECK(arguments.size() == function_.parameters.size(),
                 "arguments do not match the parameters of " + function_.name);
  if (!check_parameters()) return false;
  emit_.set_position(function_.module->file()->position(function_.node->range.begin).line, 0);
  const std::vector<Value> bound = create_function(arguments, divisibility);
  bind_parameters(bound);
  visit_body(function_.node->body);
  if (report_.count() > 0 || stopped_) return false;
  finish_function();
  return true;
}

void FunctionLowering::finish_function() {
  ir::Context& context = emit_.context();
  Compilation::Function& entry = compilation_.functions[symbol_];
  entry.op = op_;
  entry.result = result_.value_or(Value::raw_none());
  std::vector<ir::Value*> handles;
  std::vector<ir::Type> types;
  for (const ir::Value* handle : flatten(entry.result)) types.push_back(handle->type());
  for (const ir::Type type : types) handles.push_back(emit_.value("ub.poison", {}, type));
  if (!types.empty()) {
    const ir::Type old = ir::function_type(*op_);
    op_->set_attribute("function_type", context.type_attribute(context.function(old.inputs(), types)));
  }
  emit_.create("tt.return", handles, {});
  entry.is_complete = true;
}

}  // namespace lockstep::frontend
