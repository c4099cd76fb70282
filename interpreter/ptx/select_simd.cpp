// The video instructions on two or four elements of a word: vadd2, vadd4 and similar ones. .sat clamps to the result's
// type; .add sums the elements into the third source.
#include <algorithm>
#include <utility>

#include "interpreter/ptx/instructions.h"
#include "interpreter/ptx/lanes.h"

namespace lockstep::interpreter::ptx {

namespace {

using Bits = std::uint64_t;

// Parts of Instruction::detail.
constexpr std::uint32_t kSignedTo = 1, kSignedA = 2, kSignedB = 4, kSat = 8, kSum = 16;
constexpr std::uint32_t kRelationShift = 8;

int element(Bits word, int index, int width, bool is_signed) {
  const auto bits = static_cast<std::uint32_t>(word >> index * width & mask_of(width));
  const auto up = static_cast<unsigned>(32 - width);
  return is_signed ? static_cast<std::int32_t>(bits << up) >> up : static_cast<int>(bits);
}

template <int count, auto fn>
void simd(State& s, const Instruction& i) {
  constexpr int kWidth = 32 / count;
  const std::uint32_t detail = i.detail;
  const bool to_signed = (detail & kSignedTo) != 0;
  const int high = static_cast<int>(mask_of(kWidth - (to_signed ? 1 : 0))), low = to_signed ? -high - 1 : 0;
  const Bits *a = s.registers[i.from[0]], *b = s.registers[i.from[1]], *c = s.registers[i.from[2]];
  Bits* to = s.registers[i.to[0]];
  for (int k = 0; k < s.lanes; ++k) {
    Bits word = 0;
    auto sum = static_cast<std::uint32_t>(c[k]);
    for (int e = 0; e < count; ++e) {
      int value = fn(element(a[k], e, kWidth, (detail & kSignedA) != 0),
                     element(b[k], e, kWidth, (detail & kSignedB) != 0), detail);
      if ((detail & kSat) != 0) value = std::clamp(value, low, high);
      const Bits kept = static_cast<Bits>(value) & mask_of(kWidth);
      word |= kept << e * kWidth;
      sum += static_cast<std::uint32_t>(element(kept, 0, kWidth, to_signed));
    }
    to[k] = (detail & kSum) != 0 ? sum : word;
  }
}

constexpr auto kAddParts = [](int a, int b, std::uint32_t) { return a + b; };
constexpr auto kSubParts = [](int a, int b, std::uint32_t) { return a - b; };
constexpr auto kAverage = [](int a, int b, std::uint32_t) { return (a + b + (a + b >= 0 ? 1 : 0)) >> 1; };
constexpr auto kDistance = [](int a, int b, std::uint32_t) { return a > b ? a - b : b - a; };
constexpr auto kMinParts = [](int a, int b, std::uint32_t) { return std::min(a, b); };
constexpr auto kMaxParts = [](int a, int b, std::uint32_t) { return std::max(a, b); };
constexpr auto kCompare = [](int a, int b, std::uint32_t detail) {
  const std::uint32_t relation = a < b ? 1 : a == b ? 2 : 4;
  return (detail >> kRelationShift & relation) != 0 ? 1 : 0;
};

template <int count, auto fn>
Choice arithmetic(const Form& form) {
  if (form.has(Modifier::sat) && form.has(Modifier::add)) return {};
  const std::uint32_t detail = (form.type(0) == Type::s32 ? kSignedTo : 0) |
                               (form.type(1) == Type::s32 ? kSignedA : 0) | (form.type(2) == Type::s32 ? kSignedB : 0) |
                               (form.has(Modifier::sat) ? kSat : 0) | (form.has(Modifier::add) ? kSum : 0);
  return {simd<count, fn>, detail};
}

template <int count>
Choice comparison(const Form& form) {
  constexpr std::array<std::pair<Modifier, std::uint32_t>, 6> kNames{{{Modifier::eq, 2},
                                                                      {Modifier::ne, 5},
                                                                      {Modifier::lt, 1},
                                                                      {Modifier::le, 3},
                                                                      {Modifier::gt, 4},
                                                                      {Modifier::ge, 6}}};
  std::uint32_t relation = 0;
  for (const auto& [name, holds] : kNames) {
    if (form.has(name)) relation = relation == 0 ? holds : 8;
  }
  if (relation == 0 || relation == 8) return {};
  const std::uint32_t detail = (form.type(0) == Type::s32 ? kSignedA : 0) | (form.type(1) == Type::s32 ? kSignedB : 0) |
                               (form.has(Modifier::add) ? kSum : 0) | relation << kRelationShift;
  return {simd<count, kCompare>, detail};
}

}  // namespace

Choice select_vadd2(const Form& form) { return arithmetic<2, kAddParts>(form); }
Choice select_vsub2(const Form& form) { return arithmetic<2, kSubParts>(form); }
Choice select_vavrg2(const Form& form) { return arithmetic<2, kAverage>(form); }
Choice select_vabsdiff2(const Form& form) { return arithmetic<2, kDistance>(form); }
Choice select_vmin2(const Form& form) { return arithmetic<2, kMinParts>(form); }
Choice select_vmax2(const Form& form) { return arithmetic<2, kMaxParts>(form); }
Choice select_vset2(const Form& form) { return comparison<2>(form); }
Choice select_vadd4(const Form& form) { return arithmetic<4, kAddParts>(form); }
Choice select_vsub4(const Form& form) { return arithmetic<4, kSubParts>(form); }
Choice select_vavrg4(const Form& form) { return arithmetic<4, kAverage>(form); }
Choice select_vabsdiff4(const Form& form) { return arithmetic<4, kDistance>(form); }
Choice select_vmin4(const Form& form) { return arithmetic<4, kMinParts>(form); }
Choice select_vmax4(const Form& form) { return arithmetic<4, kMaxParts>(form); }
Choice select_vset4(const Form& form) { return comparison<4>(form); }

}  // namespace lockstep::interpreter::ptx
