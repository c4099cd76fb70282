// TTGIR's buffers in shared memory, views of them, loads, stores and copies from global memory; warp groups, and what
// passes put between them (dialects ttg, nvws, gluon).
#include "dialects/ttgir/ttg_rows.h"

#include "dialects/enums.h"
#include "dialects/ttgir/verify_buffers.h"
#include "dialects/ttgir/warp_specialize_text.h"
#include "enclosure/rules/enclosure_buffer.h"
#include "interpreter/evaluators/descriptor.h"
#include "interpreter/shared_memory/buffer_ops.h"
#include "interpreter/shared_memory/copy_ops.h"
#include "interpreter/shared_memory/groups.h"
#include "interpreter/shared_memory/tensormap.h"

namespace lockstep::dialects {
namespace {

constexpr TypeRule kMemdesc = TypeRule::memdesc;
constexpr TypeRule kTile = TypeRule::tile;
constexpr ir::OperandSpec kOptionalToken{"token", TypeRule::token, Arity::optional};
constexpr std::string_view kViewForm = "$src attrs : type($src) -> type($result)";
constexpr std::string_view kSameElements = "shape(result)=shape(src) element(result)=element(src)";

/// Another view of the same buffer.
consteval OpDef view_row(Opcode opcode, std::string_view summary, ir::VerifyHook verify,
                         std::string_view form = kViewForm) {
  return gpu_row(opcode, kNoSharedMemory,
                 {.summary = summary,
                  .operands = {{"src", kMemdesc}},
                  .results = {{"result", kMemdesc}},
                  .form = form,
                  .verify = verify,
                  .evaluate = interpreter::evaluate_same_buffer,
                  .enclose = enclosure::enclose_view});
}
consteval OpDef with_order(OpDef def) {
  def.attributes = {{"order", AttributeRule::dense_array_i32}};
  return def;
}
consteval OpDef with_offsets(OpDef def) {
  def.attributes = {{"offsets", AttributeRule::dense_array_i32}};
  def.evaluate = interpreter::evaluate_memdesc_subslice;
  def.enclose = enclosure::enclose_view;
  return def;
}

constexpr std::string_view kNvwsOps = "Triton 3.6, parsed and printed between its passes";
constexpr TypeRule kToken = TypeRule::token;

consteval OpDef terminator_row(Opcode opcode, std::string_view summary, OpDef def) {
  def.summary = summary;
  def.is_terminator = true;
  def.effects = Effects::control;
  def.defined_if = Definedness::control;
  def.control = Control::yield;
  return gpu_row(opcode, kNoWarpGroups, def);
}

consteval OpDef nvws_row(Opcode opcode, OpDef def) {
  def.source = kNvwsOps;
  def.until = "3.6";
  return gpu_row(opcode, kBetweenPasses, def);
}

consteval OpDef enter_row(Opcode opcode, std::string_view summary) {
  return nvws_row(opcode, {.summary = summary,
                           .operands = {{"aref", TypeRule::aref},
                                        {"stage", TypeRule::i32, Arity::optional},
                                        {"phase", TypeRule::i32, Arity::optional}},
                           .results = {{"buffers", TypeRule::memdesc, Arity::variadic}, {"token", kToken}},
                           .form = "$aref ([ $stage, $phase ])? attrs : base($aref) -> result_types",
                           .relations = "stage=i32 phase=i32",
                           .effects = Effects::read_write});
}

consteval OpDef exit_row(Opcode opcode, std::string_view summary) {
  return nvws_row(opcode, {.summary = summary,
                           .operands = {{"aref", TypeRule::aref},
                                        {"token", kToken},
                                        {"stage", TypeRule::i32, Arity::optional}},
                           .attributes = {{"async_ops", AttributeRule::any}},
                           .form = "$aref ([ $stage ])?, $token $async_ops attrs : base($aref), type($token)",
                           .relations = "stage=i32",
                           .effects = Effects::read_write});
}

}  // namespace

constexpr OpDef ttg_convert_layout = row(
    Opcode::ttg_convert_layout, {.summary = "result = src, held by other threads and registers",
                                 .operands = {{"src", kTile}},
                                 .attributes = {{"force_warp_shuffle", AttributeRule::unit, Presence::optional}},
                                 .results = {{"result", kTile}},
                                 .form = kViewForm,
                                 .relations = kSameElements,
                                 .movement = Movement::reshape,
                                 .provenance = Provenance::first_operand,
                                 .evaluate = interpreter::evaluate_reshape,
                                 .emit_reason = kEmittedFromTtir,
                                 .enclose = enclosure::enclose_shape,
                                 .source = kGpuOps});

constexpr OpDef gluon_set_auto_layout =
    gpu_row(Opcode::gluon_set_auto_layout, kBetweenPasses,
            {.summary = "result = src with the layout that its uses ask for",
             .operands = {{"src", kTile}},
             .results = {{"result", kTile}},
             .form = kViewForm,
             .relations = kSameElements,
             .source = "Triton 3.9 GluonOps.td"});

constexpr OpDef ttg_local_alloc =
    gpu_row(Opcode::ttg_local_alloc, kNoSharedMemory,
            {.summary = "result = a buffer in shared memory, which holds src if it is given",
             .operands = {{"src", kTile, Arity::optional}},
             .attributes = {{"alignment", AttributeRule::i32, Presence::optional}},
             .results = {{"result", kMemdesc}},
             .form = "($src)? attrs : signature",
             .relations = kSameElements,
             .verify = verify_buffer,
             .effects = Effects::write,
             .evaluate = interpreter::evaluate_local_alloc,
             .enclose = enclosure::enclose_new_buffer});

constexpr OpDef ttg_local_dealloc = gpu_row(Opcode::ttg_local_dealloc, kNoSharedMemory,
                                            {.summary = "the buffer src is used no more",
                                             .operands = {{"src", kMemdesc}},
                                             .form = "$src attrs : type($src)",
                                             .effects = Effects::write,
                                             .evaluate = interpreter::evaluate_local_dealloc,
                                             .enclose = enclosure::enclose_view});

constexpr OpDef ttg_local_load = gpu_row(Opcode::ttg_local_load, kNoSharedMemory,
                                         {.summary = "result = what the buffer src holds",
                                          .operands = {{"src", kMemdesc}, kOptionalToken},
                                          .results = {{"result", kTile}},
                                          .form = "$src (token $token)? attrs : type($src) -> type($result)",
                                          .relations = "token=async_token shape(result)=shape(src) "
                                                       "element(result)=element(src)",
                                          .effects = Effects::read,
                                          .evaluate = interpreter::evaluate_local_load,
                                          .enclose = enclosure::enclose_buffer_load});

constexpr OpDef ttg_local_store = gpu_row(Opcode::ttg_local_store, kNoSharedMemory,
                                          {.summary = "the buffer dst holds src from here on",
                                           .operands = {{"src", kTile}, {"dst", kMemdesc}},
                                           .form = "$src, $dst attrs : type($src) -> type($dst)",
                                           .relations = "shape(src)=shape(dst) element(src)=element(dst)",
                                           .verify = verify_written,
                                           .effects = Effects::write,
                                           .evaluate = interpreter::evaluate_local_store,
                                           .enclose = enclosure::enclose_buffer_store});

constexpr OpDef ttg_local_gather = since(
    "3.7", gpu_row(Opcode::ttg_local_gather, kNoSharedMemory,
                   {.summary = "result[i...] = src[i... with indices[i...] on one axis]",
                    .operands = {{"src", kMemdesc}, {"indices", TypeRule::tile_of_integer}, kOptionalToken},
                    .attributes = {{"axis", AttributeRule::i32}},
                    .results = {{"result", kTile}},
                    .form = "$src [ $indices ] (token $token)? attrs : type($src), type($indices) -> type($result)",
                    .relations = "token=async_token shape(result)=shape(indices) element(result)=element(src)",
                    .verify = verify_lanes_of_axis,
                    .effects = Effects::read}));

constexpr OpDef ttg_local_scatter = since(
    "3.7",
    gpu_row(Opcode::ttg_local_scatter, kNoSharedMemory,
            {.summary = "dst[i... with indices[i...] on one axis] = values[i...]",
             .operands = {{"dst", kMemdesc}, {"values", kTile}, {"indices", TypeRule::tile_of_integer}, kOptionalToken},
             .attributes = {{"axis", AttributeRule::i32}},
             .form = "$dst [ $indices ], $values (token $token)? attrs : type($dst), type($indices), type($values)",
             .relations = "token=async_token shape(values)=shape(indices) element(values)=element(dst)",
             .verify = verify_lanes_of_axis,
             .effects = Effects::write}));

constexpr OpDef ttg_local_atomic_scatter_rmw = since(
    "3.8", gpu_row(Opcode::ttg_local_atomic_scatter_rmw, kNoSharedMemory,
                   {.summary = "dst[i... with indices[i...] on one axis] = OP(itself, values[i...]); result = before",
                    .operands = {{"dst", kMemdesc},
                                 {"values", kTile},
                                 {"indices", TypeRule::tile_of_integer},
                                 {"mask", TypeRule::boolean_like, Arity::optional}},
                    .attributes = {{"atomic_rmw_op", AttributeRule::enumeration, Presence::required, 0, &kAtomicOp},
                                   {"axis", AttributeRule::i32}},
                    .results = {{"result", kTile}},
                    .form = "$atomic_rmw_op, $dst [ $indices ], $values (, $mask)? attrs : signature",
                    .relations = "result=values mask=bool(values) element(values)=element(dst)",
                    .verify = verify_lanes_of_axis,
                    .effects = Effects::read_write}));

constexpr OpDef ttg_memdesc_index =
    gpu_row(Opcode::ttg_memdesc_index, kNoSharedMemory,
            {.summary = "result = the buffer number index of src, whose first axis counts buffers",
             .operands = {{"src", kMemdesc}, {"index", TypeRule::i32}},
             .results = {{"result", kMemdesc}},
             .form = "$src [ $index ] attrs : type($src) -> type($result)",
             .relations = "index=i32 element(result)=element(src)",
             .verify = verify_memdesc_index,
             .evaluate = interpreter::evaluate_memdesc_index,
             .enclose = enclosure::enclose_view});

constexpr OpDef ttg_memdesc_subslice = with_offsets(
    view_row(Opcode::ttg_memdesc_subslice, "result = the part of src that starts at offsets", verify_memdesc_subslice,
             "$src '' $offsets attrs : type($src) -> type($result)"));
constexpr OpDef ttg_memdesc_trans =
    with_order(view_row(Opcode::ttg_memdesc_trans, "result axis i = src axis order[i]", verify_memdesc_trans));
constexpr OpDef ttg_memdesc_reshape =
    view_row(Opcode::ttg_memdesc_reshape, "result = src in row-major order with another shape", verify_memdesc_reshape);
constexpr OpDef ttg_memdesc_reinterpret =
    view_row(Opcode::ttg_memdesc_reinterpret, "result = the bytes of src as another type, shape and layout",
             verify_memdesc_reinterpret);

constexpr OpDef ttg_async_copy_global_to_local = gpu_row(
    Opcode::ttg_async_copy_global_to_local, kNoCopies,
    {.summary = "the buffer result will hold what src points to, zeros where mask is false",
     .operands = {{"src", kPointer}, {"result", kMemdesc}, {"mask", TypeRule::boolean_like, Arity::optional},
                  {"other", TypeRule::any, Arity::optional}},
     .attributes = {{"cache", AttributeRule::enumeration, Presence::defaulted, 1, &kCacheModifier},
                    {"evict", AttributeRule::enumeration, Presence::defaulted, 1, &kEvictionPolicy},
                    {"cachePolicy", AttributeRule::any, Presence::optional},
                    {"isVolatile", AttributeRule::boolean, Presence::defaulted, 0},
                    {"contiguity", AttributeRule::i32, Presence::defaulted, 1}},
     .results = {{"token", TypeRule::token}},
     .form = "$src, $result (mask $mask)? (other $other)? (cacheModifier = $cache)? (evictionPolicy = $evict)? attrs "
             ": type($src) -> base($result)",
     .relations = "mask=bool(src) other=pointee(src) token=async_token shape(src)=shape(result)",
     .verify = verify_copied_buffer,
     .effects = Effects::read_write,
     .evaluate = interpreter::evaluate_async_copy,
     .enclose = enclosure::enclose_buffer_copy,
     .note = "other is not used: the copy writes zeros"});

constexpr OpDef ttg_async_commit_group =
    gpu_row(Opcode::ttg_async_commit_group, kNoCopies,
            {.summary = "the copies that were started so far form a group",
             .operands = {{"inputTokens", TypeRule::token, Arity::variadic}},
             .results = {{"asyncToken", TypeRule::token}},
             .form = "(tokens $inputTokens)? attrs",
             .relations = "inputTokens=async_token asyncToken=async_token",
             .effects = Effects::read_write,
             .evaluate = interpreter::evaluate_commit_group,
             .enclose = enclosure::enclose_view});

constexpr OpDef ttg_async_wait =
    gpu_row(Opcode::ttg_async_wait, kNoCopies,
            {.summary = "waits until at most num groups of copies are running",
             .operands = {{"asyncToken", TypeRule::token, Arity::variadic}},
             .attributes = {{"num", AttributeRule::i32}},
             .results = {{"retToken", TypeRule::token}},
             .form = "($asyncToken)? attrs",
             .relations = "asyncToken=async_token retToken=async_token",
             .effects = Effects::barrier,
             .evaluate = interpreter::evaluate_async_wait,
             .enclose = enclosure::enclose_view});

constexpr OpDef ttg_global_scratch_alloc = gpu_row(
    Opcode::ttg_global_scratch_alloc, kNotWritten,
    {.summary = "result = nbytes of global memory of this program's own",
     .attributes = {{"nbytes", AttributeRule::i32},
                    {"alignment", AttributeRule::i32},
                    {"third_party_allocation", AttributeRule::unit, Presence::optional},
                    {"shared_cluster_state", AttributeRule::unit, Presence::optional}},
     .results = {{"result", TypeRule::pointer}},
     .form = "attrs : type($result)",
     .effects = Effects::write,
     .evaluate = interpreter::evaluate_scratch_of_descriptor,
     .enclose = enclosure::enclose_points});

constexpr OpDef ttg_warp_specialize =
    gpu_row(Opcode::ttg_warp_specialize, kNoWarpGroups,
            {.summary = "runs its regions side by side, each in warps of its own; results = what the first one yields",
             .operands = {{"explicitCaptures", TypeRule::any, Arity::variadic}},
             .attributes = {{"partitionNumWarps", AttributeRule::dense_array_i32},
                            {"warpGroupStartIds", AttributeRule::dense_array_i32, Presence::optional},
                            {"requestedRegisters", AttributeRule::dense_array_i32, Presence::optional},
                            {"actualRegisters", AttributeRule::dense_array_i32, Presence::optional}},
             .results = {{"defaultPassthrough", TypeRule::any, Arity::variadic}},
             .region_count = 1,
             .max_region_count = 17,
             .isolates_later_regions = true,
             .parse = parse_warp_specialize,
             .print = print_warp_specialize,
             .verify = verify_warp_specialize,
             .effects = Effects::control,
             .evaluate = interpreter::evaluate_warp_specialize,
             .note = "the generic form has its partitions as regions of its own"});

constexpr OpDef ttg_warp_yield = terminator_row(Opcode::ttg_warp_yield, "ends the default region with the op's results",
                                                {.operands = {{"values", TypeRule::any, Arity::variadic}},
                                                 .form = "($values)? attrs (: type($values))?",
                                                 .verify = verify_warp_yield,
                                                 .evaluate = interpreter::evaluate_end_of_group});
constexpr OpDef ttg_warp_return =
    terminator_row(Opcode::ttg_warp_return, "ends a partition",
                   {.form = "attrs", .evaluate = interpreter::evaluate_end_of_group});

constexpr OpDef ttg_warp_id = since(
    "3.7", gpu_row(Opcode::ttg_warp_id, kNoWarpGroups,
                   {.summary = "result = the number of the warp that executes it",
                    .attributes = {{"omitUniformHint", AttributeRule::unit, Presence::optional}},
                    .results = {{"result", TypeRule::i32}},
                    .form = "attrs",
                    .relations = "result=i32"}));

constexpr OpDef ttg_predicate_stage = gpu_row(
    Opcode::ttg_predicate_stage, kBetweenPasses,
    {.summary = "result = whether a stage of a pipelined loop acts in this round",
     .operands = {{"iv", TypeRule::index_or_integer},
                  {"ub", TypeRule::index_or_integer},
                  {"step", TypeRule::index_or_integer}},
     .attributes = {{"maxStage", AttributeRule::i32}, {"stage", AttributeRule::i32}},
     .results = {{"result", TypeRule::i1}},
     .form = "$iv, $ub, $step maxStage $maxStage stage $stage attrs : type($iv) -> type($result)",
     .relations = "ub=iv step=iv"});

constexpr OpDef ttg_mask = gpu_row(Opcode::ttg_mask, kBetweenPasses,
                                   {.summary = "its region acts where pred is true",
                                    .operands = {{"pred", TypeRule::i1}},
                                    .results = {{"result", TypeRule::any, Arity::variadic}},
                                    .region_count = 1,
                                    .single_block_regions = true,
                                    .effects = Effects::control});
constexpr OpDef ttg_mask_return =
    terminator_row(Opcode::ttg_mask_return, "ends a ttg.mask with its results",
                   {.operands = {{"result", TypeRule::any, Arity::variadic}},
                    .form = "$result attrs : type($result)"});

constexpr OpDef ttg_fp4_to_fp = gpu_row(Opcode::ttg_fp4_to_fp, kNotWritten,
                                        {.summary = "result = the two e2m1 numbers of each byte of src along an axis",
                                         .operands = {{"src", TypeRule::tile_of_integer}},
                                         .attributes = {{"axis", AttributeRule::i32}},
                                         .results = {{"result", TypeRule::tile_of_float}},
                                         .form = "$src attrs : type($src) -> type($result)",
                                         .verify = verify_fp4_to_fp});

constexpr OpDef ttg_inline_asm = since(
    "3.9", gpu_row(Opcode::ttg_inline_asm, kNotWritten,
                   {.summary = "result = the PTX asm_string, run once by each thread on what it holds of args",
                    .operands = {{"args", TypeRule::any, Arity::variadic}},
                    .attributes = {{"asm_string", AttributeRule::string},
                                   {"constraints", AttributeRule::string},
                                   {"pure", AttributeRule::boolean}},
                    .results = {{"result", TypeRule::any, Arity::variadic}},
                    .form = "$asm_string attrs ($args)? : signature",
                    .effects = Effects::read_write}));

constexpr OpDef nvws_aref_create =
    nvws_row(Opcode::nvws_aref_create, {.summary = "aref = a channel between partitions through buffers",
                                        .operands = {{"buffers", TypeRule::memdesc, Arity::variadic}},
                                        .results = {{"aref", TypeRule::aref}},
                                        .form = "$buffers attrs : base($aref)",
                                        .relations = "buffers=members(aref)"});
constexpr OpDef nvws_aref_buffer =
    nvws_row(Opcode::nvws_aref_buffer, {.summary = "result = the buffer of an aref that token opened",
                                        .operands = {{"aref", TypeRule::aref}, {"token", kToken}},
                                        .results = {{"buffers", TypeRule::memdesc, Arity::variadic}},
                                        .form = "$aref, $token attrs : base($aref), type($token) -> type($buffers)"});
constexpr OpDef nvws_aref_get_enter = enter_row(Opcode::nvws_aref_get_enter, "buffers = what may be read now");
constexpr OpDef nvws_aref_get_exit = exit_row(Opcode::nvws_aref_get_exit, "what was entered has been read");
constexpr OpDef nvws_aref_put_enter = enter_row(Opcode::nvws_aref_put_enter, "buffers = what may be written now");
constexpr OpDef nvws_aref_put_exit = exit_row(Opcode::nvws_aref_put_exit, "what was entered has been written");

constexpr OpDef nvws_descriptor_load =
    nvws_row(Opcode::nvws_descriptor_load,
             {.summary = "the buffer result will hold tensor[indices + i...]",
              .operands = {{"desc", TypeRule::descriptor},
                           {"indices", TypeRule::i32, Arity::variadic},
                           {"result", TypeRule::memdesc}},
              .attributes = {{"txCount", AttributeRule::i32}},
              .form = "$desc [ $indices ] $txCount $result attrs : types",
              .effects = Effects::read_write});

constexpr OpDef nvws_warp_group =
    nvws_row(Opcode::nvws_warp_group,
             {.summary = "runs its regions side by side, each in warps of its own",
              .attributes = {{"numWarps", AttributeRule::dense_array_i32}},
              .results = {{"results", TypeRule::any, Arity::variadic}},
              .region_count = 1,
              .max_region_count = 16,
              .parse = parse_warp_group,
              .print = print_warp_group,
              .effects = Effects::control});
constexpr OpDef nvws_warp_group_yield =
    terminator_row(Opcode::nvws_warp_group_yield, "ends a partition with results",
                   {.operands = {{"values", TypeRule::any, Arity::variadic}},
                    .form = "($values : type($values))? attrs",
                    .source = kNvwsOps,
                    .until = "3.6"});
constexpr OpDef nvws_warp_group_return =
    terminator_row(Opcode::nvws_warp_group_return, "ends a partition",
                   {.form = "attrs", .source = kNvwsOps, .until = "3.6"});

}  // namespace lockstep::dialects
