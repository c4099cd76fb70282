// Comparisons, selection and constants.
#include "dialects/enums.h"
#include "dialects/rows.h"
#include "dialects/text_hooks.h"

namespace lockstep::dialects {

constexpr OpDef arith_cmpi =
    row(Opcode::arith_cmpi,
        {.summary = "result = lhs PREDICATE rhs; s.. compares signed, u.. unsigned",
         .operands = {{"lhs", TypeRule::scalar_or_tile_of_integer}, {"rhs", TypeRule::scalar_or_tile_of_integer}},
         .attributes = {{"predicate", AttributeRule::enumeration, Presence::required, 0, &kCmpiPredicate}},
         .results = {{"result", TypeRule::boolean_like}},
         .form = "$predicate, $lhs, $rhs attrs : type($lhs)",
         .relations = "rhs=lhs result=bool(lhs)",
         .arithmetic = Arithmetic::comparison,
         .numbers = Numbers::integers,
         .batching = BatchingRule::elementwise,
         .evaluate = evaluate_elementwise,
         .loops = &interpreter::kIntegerComparisonLoops,
         .emit_cuda = backend_cuda::emit_compare,
         .enclose = enclosure::enclose_compare_integers,
         .source = "MLIR Arith dialect"});

constexpr OpDef arith_cmpf =
    row(Opcode::arith_cmpf,
        {.summary = "result = lhs PREDICATE rhs; with a NaN, o.. gives false and u.. gives true",
         .operands = {{"lhs", TypeRule::scalar_or_tile_of_float}, {"rhs", TypeRule::scalar_or_tile_of_float}},
         .attributes = {{"predicate", AttributeRule::enumeration, Presence::required, 0, &kCmpfPredicate},
                        {.name = "fastmath", .presence = Presence::defaulted}},
         .results = {{"result", TypeRule::boolean_like}},
         .form = "$predicate, $lhs, $rhs verbatim($fastmath) attrs : type($lhs)",
         .relations = "rhs=lhs result=bool(lhs)",
         .arithmetic = Arithmetic::comparison,
         .numbers = Numbers::floats,
         .batching = BatchingRule::elementwise,
         .evaluate = evaluate_elementwise,
         .loops = &interpreter::kFloatComparisonLoops,
         .emit_cuda = backend_cuda::emit_compare,
         .enclose = enclosure::enclose_compare_floats,
         .source = "MLIR Arith dialect; IEEE 754-2019"});

constexpr OpDef arith_select =
    row(Opcode::arith_select, {.summary = "result = condition ? true_value : false_value",
                               .operands = {{"condition", TypeRule::boolean_like}, {"true_value"}, {"false_value"}},
                               .results = {{"result"}},
                               .relations = "true_value=result false_value=result",
                               .parse = parse_select,
                               .print = print_select,
                               .verify = verify_select,
                               .defined_if = Definedness::by_selected_operand,
                               .arithmetic = Arithmetic::selection,
                               .provenance = Provenance::operands_of_type,
                               .batching = BatchingRule::elementwise,
                               .evaluate = evaluate_elementwise,
                               .loops = &kTernaryLoops<Ternary::select>,
                               .emit_cuda = emit_text,
                               .cuda_text = "%0 ? %1 : %2",
                               .enclose = enclosure::enclose_select,
                               .sample = fuzz::sample_select,
                               .source = "MLIR Arith dialect"});

constexpr OpDef arith_constant =
    row(Opcode::arith_constant, {.summary = "result = value",
                                 .attributes = {{"value", AttributeRule::dense_or_scalar}},
                                 .results = {{"result", TypeRule::scalar_or_tile_of_number}},
                                 .parse = parse_constant,
                                 .print = print_constant,
                                 .verify = verify_constant,
                                 .origin = Origin::constant,
                                 .evaluate = interpreter::evaluate_constant,
                                 .emit_cuda = backend_cuda::emit_constant,
                                 .enclose = enclosure::enclose_constant,
                                 .sample = fuzz::sample_constant,
                                 .source = "MLIR Arith dialect"});

}  // namespace lockstep::dialects
