// Structured control flow.
#include "dialects/rows.h"
#include "dialects/text_hooks.h"

namespace lockstep::dialects {
namespace {

constexpr std::string_view kScfDialect = "MLIR SCF dialect";

}  // namespace

constexpr OpDef scf_for =
    row(Opcode::scf_for,
        {.summary = "for (i = lowerBound; i < upperBound; i += step) values = region(i, values); results = values",
         .operands = {{"lowerBound", TypeRule::index_or_integer},
                      {"upperBound", TypeRule::index_or_integer},
                      {"step", TypeRule::index_or_integer},
                      {"initArgs", TypeRule::any, Arity::variadic}},
         .attributes = {{"unsignedCmp", AttributeRule::unit, Presence::optional}},
         .results = {{"results", TypeRule::any, Arity::variadic}},
         .region_count = 1,
         .single_block_regions = true,
         .relations = "upperBound=lowerBound step=lowerBound",
         .parse = parse_for,
         .print = print_for,
         .verify = verify_for,
         .effects = Effects::control,
         .defined_if = Definedness::control,
         .control = Control::counted_loop,
         .batching = BatchingRule::control,
         .evaluate = interpreter::evaluate_for,
         .emit_cuda = backend_cuda::emit_for,
         .sample = fuzz::sample_scf_for,
         .source = kScfDialect});

constexpr OpDef scf_if = row(Opcode::scf_if, {.summary = "results = condition ? first region : second region",
                                              .operands = {{"condition", TypeRule::i1}},
                                              .results = {{"results", TypeRule::any, Arity::variadic}},
                                              .region_count = 2,
                                              .single_block_regions = true,
                                              .parse = parse_if,
                                              .print = print_if,
                                              .verify = verify_if,
                                              .effects = Effects::control,
                                              .defined_if = Definedness::control,
                                              .control = Control::choice,
                                              .batching = BatchingRule::control,
                                              .evaluate = interpreter::evaluate_if,
                                              .emit_cuda = backend_cuda::emit_if,
                                              .sample = fuzz::sample_scf_if,
                                              .source = kScfDialect});

constexpr OpDef scf_while =
    row(Opcode::scf_while,
        {.summary = "runs the first region on the values; while its condition holds, the second gives the next values",
         .operands = {{"inits", TypeRule::any, Arity::variadic}},
         .results = {{"results", TypeRule::any, Arity::variadic}},
         .region_count = 2,
         .single_block_regions = true,
         .parse = parse_while,
         .print = print_while,
         .verify = verify_while,
         .effects = Effects::control,
         .defined_if = Definedness::control,
         .control = Control::open_loop,
         .batching = BatchingRule::control,
         .evaluate = interpreter::evaluate_while,
         .emit_cuda = backend_cuda::emit_while,
         .sample = fuzz::sample_scf_while,
         .source = kScfDialect});

constexpr OpDef scf_condition =
    row(Opcode::scf_condition,
        {.summary = "ends the first region of scf.while: continues with args if condition, else they are the results",
         .operands = {{"condition", TypeRule::i1}, {"args", TypeRule::any, Arity::variadic}},
         .is_terminator = true,
         .form = "'(' $condition ')' attrs ($args : type($args))?",
         .relations = "condition=i1",
         .verify = verify_terminator_parent,
         .effects = Effects::control,
         .defined_if = Definedness::control,
         .control = Control::condition,
         .batching = BatchingRule::control,
         .evaluate = interpreter::evaluate_yield,
         .emit_cuda = backend_cuda::emit_nothing,
         .sample = fuzz::sample_scf_while,
         .source = kScfDialect});

constexpr OpDef scf_yield = row(Opcode::scf_yield, {.summary = "ends a region of an scf op with its values",
                                                    .operands = {{"results", TypeRule::any, Arity::variadic}},
                                                    .is_terminator = true,
                                                    .form = "attrs ($results : type($results))?",
                                                    .verify = verify_terminator_parent,
                                                    .effects = Effects::control,
                                                    .defined_if = Definedness::control,
                                                    .control = Control::yield,
                                                    .batching = BatchingRule::control,
                                                    .evaluate = interpreter::evaluate_yield,
                                                    .emit_cuda = backend_cuda::emit_nothing,
                                                    .sample = fuzz::sample_scf_for,
                                                    .source = kScfDialect});

}  // namespace lockstep::dialects
