#include "ir/analysis/axis_rules.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "ir/interfaces/op_kinds.h"
#include "ir/module.h"
#include "ir/op_def.h"

namespace lockstep::ir {
namespace {

using Infos = std::vector<const AxisInfo*>;

constexpr std::int64_t kMost = std::int64_t{1} << 30;

std::int64_t lowest_bit(std::int64_t value) {
  if (value == 0) return kMost;
  return std::min(kMost, std::int64_t{1} << std::countr_zero(static_cast<std::uint64_t>(value)));
}

std::size_t rank_of_info(ir::Type type) { return type.is_tensor() ? type.shape().size() : 1; }

std::int64_t extent(ir::Type type, std::size_t dimension) { return type.is_tensor() ? type.shape()[dimension] : 1; }

// The divisor of every element.
std::int64_t element_divisor(const AxisInfo& info, std::size_t d) {
  return info.contiguity[d] > 1 ? 1 : info.divisibility[d];
}
// The divisor of the first elements of runs that are cut to `length`.
std::int64_t run_divisor(const AxisInfo& info, std::size_t d, std::int64_t length) {
  return info.contiguity[d] > length ? std::min(info.divisibility[d], length) : info.divisibility[d];
}

AxisInfo constant_info(ir::Type type, std::int64_t value) {
  AxisInfo info = unknown_info(type);
  for (std::size_t d = 0; d < info.constancy.size(); ++d) {
    info.divisibility[d] = lowest_bit(value);
    info.constancy[d] = extent(type, d);
  }
  info.constant = value;
  info.is_not_negative = value >= 0;
  return info;
}

std::optional<std::int64_t> constant_of(const ir::Op& op) {
  const ir::Attribute value = op.attribute("value");
  if (value.is_integer()) return value->integer;
  if (!value.is_dense() || !value->is_splat) return std::nullopt;
  const ir::Type element = value->type.element();
  if (!element.is_integer()) return std::nullopt;
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(value->data.size(), 8); ++i) {
    bits |= static_cast<std::uint64_t>(value->data[i]) << (8 * i);
  }
  const auto width = static_cast<int>(std::max(element.integer_width(), 8u));
  return static_cast<std::int64_t>(bits << (64 - width)) >> (64 - width);
}

AxisInfo make_range(const ir::Op& op) {
  AxisInfo info = unknown_info(op.result()->type());
  const std::int64_t start = op.integer_attribute("start", 0);
  info.contiguity[0] = extent(op.result()->type(), 0);
  info.divisibility[0] = lowest_bit(start);
  info.is_not_negative = start >= 0;
  return info;
}

AxisInfo splat(const ir::Op& op, const AxisInfo& scalar) {
  AxisInfo info = unknown_info(op.result()->type());
  for (std::size_t d = 0; d < info.constancy.size(); ++d) {
    info.constancy[d] = extent(op.result()->type(), d);
    info.divisibility[d] = scalar.divisibility[0];
  }
  info.constant = scalar.constant;
  info.is_not_negative = scalar.is_not_negative;
  return info;
}

AxisInfo expand_dims(const ir::Op& op, AxisInfo info) {
  const auto axis = static_cast<std::ptrdiff_t>(op.integer_attribute("axis", 0));
  std::int64_t divisor = kMost;
  for (std::size_t d = 0; d < info.contiguity.size(); ++d) divisor = std::min(divisor, element_divisor(info, d));
  info.contiguity.insert(info.contiguity.begin() + axis, 1);
  info.constancy.insert(info.constancy.begin() + axis, 1);
  info.divisibility.insert(info.divisibility.begin() + axis, divisor);
  return info;
}

AxisInfo broadcast(const ir::Op& op, AxisInfo info) {
  const ir::Type from = op.operand(0)->type(), to = op.result()->type();
  for (std::size_t d = 0; d < info.constancy.size(); ++d) {
    if (extent(from, d) == 1) info.constancy[d] = extent(to, d);
  }
  return info;
}

AxisInfo trans(const ir::Op& op, const AxisInfo& source) {
  AxisInfo info = source;
  const auto& order = op.attribute("order")->values;
  for (std::size_t d = 0; d < order.size(); ++d) {
    const auto from = static_cast<std::size_t>(order[d]);
    info.contiguity[d] = source.contiguity[from];
    info.divisibility[d] = source.divisibility[from];
    info.constancy[d] = source.constancy[from];
  }
  return info;
}

// a + b, with b counted in units of `scale` (bytes of a pointer's element).
AxisInfo add(const AxisInfo& a, const AxisInfo& b, std::int64_t scale) {
  AxisInfo info = a;
  info.constant.reset();
  if (a.constant && b.constant && scale == 1) info.constant = *a.constant + *b.constant;
  info.is_not_negative = a.is_not_negative && b.is_not_negative;
  for (std::size_t d = 0; d < a.contiguity.size(); ++d) {
    const std::int64_t runs =
        std::max(std::gcd(a.constancy[d], b.contiguity[d]), std::gcd(scale == 1 ? a.contiguity[d] : 1, b.constancy[d]));
    const std::int64_t kept = scale == 1 ? runs : std::max(runs, std::gcd(a.contiguity[d], b.constancy[d]));
    info.contiguity[d] = kept;
    info.constancy[d] = std::gcd(a.constancy[d], b.constancy[d]);
    const std::int64_t right = std::min(kMost, run_divisor(b, d, kept) * scale);
    const std::int64_t left = a.contiguity[d] > kept ? std::min(a.divisibility[d], kept * scale) : a.divisibility[d];
    info.divisibility[d] = std::gcd(left, right);
  }
  return info;
}

AxisInfo subtract(const AxisInfo& a, const AxisInfo& b) {
  AxisInfo info = a;
  info.constant.reset();
  if (a.constant && b.constant) info.constant = *a.constant - *b.constant;
  info.is_not_negative = false;
  for (std::size_t d = 0; d < a.contiguity.size(); ++d) {
    info.contiguity[d] = std::gcd(a.contiguity[d], b.constancy[d]);
    info.constancy[d] = std::gcd(a.constancy[d], b.constancy[d]);
    info.divisibility[d] = std::gcd(run_divisor(a, d, info.contiguity[d]), element_divisor(b, d));
  }
  return info;
}

AxisInfo multiply(const AxisInfo& a, const AxisInfo& b) {
  if (a.constant == 1) return b;
  if (b.constant == 1) return a;
  AxisInfo info = a;
  info.constant.reset();
  if (a.constant && b.constant) info.constant = *a.constant * *b.constant;
  info.is_not_negative = a.is_not_negative && b.is_not_negative;
  for (std::size_t d = 0; d < a.contiguity.size(); ++d) {
    info.contiguity[d] = 1;
    info.constancy[d] = std::gcd(a.constancy[d], b.constancy[d]);
    info.divisibility[d] = std::min(kMost, element_divisor(a, d) * element_divisor(b, d));
  }
  return info;
}

// a % b: whole runs of a stay runs where neither side can cut them.
AxisInfo remainder(const AxisInfo& a, const AxisInfo& b, bool is_unsigned) {
  AxisInfo info = a;
  info.constant.reset();
  const bool is_plain = is_unsigned || a.is_not_negative;
  info.is_not_negative = is_plain;
  for (std::size_t d = 0; d < a.contiguity.size(); ++d) {
    const std::int64_t uncut = std::gcd(a.divisibility[d], element_divisor(b, d));
    info.contiguity[d] = is_plain ? std::gcd(std::gcd(a.contiguity[d], b.constancy[d]), uncut) : 1;
    info.constancy[d] = std::gcd(a.constancy[d], b.constancy[d]);
    info.divisibility[d] = std::gcd(run_divisor(a, d, info.contiguity[d]), element_divisor(b, d));
  }
  return info;
}

AxisInfo divide(const AxisInfo& a, const AxisInfo& b, bool is_unsigned) {
  AxisInfo info = a;
  info.constant.reset();
  const bool is_plain = is_unsigned || a.is_not_negative;
  for (std::size_t d = 0; d < a.contiguity.size(); ++d) {
    const std::int64_t equal = std::gcd(a.constancy[d], b.constancy[d]);
    const std::int64_t within = is_plain ? std::gcd(std::gcd(a.contiguity[d], b.constancy[d]),
                                                    std::gcd(a.divisibility[d], element_divisor(b, d)))
                                         : 1;
    info.contiguity[d] = 1;
    info.constancy[d] = std::max(equal, within);
    info.divisibility[d] = 1;
  }
  if (b.constant == 1) return a;
  return info;
}

// A run that starts at a multiple of g lies on one side of a multiple of g.
AxisInfo compare(const ir::Op& op, const AxisInfo& a, const AxisInfo& b) {
  enum Predicate : std::int64_t { slt = 2, sle, sgt, sge, ult, ule, ugt, uge };
  const std::int64_t predicate = op.integer_attribute("predicate", 0);
  const bool left_runs = predicate == slt || predicate == sge || predicate == ult || predicate == uge;
  const bool right_runs = predicate == sgt || predicate == sle || predicate == ugt || predicate == ule;
  AxisInfo info = a;
  info.constant.reset();
  info.is_not_negative = false;
  for (std::size_t d = 0; d < a.contiguity.size(); ++d) {
    std::int64_t constancy = std::gcd(a.constancy[d], b.constancy[d]);
    const std::int64_t divisor = std::gcd(a.divisibility[d], b.divisibility[d]);
    if (left_runs) constancy = std::max(constancy, std::gcd(std::gcd(a.contiguity[d], b.constancy[d]), divisor));
    if (right_runs) constancy = std::max(constancy, std::gcd(std::gcd(b.contiguity[d], a.constancy[d]), divisor));
    info.contiguity[d] = 1;
    info.divisibility[d] = 1;
    info.constancy[d] = constancy;
  }
  return info;
}

// Any function of elements: equal operands give equal results.
AxisInfo elementwise(const ir::Op& op, const Infos& operands) {
  AxisInfo info = unknown_info(op.result()->type());
  for (std::size_t d = 0; d < info.constancy.size(); ++d) {
    std::int64_t constancy = extent(op.result()->type(), d);
    bool is_known = true;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const ir::Type type = op.operand(i)->type();
      if (!type.is_tensor()) continue;
      is_known &= type.shape() == op.result()->type().shape();
      if (is_known) constancy = std::gcd(constancy, operands[i]->constancy[d]);
    }
    if (is_known && op.def().defined_if != ir::Definedness::across_axis && op.operand_count() != 0) {
      info.constancy[d] = constancy;
    }
  }
  return info;
}

