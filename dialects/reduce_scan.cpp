// Ops with a combining region: reduce, scan, map_elementwise. Printed in MLIR's generic form, with their region.
#include "dialects/rows.h"

namespace lockstep::dialects {
namespace {

consteval OpDef region_return(Opcode opcode, std::string_view summary, ir::SampleHook sample) {
  return row(opcode, {.summary = summary,
                      .operands = {{"result", TypeRule::any, Arity::variadic}},
                      .is_terminator = true,
                      .form = "attrs ($result : type($result))?",
                      .verify = verify_terminator_parent,
                      .effects = Effects::control,
                      .defined_if = Definedness::control,
                      .control = Control::region_return,
                      .evaluate = interpreter::evaluate_region_return,
                      .emit_cuda = backend_cuda::emit_nothing,
                      .sample = sample,
                      .source = kTritonOps});
}

}  // namespace

constexpr OpDef tt_reduce =
    row(Opcode::tt_reduce,
        {.summary = "results[i] = all srcs[.., k, ..] along axis, combined two by two as the region says, in an order of its own choice",
         .operands = {{"srcs", TypeRule::tile, Arity::variadic}},
         .attributes = {{"axis", AttributeRule::i32}},
         .results = {{"result", TypeRule::any, Arity::variadic}},
         .region_count = 1,
         .single_block_regions = true,
         .verify = verify_reduce,
         .defined_if = Definedness::across_axis,
         .combination = Combination::reduction,
         .batching = BatchingRule::along_axis,
         .makes_nan = true,
         .flops = 1,
         .evaluate = interpreter::evaluate_reduce,
         .emit_cuda = backend_cuda::emit_reduce,
         .enclose = enclosure::enclose_reduce,
         .sample = fuzz::sample_reduce,
         .source = kTritonOps,
         .note = "S-40: in halves; a GPU's order is its layout's"});

constexpr OpDef tt_scan = row(
    Opcode::tt_scan,
    {.summary = "results[.., k, ..] = srcs[.., 0..k, ..] along axis, combined two by two as the region says; from the end if reverse",
     .operands = {{"srcs", TypeRule::tile, Arity::variadic}},
     .attributes = {{"axis", AttributeRule::i32}, {"reverse", AttributeRule::boolean}},
     .results = {{"result", TypeRule::any, Arity::variadic}},
     .region_count = 1,
     .single_block_regions = true,
     .verify = verify_scan,
     .defined_if = Definedness::across_axis,
     .combination = Combination::scan,
     .batching = BatchingRule::along_axis,
     .makes_nan = true,
     .flops = 1,
     .evaluate = interpreter::evaluate_scan,
     .emit_cuda = backend_cuda::emit_scan,
     .enclose = enclosure::enclose_scan,
     .sample = fuzz::sample_scan,
     .source = kTritonOps,
     .note = "S-41: one after the other; a GPU combines parts"});

constexpr OpDef tt_map_elementwise =
    row(Opcode::tt_map_elementwise, {.summary = "results[i] = the region applied to srcs[i], pack elements at a time",
                                     .operands = {{"srcs", TypeRule::tile, Arity::variadic}},
                                     .attributes = {{"pack", AttributeRule::i32}},
                                     .results = {{"result", TypeRule::any, Arity::variadic}},
                                     .region_count = 1,
                                     .verify = verify_map_elementwise,
                                     .combination = Combination::code,
                                     .evaluate = interpreter::evaluate_map_elementwise,
                                     .emit_cuda = backend_cuda::emit_map,
                                     .enclose = enclosure::enclose_map,
                                     .sample = fuzz::sample_map_elementwise,
                                     .source = kTritonOps});

constexpr OpDef tt_reduce_return =
    region_return(Opcode::tt_reduce_return, "ends the region of tt.reduce with its results", fuzz::sample_reduce);
constexpr OpDef tt_scan_return =
    region_return(Opcode::tt_scan_return, "ends the region of tt.scan with its results", fuzz::sample_scan);
constexpr OpDef tt_map_elementwise_return =
    region_return(Opcode::tt_map_elementwise_return, "ends the region of tt.map_elementwise with its results",
                  fuzz::sample_map_elementwise);

}  // namespace lockstep::dialects
