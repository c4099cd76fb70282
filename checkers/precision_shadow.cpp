// Shadows in f64 and what is measured against them; products in tf32.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#include "checkers/float_births.h"
#include "checkers/launch_facts.h"
#include "checkers/precision.h"
#include "checkers/value_ranges.h"
#include "interpreter/lane_map.h"
#include "interpreter/storage_copy.h"
#include "ir/op_def.h"
#include "ir/opcode.h"
#include "memory_model/describe.h"

namespace lockstep::checkers {

using ir::Opcode;

namespace {

std::optional<double> combine(Opcode code, double a, double b) {
  switch (code) {
    case Opcode::arith_addf: return a + b;
    case Opcode::arith_subf: return a - b;
    case Opcode::arith_mulf: return a * b;
    case Opcode::arith_divf:
    case Opcode::tt_precise_divf:
    case Opcode::tt_approx_divf: return a / b;
    case Opcode::arith_maximumf:
    case Opcode::arith_maxnumf: return std::fmax(a, b);
    case Opcode::arith_minimumf:
    case Opcode::arith_minnumf: return std::fmin(a, b);
    default: return std::nullopt;
  }
}

std::optional<double> apply(Opcode code, double a) {
  switch (code) {
    case Opcode::arith_negf: return -a;
    case Opcode::arith_extf:
    case Opcode::arith_truncf:
    case Opcode::tt_fp_to_fp: return a;
    case Opcode::math_sqrt:
    case Opcode::tt_precise_sqrt: return std::sqrt(a);
    case Opcode::math_rsqrt: return 1 / std::sqrt(a);
    case Opcode::math_absf: return std::fabs(a);
    default: return std::nullopt;
  }
}

bool is_sum(const ir::Op& op) {
  if (op.def().opcode != Opcode::tt_reduce || op.operand_count() != 1) return false;
  const auto& ops = op.region().front().ops();
  return ops.size() == 2 && ops.front()->def().opcode == Opcode::arith_addf;
}

std::vector<double> sum_lines(const ir::Op& op, const std::vector<double>& from) {
  const auto& shape = op.operand(0)->type().shape();
  const auto axis = static_cast<std::size_t>(op.integer_attribute("axis", 0));
  std::size_t inner = 1;
  for (std::size_t d = axis + 1; d < shape.size(); ++d) inner *= static_cast<std::size_t>(shape[d]);
  const auto extent = static_cast<std::size_t>(shape[axis]);
  std::vector<double> sums(from.size() / extent);
  for (std::size_t i = 0; i < from.size(); ++i) sums[i / (inner * extent) * inner + i % inner] += from[i];
  return sums;
}

/// No shadow: the op's own numbers will do.
std::vector<double> shadow_result(Execution& run) {
  const ir::Op& op = run.op();
  const Opcode code = op.def().opcode;
  const auto count = static_cast<std::size_t>(op.result()->type().element_count());
  if (is_sum(op)) return sum_lines(op, shadow_of(run, *op.operand(0)));
  std::vector<double> made(count);
  if (interpreter::moves_lanes(op) && op.operand_count() == 1) {
    const std::vector<double> from = shadow_of(run, *op.operand(0));
    for (std::size_t i = 0; i < count; ++i)
      made[i] = from[static_cast<std::size_t>(interpreter::lane_source(op, 0, static_cast<std::int64_t>(i)).lane)];
    return made;
  }
  if (code == Opcode::arith_select) {
    const std::vector<double> yes = shadow_of(run, *op.operand(1)), no = shadow_of(run, *op.operand(2));
    const bool is_scalar = run.count(*op.operand(0)) == 1;
    for (std::size_t i = 0; i < count; ++i)
      made[i] = (run.bits(*op.operand(0), is_scalar ? 0 : static_cast<std::int64_t>(i)) & 1) != 0 ? yes[i] : no[i];
    return made;
  }
  if (op.operand_count() == 1 && apply(code, 0)) {
    const std::vector<double> from = shadow_of(run, *op.operand(0));
    std::transform(from.begin(), from.end(), made.begin(), [&](double a) { return *apply(code, a); });
    return made;
  }
  if (op.operand_count() != 2 || !combine(code, 1, 1)) return {};
  const std::vector<double> a = shadow_of(run, *op.operand(0)), b = shadow_of(run, *op.operand(1));
  for (std::size_t i = 0; i < count; ++i) made[i] = *combine(code, a[i], b[i]);
  return made;
}

}  // namespace

std::vector<double> numbers_of(Execution& run, const ir::Value& value) {
  std::vector<double> numbers(static_cast<std::size_t>(run.count(value)));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = run.number(value, static_cast<std::int64_t>(i));
  return numbers;
}

std::vector<double> shadow_of(Execution& run, const ir::Value& value) {
  const auto* shadow = run.state_as<Shadow>(value);
  return shadow != nullptr ? shadow->lanes : numbers_of(run, value);
}

void carry_shadow(Execution& run) {
  std::vector<double> made = shadow_result(run);
  run.state(*run.op().result()) = made.empty() ? nullptr : std::make_shared<Shadow>(Shadow{std::move(made)});
}

double ulps_between(ScalarKind kind, double value, double exact) {
  const int precision = kind == ScalarKind::bf16 ? 8 : kind == ScalarKind::f16 ? 11 : kind == ScalarKind::f32 ? 24 : 53;
  const int exponent = exact == 0 ? -126 : std::ilogb(exact);
  return std::abs(value - exact) / std::ldexp(1.0, exponent - precision + 1);
}

std::string power_text(double ratio) { return "2^" + std::to_string(static_cast<int>(std::lround(std::log2(ratio)))); }

namespace {

/// The argument whose elements a dot's operand consists of; null: not known, or not f32.
const memory_model::View* operand_view(const LaunchContext& context, const ir::Value& operand) {
  const ir::Op* load = operand.defining_op();
  while (load != nullptr && interpreter::moves_lanes(*load)) load = load->operand(0)->defining_op();
  if (load == nullptr || load->def().opcode != Opcode::tt_load) return nullptr;
  const ir::Value* argument = pointer_argument(*load->operand(0));
  if (argument == nullptr || argument->index() >= context.request.arguments.size()) return nullptr;
  const interpreter::Argument& given = context.request.arguments[argument->index()];
  if (given.kind != interpreter::Argument::Kind::pointer) return nullptr;
  const memory_model::View& view = context.request.memory->view(given.view);
  return view.element == ScalarKind::f32 ? &view : nullptr;
}

/// "x[3] = 0.1 counts as 0.0999755859" for the first element that tf32 does not hold; "": none among the first.
std::string rounded_element(const memory_model::View& view) {
  constexpr std::uint64_t kMaxLooked = std::uint64_t{1} << 16;
  const std::uint64_t count = std::min(view.extent.bytes() / 4, kMaxLooked);
  const char* data = count == 0 ? nullptr : interpreter::bytes_at(view.extent.begin);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, data + 4 * i, sizeof bits);
    if ((bits & 0x1fff) == 0 || (bits & 0x7f800000) == 0x7f800000) continue;
    const std::uint32_t kept = (bits + 0x1000) & ~std::uint32_t{0x1fff};
    char text[96];
    std::snprintf(text, sizeof text, " = %.9g counts as %.9g", static_cast<double>(std::bit_cast<float>(bits)),
                  static_cast<double>(std::bit_cast<float>(kept)));
    return memory_model::element_text(view.completed(), view.extent.begin + 4 * i) + text;
  }
  return {};
}

}  // namespace

std::vector<Finding> rounded_products(const LaunchContext& context, const std::vector<const ir::Op*>& products) {
  std::vector<Finding> findings;
  for (const ir::Op* product : products) {
    for (std::size_t side = 0; side < 2; ++side) {
      const memory_model::View* view = operand_view(context, *product->operand(side));
      const std::string element = view != nullptr ? rounded_element(*view) : std::string();
      if (element.empty()) continue;
      findings.push_back(launch_finding("LS605", "dot of f32 numbers in tf32: " + element, product, view->name));
      findings.back().hint = "tf32 keeps 10 bits of a fraction; tl.dot(..., input_precision=\"ieee\") keeps all 23";
      break;
    }
  }
  return findings;
}

}  // namespace lockstep::checkers
