// Modules, functions, calls and branches between blocks.
#include "dialects/rows.h"
#include "dialects/text_hooks.h"

namespace lockstep::dialects {
namespace {

constexpr std::string_view kTriton = "Triton 3.6 TritonOps.td";

}  // namespace

constexpr OpDef builtin_module =
    row(Opcode::builtin_module, {.summary = "holds functions",
                                 .attributes = {{"sym_name", AttributeRule::string, Presence::optional},
                                                {"sym_visibility", AttributeRule::string, Presence::optional}},
                                 .region_count = 1,
                                 .is_isolated = true,
                                 .single_block_regions = true,
                                 .parse = parse_module_op,
                                 .print = print_module_op,
                                 .effects = Effects::symbol,
                                 .source = "MLIR Builtin dialect"});

constexpr OpDef tt_func =
    row(Opcode::tt_func, {.summary = "a kernel (public) or a helper (private)",
                          .attributes = {{"sym_name", AttributeRule::string},
                                         {"function_type", AttributeRule::type},
                                         {"sym_visibility", AttributeRule::string, Presence::optional},
                                         {"arg_attrs", AttributeRule::any, Presence::optional},
                                         {"res_attrs", AttributeRule::any, Presence::optional}},
                          .region_count = 1,
                          .is_isolated = true,
                          .parse = parse_function,
                          .print = print_function,
                          .effects = Effects::symbol,
                          .source = kTriton});

constexpr OpDef tt_call = row(Opcode::tt_call, {.summary = "results = callee(operands)",
                                                .operands = {{"operands", TypeRule::any, Arity::variadic}},
                                                .attributes = {{"callee", AttributeRule::symbol}},
                                                .results = {{"results", TypeRule::any, Arity::variadic}},
                                                .form = "$callee '(' $operands ')' attrs : signature",
                                                .effects = Effects::control,
                                                .defined_if = Definedness::control,
                                                .source = kTriton});

constexpr OpDef tt_return = row(Opcode::tt_return, {.summary = "ends a function with its results",
                                                    .operands = {{"srcs", TypeRule::any, Arity::variadic}},
                                                    .is_terminator = true,
                                                    .form = "attrs ($srcs : type($srcs))?",
                                                    .effects = Effects::control,
                                                    .defined_if = Definedness::control,
                                                    .source = kTriton});

constexpr OpDef cf_br = row(Opcode::cf_br, {.summary = "goes to a block, giving its arguments values",
                                            .operands = {{"destOperands", TypeRule::any, Arity::variadic}},
                                            .successor_count = 1,
                                            .is_terminator = true,
                                            .form = "successor attrs",
                                            .effects = Effects::control,
                                            .defined_if = Definedness::control,
                                            .source = "MLIR ControlFlow dialect"});

constexpr OpDef cf_cond_br =
    row(Opcode::cf_cond_br, {.summary = "goes to the first block if condition, else to the second",
                             .operands = {{"condition", TypeRule::i1},
                                          {"trueDestOperands", TypeRule::any, Arity::variadic},
                                          {"falseDestOperands", TypeRule::any, Arity::variadic}},
                             .attributes = {{"branch_weights", AttributeRule::dense_array_i32, Presence::optional}},
                             .successor_count = 2,
                             .is_terminator = true,
                             .form = "$condition (weights '(' $branch_weights ')')?, successor, successor attrs",
                             .relations = "condition=i1",
                             .effects = Effects::control,
                             .defined_if = Definedness::control,
                             .source = "MLIR ControlFlow dialect"});

}  // namespace lockstep::ops
