// Rows: functions of a device library, inline assembly, functions applied element by element, and those of
// triton.language.extra.cuda.
#include <fmt/format.h>

#include "frontend/builtins/builtin_arguments.h"
#include "frontend/builtins/builtin_rows.h"
#include "frontend/builtins/libdevice.h"
#include "frontend/lowering/detached_block.h"
#include "frontend/semantics/value_text.h"

namespace lockstep::frontend::rows {

namespace {

std::optional<std::vector<Tensor>> tensors_of(BuiltinCall& call, const std::vector<Value>& values) {
  std::vector<Tensor> tensors;
  for (const Value& value : values) {
    tensors.push_back(semantics::to_tensor(builder(call), value));
    if (!tensors.back()) return std::nullopt;
  }
  return tensors;
}

std::vector<Value> list_of(const Value& value) {
  return value.elements() != nullptr ? *value.elements() : std::vector<Value>{value};
}

Value assembly_without_arguments(BuiltinCall& call, const char* text, const char* constraints, Scalar result,
                                 bool is_pure) {
  const std::vector<Tensor> results =
      semantics::inline_assembly(builder(call), {text, constraints, is_pure, 1}, {}, {DType(result)});
  return results.empty() ? Value() : Value(results.front());
}

Value one_or_tuple(const std::vector<Tensor>& tensors, bool single) {
  if (tensors.empty()) return {};
  if (single) return tensors.front();
  return Value::tuple({tensors.begin(), tensors.end()});
}

/// The tensors that a function gave, each of one element type; empty: reported.
std::vector<Tensor> scalar_results(BuiltinCall& call, const Value& result, std::int64_t pack) {
  std::vector<Tensor> tensors;
  for (const Value& value : list_of(result)) {
    if (value.tensor() == nullptr) {
      if (!value.is_invalid())
        reporter(call).error(
            codes::kArguments,
            fmt::format("tl.map_elementwise needs a function that gives tensors, not {}", describe(value)));
      return {};
    }
    tensors.push_back(*value.tensor());
  }
  const auto group = static_cast<std::size_t>(pack);
  bool fits = tensors.size() % group == 0;
  for (std::size_t i = 0; fits && i < tensors.size(); ++i) fits = tensors[i].type == tensors[i - i % group].type;
  if (fits && !tensors.empty()) return tensors;
  reporter(call).error(codes::kArguments,
                       fmt::format("tl.map_elementwise: the function gives {}, which is not {} values per result",
                                   describe(result), pack));
  return {};
}

struct MappedBody {
  std::vector<Tensor> results;  // empty: reported
  bool is_single = false;       // the function gave a tensor, not a tuple
};

/// The mapped function, applied to the arguments of `block`.
MappedBody build_body(BuiltinCall& call, ir::Block& block, const JitFunction& function,
                      const std::vector<Tensor>& inputs, std::int64_t pack) {
  Emitter& emitter = call.lowering.emit;
  ir::Block* outside = emitter.block();
  const Location here = emitter.location();
  std::vector<Value> arguments;
  for (const Tensor& input : inputs) {
    const ValueType type{input.element(), {}};
    for (std::int64_t i = 0; i < pack; ++i)
      arguments.emplace_back(Tensor{block.add_argument(to_ir(emitter.context(), type), here), type});
  }
  emitter.builder().set_insertion_point_to_end(block);
  const Value result = call.lowering.call_function(function, arguments, {});
  std::vector<Tensor> results = scalar_results(call, result, pack);
  std::vector<ir::Value*> handles;
  for (const Tensor& tensor : results) handles.push_back(tensor.handle);
  emitter.set_location(here);
  emitter.create("tt.map_elementwise.return", handles, {});
  emitter.builder().set_insertion_point_to_end(*outside);
  emitter.set_location(here);
  return {std::move(results), result.tensor() != nullptr};
}

}  // namespace

Value libdevice(BuiltinCall& call) {
  const std::optional<std::vector<Tensor>> arguments = tensors_of(call, call.arguments);
  if (!arguments) return {};
  std::string types;
  for (const Tensor& argument : *arguments) types += libdevice_letter(argument.element());
  const LibdeviceSymbol* symbol = find_libdevice_symbol(call.row.name, types);
  if (symbol == nullptr) {
    std::string given;
    for (const Tensor& argument : *arguments) given += (given.empty() ? "" : ", ") + argument.element().name();
    reporter(call).error(codes::kExtern, fmt::format("libdevice.{} does not take ({})", call.row.name, given),
                         fmt::format("it takes {}", libdevice_signatures(call.row.name)));
    return {};
  }
  const Tensor result = semantics::extern_elementwise(builder(call), std::string(symbol->symbol), *arguments,
                                                      libdevice_type(symbol->result));
  return result && symbol->result == kLibdevicePredicate ? semantics::cast(builder(call), result, DType(Scalar::int1))
                                                         : result;
}

Value inline_asm_elementwise(BuiltinCall& call) {
  const std::optional<std::string> text = text_argument(call, 0);
  const std::optional<std::string> constraints = text_argument(call, 1);
  const std::optional<bool> is_pure = flag_argument(call, 4, false);
  const std::optional<std::int64_t> pack = integer_argument(call, 5);
  if (!text || !constraints || !is_pure || !pack || call[2].is_invalid() || call[3].is_invalid()) return {};
  if (call[2].elements() == nullptr) {
    reporter(call).error(codes::kArguments, fmt::format("the arguments of tl.inline_asm_elementwise are a list, not {}",
                                                        describe(call[2])));
    return {};
  }
  std::vector<DType> types;
  for (const Value& type : list_of(call[3])) {
    if (!type.is_dtype()) {
      reporter(call).error(codes::kArguments,
                           fmt::format("the dtype of tl.inline_asm_elementwise is {}", describe(type)));
      return {};
    }
    types.push_back(type.constant()->type().element);
  }
  const std::optional<std::vector<Tensor>> arguments = tensors_of(call, *call[2].elements());
  if (!arguments) return {};
  if (types.empty() || *pack < 1 || *pack > kMaxElements) {
    reporter(call).error(codes::kExtern,
                         "inline assembly gives at least one result, for at least one element at a time");
    return {};
  }
  return one_or_tuple(
      semantics::inline_assembly(builder(call), {*text, *constraints, *is_pure, *pack}, *arguments, types),
      call[3].elements() == nullptr);
}

Value map_elementwise(BuiltinCall& call) {
  const std::optional<std::int64_t> pack = integer_argument(call, 2);
  const JitFunction* function = call[0].is_constexpr() ? nullptr : call[0].jit();
  if (!pack || call[0].is_invalid()) return {};
  if (function == nullptr || *pack < 1 || *pack > 1024 || call.rest.empty()) {
    reporter(call).error(call[0].opaque() != nullptr ? codes::kPythonFunction : codes::kArguments,
                         "tl.map_elementwise needs a @triton.jit function, at least one tensor and a positive pack");
    return {};
  }
  std::vector<Tensor> inputs;
  for (const Value& value : call.rest) {
    if (value.tensor() == nullptr) {
      if (!value.is_invalid())
        reporter(call).error(codes::kArguments,
                             fmt::format("tl.map_elementwise needs tensors, not {}", describe(value)));
      return {};
    }
    inputs.push_back(*value.tensor());
  }
  DetachedBlock body;
  const std::size_t argument_count = inputs.size() * static_cast<std::size_t>(*pack);
  const MappedBody mapped = build_body(call, body.block(), *function, inputs, *pack);
  const std::vector<Tensor>& scalars = mapped.results;
  if (scalars.empty() || !semantics::broadcast_all(builder(call), inputs)) return {};
  Emitter& emitter = call.lowering.emit;
  std::vector<ir::Value*> operands;
  for (const Tensor& input : inputs) operands.push_back(input.handle);
  std::vector<ValueType> results;
  std::vector<ir::Type> types;
  for (std::size_t i = 0; i < scalars.size(); i += static_cast<std::size_t>(*pack)) {
    results.push_back(inputs[0].type.with_element(scalars[i].element()));
    types.push_back(to_ir(emitter.context(), results.back()));
  }
  ir::Op* op = emitter.create("tt.map_elementwise", operands, types, {{"pack", emitter.context().i32(*pack)}});
  ir::Block& block = op->region().add_block();
  for (std::size_t i = 0; i < argument_count; ++i) {
    ir::Value* old = body.block().argument(i);
    old->replace_all_uses_with(block.add_argument(old->type(), old->location()));
  }
  body.move_to(block);
  std::vector<Tensor> tensors;
  for (std::size_t i = 0; i < results.size(); ++i) tensors.push_back({op->result(i), results[i]});
  return one_or_tuple(tensors, mapped.is_single);
}

Value cuda_globaltimer(BuiltinCall& call) {
  return assembly_without_arguments(call, "mov.u64 $0, %globaltimer;", "=l", Scalar::int64, false);
}

Value cuda_smid(BuiltinCall& call) {
  return assembly_without_arguments(call, "mov.u32 $0, %smid;", "=r", Scalar::int32, true);
}

Value cuda_warps(BuiltinCall& call) {
  const int warps = builder(call).options().num_warps;
  return Constant::integer(call.row.name == "num_threads" ? warps * 32 : warps);
}

Value cuda_grid_dependency(BuiltinCall& call) {
  const char* text = call.row.name == "gdc_wait" ? "griddepcontrol.wait; // dummy $0"
                                                 : "griddepcontrol.launch_dependents; // dummy $0";
  const Value dummy = assembly_without_arguments(call, text, "=r", Scalar::int32, false);
  return dummy.is_invalid() ? Value() : Value::raw_none();
}

Value cuda_custom_float8(BuiltinCall& call) {
  const Tensor input = tensor_argument(call, 0);
  const std::optional<DType> type = dtype_argument(call, 1);
  return input && type ? Value(semantics::cast_custom_float8(builder(call), input, *type)) : Value();
}

}  // namespace lockstep::frontend::rows
