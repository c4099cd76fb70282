// A kernel's output, and foreign code: print, assert, inline assembly, library functions.
#include "dialects/rows.h"

namespace lockstep::dialects {
constexpr OpDef tt_print =
    row(Opcode::tt_print, {.summary = "prints prefix and the elements of args",
                           .operands = {{"args", TypeRule::any, Arity::variadic}},
                           .attributes = {{"prefix", AttributeRule::string},
                                          {"hex", AttributeRule::boolean},
                                          {"isSigned", AttributeRule::dense_array_i32, Presence::optional}},
                           .form = "$prefix attrs (: $args : type($args))?",
                           .effects = Effects::write,
                           .statement = Statement::print,
                           .batching = BatchingRule::assumption_if_breakpoint,
                           .is_same_everywhere = false,
                           .evaluate = interpreter::evaluate_print,
                           .emit_cuda = backend_cuda::emit_print,
                           .sample = fuzz::sample_print,
                           .source = kTritonOps,
                           .note = "S-94: one line per element, in order"});

constexpr OpDef tt_assert =
    row(Opcode::tt_assert, {.summary = "stops the launch with message unless condition is true everywhere",
                            .operands = {{"condition", TypeRule::boolean_like}},
                            .attributes = {{"message", AttributeRule::string}},
                            .form = "$condition, $message attrs : type($condition)",
                            .effects = Effects::write,
                            .statement = Statement::assertion,
                            .batching = BatchingRule::assertion,
                            .is_same_everywhere = false,
                            .evaluate = interpreter::evaluate_assert,
                            .emit_cuda = backend_cuda::emit_assert,
                            .source = kTritonOps,
                            .note = "S-95: finding LS120; the program continues"});

constexpr OpDef tt_elementwise_inline_asm =
    row(Opcode::tt_elementwise_inline_asm,
        {.summary = "results[i] = the PTX asm_string applied to args[i], packed_element elements at a time",
         .operands = {{"args", TypeRule::any, Arity::variadic}},
         .attributes = {{"asm_string", AttributeRule::string},
                        {"constraints", AttributeRule::string},
                        {"pure", AttributeRule::boolean},
                        {"packed_element", AttributeRule::i32}},
         .results = {{"result", TypeRule::any, Arity::variadic}},
         .form = "$asm_string attrs ($args : type($args))? -> type($result)",
         .verify = verify_inline_asm,
         .combination = Combination::code,
         .batching = BatchingRule::elementwise_in_packs,
         .evaluate = interpreter::evaluate_inline_asm,
         .emit_cuda = backend_cuda::emit_inline_asm,
         .enclose = enclosure::enclose_inline_asm,
         .sample = fuzz::sample_inline_asm,
         .source = "Triton 3.6 TritonOps.td; PTX ISA 8.7",
         .note = "S-90 to S-93; .approx and .full instructions are within PTX's bounds"});

constexpr OpDef tt_extern_elementwise =
    row(Opcode::tt_extern_elementwise, {.summary = "result[i] = the library function symbol applied to srcs[i]",
                                        .operands = {{"srcs", TypeRule::any, Arity::variadic}},
                                        .attributes = {{"libname", AttributeRule::string},
                                                       {"libpath", AttributeRule::string},
                                                       {"symbol", AttributeRule::string},
                                                       {"pure", AttributeRule::boolean}},
                                        .results = {{"result"}},
                                        .form = "$srcs attrs : signature",
                                        .batching = BatchingRule::elementwise_if_pure,
                                        .makes_nan = true,
                                        .evaluate = interpreter::evaluate_extern_elementwise,
                                        .loops = &interpreter::kLibraryLoops,
                                        .emit_cuda = backend_cuda::emit_extern,
                                        .enclose = enclosure::enclose_extern,
                                        .sample = fuzz::sample_extern_elementwise,
                                        .source = kTritonOps,
                                        .note = "S-82: bounds by symbol below, under Library functions"});

}  // namespace lockstep::dialects
