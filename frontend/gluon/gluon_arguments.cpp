#include "frontend/gluon/gluon_arguments.h"

#include <fmt/format.h>

#include "frontend/builtins/builtin_arguments.h"
#include "frontend/builtins/builtins.h"
#include "frontend/semantics/value_text.h"
#include "ir/layouts/tensor_rules.h"

namespace lockstep::frontend::gluon {

static std::string parameter(const BuiltinCall& call, std::size_t i) { return parse_signature(call.row.signature)[i].name; }

static void refuse(BuiltinCall& call, std::size_t i, std::string_view needed) {
  if (call[i].is_invalid()) return;
  reporter(call).error(codes::kArguments, fmt::format("{}: '{}' must be {}, not {}", full_name(call.row),
                                                      parameter(call, i), needed, describe(call[i])));
}

LayoutPtr layout_argument(BuiltinCall& call, std::size_t i) {
  const LayoutPtr layout = call[i].constant() != nullptr ? call[i].constant()->layout() : nullptr;
  if (layout == nullptr) refuse(call, i, "a layout");
  return layout;
}

LayoutPtr register_layout(BuiltinCall& call, std::size_t i) {
  if (call[i].is_none()) return auto_layout();
  LayoutPtr layout = layout_argument(call, i);
  if (layout == nullptr || layout->is_distributed()) return layout;
  refuse(call, i, "a layout of tensors");
  return nullptr;
}

const HandleValue* buffer_argument(BuiltinCall& call, std::size_t i) {
  const HandleValue* held = call[i].handle();
  if (held != nullptr && held->type.kind != HandleType::Kind::accumulator) return held;
  refuse(call, i, "a buffer in shared or tensor memory");
  return nullptr;
}

const HandleValue* shared_argument(BuiltinCall& call, std::size_t i) {
  const HandleValue* held = call[i].handle();
  if (held != nullptr && held->type.kind == HandleType::Kind::shared) return held;
  refuse(call, i, "a buffer in shared memory");
  return nullptr;
}

const DescriptorValue* descriptor_argument(BuiltinCall& call, std::size_t i) {
  if (call[i].descriptor() == nullptr) refuse(call, i, "a tensor descriptor");
  return call[i].descriptor();
}

Tensor predicate_argument(BuiltinCall& call, std::size_t i) {
  const Tensor value = tensor_argument(call, i);
  if (!value || (value.element().is_bool() && !value.is_block())) return value;
  refuse(call, i, "a scalar bool");
  return {};
}

bool check_extents(BuiltinCall& call, const Shape& shape) {
  constexpr std::int64_t kMostElements = std::int64_t{1} << 24;
  std::int64_t product = 1;
  for (const std::int64_t extent : shape) {
    if (extent >= 1 && extent <= kMostElements / product) {
      product *= extent;
      continue;
    }
    reporter(call).error(codes::kShape, fmt::format("{}: a buffer cannot have the shape {}", full_name(call.row),
                                                    shape_to_string(shape)));
    return false;
  }
  return !shape.empty();
}

bool check_buffer(BuiltinCall& call, const HandleType& type) {
  ir::Context& context = call.lowering.emit.context();
  auto fault = find_layout_fault(context, *type.view.layout);
  if (!fault) {
    const ir::Encoding* encoding = to_encoding(context, *type.view.layout);
    fault = ir::find_buffer_fault(*encoding, type.view.shape, type.allocation, builder(call).options().num_ctas);
  }
  if (!fault) return true;
  reporter(call).error(codes::kLayout, fmt::format("{} cannot be: {}", type.to_string(), fault->message), fault->hint);
  return false;
}

Value view_of(BuiltinCall& call, std::string_view op, const std::vector<ir::Value*>& operands, const HandleType& type,
              std::vector<ir::NamedAttribute> attributes) {
  if (!check_buffer(call, type)) return {};
  Emitter& emitter = call.lowering.emit;
  return HandleValue{emitter.value(op, operands, to_ir(emitter.context(), type), std::move(attributes)), type};
}

}  // namespace lockstep::frontend::gluon
