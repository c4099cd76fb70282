#include "interpreter/kernels/dispatch.h"

#include <cstdlib>
#include <string>

#include "interpreter/kernels/processor.h"
#include "support/log.h"
#include "support/scalar.h"

#if defined(__x86_64__)
#define LOCKSTEP_ISA v2
#include "interpreter/kernels/isa/isa.h"
#undef LOCKSTEP_ISA
#define LOCKSTEP_ISA v3
#include "interpreter/kernels/isa/isa.h"
#undef LOCKSTEP_ISA
#define LOCKSTEP_ISA v4
#include "interpreter/kernels/isa/isa.h"
#undef LOCKSTEP_ISA
#else
#define LOCKSTEP_ISA base
#include "interpreter/kernels/isa/isa.h"
#undef LOCKSTEP_ISA
#endif

namespace lockstep::interpreter::kernels {
namespace {

constexpr bool is_same(Kind kind, ScalarKind scalar) { return static_cast<int>(kind) == static_cast<int>(scalar); }
static_assert(is_same(Kind::i1, ScalarKind::i1) && is_same(Kind::i64, ScalarKind::i64) &&
              is_same(Kind::f8E4M3FN, ScalarKind::f8E4M3FN) && is_same(Kind::f8E5M2, ScalarKind::f8E5M2) &&
              is_same(Kind::f8E4M3FNUZ, ScalarKind::f8E4M3FNUZ) && is_same(Kind::f8E5M2FNUZ, ScalarKind::f8E5M2FNUZ) &&
              is_same(Kind::f16, ScalarKind::f16) && is_same(Kind::bf16, ScalarKind::bf16) &&
              is_same(Kind::f32, ScalarKind::f32) && is_same(Kind::f64, ScalarKind::f64) &&
              is_same(Kind::pointer, ScalarKind::pointer));

// The families of one instruction set put together. A macro, because a namespace cannot be a template parameter.
#define LOCKSTEP_TABLE(isa, label)                                                                                   \
  constexpr Table k_##isa {                                                                                          \
    label,                                                                                                           \
        [](Unary op, Kind kind) {                                                                                    \
          return op == Unary::absi ? isa::find_integer_unary(op, kind) : isa::find_float_unary(op, kind);            \
        },                                                                                                           \
        [](Binary op, Kind kind) {                                                                                   \
          if (static_cast<int>(op) >= kIntegerBinaryCount) return isa::find_float_binary(op, kind);                  \
          const BinaryFn found = isa::find_integer_binary(op, kind);                                                 \
          return found != nullptr ? found : isa::find_integer_division(op, kind);                                    \
        },                                                                                                           \
        isa::find_compare_int, isa::find_compare_float,                                                              \
        [](Ternary op, Kind kind) {                                                                                  \
          return op == Ternary::select ? isa::find_select(size_bytes(static_cast<ScalarKind>(kind)))                 \
                                       : isa::find_float_ternary(op, kind);                                          \
        },                                                                                                           \
        isa::find_convert, isa::find_reduce, isa::sum_products, isa::find_scan, isa::find_compare_exchange, isa::find_gemm, isa::find_gemm_of_exact_products,  \
        isa::find_gemm_of_pairs, isa::find_gemm_of_pairs_at_once, isa::pair_lines, isa::find_bf16_products,          \
        isa::find_dot_piece, \
        isa::tensor_core, isa::find_gather, isa::find_scatter, isa::find_copy_box, isa::find_fill, isa::find_iota,   \
        isa::address_range, isa::count_true, isa::stream, isa::finish_streams                                                          \
  }

#if defined(__x86_64__)
LOCKSTEP_TABLE(v2, "v2");
LOCKSTEP_TABLE(v3, "v3");
LOCKSTEP_TABLE(v4, "v4");
#else
LOCKSTEP_TABLE(base, "base");
#endif

const Table* widest() {
#if defined(__x86_64__)
  for (const char* name : {"v4", "v3"})
    if (const Table* found = table_of(name)) return found;
  return &k_v2;
#else
  return &k_base;
#endif
}

const Table* choose() {
  const char* wanted = std::getenv("LOCKSTEP_ISA");
  if (wanted == nullptr || *wanted == '\0' || std::string_view(wanted) == "auto") return widest();
  if (const Table* found = table_of(wanted)) return found;
  log::warn("LOCKSTEP_ISA=" + std::string(wanted) + " is not one of v2, v3, v4 that this processor has; using " +
            widest()->name);
  return widest();
}

}  // namespace

const Table* table_of(std::string_view name) {
#if defined(__x86_64__)
  if (name == "v2") return &k_v2;
  if (name == "v3") return processor_has("x86-64-v3") ? &k_v3 : nullptr;
  if (name == "v4") return processor_has("x86-64-v4") ? &k_v4 : nullptr;
  return nullptr;
#else
  return name == "base" ? &k_base : nullptr;
#endif
}

const Table& table() {
  static const Table* const chosen = choose();
  return *chosen;
}

const char* isa_name() { return table().name; }

}  // namespace lockstep::interpreter::kernels
