// A program's place in its grid, and facts about values that only help a compiler.
#include "dialects/enums.h"
#include "dialects/rows.h"
#include "dialects/text_hooks.h"

namespace lockstep::dialects {
namespace {

consteval OpDef grid_query(Opcode opcode, std::string_view summary, Origin origin, BatchingRule batching) {
  return row(opcode, {.summary = summary,
                      .attributes = {{"axis", AttributeRule::enumeration, Presence::required, 0, &kGridAxis}},
                      .results = {{"result", TypeRule::i32}},
                      .form = "$axis attrs : type($result)",
                      .origin = origin,
                      .batching = batching,
                      .evaluate = interpreter::evaluate_program_info,
                      .emit_cuda = backend_cuda::emit_program_info,
                      .enclose = enclosure::enclose_points,
                      .source = "Triton 3.6 TritonOps.td"});
}

}  // namespace

constexpr OpDef tt_get_program_id =
    grid_query(Opcode::tt_get_program_id, "result = this program's index on an axis of the grid", Origin::program_id,
               BatchingRule::program_id);
constexpr OpDef tt_get_num_programs =
    grid_query(Opcode::tt_get_num_programs, "result = the grid's extent on an axis", Origin::program_count,
               BatchingRule::shared_only);

constexpr OpDef gpu_barrier =
    row(Opcode::gpu_barrier, {.summary = "all threads of the program wait here for each other",
                              .form = "attrs",
                              .effects = Effects::barrier,
                              .joins_threads = true,
                              .batching = BatchingRule::shared_only,
                              .evaluate = interpreter::evaluate_nothing,
                              .emit_cuda = backend_cuda::emit_barrier,
                              .source = "MLIR GPU dialect"});

constexpr OpDef ttg_local_barrier =
    until("3.6", row(Opcode::ttg_local_barrier,
                     {.summary = "all threads of the program wait here for each other; shared memory becomes visible",
                      .form = "attrs",
                      .effects = Effects::barrier,
                      .joins_threads = true,
                      .batching = BatchingRule::shared_only,
                      .evaluate = interpreter::evaluate_nothing,
                      .emit_cuda = backend_cuda::emit_barrier,
                      .source = "libtriton 3.6.0, parsed and printed"}));

constexpr OpDef ttg_barrier = since(
    "3.7",
    row(Opcode::ttg_barrier,
        {.summary = "all threads of the program wait here for each other; addrSpace: which memory becomes visible",
         .attributes = {{"addrSpace", AttributeRule::enumeration, Presence::required, 0, &kBarrierSpaces}},
         .form = "$addrSpace attrs",
         .effects = Effects::barrier,
         .joins_threads = true,
         .batching = BatchingRule::shared_only,
         .evaluate = interpreter::evaluate_nothing,
         .emit_cuda = backend_cuda::emit_barrier,
         .source = "libtriton 3.7.1, parsed and printed"}));

constexpr OpDef tt_grid_dependency_wait = since(
    "3.9", row(Opcode::tt_grid_dependency_wait,
               {.summary = "waits for the launches before this one (programmatic dependent launch); they are over here",
                .form = "attrs",
                .effects = Effects::barrier,
                .batching = BatchingRule::shared_only,
                .evaluate = interpreter::evaluate_nothing,
                .emit_cuda = backend_cuda::emit_grid_wait,
                .source = "libtriton 3.9.0, parsed and printed"}));
constexpr OpDef tt_grid_dependency_launch_dependents =
    since("3.9", row(Opcode::tt_grid_dependency_launch_dependents,
                     {.summary = "lets the launches that wait for this one start (programmatic dependent launch)",
                      .form = "attrs",
                      .effects = Effects::barrier,
                      .batching = BatchingRule::shared_only,
                      .evaluate = interpreter::evaluate_nothing,
                      .emit_cuda = backend_cuda::emit_grid_release,
                      .source = "libtriton 3.9.0, parsed and printed"}));

constexpr OpDef llvm_intr_assume =
    row(Opcode::llvm_intr_assume,
        {.summary = "promises that cond is true",
         .operands = {{"cond", TypeRule::i1}, {"op_bundle_operands", TypeRule::any, Arity::variadic}},
         .attributes = {{"op_bundle_sizes", AttributeRule::dense_array_i32, Presence::defaulted},
                        {"op_bundle_tags", AttributeRule::any, Presence::optional}},
         .parse = parse_assume,
         .print = print_assume,
         .verify = verify_assume,
         .effects = Effects::barrier,
         .statement = Statement::assumption,
         .batching = BatchingRule::assumption,
         .is_same_everywhere = false,
         .evaluate = interpreter::evaluate_nothing,
         .emit_cuda = backend_cuda::emit_nothing,
         .sample = fuzz::sample_cond,
         .source = "MLIR LLVM dialect; LLVM LangRef, llvm.assume"});

constexpr OpDef ub_poison = row(Opcode::ub_poison, {.summary = "result = a value that must not be used",
                                                    .results = {{"result"}},
                                                    .form = "attrs : type($result)",
                                                    .defined_if = Definedness::never,
                                                    .origin = Origin::poison,
                                                    .provenance = Provenance::nobody,
                                                    .is_same_everywhere = false,
                                                    .evaluate = interpreter::evaluate_poison,
                                                    .emit_cuda = backend_cuda::emit_poison,
                                                    .enclose = enclosure::enclose_points,
                                                    .source = "MLIR UB dialect"});

}  // namespace lockstep::dialects
