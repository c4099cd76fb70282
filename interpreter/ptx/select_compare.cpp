// Comparisons and selections. A comparison is the set of relations (less, equal, greater, unordered) that count as
// true.
#include <array>
#include <optional>

#include "interpreter/ptx/instructions.h"
#include "interpreter/ptx/lanes.h"

namespace lockstep::interpreter::ptx {

namespace {

using Bits = std::uint64_t;
constexpr std::uint32_t kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8;

// Parts of Instruction::detail.
constexpr std::uint32_t kCombineShift = 4;  // 0 none, 1 and, 2 or, 3 xor
constexpr std::uint32_t kSecond = 1u << 6;  // setp writes a second predicate
constexpr std::uint32_t kTrueShift = 8;     // set: index into kTrue

struct Relation {
  Modifier name;
  std::uint32_t holds;
  bool for_integers;
  bool for_floats;
};
constexpr std::array kRelations{
    Relation{Modifier::eq, kEqual, true, true},
    Relation{Modifier::ne, kLess | kGreater, true, true},
    Relation{Modifier::lt, kLess, true, true},
    Relation{Modifier::le, kLess | kEqual, true, true},
    Relation{Modifier::gt, kGreater, true, true},
    Relation{Modifier::ge, kGreater | kEqual, true, true},
    Relation{Modifier::compare_lo, kLess, true, false},
    Relation{Modifier::compare_ls, kLess | kEqual, true, false},
    Relation{Modifier::compare_hi, kGreater, true, false},
    Relation{Modifier::compare_hs, kGreater | kEqual, true, false},
    Relation{Modifier::equ, kEqual | kUnordered, false, true},
    Relation{Modifier::neu, kLess | kGreater | kUnordered, false, true},
    Relation{Modifier::ltu, kLess | kUnordered, false, true},
    Relation{Modifier::leu, kLess | kEqual | kUnordered, false, true},
    Relation{Modifier::gtu, kGreater | kUnordered, false, true},
    Relation{Modifier::geu, kGreater | kEqual | kUnordered, false, true},
    Relation{Modifier::num, kLess | kEqual | kGreater, false, true},
    Relation{Modifier::isnan, kUnordered, false, true},
};

bool is_float_type(Type type) {
  return type == Type::f16 || type == Type::bf16 || type == Type::f32 || type == Type::f64 || type == Type::f16x2 ||
         type == Type::bf16x2;
}

/// The relations of a form; 0 if it names none or several, or one that its type does not have.
std::uint32_t relations_of(const Form& form, Type type) {
  std::uint32_t holds = 0;
  for (const Relation& relation : kRelations) {
    if (!form.has(relation.name)) continue;
    if (holds != 0 || !(is_float_type(type) ? relation.for_floats : relation.for_integers)) return 0;
    holds = relation.holds;
  }
  return holds;
}

template <typename T>
std::uint32_t relate(T a, T b) {
  if (a < b) return kLess;
  if (a == b) return kEqual;
  return a > b ? kGreater : kUnordered;
}
bool combine(bool t, Bits c, std::uint32_t detail) {
  switch (detail >> kCombineShift & 3) {
    case 1: return t && (c & 1) != 0;
    case 2: return t || (c & 1) != 0;
    case 3: return t != ((c & 1) != 0);
    default: return t;
  }
}

template <typename D>
void setp(State& s, const Instruction& i) {
  const Bits *a = s.registers[i.from[0]], *b = s.registers[i.from[1]], *c = s.registers[i.from[2]];
  Bits *p = s.registers[i.to[0]], *q = (i.detail & kSecond) != 0 ? s.registers[i.to[1]] : nullptr;
  for (int k = 0; k < s.lanes; ++k) {
    const bool t = (relate(D::get(a[k]), D::get(b[k])) & i.detail) != 0;
    const Bits with = c[k];
    p[k] = combine(t, with, i.detail) ? 1 : 0;
    if (q != nullptr) q[k] = combine(!t, with, i.detail) ? 1 : 0;
  }
}
/// Both halves: p has the low one's result, q the high one's.
template <typename D>
void setp_pair(State& s, const Instruction& i) {
  const Bits *a = s.registers[i.from[0]], *b = s.registers[i.from[1]], *c = s.registers[i.from[2]];
  Bits *p = s.registers[i.to[0]], *q = s.registers[i.to[1]];
  for (int k = 0; k < s.lanes; ++k) {
    const bool low = (relate(D::get(a[k]), D::get(b[k])) & i.detail) != 0;
    const bool high = (relate(D::get(a[k] >> 16), D::get(b[k] >> 16)) & i.detail) != 0;
    const Bits with = c[k];
    p[k] = combine(low, with, i.detail) ? 1 : 0;
    q[k] = combine(high, with, i.detail) ? 1 : 0;
  }
}

/// The value of `true` in a result of set.
constexpr std::array<Bits, 5> kTrue{0xffffffff, 0x3f800000, 0x3c00, 0x3f80, 0xffff};

template <typename D>
void set(State& s, const Instruction& i) {
  const Bits *a = s.registers[i.from[0]], *b = s.registers[i.from[1]], *c = s.registers[i.from[2]];
  Bits* to = s.registers[i.to[0]];
  const Bits yes = kTrue[i.detail >> kTrueShift];
  for (int k = 0; k < s.lanes; ++k)
    to[k] = combine((relate(D::get(a[k]), D::get(b[k])) & i.detail) != 0, c[k], i.detail) ? yes : 0;
}
template <typename D>
void set_pair(State& s, const Instruction& i) {
  const Bits *a = s.registers[i.from[0]], *b = s.registers[i.from[1]], *c = s.registers[i.from[2]];
  Bits* to = s.registers[i.to[0]];
  const Bits yes = kTrue[i.detail >> kTrueShift];
  for (int k = 0; k < s.lanes; ++k) {
    const bool low = combine((relate(D::get(a[k]), D::get(b[k])) & i.detail) != 0, c[k], i.detail);
    const bool high = combine((relate(D::get(a[k] >> 16), D::get(b[k] >> 16)) & i.detail) != 0, c[k], i.detail);
    to[k] = (low ? yes : 0) | (high ? yes << 16 : 0);
  }
}

/// The loop for a compared type; null: there is none.
template <bool to_predicate>
Evaluate loop_for(Type type, bool flush) {
  const auto one = []<typename D>(D) { return to_predicate ? Evaluate{setp<D>} : Evaluate{set<D>}; };
  const auto pair = []<typename D>(D) { return to_predicate ? Evaluate{setp_pair<D>} : Evaluate{set_pair<D>}; };
  switch (type) {
    case Type::b16:
    case Type::u16: return one(Int<std::uint16_t>{});
    case Type::s16: return one(Int<std::int16_t>{});
    case Type::b32:
    case Type::u32: return one(Int<std::uint32_t>{});
    case Type::s32: return one(Int<std::int32_t>{});
    case Type::b64:
    case Type::u64: return one(Int<std::uint64_t>{});
    case Type::s64: return one(Int<std::int64_t>{});
    case Type::f32: return flush ? one(F32<kFlush>{}) : one(F32<>{});
    case Type::f64: return flush ? nullptr : one(F64<>{});
    case Type::f16: return flush ? one(F16<kFlush>{}) : one(F16<>{});
    case Type::bf16: return flush ? nullptr : one(BF16<>{});
    case Type::f16x2: return flush ? pair(F16<kFlush>{}) : pair(F16<>{});
    case Type::bf16x2: return flush ? nullptr : pair(BF16<>{});
    default: return nullptr;
  }
}

/// How the comparison combines with the third operand; nullopt if modifiers and operands do not agree.
std::optional<std::uint32_t> combination_of(const Form& form) {
  const bool a = form.has(Modifier::and_), o = form.has(Modifier::or_), x = form.has(Modifier::xor_);
  if ((a ? 1 : 0) + (o ? 1 : 0) + (x ? 1 : 0) > 1 || (a || o || x) != (form.sources == 3)) return std::nullopt;
  return (a ? 1u : o ? 2u : x ? 3u : 0u) << kCombineShift;
}

bool bits_admit(Type type, std::uint32_t holds) {
  const bool untyped = type == Type::b16 || type == Type::b32 || type == Type::b64;
  return !untyped || holds == kEqual || holds == (kLess | kGreater);
}

std::optional<std::uint32_t> true_value(Type type) {
  switch (type) {
    case Type::u32:
    case Type::s32: return 0;
    case Type::f32: return 1;
    case Type::f16:
    case Type::f16x2: return 2;
    case Type::bf16:
    case Type::bf16x2: return 3;
    case Type::u16:
    case Type::s16: return 4;
    default: return std::nullopt;
  }
}

constexpr auto kSelect = [](Bits a, Bits b, Bits p) -> Bits { return (p & 1) != 0 ? a : b; };
constexpr auto kSelectSign = [](Bits a, Bits b, Bits c) -> Bits { return static_cast<std::int32_t>(c) >= 0 ? a : b; };
constexpr auto kSelectSignFloat = [](Bits a, Bits b, Bits c) -> Bits { return F32<>::get(c) >= 0 ? a : b; };
constexpr auto kSelectSignFlush = [](Bits a, Bits b, Bits c) -> Bits { return F32<kFlush>::get(c) >= 0 ? a : b; };

template <typename D>
constexpr auto kTest = [](Bits a, std::uint32_t which) -> Bits {
  const auto v = D::get(a);
  switch (static_cast<Modifier>(which)) {
    case Modifier::finite: return std::isfinite(v);
    case Modifier::infinite: return std::isinf(v);
    case Modifier::number: return v == v;
    case Modifier::notanumber: return v != v;
    case Modifier::normal: return std::isnormal(v);
    default: return std::fpclassify(v) == FP_SUBNORMAL;
  }
};

}  // namespace

Choice select_setp(const Form& form) {
  const Type type = form.type();
  const std::uint32_t holds = relations_of(form, type);
  const auto combined = combination_of(form);
  if (holds == 0 || !combined || !bits_admit(type, holds)) return {};
  const bool is_pair = type == Type::f16x2 || type == Type::bf16x2;
  if (is_pair && !form.second) return {};
  return {loop_for<true>(type, form.has(Modifier::ftz)), holds | *combined | (form.second ? kSecond : 0)};
}

Choice select_set(const Form& form) {
  const Type type = form.type(1);
  const std::uint32_t holds = relations_of(form, type);
  const auto combined = combination_of(form);
  const auto yes = true_value(form.type(0));
  const bool is_pair = type == Type::f16x2 || type == Type::bf16x2;
  const bool pair_result = form.type(0) == Type::f16x2 || form.type(0) == Type::bf16x2;
  if (holds == 0 || !combined || !yes || is_pair != pair_result || !bits_admit(type, holds)) return {};
  return {loop_for<false>(type, form.has(Modifier::ftz)), holds | *combined | *yes << kTrueShift};
}

Choice select_selp(const Form&) { return {bits3<kSelect>}; }
Choice select_slct(const Form& form) {
  if (form.type(1) == Type::s32) return {form.has(Modifier::ftz) ? nullptr : bits3<kSelectSign>};
  return {form.has(Modifier::ftz) ? bits3<kSelectSignFlush> : bits3<kSelectSignFloat>};
}

Choice select_testp(const Form& form) {
  for (const Modifier test : {Modifier::finite, Modifier::infinite, Modifier::number, Modifier::notanumber,
                              Modifier::normal, Modifier::subnormal}) {
    if (!form.has(test)) continue;
    if (form.modifiers != bit(test)) return {};
    return {form.type() == Type::f32 ? detail1<kTest<F32<>>> : detail1<kTest<F64<>>>, static_cast<std::uint32_t>(test)};
  }
  return {};
}

}  // namespace lockstep::interpreter::ptx
