// Turns a C++ function of one to four scalars into a row of the table: kinds from its signature, and a loop over dense
// tiles around it. Invariant: elements are read and written by memcpy, in ascending order, so that a result may use the
// buffer of an operand that is at least as wide. It normalises a function's NaN (S-36), so that it is the same on every
// processor. For catalogue.cpp and the kernels of math ops only.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "interpreter/evaluators/nan.h"
#include "interpreter/libdevice/elementary.h"
#include "interpreter/libdevice/function.h"
#include "interpreter/libdevice/rounding.h"

namespace lockstep::interpreter::libdevice {

template <class T>
constexpr ScalarKind kind_of() {
  if constexpr (std::is_same_v<T, bool>) return ScalarKind::i1;
  if constexpr (std::is_same_v<T, float>) return ScalarKind::f32;
  if constexpr (std::is_same_v<T, double>) return ScalarKind::f64;
  if constexpr (sizeof(T) == 2) return ScalarKind::i16;
  if constexpr (sizeof(T) == 8) return ScalarKind::i64;
  return ScalarKind::i32;
}

template <class T>
T element(const void* base, std::int64_t i) {
  T value;
  std::memcpy(&value, static_cast<const char*>(base) + i * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
  return value;
}
template <class T>
void set_element(void* base, std::int64_t i, T value) {
  std::memcpy(static_cast<char*>(base) + i * static_cast<std::int64_t>(sizeof(T)), &value, sizeof(T));
}

/// Functions that give the right NaN: those that move bits, and fused ones. Functions without a float operand
/// (reinterpret) move bits, too.
template <auto kFunction>
inline constexpr bool kSettlesItself = false;
#define LOCKSTEP_SETTLES_ITSELF(...) \
  template <>                        \
  inline constexpr bool kSettlesItself<__VA_ARGS__> = true;
#define LOCKSTEP_SETTLES_ITSELF_IN(mode)             \
  LOCKSTEP_SETTLES_ITSELF(fused<Round::mode, float>) \
  LOCKSTEP_SETTLES_ITSELF(fused<Round::mode, double>)
LOCKSTEP_SETTLES_ITSELF(fabs_f64)
LOCKSTEP_SETTLES_ITSELF(static_cast<float (*)(float)>(single<fabs_f64>))
LOCKSTEP_SETTLES_ITSELF(copy_sign<float>)
LOCKSTEP_SETTLES_ITSELF(copy_sign<double>)
LOCKSTEP_SETTLES_ITSELF(static_cast<float (*)(float, float)>(single<copy_sign<double>>))
LOCKSTEP_SETTLES_ITSELF(larger_number<float>)
LOCKSTEP_SETTLES_ITSELF(larger_number<double>)
LOCKSTEP_SETTLES_ITSELF(smaller_number<float>)
LOCKSTEP_SETTLES_ITSELF(smaller_number<double>)
LOCKSTEP_SETTLES_ITSELF(fma_f32)
LOCKSTEP_SETTLES_ITSELF(fma_f64)
LOCKSTEP_SETTLES_ITSELF_IN(nearest)
LOCKSTEP_SETTLES_ITSELF_IN(zero)
LOCKSTEP_SETTLES_ITSELF_IN(down)
LOCKSTEP_SETTLES_ITSELF_IN(up)
#undef LOCKSTEP_SETTLES_ITSELF_IN
#undef LOCKSTEP_SETTLES_ITSELF

/// kFunction(operands...) with the NaN of S-36.
template <auto kFunction, class... A>
auto call_settled(A... operands) {
  using R = decltype(kFunction(operands...));
  if constexpr (std::is_floating_point_v<R> && (std::is_floating_point_v<A> || ...) && !kSettlesItself<kFunction>) {
    return settled(kFunction(operands...), operands...);
  } else {
    return kFunction(operands...);
  }
}

/// The loops around one function; a row uses the overload for its number of operands.
template <auto kFunction, class R, class... A>
struct Loops;

template <auto kFunction, class R, class A>
struct Loops<kFunction, R, A> {
  static void run(void* out, const void* a, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) set_element<R>(out, i, call_settled<kFunction>(element<A>(a, i)));
  }
  static constexpr void fill(Function& row) { row.unary = run; }
};
template <auto kFunction, class R, class A, class B>
struct Loops<kFunction, R, A, B> {
  static void run(void* out, const void* a, const void* b, std::int64_t n, int a_step, int b_step) {
    for (std::int64_t i = 0; i < n; ++i)
      set_element<R>(out, i, call_settled<kFunction>(element<A>(a, i * a_step), element<B>(b, i * b_step)));
  }
  static constexpr void fill(Function& row) { row.binary = run; }
};
template <auto kFunction, class R, class A, class B, class C>
struct Loops<kFunction, R, A, B, C> {
  static void run(void* out, const void* a, const void* b, const void* c, std::int64_t n, int a_step, int b_step,
                  int c_step) {
    for (std::int64_t i = 0; i < n; ++i)
      set_element<R>(
          out, i,
          call_settled<kFunction>(element<A>(a, i * a_step), element<B>(b, i * b_step), element<C>(c, i * c_step)));
  }
  static constexpr void fill(Function& row) { row.ternary = run; }
};
template <auto kFunction, class R, class A, class B, class C, class D>
struct Loops<kFunction, R, A, B, C, D> {
  static void run(void* out, const std::array<const void*, kMaxOperands>& in, std::int64_t n,
                  const std::array<int, kMaxOperands>& step) {
    for (std::int64_t i = 0; i < n; ++i)
      set_element<R>(out, i,
                     call_settled<kFunction>(element<A>(in[0], i * step[0]), element<B>(in[1], i * step[1]),
                                             element<C>(in[2], i * step[2]), element<D>(in[3], i * step[3])));
  }
  static constexpr void fill(Function& row) { row.quaternary = run; }
};

template <auto kFunction, class R, class... A>
constexpr Function row_of(R (*)(A...), std::string_view symbol, double ulp, double absolute, double cuda_ulp,
                          double worst, std::string_view note) {
  Function row{.symbol = symbol,
               .result = kind_of<R>(),
               .operand = {kind_of<A>()...},
               .operand_count = sizeof...(A),
               .ulp = ulp,
               .absolute = absolute,
               .cuda_ulp = cuda_ulp,
               .worst = worst,
               .note = note};
  Loops<kFunction, R, A...>::fill(row);
  return row;
}

}  // namespace lockstep::interpreter::libdevice
