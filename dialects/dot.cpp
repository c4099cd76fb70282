// Matrix products.
#include "dialects/enums.h"
#include "dialects/rows.h"

namespace lockstep::dialects {
constexpr OpDef tt_dot = row(
    Opcode::tt_dot,
    {.summary = "d[m, n] = c[m, n] + sum over k of a[m, k] * b[k, n]",
     .operands = {{"a", TypeRule::tile}, {"b", TypeRule::tile}, {"c", TypeRule::tile}},
     .attributes = {{"inputPrecision", AttributeRule::enumeration, Presence::defaulted, 2, &kInputPrecision},
                    {"maxNumImpreciseAcc", AttributeRule::i32, Presence::defaulted, 0}},
     .results = {{"d", TypeRule::tile}},
     .form = "$a, $b, $c (, inputPrecision = $inputPrecision)? attrs : type($a) * type($b) -> type($d)",
     .relations = "c=d",
     .verify = verify_dot,
     .defined_if = Definedness::row_by_column,
     .combination = Combination::product,
     .batching = BatchingRule::product,
     .makes_nan = true,
     .flops = 1,
     .evaluate = interpreter::evaluate_dot_or_bits,
     .emit_cuda = backend_cuda::emit_dot,
     .bound = {ErrorBound::Kind::by_length, 0.5, 0.5},
     .enclose = enclosure::enclose_dot,
     .sample = fuzz::sample_dot,
     .source = kTritonOps,
     .note = "S-42, S-70, S-71: a chain in order of k; an H200 too is within K 2^-24 (sum |a b| + |c|) of the exact "
             "value with f16, bf16 and tf32, and bit-equal with ieee f32 and f64"});

constexpr OpDef tt_dot_scaled =
    row(Opcode::tt_dot_scaled,
        {.summary = "d[m, n] = c[m, n] + sum over k of a[m, k] * 2^(a_scale[m, k/32] - 127) * b[k, n] * 2^(b_scale[n, "
                    "k/32] - 127)",
         .operands = {{"a", TypeRule::tile},
                      {"b", TypeRule::tile},
                      {"c", TypeRule::tile},
                      {"a_scale", TypeRule::tile, Arity::optional},
                      {"b_scale", TypeRule::tile, Arity::optional}},
         .attributes = {{"a_elem_type", AttributeRule::enumeration, Presence::required, 0, &kScaleElement},
                        {"b_elem_type", AttributeRule::enumeration, Presence::required, 0, &kScaleElement},
                        {"fastMath", AttributeRule::boolean},
                        {"lhs_k_pack", AttributeRule::boolean, Presence::defaulted, 1},
                        {"rhs_k_pack", AttributeRule::boolean, Presence::defaulted, 1}},
         .results = {{"d", TypeRule::tile}},
         .form = "$a (scale $a_scale)?, $b (scale $b_scale)?, $c lhs = $a_elem_type rhs = $b_elem_type attrs : "
                 "type($a) (, type($a_scale))? * type($b) (, type($b_scale))? -> type($d)",
         .relations = "c=d",
         .verify = verify_dot_scaled,
         .defined_if = Definedness::row_by_column,
         .combination = Combination::scaled_product,
         .evaluate = interpreter::evaluate_dot_scaled,
         .emit_cuda = backend_cuda::emit_dot_scaled,
         .bound = {ErrorBound::Kind::by_length, 0.5, 0.5},
         .enclose = enclosure::enclose_dot_scaled,
         .sample = fuzz::sample_dot_scaled,
         .source = kTritonOps,
         .note = "S-74: scaled in f16 or bf16, then as tt.dot"});

}  // namespace lockstep::dialects
