// Shadows in f64 and what the checker compares with them; products in tf32.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#include "interpreter/access/storage_copy.h"
#include "ir/interfaces/lane_movement.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"
#include "memory_model/describe.h"
#include "sanitizer/core/launch_facts.h"
#include "sanitizer/memory/value_ranges.h"
#include "sanitizer/numeric/float_births.h"
#include "sanitizer/numeric/precision.h"

namespace lockstep::sanitizer {

using ir::Opcode;

void carry_shadow(Execution& run) {
  std::vector<TracedOperand> operands;
  for (const ir::Value* operand : run.op().operands()) operands.emplace_back(run, *operand);
  const ComingLanes coming(run.op(), operands);
  for (std::size_t i = 0; i < run.op().result_count(); ++i) {
    const std::vector<ComingLane> lanes = coming.result(i);
    auto trace = lanes.empty() ? nullptr : std::make_shared<FloatTrace>();
    for (const ComingLane& lane : lanes) trace->lanes.push_back({lane.from_exact, {}});
    run.state(*run.op().result(i)) = std::move(trace);
  }
}

double ulps_between(ScalarKind kind, double value, double exact) {
  const int precision = kind == ScalarKind::bf16 ? 8 : kind == ScalarKind::f16 ? 11 : kind == ScalarKind::f32 ? 24 : 53;
  // As std::ilogb and std::ldexp, which would take most of the time.
  const auto stored = static_cast<int>(std::bit_cast<std::uint64_t>(exact) >> 52 & 0x7ff);
  const int exponent = exact == 0 ? -126 : stored != 0 ? stored - 1023 : std::ilogb(exact);
  const int power = exponent - precision + 1;
  const double unit = power > -1023 && power < 1024
                          ? std::bit_cast<double>(static_cast<std::uint64_t>(power + 1023) << 52)
                          : std::ldexp(1.0, power);
  return std::abs(value - exact) / unit;
}

std::string power_text(double ratio) { return "2^" + std::to_string(static_cast<int>(std::lround(std::log2(ratio)))); }

namespace {

/// The argument that a dot's operand is loaded from; null: unknown, or not f32.
const memory_model::View* operand_view(const LaunchContext& context, const ir::Value& operand) {
  const ir::Op* load = operand.defining_op();
  while (load != nullptr && ir::moves_lanes(*load)) load = load->operand(0)->defining_op();
  if (load == nullptr || !ir::is_pointer_load(*load)) return nullptr;
  const ir::Value* argument = pointer_argument(*load->operand(0));
  if (argument == nullptr || argument->index() >= context.request.arguments.size()) return nullptr;
  const interpreter::Argument& given = context.request.arguments[argument->index()];
  if (given.kind != interpreter::Argument::Kind::pointer) return nullptr;
  const memory_model::View& view = context.request.memory->view(given.view);
  return view.element == ScalarKind::f32 ? &view : nullptr;
}

/// "x[3] = 0.1 counts as 0.0999755859" for the first element that tf32 rounds; "": none among the first.
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
      findings.push_back(launch_finding(FindingCode::LS605, "dot of f32 numbers in tf32: " + element, product, view->name));
      findings.back().hint = "tf32 keeps 10 bits of a fraction; tl.dot(..., input_precision=\"ieee\") keeps all 23";
      break;
    }
  }
  return findings;
}

}  // namespace lockstep::sanitizer
