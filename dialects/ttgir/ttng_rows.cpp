// Barriers, fences, TMA copies, products of warp groups and of the tensor core, tensor memory, packed arithmetic
// (dialect ttng).
#include "dialects/ttgir/ttng_rows.h"

#include "dialects/enums.h"
#include "dialects/ttgir/verify_buffers.h"
#include "enclosure/rules/enclosure_buffer.h"
#include "interpreter/evaluators/descriptor.h"
#include "interpreter/plan/simple_ops.h"
#include "interpreter/shared_memory/barrier_ops.h"
#include "interpreter/shared_memory/buffer_ops.h"
#include "interpreter/shared_memory/copy_ops.h"
#include "interpreter/shared_memory/product_ops.h"
#include "interpreter/shared_memory/tensormap.h"

namespace lockstep::dialects {
namespace {

constexpr TypeRule kMemory = TypeRule::memdesc;
constexpr ir::OperandSpec kPred{"pred", TypeRule::i1};
constexpr ir::OperandSpec kOptionalPred{"pred", TypeRule::i1, Arity::optional};
constexpr ir::OperandSpec kDesc{"desc", TypeRule::descriptor};
constexpr ir::OperandSpec kCoord{"coord", TypeRule::i32, Arity::variadic};
constexpr ir::AttributeSpec kPolicy{"cachePolicy", AttributeRule::any, Presence::optional};

consteval OpDef barrier_row(Opcode opcode, OpDef def) {
  def.effects = Effects::read_write;
  return nvidia_row(opcode, kNoBarriers, def);
}
consteval OpDef copy_row(Opcode opcode, OpDef def) {
  def.effects = Effects::read_write;
  return nvidia_row(opcode, kNoCopies, def);
}
/// An op without operands and results.
consteval OpDef fence_row(Opcode opcode, std::string_view why_not, std::string_view summary) {
  return nvidia_row(opcode, why_not, {.summary = summary, .form = "attrs", .effects = Effects::barrier});
}
/// An op without effect here: whatever it waits for is done.
consteval OpDef done_at_once(OpDef def) {
  def.evaluate = interpreter::evaluate_nothing;
  def.enclose = enclosure::enclose_view;
  def.evaluate_reason = "";
  return def;
}
consteval OpDef fenced(OpDef def) {
  def = done_at_once(def);
  def.evaluate = interpreter::evaluate_fence;
  return def;
}
consteval OpDef with_flag(OpDef def, ir::AttributeSpec flag) {
  def.attributes = {flag};
  return def;
}

constexpr TypeRule kBuffer = TypeRule::memdesc;
constexpr ir::OperandSpec kBefore{"dep", TypeRule::token, Arity::optional};
constexpr ir::ResultSpec kAfter{"token", TypeRule::token, Arity::optional};

consteval OpDef tensor_row(Opcode opcode, OpDef def) {
  if (def.effects == Effects::pure) def.effects = Effects::read_write;
  return nvidia_row(opcode, kNoTensorMemory, def);
}

}  // namespace

constexpr OpDef ttng_init_barrier =
    barrier_row(Opcode::ttng_init_barrier, {.summary = "alloc = a barrier of count arrivals, in phase 0",
                                            .operands = {{"alloc", kMemory}},
                                            .attributes = {{"count", AttributeRule::i32}},
                                            .form = "$alloc, $count attrs : type($alloc)",
                                            .verify = verify_barrier,
                                            .evaluate = interpreter::evaluate_init_barrier,
                                            .enclose = enclosure::enclose_view});
constexpr OpDef ttng_inval_barrier =
    barrier_row(Opcode::ttng_inval_barrier, {.summary = "alloc is ordinary memory again",
                                             .operands = {{"alloc", kMemory}},
                                             .form = "$alloc attrs : type($alloc)",
                                             .verify = verify_barrier,
                                             .evaluate = interpreter::evaluate_inval_barrier,
                                             .enclose = enclosure::enclose_view});
constexpr OpDef ttng_barrier_expect =
    barrier_row(Opcode::ttng_barrier_expect,
                {.summary = "an arrival at alloc, whose phase waits for size more bytes, if pred",
                 .operands = {{"alloc", kMemory}, kPred},
                 .attributes = {{"size", AttributeRule::i32}, {"fromCTA", AttributeRule::i32, Presence::optional}},
                 .form = "$alloc, $size attrs, $pred : type($alloc)",
                 .relations = "pred=i1",
                 .verify = verify_barrier,
                 .evaluate = interpreter::evaluate_barrier_expect,
                 .enclose = enclosure::enclose_view});
constexpr OpDef ttng_wait_barrier =
    barrier_row(Opcode::ttng_wait_barrier,
                {.summary = "waits until alloc has completed the phase of this parity, if pred; deps stay alive",
                 .operands = {{"alloc", kMemory},
                              {"phase", TypeRule::i32},
                              kOptionalPred,
                              {"deps", kMemory, Arity::variadic}},
                 .form = "$alloc, $phase (, $pred)? (deps $deps)? attrs : type($alloc) (, type($deps))?",
                 .relations = "phase=i32 pred=i1",
                 .verify = verify_barrier,
                 .evaluate = interpreter::evaluate_wait_barrier,
                 .enclose = enclosure::enclose_view});
constexpr OpDef ttng_arrive_barrier =
    barrier_row(Opcode::ttng_arrive_barrier,
                {.summary = "count arrivals at alloc, if pred",
                 .operands = {{"alloc", kMemory}, kOptionalPred},
                 .attributes = {{"count", AttributeRule::i32},
                                {"fromCTA", AttributeRule::i32, Presence::optional},
                                {"multicastCTA", AttributeRule::i32, Presence::defaulted, 0}},
                 .form = "$alloc, $count (, $pred)? attrs : type($alloc)",
                 .relations = "pred=i1",
                 .verify = verify_barrier,
                 .evaluate = interpreter::evaluate_arrive_barrier,
                 .enclose = enclosure::enclose_view});
constexpr OpDef ttng_async_copy_mbarrier_arrive =
    barrier_row(Opcode::ttng_async_copy_mbarrier_arrive,
                {.summary = "every thread arrives at barrier when its own copies are done",
                 .operands = {{"barrier", kMemory}},
                 .attributes = {{"noIncrement", AttributeRule::unit, Presence::optional}},
                 .form = "$barrier attrs : type($barrier)",
                 .verify = verify_barrier,
                 .evaluate = interpreter::evaluate_copies_arrive,
                 .enclose = enclosure::enclose_view});

constexpr OpDef ttng_fence_async_shared =
    fenced(with_flag(fence_row(Opcode::ttng_fence_async_shared, kNoCopies,
                                     "what was written to shared memory is seen by asynchronous copies and products"),
                           {"bCluster", AttributeRule::boolean}));
constexpr OpDef ttng_fence_mbarrier_init_release_cluster =
    since("3.7", done_at_once(fence_row(Opcode::ttng_fence_mbarrier_init_release_cluster, kNoClusters,
                                        "barriers that were made are seen by the other blocks")));
constexpr OpDef ttng_cluster_barrier =
    since("3.8", done_at_once(with_flag(fence_row(Opcode::ttng_cluster_barrier, kNoClusters,
                                                  "all threads of the cluster wait here for each other"),
                                        {"relaxed", AttributeRule::boolean, Presence::defaulted, 0})));
constexpr OpDef ttng_cluster_arrive =
    until("3.8", done_at_once(with_flag(
                     fence_row(Opcode::ttng_cluster_arrive, kNoClusters, "arrives at the cluster's barrier"),
                     {"relaxed", AttributeRule::boolean})));
constexpr OpDef ttng_cluster_wait =
    until("3.8", done_at_once(fence_row(Opcode::ttng_cluster_wait, kNoClusters,
                                        "waits for all threads of the cluster to arrive")));

constexpr OpDef ttng_async_shared_store =
    since("3.8", copy_row(Opcode::ttng_async_shared_store,
                          {.summary = "the buffer dst will hold src, in any block of the cluster; counted at mbarrier",
                           .operands = {{"src", TypeRule::tile}, {"dst", kMemory}, {"mbarrier", kMemory}},
                           .form = "$src, $dst, $mbarrier attrs : type($src) -> type($dst), type($mbarrier)",
                           .relations = "shape(src)=shape(dst) element(src)=element(dst)"}));

constexpr OpDef ttng_async_tma_copy_global_to_local = copy_row(
    Opcode::ttng_async_tma_copy_global_to_local,
    {.summary = "the buffer result will hold tensor[coord + i...], padding outside it; counted at barrier, if pred",
     .operands = {kDesc, kCoord, {"offsets", TypeRule::i16, Arity::variadic}, {"barrier", kMemory}, {"result", kMemory},
                  kPred},
     .attributes = {{"multicast", AttributeRule::unit, Presence::optional},
                    {"cache", AttributeRule::enumeration, Presence::defaulted, 1, &kCacheModifier},
                    {"evict", AttributeRule::enumeration, Presence::defaulted, 1, &kEvictionPolicy},
                    kPolicy,
                    {"isVolatile", AttributeRule::boolean, Presence::defaulted, 0}},
     .form = "$desc [ $coord ] (offsets = [ $offsets ])? $result, $barrier, $pred (cacheModifier = $cache)? "
             "(evictionPolicy = $evict)? attrs : type($desc), type($barrier) -> type($result)",
     .relations = "coord=i32 offsets=i16 pred=i1 element(result)=element(block(desc))",
     .verify = verify_tma_copy,
     .evaluate = interpreter::evaluate_tma_load,
     .enclose = enclosure::enclose_buffer_copy});
constexpr OpDef ttng_async_tma_copy_local_to_global =
    copy_row(Opcode::ttng_async_tma_copy_local_to_global,
             {.summary = "tensor[coord + i...] will hold the buffer src, inside the tensor",
              .operands = {kDesc, kCoord, {"src", kMemory}},
              .attributes = {kPolicy},
              .form = "$desc [ $coord ] $src attrs : type($desc), type($src)",
              .relations = "coord=i32 element(src)=element(block(desc))",
              .verify = verify_tma_copy,
              .evaluate = interpreter::evaluate_tma_store,
              .enclose = enclosure::enclose_buffer_copy});
constexpr OpDef ttng_async_tma_reduce =
    copy_row(Opcode::ttng_async_tma_reduce,
             {.summary = "tensor[coord + i...] = OP(itself, the buffer src), each element indivisibly",
              .operands = {kDesc, kCoord, {"src", kMemory}},
              .attributes = {{"kind", AttributeRule::enumeration, Presence::required, 0, &kDescriptorReduce}},
              .form = "$kind, $desc [ $coord ] $src attrs : type($desc), type($src)",
              .relations = "coord=i32 element(src)=element(block(desc))",
              .verify = verify_tma_copy,
              .evaluate = interpreter::evaluate_tma_reduce,
              .enclose = enclosure::enclose_buffer_copy});
constexpr OpDef ttng_async_tma_gather =
    copy_row(Opcode::ttng_async_tma_gather,
             {.summary = "the buffer result will hold tensor[x_offsets[i], y_offset + j]; counted at barrier, if pred",
              .operands = {kDesc,
                           {"x_offsets", TypeRule::tile_of_integer},
                           {"y_offset", TypeRule::i32},
                           {"barrier", kMemory},
                           {"result", kMemory},
                           kPred},
              .attributes = {{"multicast", AttributeRule::unit, Presence::optional}, kPolicy},
              .form = "$desc [ $x_offsets, $y_offset ] $result, $barrier, $pred attrs : types",
              .relations = "element(result)=element(block(desc))",
              .evaluate = interpreter::evaluate_tma_gather,
              .enclose = enclosure::enclose_buffer_copy});
constexpr OpDef ttng_async_tma_scatter =
    copy_row(Opcode::ttng_async_tma_scatter,
             {.summary = "tensor[x_offsets[i], y_offset + j] will hold the buffer src",
              .operands = {kDesc, {"x_offsets", TypeRule::tile_of_integer}, {"y_offset", TypeRule::i32}, {"src", kMemory}},
              .attributes = {kPolicy},
              .form = "$desc [ $x_offsets, $y_offset ] $src attrs : types",
              .relations = "element(src)=element(block(desc))",
              .evaluate = interpreter::evaluate_tma_scatter,
              .enclose = enclosure::enclose_buffer_copy});
constexpr OpDef ttng_async_tma_store_wait =
    copy_row(Opcode::ttng_async_tma_store_wait,
             {.summary = "waits until at most pendings copies to global memory are running",
              .attributes = {{"pendings", AttributeRule::i32}, {"read_only", AttributeRule::unit, Presence::optional}},
              .form = "attrs",
              .evaluate = interpreter::evaluate_store_wait,
              .enclose = enclosure::enclose_view,
              .note = "read_only since 3.8: their buffers have been read; before, no wait promised more"});

constexpr OpDef ttng_tensormap_create = copy_row(
    Opcode::ttng_tensormap_create,
    {.summary = "desc_ptr[0..127] = a tensor descriptor",
     .operands = {{"desc_ptr", TypeRule::pointer},
                  {"global_address", TypeRule::pointer},
                  {"box_dim", TypeRule::i32, Arity::variadic},
                  {"global_dim", TypeRule::i32, Arity::variadic},
                  {"global_stride", TypeRule::i64, Arity::variadic},
                  {"element_stride", TypeRule::i32, Arity::variadic}},
     .attributes = {{"elem_type", AttributeRule::i32},
                    {"interleave_layout", AttributeRule::i32},
                    {"swizzle_mode", AttributeRule::i32},
                    {"fill_mode", AttributeRule::i32}},
     .form = "$desc_ptr, $global_address, [ $box_dim ], [ $global_dim ], [ $global_stride ], [ $element_stride ] attrs "
             ": signature",
     .verify = verify_tensormap,
     .evaluate = interpreter::evaluate_tensormap_create});
constexpr OpDef ttng_tensormap_fenceproxy_acquire =
    copy_row(Opcode::ttng_tensormap_fenceproxy_acquire, {.summary = "the descriptor at desc_ptr may be used from here on",
                                                         .operands = {{"desc_ptr", TypeRule::pointer}},
                                                         .form = "$desc_ptr attrs : type($desc_ptr)",
                                                         .evaluate = interpreter::evaluate_tensormap_acquire});
constexpr OpDef ttng_reinterpret_tensor_descriptor =
    nvidia_row(Opcode::ttng_reinterpret_tensor_descriptor, kNoCopies,
               {.summary = "result = the descriptor at rawDesc",
                .operands = {{"rawDesc", TypeRule::pointer}},
                .results = {{"result", TypeRule::descriptor}},
                .form = "$rawDesc attrs : type($rawDesc) to type($result)",
                .evaluate = interpreter::evaluate_tensormap_use,
                .enclose = enclosure::enclose_points});

constexpr OpDef ttng_clc_try_cancel =
    since("3.8", barrier_row(Opcode::ttng_clc_try_cancel,
                             {.summary = "asks for another program to run; the buffer result will hold the answer",
                              .operands = {{"result", kMemory}, {"mbarrier", kMemory}},
                              .form = "$result, $mbarrier attrs : type($result), type($mbarrier)",
                              .verify = verify_cancel_answer}));
constexpr OpDef ttng_clc_try_cancel_sync =
    since("3.9", barrier_row(Opcode::ttng_clc_try_cancel_sync,
                             {.summary = "response = the answer to asking for another program to run",
                              .results = {{"response", TypeRule::tile}},
                              .form = "attrs : type($response)",
                              .verify = verify_cancel_answer}));
constexpr OpDef ttng_clc_load_result =
    since("3.8", barrier_row(Opcode::ttng_clc_load_result,
                             {.summary = "clcResult = the answer that the buffer src holds",
                              .operands = {{"src", kMemory}},
                              .results = {{"clcResult", TypeRule::i128}},
                              .form = "$src attrs : type($src) -> type($clcResult)",
                              .verify = verify_cancel_answer}));
constexpr OpDef ttng_clc_is_canceled =
    since("3.8", nvidia_row(Opcode::ttng_clc_is_canceled, kNoBarriers,
                            {.summary = "is_canceled = whether the answer names another program",
                             .operands = {{"clcResult", TypeRule::i128}},
                             .results = {{"is_canceled", TypeRule::i1}},
                             .form = "$clcResult attrs : type($clcResult) -> type($is_canceled)"}));
constexpr OpDef ttng_clc_get_program_id = since(
    "3.8", nvidia_row(Opcode::ttng_clc_get_program_id, kNoBarriers,
                      {.summary = "result = the index of the program that the answer names",
                       .operands = {{"clcResult", TypeRule::i128}},
                       .attributes = {{"dim", AttributeRule::enumeration, Presence::required, 0, &kGridAxis}},
                       .results = {{"result", TypeRule::i32}},
                       .form = "$clcResult, $dim attrs : type($clcResult) -> type($result)"}));

constexpr OpDef ttng_warp_group_dot = nvidia_row(
    Opcode::ttng_warp_group_dot, kNoSharedMemory,
    {.summary = "d[m, n] = sum over k of a[m, k] * b[k, n], plus c[m, n] if useC; it may still run if isAsync",
     .operands = {{"a", TypeRule::tile_or_memdesc}, {"b", kBuffer}, {"c", TypeRule::tile},
                  {"useC", TypeRule::i1, Arity::optional}},
     .attributes = {{"inputPrecision", AttributeRule::i32, Presence::defaulted, 2},
                    {"maxNumImpreciseAcc", AttributeRule::i32, Presence::defaulted, 0},
                    {"isAsync", AttributeRule::boolean, Presence::defaulted, 0}},
     .results = {{"d", TypeRule::tile}},
     .form = "$a, $b, $c (, $useC)? attrs : type($a) * type($b) -> type($d)",
     .relations = "c=d useC=i1",
     .verify = verify_buffer_product,
     .effects = Effects::read,
     .evaluate = interpreter::evaluate_warp_group_dot,
     .enclose = enclosure::enclose_warp_group_dot});
constexpr OpDef ttng_warp_group_dot_wait =
    nvidia_row(Opcode::ttng_warp_group_dot_wait, kNoSharedMemory,
               {.summary = "outputs = inputs, once at most pendings products are running",
                .operands = {{"inputs", TypeRule::tile_or_memdesc, Arity::variadic}},
                .attributes = {{"pendings", AttributeRule::i32},
                               {"warpGroupLocal", AttributeRule::unit, Presence::optional}},
                .results = {{"outputs", TypeRule::tile_or_memdesc, Arity::variadic}},
                .form = "$inputs attrs : type($inputs)",
                .relations = "outputs=each(inputs)",
                .effects = Effects::barrier,
                .evaluate = interpreter::evaluate_warp_group_dot_wait,
                .enclose = enclosure::enclose_dot_wait});

constexpr OpDef ttng_tc_gen5_mma = tensor_row(
    Opcode::ttng_tc_gen5_mma,
    {.summary = "d[m, n] will be sum over k of a[m, k] * b[k, n], plus itself if useD; if pred; counted at barriers",
     .operands = {{"a", kBuffer}, {"b", kBuffer}, {"d", kBuffer}, {"acc_dep", TypeRule::token, Arity::optional},
                  {"useD", TypeRule::i1}, {"pred", TypeRule::i1}, {"barriers", kBuffer, Arity::variadic},
                  {"barrier_preds", TypeRule::i1, Arity::variadic}},
     .attributes = {{"is_async", AttributeRule::unit, Presence::optional},
                    {"two_ctas", AttributeRule::unit, Presence::optional},
                    {"multicast", AttributeRule::unit, Presence::optional},
                    {"is_unsigned", AttributeRule::unit, Presence::optional}},
     .results = {kAfter},
     .form = "$a, $b, $d '' token($acc_dep), $useD, $pred '' barriers($barriers) attrs : type($a), type($b), type($d) "
             "(, type($barriers))?",
     .relations = "acc_dep=async_token useD=i1 pred=i1 barrier_preds=i1",
     .verify = verify_buffer_product,
     .evaluate = interpreter::evaluate_tensor_product,
     .enclose = enclosure::enclose_tensor_product});
constexpr OpDef ttng_tc_gen5_mma_scaled = tensor_row(
    Opcode::ttng_tc_gen5_mma_scaled,
    {.summary = "as ttng.tc_gen5_mma, of a and b in blocks of k with a scale each",
     .operands = {{"a", kBuffer}, {"b", kBuffer}, {"d", kBuffer}, {"acc_dep", TypeRule::token, Arity::optional},
                  {"a_scale", kBuffer}, {"b_scale", kBuffer}, {"useD", TypeRule::i1}, {"pred", TypeRule::i1},
                  {"barriers", kBuffer, Arity::variadic}, {"barrier_preds", TypeRule::i1, Arity::variadic}},
     .attributes = {{"a_type", AttributeRule::enumeration, Presence::required, 0, &kScaleElement},
                    {"b_type", AttributeRule::enumeration, Presence::required, 0, &kScaleElement},
                    {"two_ctas", AttributeRule::unit, Presence::optional},
                    {"multicast", AttributeRule::unit, Presence::optional},
                    {"is_async", AttributeRule::unit, Presence::optional}},
     .results = {kAfter},
     .form = "$a, $b, $d '' token($acc_dep), $a_scale, $b_scale, $useD, $pred lhs = $a_type rhs = $b_type '' "
             "barriers($barriers) attrs : type($a), type($b), type($d), type($a_scale), type($b_scale) "
             "(, type($barriers))?",
     .relations = "acc_dep=async_token useD=i1 pred=i1 barrier_preds=i1",
     .evaluate = interpreter::evaluate_scaled_product,
     .enclose = enclosure::enclose_scaled_product});
constexpr OpDef ttng_tc_gen5_commit =
    tensor_row(Opcode::ttng_tc_gen5_commit,
               {.summary = "an arrival at barrier when the products before it are done, if pred",
                .operands = {{"barrier", kBuffer},
                             {"pred", TypeRule::i1, Arity::optional},
                             {"descs", kBuffer, Arity::variadic}},
                .form = "$barrier (, $pred)? (descs $descs)? attrs : type($barrier) (, type($descs))?",
                .relations = "pred=i1",
                .verify = verify_barrier,
                .evaluate = interpreter::evaluate_tensor_commit,
                .enclose = enclosure::enclose_view});

constexpr OpDef ttng_tmem_alloc =
    tensor_row(Opcode::ttng_tmem_alloc, {.summary = "result = a buffer in tensor memory, which holds src if it is given",
                                         .operands = {{"src", TypeRule::tile, Arity::optional}},
                                         .results = {{"result", kBuffer}, kAfter},
                                         .form = "($src)? attrs : signature",
                                         .relations = "shape(result)=shape(src) element(result)=element(src)",
                                         .verify = verify_buffer,
                                         .evaluate = interpreter::evaluate_local_alloc,
                                         .enclose = enclosure::enclose_new_buffer});
constexpr OpDef ttng_tmem_load = tensor_row(
    Opcode::ttng_tmem_load, {.summary = "result = what the tensor memory src holds; red = its rows' extrema",
                             .operands = {{"src", kBuffer}, kBefore},
                             .attributes = {{"redOp", AttributeRule::any, Presence::optional},
                                            {"abs", AttributeRule::boolean, Presence::optional},
                                            {"NaN", AttributeRule::boolean, Presence::optional}},
                             .results = {{"result", TypeRule::tile}, kAfter, {"red", TypeRule::tile, Arity::optional}},
                             .form = "$src '' token($dep) attrs : type($src) -> type($result) (, type($red))?",
                             .relations = "dep=async_token shape(result)=shape(src) element(result)=element(src)",
                             .evaluate = interpreter::evaluate_tmem_load,
                             .enclose = enclosure::enclose_buffer_load});
constexpr OpDef ttng_tmem_store = tensor_row(
    Opcode::ttng_tmem_store, {.summary = "the tensor memory dst holds src from here on, if pred",
                              .operands = {{"dst", kBuffer}, kBefore, {"src", TypeRule::tile}, {"pred", TypeRule::i1}},
                              .results = {kAfter},
                              .form = "$src, $dst '' token($dep), $pred attrs : type($src) -> type($dst)",
                              .relations = "dep=async_token pred=i1 shape(src)=shape(dst) element(src)=element(dst)",
                              .verify = verify_written,
                              .evaluate = interpreter::evaluate_tmem_store,
                              .enclose = enclosure::enclose_tmem_store});
constexpr OpDef ttng_tmem_copy =
    tensor_row(Opcode::ttng_tmem_copy, {.summary = "the tensor memory dst will hold the buffer src",
                                        .operands = {{"src", kBuffer}, {"dst", kBuffer}},
                                        .form = "$src, $dst attrs : types",
                                        .evaluate = interpreter::evaluate_tensor_copy,
                                        .enclose = enclosure::enclose_buffer_store});
constexpr OpDef ttng_tmem_subslice =
    nvidia_row(Opcode::ttng_tmem_subslice, kNoTensorMemory,
               {.summary = "result = the columns of src from offset on (3.6: N); rows if dim is 0",
                .operands = {{"src", kBuffer}},
                .attributes = {{"offset", AttributeRule::i32, Presence::optional},
                               {"N", AttributeRule::i32, Presence::optional},
                               {"dim", AttributeRule::i32, Presence::defaulted, 1}},
                .results = {{"result", kBuffer}},
                .form = "$src attrs : type($src) -> type($result)",
                .relations = "element(result)=element(src)",
                .verify = verify_tmem_subslice,
                .evaluate = interpreter::evaluate_tmem_subslice,
                .enclose = enclosure::enclose_view});
constexpr OpDef ttng_tmem_wait =
    since("3.9", tensor_row(Opcode::ttng_tmem_wait,
                            {.summary = "waits for loads or stores of tensor memory",
                             .attributes = {{"kind", AttributeRule::enumeration, Presence::required, 0, &kTmemWait}},
                             .form = "$kind attrs",
                             .effects = Effects::barrier,
                             .evaluate = interpreter::evaluate_nothing,
                             .enclose = enclosure::enclose_view}));

constexpr OpDef ttng_packed_arith = since(
    "3.8", nvidia_row(Opcode::ttng_packed_arith, kNotWritten,
                      {.summary = "result = OP(operands), two lanes at once",
                       .operands = {{"operands", TypeRule::tile, Arity::variadic}},
                       .attributes = {{"op_kind", AttributeRule::enumeration, Presence::required, 0, &kPackedArith}},
                       .results = {{"result", TypeRule::tile_of_float}},
                       .form = "$op_kind $operands attrs : signature"}));

}  // namespace lockstep::dialects
