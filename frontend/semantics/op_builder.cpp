#include "frontend/semantics/op_builder.h"

#include <fmt/format.h>

#include <utility>

#include "frontend/error_codes.h"
#include "frontend/gluon/layout_encoding.h"
#include "ir/layouts/tensor_rules.h"

namespace lockstep::frontend {

Tensor OpBuilder::make(std::string_view op, const std::vector<ir::Value*>& operands, const ValueType& type,
                       std::vector<ir::NamedAttribute> attributes) {
  const std::optional<ir::Type> lowered = ir_type(type);
  if (!lowered) return {};
  return {emit_.value(op, operands, *lowered, std::move(attributes)), type};
}

ir::NamedAttribute OpBuilder::integer(std::string name, std::int64_t value) {
  return {std::move(name), emit_.context().i32(value)};
}

std::optional<ir::Type> OpBuilder::ir_type(const ValueType& type) {
  const DType& element = type.element;
  if (element.is_fp8()) {
    const bool supported = element.scalar() == Scalar::fp8e5 || element.scalar() == Scalar::fp8e4b15 ||
                           (element.scalar() == Scalar::fp8e4nv && options_.capability >= 89);
    if (!supported) {
      report_.error(codes::kFloat8,
                    fmt::format("type {} is not supported on sm_{}", element.name(), options_.capability),
                    "fp8e5 works everywhere, fp8e4nv from sm_89");
      return std::nullopt;
    }
  }
  if (type.layout != nullptr && !check_layout(type)) return std::nullopt;
  return to_ir(emit_.context(), type);
}

bool OpBuilder::check_layout(const ValueType& type) {
  const auto refuse = [&](const std::string& why, const std::string& hint) {
    report_.error(codes::kLayout, fmt::format("{} cannot hold {}{}: {}", type.layout->repr(), type.element.name(),
                                              shape_to_string(type.shape), why),
                  hint);
    return false;
  };
  if (const auto fault = find_layout_fault(emit_.context(), *type.layout)) return refuse(fault->message, fault->hint);
  if (!type.layout->is_distributed() || type.layout->is_open()) return true;
  const ir::Encoding* encoding = to_encoding(emit_.context(), *type.layout);
  if (encoding->rank() != type.shape.size())
    return refuse(fmt::format("its rank is {}, the tensor's {}", encoding->rank(), type.shape.size()), "");
  const ir::WarpGroupSize group{32, warps(), options_.num_ctas};
  const auto fault = ir::find_tensor_fault(*encoding, type.shape, group);
  return !fault || refuse(fault->message, fault->hint);
}

}  // namespace lockstep::frontend
