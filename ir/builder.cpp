#include "ir/builder.h"

#include <algorithm>
#include <string>

#include "ir/op_registry.h"
#include "support/check.h"

namespace lockstep::ir {
namespace {

/// Segments for rows with several variable groups: the given ones, or all optional groups filled from the left.
std::vector<std::uint32_t> segments_for(const OpDef& def, std::size_t operand_count, std::vector<std::uint32_t> given) {
  if (!has_operand_segments(def) || def.successor_count != 0) return {};
  if (!given.empty()) return given;
  std::vector<std::uint32_t> result;
  std::size_t left = operand_count;
  for (const OperandSpec& spec : def.operands) {
    LOCKSTEP_CHECK(spec.arity != Arity::variadic, std::string(def.spelling) + " needs explicit operand segments");
    result.push_back(left > 0 ? 1 : 0);
    left -= left > 0 ? 1 : 0;
  }
  LOCKSTEP_CHECK(left == 0, std::string(def.spelling) + ": too many operands");
  return result;
}

void check_counts(const OpDef& def, std::size_t operand_count, const std::vector<std::uint32_t>& segments) {
  if (def.successor_count != 0) return;
  if (!segments.empty()) {
    std::size_t total = 0;
    for (const std::uint32_t size : segments) total += size;
    LOCKSTEP_CHECK(segments.size() == def.operands.size() && total == operand_count,
                   std::string(def.spelling) + ": operand segments do not match the operands");
    return;
  }
  std::size_t fixed = 0;
  bool open = false;
  for (const OperandSpec& spec : def.operands) {
    if (spec.arity == Arity::one)
      ++fixed;
    else
      open = true;
  }
  LOCKSTEP_CHECK(open ? operand_count >= fixed : operand_count == fixed,
                 std::string(def.spelling) + ": wrong number of operands");
}

}  // namespace

Op* Builder::create(const OpDef& def, const std::vector<Value*>& operands, const std::vector<Type>& results,
                    std::vector<NamedAttribute> attributes, std::vector<std::uint32_t> segments) {
  LOCKSTEP_CHECK(block_ != nullptr, "Builder has no insertion point");
  segments = segments_for(def, operands.size(), std::move(segments));
  check_counts(def, operands.size(), segments);
  std::unique_ptr<Op> op = Op::create(def, location_);
  op->set_operands(operands);
  op->set_operand_segments(std::move(segments));
  for (const Type type : results) op->add_result(type);
  for (const NamedAttribute& attribute : attributes) op->set_attribute(attribute.name, attribute.value);
  for (int i = 0; i < def.region_count; ++i) op->add_region();
  return block_->insert(position_, std::move(op));
}

Op* Builder::create(std::string_view spelling, const std::vector<Value*>& operands, const std::vector<Type>& results,
                    std::vector<NamedAttribute> attributes, std::vector<std::uint32_t> segments) {
  return create(context_.ops().row(spelling), operands, results, std::move(attributes), std::move(segments));
}

Value* Builder::constant(Type type, std::uint64_t bits) {
  const Type element = type.element();
  const auto kind = element.scalar_kind();
  LOCKSTEP_CHECK(kind && *kind != ScalarKind::pointer, "constant of a type that has none: " + type.to_string());
  Attribute value;
  if (type.is_tensor()) {
    const auto size = static_cast<std::size_t>(size_bytes(*kind));
    std::vector<std::byte> data(size);
    if (element.is_integer(1)) bits &= 1;
    for (std::size_t i = 0; i < size; ++i) data[i] = static_cast<std::byte>(bits >> (8 * i));
    value = context_.dense(type, std::move(data), true);
  } else if (element.is_float()) {
    const int width = bit_width(*kind);
    const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    value = context_.float_attribute(type, bits & mask);
  } else {
    value = context_.integer_attribute(type, static_cast<std::int64_t>(bits));
  }
  return create("arith.constant", {}, {type}, {{"value", value}})->result();
}

}  // namespace lockstep::ir
