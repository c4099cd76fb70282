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
                                 .needs_terminator = false,
                                 .is_isolated = true,
                                 .single_block_regions = true,
                                 .parse = parse_module_op,
                                 .print = print_module_op,
                                 .effects = Effects::symbol,
                                 .control = Control::module,
                                 .emit_reason = "it holds functions; each kernel is a text of its own",
                                 .sample = fuzz::sample_nothing,
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
                          .verify = verify_function,
                          .effects = Effects::symbol,
                          .control = Control::function,
                          .emit_reason = "it is the kernel itself: backend_cuda/emit/emit_module.h",
                          .sample = fuzz::sample_nothing,
                          .source = kTriton});

constexpr OpDef tt_call = row(Opcode::tt_call, {.summary = "results = callee(operands)",
                                                .operands = {{"operands", TypeRule::any, Arity::variadic}},
                                                .attributes = {{"callee", AttributeRule::symbol}},
                                                .results = {{"results", TypeRule::any, Arity::variadic}},
                                                .form = "$callee '(' $operands ')' attrs : signature",
                                                .verify = verify_call,
                                                .effects = Effects::control,
                                                .defined_if = Definedness::control,
                                                .control = Control::call,
                                                .evaluate = interpreter::evaluate_call,
                                                .emit_cuda = backend_cuda::emit_call,
                                                .sample = fuzz::sample_call,
                                                .source = kTriton});

constexpr OpDef tt_return = row(Opcode::tt_return, {.summary = "ends a function with its results",
                                                    .operands = {{"srcs", TypeRule::any, Arity::variadic}},
                                                    .is_terminator = true,
                                                    .form = "attrs ($srcs : type($srcs))?",
                                                    .verify = verify_terminator_parent,
                                                    .effects = Effects::control,
                                                    .defined_if = Definedness::control,
                                                    .control = Control::function_return,
                                                    .batching = BatchingRule::control,
                                                    .evaluate = interpreter::evaluate_return,
                                                    .emit_cuda = backend_cuda::emit_return,
                                                    .sample = fuzz::sample_nothing,
                                                    .source = kTriton});

constexpr OpDef cf_br = row(Opcode::cf_br, {.summary = "goes to a block, giving its arguments values",
                                            .operands = {{"destOperands", TypeRule::any, Arity::variadic}},
                                            .successor_count = 1,
                                            .is_terminator = true,
                                            .form = "successor attrs",
                                            .effects = Effects::control,
                                            .defined_if = Definedness::control,
                                            .control = Control::jump,
                                            .batching = BatchingRule::control,
                                            .evaluate = interpreter::evaluate_branch,
                                            .emit_cuda = backend_cuda::emit_branch,
                                            .sample = fuzz::sample_branch,
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
                             .control = Control::conditional_jump,
                             .batching = BatchingRule::control,
                             .evaluate = interpreter::evaluate_branch,
                             .emit_cuda = backend_cuda::emit_branch,
                             .sample = fuzz::sample_branch,
                             .source = "MLIR ControlFlow dialect"});

}  // namespace lockstep::dialects
