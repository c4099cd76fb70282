// Rows: block pointers and tensor descriptors.
#include <fmt/format.h>

#include "frontend/builtins/builtin_arguments.h"
#include "frontend/builtins/builtin_rows.h"
#include "frontend/semantics/value_text.h"

namespace lockstep::frontend::rows {

namespace {

const DescriptorValue* descriptor_argument(BuiltinCall& call, std::size_t i) {
  const DescriptorValue* descriptor = call[i].descriptor();
  if (descriptor == nullptr && !call[i].is_invalid()) {
    reporter(call).error(codes::kBlock,
                         fmt::format("tl.{} needs a tensor descriptor, not {}", call.row.name, describe(call[i])));
  }
  return descriptor;
}

/// The argument, which must be a tensor already.
Tensor tensor_only(BuiltinCall& call, const Value& value) {
  if (value.tensor() != nullptr) return *value.tensor();
  if (!value.is_invalid())
    reporter(call).error(codes::kArguments,
                         fmt::format("tl.{} needs a tensor, not {}", call.row.name, describe(value)));
  return {};
}

Value done(bool fine) { return fine ? Value::raw_none() : Value(); }

/// The two positions that gather and scatter take, after `skipped` other arguments.
bool check_positions(BuiltinCall& call) {
  if (call.rest.size() == 2) return true;
  reporter(call).error(codes::kArguments, fmt::format("tl.{} takes row numbers and a column, not {} positions",
                                                      call.row.name, call.rest.size()));
  return false;
}

}  // namespace

Value make_block_ptr(BuiltinCall& call) {
  for (std::size_t i = 1; i <= 5; ++i) {
    if (!check_list(call, i)) return {};
  }
  const Tensor base = tensor_only(call, call[0]);
  const std::optional<Shape> block = shape_argument(call, call[4], "block_shape");
  const std::optional<Shape> order = shape_argument(call, call[5], "order");
  if (!base || !block || !order) return {};
  return semantics::make_block_ptr(builder(call), base, call[1], call[2], call[3], *block, *order);
}

Value advance(BuiltinCall& call) {
  const Tensor pointer = tensor_only(call, call[0]);
  return pointer && check_list(call, 1) ? Value(semantics::advance(builder(call), pointer, call[1])) : Value();
}

Value make_tensor_descriptor(BuiltinCall& call) {
  for (std::size_t i = 1; i <= 2; ++i) {
    if (call[i].is_invalid() || call[i].elements() != nullptr) continue;
    reporter(call).error(codes::kBlock, fmt::format("tl.{}: the {} must be a list, not {}", call.row.name,
                                                    i == 1 ? "shape" : "strides", describe(call[i])));
    return {};
  }
  if (!check_list(call, 3)) return {};
  const Tensor base = tensor_only(call, call[0]);
  const std::optional<Shape> block = shape_argument(call, call[3], "block_shape");
  const std::optional<std::string> padding = text_argument(call, 4);
  if (!base || !block || !padding || call[1].is_invalid() || call[2].is_invalid()) return {};
  return semantics::make_descriptor(builder(call), base, call[1], call[2], *block, *padding);
}

Value descriptor_load(BuiltinCall& call) {
  const DescriptorValue* descriptor = descriptor_argument(call, 0);
  return descriptor != nullptr ? Value(semantics::descriptor_load(builder(call), *descriptor, call[1])) : Value();
}

Value descriptor_store(BuiltinCall& call) {
  const DescriptorValue* descriptor = descriptor_argument(call, 0);
  const Tensor value = tensor_only(call, call[2]);
  return descriptor != nullptr && value ? done(semantics::descriptor_store(builder(call), *descriptor, call[1], value))
                                        : Value();
}

Value descriptor_reduce(BuiltinCall& call) {
  const DescriptorValue* descriptor = descriptor_argument(call, 0);
  const Tensor value = tensor_only(call, call[2]);
  const std::string_view kind = call.row.name.substr(call.row.name.rfind('_') + 1);
  return descriptor != nullptr && value
             ? done(semantics::descriptor_reduce(builder(call), kind, *descriptor, call[1], value))
             : Value();
}

Value descriptor_gather(BuiltinCall& call) {
  const DescriptorValue* descriptor = descriptor_argument(call, 0);
  if (descriptor == nullptr || !check_positions(call)) return {};
  return semantics::descriptor_gather(builder(call), *descriptor, tensor_only(call, call.rest[0]), call.rest[1]);
}

Value descriptor_scatter(BuiltinCall& call) {
  const DescriptorValue* descriptor = descriptor_argument(call, 0);
  const Tensor value = tensor_only(call, call[1]);
  if (descriptor == nullptr || !value || !check_positions(call)) return {};
  return done(
      semantics::descriptor_scatter(builder(call), *descriptor, value, tensor_only(call, call.rest[0]), call.rest[1]));
}

}  // namespace lockstep::frontend::rows
