// Rows: reductions and scans with a combining function.
#include <algorithm>

#include <fmt/format.h>

#include "frontend/builtins/builtin_arguments.h"
#include "frontend/builtins/builtin_rows.h"
#include "frontend/gluon/gluon_semantics.h"
#include "frontend/semantics/value_parts.h"
#include "frontend/semantics/value_text.h"

namespace lockstep::frontend::rows {

namespace {

/// The inputs of a reduction: one tensor or a tuple of tensors of one shape. Empty: reported.
std::vector<Tensor> inputs_of(BuiltinCall& call) {
  const std::vector<Value> single{call[0]};
  const std::vector<Value>& values = call[0].elements() != nullptr ? *call[0].elements() : single;
  std::vector<Tensor> inputs;
  for (const Value& value : values) {
    const bool fits = value.tensor() != nullptr && value.tensor()->is_block() &&
                      (inputs.empty() || value.tensor()->type.shape == inputs[0].type.shape);
    if (!fits) {
      if (!value.is_invalid())
        reporter(call).error(codes::kAxis,
                             fmt::format("tl.{} needs blocks of one shape, not {}", call.row.name, describe(call[0])));
      return {};
    }
    inputs.push_back(*value.tensor());
  }
  if (inputs.empty())
    reporter(call).error(codes::kArguments, fmt::format("tl.{} needs at least one block", call.row.name));
  return inputs;
}

const JitFunction* combine_function(BuiltinCall& call, const Value& value) {
  if (value.jit() != nullptr && value.is_constexpr()) {
    reporter(call).error(codes::kArguments,
                         fmt::format("tl.{} cannot combine with a function that is a tl.constexpr", call.row.name),
                         "name a function of the module, or one that a closure captures");
    return nullptr;
  }
  if (value.jit() == nullptr && !value.is_invalid()) {
    reporter(call).error(
        value.opaque() != nullptr ? codes::kPythonFunction : codes::kArguments,
        fmt::format("tl.{} needs a @triton.jit function to combine with, not {}", call.row.name, describe(value)));
  }
  return value.jit();
}

/// Fills the op's region with a call of `combine` on two elements of each input. False: reported.
bool build_region(BuiltinCall& call, ir::Op& op, const std::vector<Tensor>& inputs, const JitFunction& combine,
                  std::string_view terminator) {
  Emitter& emitter = call.lowering.emit;
  ir::Block* outside = emitter.block();
  const Location here = emitter.location();
  ir::Block& block = op.region().add_block();
  std::vector<Value> arguments;
  for (int copy = 0; copy < 2; ++copy) {
    for (const Tensor& input : inputs) {
      const ValueType type{input.element(), {}};
      arguments.emplace_back(Tensor{block.add_argument(to_ir(emitter.context(), type)), type});
    }
  }
  emitter.builder().set_insertion_point_to_end(block);
  const Value result = call.lowering.call_function(combine, arguments, {});
  bool fits = !result.is_invalid();
  const std::vector<ir::Value*> handles = flatten(result);
  if (fits) {
    fits = handles.size() == inputs.size();
    for (std::size_t i = 0; fits && i < inputs.size(); ++i) fits = handles[i]->type() == block.argument(i)->type();
    if (!fits) {
      reporter(call).error(
          codes::kAxis,
          fmt::format("the combining function {} gives {}, but one value of the type of each input is needed",
                      combine.name, describe(result)));
    }
  }
  emitter.create(terminator, handles, {});
  emitter.builder().set_insertion_point_to_end(*outside);
  emitter.set_location(here);
  return fits;
}

Value results_of(const ir::Op& op, const std::vector<ValueType>& types) {
  std::vector<Value> results;
  for (std::size_t i = 0; i < types.size(); ++i) results.emplace_back(Tensor{op.result(i), types[i]});
  return Value::tuple(std::move(results));
}

Value single_or_tuple(const BuiltinCall& call, const Value& results) {
  return call[0].elements() != nullptr || results.is_invalid() ? results : (*results.elements())[0];
}

/// Reduces `inputs` along `axis` (all axes if absent), always giving a tuple.
Value reduce_inputs(BuiltinCall& call, std::vector<Tensor> inputs, std::optional<std::int64_t> axis,
                    const JitFunction& combine, bool keep_dims) {
  const auto rank = static_cast<std::int64_t>(inputs[0].type.shape.size());
  std::int64_t along = 0;
  if (axis) {
    const std::optional<std::int64_t> wrapped = wrap_axis(call, *axis, rank);
    if (!wrapped) return {};
    along = *wrapped;
  } else {
    for (Tensor& input : inputs) input = semantics::reshape(builder(call), input, {input.type.numel()}, true);
  }
  Shape shape = inputs[0].type.shape;
  shape.erase(shape.begin() + along);
  Emitter& emitter = call.lowering.emit;
  std::vector<ir::Value*> operands;
  std::vector<ir::Type> types;
  std::vector<ValueType> reduced;
  for (const Tensor& input : inputs) {
    operands.push_back(input.handle);
    reduced.push_back(gluon::reduced_type(builder(call), input, along, shape));
    types.push_back(to_ir(emitter.context(), reduced.back()));
  }
  ir::Op* op = emitter.create("tt.reduce", operands, types, {{"axis", emitter.context().i32(along)}});
  if (!build_region(call, *op, inputs, combine, "tt.reduce.return")) return {};
  Value results = results_of(*op, reduced);
  if (!keep_dims) return results;
  std::vector<Value> kept;
  for (const Value& result : *results.elements()) {
    Tensor tensor = *result.tensor();
    for (std::int64_t i = 0; i < (axis ? 1 : rank); ++i)
      tensor = semantics::expand_dims(builder(call), tensor, axis ? along : 0);
    kept.emplace_back(tensor);
  }
  return Value::tuple(std::move(kept));
}

}  // namespace

Value reduce(BuiltinCall& call) {
  const std::optional<std::optional<std::int64_t>> axis = optional_integer(call, 1);
  const std::optional<bool> keep_dims = boolean_argument(call, 3);
  const JitFunction* combine = combine_function(call, call[2]);
  if (!axis || !keep_dims || combine == nullptr) return {};
  const std::vector<Tensor> inputs = inputs_of(call);
  if (inputs.empty()) return {};
  return single_or_tuple(call, reduce_inputs(call, inputs, *axis, *combine, *keep_dims));
}

Value reduce_with_indices(BuiltinCall& call) {
  const std::optional<std::int64_t> axis = integer_argument(call, 1);
  const std::optional<bool> keep_dims = boolean_argument(call, 3);
  const JitFunction* combine = combine_function(call, call[2]);
  if (!axis || !keep_dims || combine == nullptr) return {};
  const std::vector<Tensor> inputs = inputs_of(call);
  if (inputs.empty()) return {};
  const Shape& shape = inputs[0].type.shape;
  const std::optional<std::int64_t> along = wrap_axis(call, *axis, static_cast<std::int64_t>(shape.size()));
  if (!along) return {};
  Tensor index = semantics::arange(builder(call), 0, shape[static_cast<std::size_t>(*along)]);
  for (std::int64_t d = 0; d < static_cast<std::int64_t>(shape.size()); ++d) {
    if (d != *along) index = semantics::expand_dims(builder(call), index, d);
  }
  index = semantics::broadcast_to(builder(call), index, shape);
  if (!index) return {};
  return reduce_inputs(call, {inputs[0], index}, *along, *combine, *keep_dims);
}

Value associative_scan(BuiltinCall& call) {
  const std::optional<std::int64_t> axis = integer_argument(call, 1);
  const std::optional<bool> reverse = flag_argument(call, 3, true);
  const JitFunction* combine = combine_function(call, call[2]);
  if (!axis || !reverse || combine == nullptr) return {};
  const std::vector<Tensor> inputs = inputs_of(call);
  if (inputs.empty()) return {};
  const Shape& shape = inputs[0].type.shape;
  const std::optional<std::int64_t> along = wrap_axis(call, *axis, static_cast<std::int64_t>(shape.size()));
  if (!along) return {};
  Emitter& emitter = call.lowering.emit;
  std::vector<ir::Value*> operands;
  std::vector<ir::Type> types;
  std::vector<ValueType> scanned;
  for (const Tensor& input : inputs) {
    operands.push_back(input.handle);
    types.push_back(input.handle->type());
    scanned.push_back(input.type);
  }
  ir::Op* op =
      emitter.create("tt.scan", operands, types,
                     {{"axis", emitter.context().i32(*along)}, {"reverse", emitter.context().boolean(*reverse)}});
  if (!build_region(call, *op, inputs, *combine, "tt.scan.return")) return {};
  return single_or_tuple(call, results_of(*op, scanned));
}

Value promote_bfloat16(BuiltinCall& call) {
  return semantics::promote_bfloat16(builder(call), tensor_argument(call, 0));
}

}  // namespace lockstep::frontend::rows
