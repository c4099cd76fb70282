// Addition and subtraction with the carry flag, which is one more register here.
#include "interpreter/ptx/instructions.h"
#include "interpreter/ptx/lanes.h"

namespace lockstep::interpreter::ptx {

namespace {

/// to[0] = a ± b ± carry in; to[1], where `writes`, the carry (borrow) out. `reads`: from[2] is the carry in.
template <typename T, bool subtracts, bool reads, bool writes>
void with_carry(State& s, const Instruction& i) {
  const std::uint64_t *a = s.registers[i.from[0]], *b = s.registers[i.from[1]];
  const std::uint64_t* in = reads ? s.registers[i.from[2]] : nullptr;
  std::uint64_t *to = s.registers[i.to[0]], *out = writes ? s.registers[i.to[1]] : nullptr;
  for (int k = 0; k < s.lanes; ++k) {
    const T carry = reads ? static_cast<T>(in[k] & 1) : T{0};
    const T left = static_cast<T>(a[k]), right = static_cast<T>(b[k]);
    T half, result;
    bool over;
    if constexpr (subtracts) {
      over = __builtin_sub_overflow(left, right, &half);
      over = __builtin_sub_overflow(half, carry, &result) || over;
    } else {
      over = __builtin_add_overflow(left, right, &half);
      over = __builtin_add_overflow(half, carry, &result) || over;
    }
    to[k] = result;
    if constexpr (writes) out[k] = over ? 1 : 0;
  }
}

template <bool subtracts, bool reads, bool writes>
Evaluate of(Type type) {
  return width_of(type) == 64 ? with_carry<std::uint64_t, subtracts, reads, writes>
                              : with_carry<std::uint32_t, subtracts, reads, writes>;
}

}  // namespace

Choice select_add_carry(const Form& form) { return {of<false, false, true>(form.type())}; }
Choice select_sub_carry(const Form& form) { return {of<true, false, true>(form.type())}; }
Choice select_addc(const Form& form) {
  return {form.has(Modifier::cc) ? of<false, true, true>(form.type()) : of<false, true, false>(form.type())};
}
Choice select_subc(const Form& form) {
  return {form.has(Modifier::cc) ? of<true, true, true>(form.type()) : of<true, true, false>(form.type())};
}

}  // namespace lockstep::interpreter::ptx
