#include "frontend/semantics/op_builder.h"

#include <fmt/format.h>

#include <utility>

#include "frontend/error_codes.h"

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
  return to_ir(emit_.context(), type);
}

}  // namespace lockstep::frontend
