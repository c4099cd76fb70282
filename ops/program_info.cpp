// Where a program stands in its grid, and facts about values that only help a compiler.
#include "ops/enums.h"
#include "ops/rows.h"

namespace lockstep::ops {
namespace {

consteval OpDef grid_query(Opcode opcode, std::string_view summary) {
  return row(opcode, {.summary = summary,
                      .attributes = {{"axis", AttributeRule::enumeration, Presence::required, 0, &kGridAxis}},
                      .results = {{"result", TypeRule::i32}},
                      .form = "$axis attrs : type($result)",
                      .source = "Triton 3.6 TritonOps.td"});
}

}  // namespace

constexpr OpDef tt_get_program_id =
    grid_query(Opcode::tt_get_program_id, "result = this program's index on an axis of the grid");
constexpr OpDef tt_get_num_programs = grid_query(Opcode::tt_get_num_programs, "result = the grid's extent on an axis");

constexpr OpDef gpu_barrier =
    row(Opcode::gpu_barrier, {.summary = "all threads of the program wait here for each other",
                              .form = "attrs",
                              .effects = Effects::barrier,
                              .source = "MLIR GPU dialect"});

constexpr OpDef llvm_intr_assume = row(
    Opcode::llvm_intr_assume, {.summary = "promises that cond is true",
                               .operands = {{"cond", TypeRule::i1}},
                               .attributes = {{"op_bundle_sizes", AttributeRule::dense_array_i32, Presence::defaulted}},
                               .form = "$cond attrs : type($cond)",
                               .effects = Effects::barrier,
                               .source = "MLIR LLVM dialect; LLVM LangRef, llvm.assume"});

constexpr OpDef ub_poison = row(Opcode::ub_poison, {.summary = "result = a value that must not be used",
                                                    .results = {{"result"}},
                                                    .form = "attrs : type($result)",
                                                    .defined_if = Definedness::never,
                                                    .source = "MLIR UB dialect"});

}  // namespace lockstep::ops
