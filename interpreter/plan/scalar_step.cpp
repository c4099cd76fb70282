#include "interpreter/plan/scalar_step.h"

#include <algorithm>
#include <cstring>

namespace lockstep::interpreter {

namespace {

using kernels::Binary;

/// Both in a slot's form (zero-extended) and as signed numbers.
struct Numbers {
  std::uint64_t a, b;
  std::int64_t x, y;
  int width;
};

/// False: the kernel decides. Precondition: `out` may have more bits than the kind.
template <Binary which>
bool apply_integer(const Numbers& n, std::uint64_t& out) {
  if constexpr (which == Binary::andi) out = n.a & n.b;
  if constexpr (which == Binary::ori) out = n.a | n.b;
  if constexpr (which == Binary::xori) out = n.a ^ n.b;
  if constexpr (which == Binary::minsi) out = n.x < n.y ? n.a : n.b;
  if constexpr (which == Binary::maxsi) out = n.x > n.y ? n.a : n.b;
  if constexpr (which == Binary::minui) out = std::min(n.a, n.b);
  if constexpr (which == Binary::maxui) out = std::max(n.a, n.b);
  constexpr bool is_shift = which == Binary::shli || which == Binary::shrui || which == Binary::shrsi;
  if (is_shift && n.b >= static_cast<std::uint64_t>(n.width)) return false;
  if constexpr (which == Binary::shli) out = n.a << n.b;
  if constexpr (which == Binary::shrui) out = n.a >> n.b;
  if constexpr (which == Binary::shrsi) out = static_cast<std::uint64_t>(n.x >> n.b);
  constexpr bool is_division =
      which == Binary::divsi || which == Binary::remsi || which == Binary::floordivsi || which == Binary::ceildivsi;
  if (is_division && (n.x < 0 || n.y <= 0)) return false;
  if constexpr (which == Binary::divsi || which == Binary::floordivsi) out = n.a / n.b;
  if constexpr (which == Binary::remsi) out = n.a % n.b;
  if constexpr (which == Binary::ceildivsi) out = n.a / n.b + (n.a % n.b != 0 ? 1 : 0);
  return true;
}

const Step* call_kernel(Machine& machine, const Step* step, const Elementwise& op) {
  std::uint64_t bits = 0;
  op.binary(&bits, &machine.slots[step->operand[0]].base, &machine.slots[step->operand[1]].base, 1, 0, 0);
  machine.slots[step->result].base = bits;
  return step + 1;
}

template <Binary which>
const Step* step_scalar_integer(Machine& machine, const Step* step) {
  const auto& op = *static_cast<const Elementwise*>(step->record);
  const int shift = op.limits.shift;
  Numbers n;
  n.a = machine.slots[step->operand[0]].base;
  n.b = machine.slots[step->operand[1]].base;
  n.x = static_cast<std::int64_t>(n.a << shift) >> shift;
  n.y = static_cast<std::int64_t>(n.b << shift) >> shift;
  n.width = 64 - shift;
  std::uint64_t out = 0;
  if (!apply_integer<which>(n, out)) [[unlikely]]
    return call_kernel(machine, step, op);
  machine.slots[step->result].base = out & op.limits.result_mask;
  return step + 1;
}

/// A number that is not a NaN has one encoding.
template <Binary which>
const Step* step_float(Machine& machine, const Step* step) {
  float a = 0, b = 0, out = 0;
  std::memcpy(&a, &machine.slots[step->operand[0]].base, sizeof a);
  std::memcpy(&b, &machine.slots[step->operand[1]].base, sizeof b);
  if constexpr (which == Binary::addf) out = a + b;
  if constexpr (which == Binary::subf) out = a - b;
  if constexpr (which == Binary::mulf) out = a * b;
  if (out != out) [[unlikely]]
    return call_kernel(machine, step, *static_cast<const Elementwise*>(step->record));
  std::uint32_t bits = 0;
  std::memcpy(&bits, &out, sizeof bits);
  machine.slots[step->result].base = bits;
  return step + 1;
}

struct Row {
  Binary which;
  StepFunction step;
};

constexpr Row kIntegers[] = {
    {Binary::andi, step_scalar_integer<Binary::andi>},
    {Binary::ori, step_scalar_integer<Binary::ori>},
    {Binary::xori, step_scalar_integer<Binary::xori>},
    {Binary::minsi, step_scalar_integer<Binary::minsi>},
    {Binary::maxsi, step_scalar_integer<Binary::maxsi>},
    {Binary::minui, step_scalar_integer<Binary::minui>},
    {Binary::maxui, step_scalar_integer<Binary::maxui>},
    {Binary::shli, step_scalar_integer<Binary::shli>},
    {Binary::shrui, step_scalar_integer<Binary::shrui>},
    {Binary::shrsi, step_scalar_integer<Binary::shrsi>},
    {Binary::divsi, step_scalar_integer<Binary::divsi>},
    {Binary::remsi, step_scalar_integer<Binary::remsi>},
    {Binary::floordivsi, step_scalar_integer<Binary::floordivsi>},
    {Binary::ceildivsi, step_scalar_integer<Binary::ceildivsi>},
};
constexpr Row kFloats[] = {
    {Binary::addf, step_float<Binary::addf>},
    {Binary::subf, step_float<Binary::subf>},
    {Binary::mulf, step_float<Binary::mulf>},
};

}  // namespace

StepFunction scalar_step(const Elementwise& op) {
  const ScalarKind kind = op.operand[0]->kind;
  if (op.arity != Elementwise::Arity::binary || !op.result->is_scalar() || op.result->kind != kind) return nullptr;
  const auto find = [&](const auto& rows) -> StepFunction {
    for (const Row& row : rows) {
      if (op.binary == kernels::binary(row.which, kind)) return row.step;
    }
    return nullptr;
  };
  if (is_integer(kind) && kind != ScalarKind::i1) return find(kIntegers);
  return kind == ScalarKind::f32 ? find(kFloats) : nullptr;
}

}  // namespace lockstep::interpreter