std::int64_t pointee_bytes(ir::Type pointers) {
  const auto kind = pointers.element().pointee().scalar_kind();
  return kind ? size_bytes(*kind) : 1;
}

}  // namespace

AxisInfo unknown_info(ir::Type type) {
  const std::size_t rank = rank_of_info(type);
  return {std::vector<std::int64_t>(rank, 1), std::vector<std::int64_t>(rank, 1), std::vector<std::int64_t>(rank, 1),
          std::nullopt, false};
}

bool AxisInfo::join(const AxisInfo& other) {
  const AxisInfo before = *this;
  if (constant != other.constant) constant.reset();
  is_not_negative &= other.is_not_negative;
  for (std::size_t d = 0; d < contiguity.size(); ++d) {
    contiguity[d] = std::gcd(before.contiguity[d], other.contiguity[d]);
    divisibility[d] = std::gcd(run_divisor(before, d, contiguity[d]), run_divisor(other, d, contiguity[d]));
    constancy[d] = std::gcd(before.constancy[d], other.constancy[d]);
  }
  return *this != before;
}

namespace {

AxisInfo of_constant(const ir::Op& op) {
  const ir::Type type = op.result()->type();
  if (const auto value = constant_of(op)) return constant_info(type, *value);
  if (op.attribute("value").is_float() || (op.attribute("value").is_dense() && op.attribute("value")->is_splat)) {
    AxisInfo info = constant_info(type, 1);
    info.constant.reset();
    return info;
  }
  return unknown_info(type);
}

AxisInfo moved(const ir::Op& op, const Infos& operands) {
  switch (op.def().movement) {
    case ir::Movement::splat: return splat(op, *operands[0]);
    case ir::Movement::expand_dims: return expand_dims(op, *operands[0]);
    case ir::Movement::broadcast: return broadcast(op, *operands[0]);
    case ir::Movement::transpose: return trans(op, *operands[0]);
    case ir::Movement::join:
    case ir::Movement::split:
    case ir::Movement::unsplat: return elementwise(op, operands);
    default: return unknown_info(op.result()->type());
  }
}

AxisInfo of_integers(const ir::Op& op, const Infos& operands) {
  const bool is_unsigned = op.def().numbers == ir::Numbers::without_sign;
  switch (op.def().arithmetic) {
    case ir::Arithmetic::sum: return add(*operands[0], *operands[1], 1);
    case ir::Arithmetic::difference: return subtract(*operands[0], *operands[1]);
    case ir::Arithmetic::product: return multiply(*operands[0], *operands[1]);
    case ir::Arithmetic::remainder: return remainder(*operands[0], *operands[1], is_unsigned);
    case ir::Arithmetic::quotient: return divide(*operands[0], *operands[1], is_unsigned);
    case ir::Arithmetic::comparison: return compare(op, *operands[0], *operands[1]);
    default: return elementwise(op, operands);
  }
}

AxisInfo of_conversion(const ir::Op& op, const Infos& operands) {
  const bool keeps_number = ir::resizes_integer(op) && op.def().numbers == ir::Numbers::with_sign;
  if (keeps_number) return *operands[0];
  if (!ir::extends_integer(op)) return elementwise(op, operands);
  AxisInfo info = operands[0]->is_not_negative ? *operands[0] : elementwise(op, operands);
  info.is_not_negative = true;
  return info;
}

}  // namespace

AxisInfo infer(const ir::Op& op, const Infos& operands) {
  const ir::Type type = op.result()->type();
  const ir::OpDef& def = op.def();
  if (ir::is_constant(op)) return of_constant(op);
  if (ir::is_range(op)) return make_range(op);
  if (def.origin == ir::Origin::program_id || def.origin == ir::Origin::program_count) {
    AxisInfo info = unknown_info(type);
    info.is_not_negative = true;
    return info;
  }
  if (def.movement != ir::Movement::none) return moved(op, operands);
  if (ir::folds_lines(op) || ir::is_matrix_product(op) || ir::is_pointer_load(op)) return unknown_info(type);
  if (ir::is_displacement(op)) return add(*operands[0], *operands[1], pointee_bytes(type));
  if (def.arithmetic == ir::Arithmetic::conversion) return of_conversion(op, operands);
  if (def.numbers == ir::Numbers::floats) return elementwise(op, operands);
  return of_integers(op, operands);
}

void apply_hints(const ir::Op& op, AxisInfo& info) {
  const auto apply = [&](const char* name, std::vector<std::int64_t>& facts) {
    const ir::Attribute hint = op.attribute(name);
    if (!hint || !hint.is_dense()) return;
    const std::size_t width = hint->type.element().integer_width() / 8;
    if (width == 0 || width > 8) return;
    for (std::size_t d = 0; d < facts.size(); ++d) {
      std::int64_t value = 0;
      const std::size_t at = (hint->is_splat ? 0 : d) * width;
      if (at + width > hint->data.size()) return;
      for (std::size_t i = 0; i < width; ++i) value |= static_cast<std::int64_t>(hint->data[at + i]) << (8 * i);
      if (value > 0) facts[d] = std::max(facts[d], lowest_bit(value));
    }
  };
  apply("tt.contiguity", info.contiguity);
  apply("tt.divisibility", info.divisibility);
  apply("tt.constancy", info.constancy);
}

AxisInfo region_argument_info(const ir::Op& op, const ir::Value& argument) {
  AxisInfo info = unknown_info(argument.type());
  if (ir::is_function(op) && argument.owner_block() == &op.region().front()) {
    const ir::Attribute hint = ir::argument_attribute(op, argument.index(), "tt.divisibility");
    if (hint && hint.is_integer() && hint->integer > 0) info.divisibility[0] = lowest_bit(hint->integer);
  }
  if (!ir::is_counted_loop(op)) return info;
  // The induction variable: lower bound plus multiples of the step, where both are constants.
  const auto constant = [&](std::size_t i) -> std::optional<std::int64_t> {
    const ir::Op* made = op.operand(i)->defining_op();
    return made != nullptr && ir::is_constant(*made) ? constant_of(*made) : std::nullopt;
  };
  const auto lower = constant(0), step = constant(2);
  if (!lower || !step) return info;
  info.divisibility[0] = std::gcd(lowest_bit(*lower), lowest_bit(*step));
  info.is_not_negative = *lower >= 0 && *step >= 0;
  return info;
}

}  // namespace lockstep::ir
