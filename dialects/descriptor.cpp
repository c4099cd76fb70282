// Tensor descriptors (TMA): whole blocks of a strided tensor; reads outside it give the padding, writes outside are
// dropped.
#include "dialects/enums.h"
#include "dialects/rows.h"

namespace lockstep::dialects {
namespace {

constexpr ir::OperandSpec kDescriptor{"desc", TypeRule::descriptor};
constexpr ir::OperandSpec kIndices{"indices", TypeRule::i32, Arity::variadic};

/// The same op under its name up to Triton 3.3.
consteval OpDef old_name(Opcode opcode, OpDef def, ir::SampleHook sample) {
  def.opcode = opcode;
  def.spelling = ir::spelling(opcode);
  if (def.sample != nullptr) def.sample = sample;  // a build without CUDA has none
  def.source = "libtriton 3.3.1, parsed and printed";
  def.until = "3.3";
  return def;
}

}  // namespace

constexpr OpDef tt_make_tensor_descriptor =
    row(Opcode::tt_make_tensor_descriptor,
        {.summary = "result = a descriptor of the tensor at base with shape and strides in elements, cut in blocks",
         .operands = {{"base", TypeRule::pointer},
                      {"shape", TypeRule::i32, Arity::variadic},
                      {"strides", TypeRule::i64, Arity::variadic}},
         .attributes = {{"padding", AttributeRule::enumeration, Presence::defaulted, 1, &kPadding}},
         .results = {{"result", TypeRule::descriptor}},
         .equal_variadic_groups = true,
         .form = "$base, [ $shape ], [ $strides ] attrs : base($base), base($result)",
         .relations = "shape=i32 strides=i64",
         .verify = verify_make_tensor_descriptor,
         .defined_if = ir::Definedness::everything,
         .provenance = Provenance::first_operand,
         .evaluate = interpreter::evaluate_make_tensor_descriptor,
         .emit_cuda = backend_cuda::emit_descriptor,
         .enclose = enclosure::enclose_points,
         .sample = fuzz::sample_make_tensor_descriptor,
         .source = kTritonOps,
         .note = "S-61: what the tensor memory unit refuses is LS112"});

constexpr OpDef tt_descriptor_load = row(
    Opcode::tt_descriptor_load,
    {.summary = "result[i...] = tensor[indices + i...], padding outside it",
     .operands = {kDescriptor, kIndices},
     .attributes = {{"cache", AttributeRule::enumeration, Presence::defaulted, 1, &kCacheModifier},
                    {"evict", AttributeRule::enumeration, Presence::defaulted, 1, &kEvictionPolicy}},
     .results = {{"result", TypeRule::tile}},
     .form =
         "$desc [ $indices ] (cacheModifier = $cache)? (evictionPolicy = $evict)? attrs : type($desc) -> type($result)",
     .relations = "indices=i32 element(result)=element(block(desc))",
     .verify = verify_descriptor_access,
     .effects = Effects::read,
     .defined_if = ir::Definedness::everything,
     .access = {.kind = MemoryAccess::Kind::load, .place = MemoryAccess::Place::block, .indices = 1},
     .evaluate = interpreter::evaluate_descriptor_load,
     .emit_cuda = backend_cuda::emit_descriptor_load,
     .enclose = enclosure::enclose_memory,
     .sample = fuzz::sample_descriptor_load,
     .source = kTritonOps,
     .note = "S-61"});

constexpr OpDef tt_descriptor_store =
    row(Opcode::tt_descriptor_store, {.summary = "tensor[indices + i...] = src[i...] inside it",
                                      .operands = {kDescriptor, {"src", TypeRule::tile}, kIndices},
                                      .form = "$desc [ $indices ], $src attrs : type($desc), type($src)",
                                      .relations = "indices=i32 element(src)=element(block(desc))",
                                      .verify = verify_descriptor_access,
                                      .effects = Effects::write,
                                      .defined_if = ir::Definedness::everything,
                                      .access = {.kind = MemoryAccess::Kind::store,
                                                 .place = MemoryAccess::Place::block, .value = 1, .indices = 2},
                                      .evaluate = interpreter::evaluate_descriptor_store,
                                      .emit_cuda = backend_cuda::emit_descriptor_store,
                                      .enclose = enclosure::enclose_memory,
                                      .sample = fuzz::sample_descriptor_store,
                                      .source = kTritonOps,
                                      .note = "S-61"});

constexpr OpDef tt_descriptor_reduce = row(
    Opcode::tt_descriptor_reduce,
    {.summary = "tensor[indices + i...] = OP(tensor[indices + i...], src[i...]) inside it, each element indivisibly",
     .operands = {kDescriptor, {"src", TypeRule::tile}, kIndices},
     .attributes = {{"kind", AttributeRule::enumeration, Presence::required, 0, &kDescriptorReduce}},
     .form = "$kind, $desc [ $indices ], $src attrs : type($desc), type($src)",
     .relations = "indices=i32 element(src)=element(block(desc))",
     .verify = verify_descriptor_access,
     .effects = Effects::read_write,
     .defined_if = ir::Definedness::everything,
     .access = {.kind = MemoryAccess::Kind::atomic, .place = MemoryAccess::Place::block,
                .atomic = MemoryAccess::Atomic::reduce, .value = 1, .indices = 2},
     .evaluate = interpreter::evaluate_descriptor_reduce,
     .emit_cuda = backend_cuda::emit_descriptor_reduce,
     .enclose = enclosure::enclose_memory,
     .sample = fuzz::sample_descriptor_reduce,
     .source = kTritonOps,
     .note = "S-62"});

constexpr OpDef tt_descriptor_gather =
    row(Opcode::tt_descriptor_gather,
        {.summary = "result[i, j] = tensor[x_offsets[i], y_offset + j], padding outside it",
         .operands = {kDescriptor, {"x_offsets", TypeRule::tile_of_integer}, {"y_offset", TypeRule::i32}},
         .results = {{"result", TypeRule::tile}},
         .form = "$desc [ $x_offsets, $y_offset ] attrs : signature",
         .relations = "element(result)=element(block(desc))",
         .verify = verify_descriptor_rows,
         .effects = Effects::read,
         .defined_if = ir::Definedness::everything,
         .access = {.kind = MemoryAccess::Kind::load, .place = MemoryAccess::Place::rows},
         .evaluate = interpreter::evaluate_descriptor_gather,
         .emit_cuda = backend_cuda::emit_descriptor_load,
         .enclose = enclosure::enclose_memory,
         .sample = fuzz::sample_descriptor_gather,
         .source = kTritonOps,
         .note = "S-63; a GPU from sm_100 on"});

constexpr OpDef tt_descriptor_scatter = row(
    Opcode::tt_descriptor_scatter,
    {.summary = "tensor[x_offsets[i], y_offset + j] = src[i, j] inside it",
     .operands =
         {kDescriptor, {"x_offsets", TypeRule::tile_of_integer}, {"y_offset", TypeRule::i32}, {"src", TypeRule::tile}},
     .form = "$desc [ $x_offsets, $y_offset ], $src attrs : type($desc), type($x_offsets), type($y_offset), type($src)",
     .relations = "element(src)=element(block(desc))",
     .verify = verify_descriptor_rows,
     .effects = Effects::write,
     .defined_if = ir::Definedness::everything,
     .access = {.kind = MemoryAccess::Kind::store, .place = MemoryAccess::Place::rows, .value = 3},
     .evaluate = interpreter::evaluate_descriptor_scatter,
     .emit_cuda = backend_cuda::emit_descriptor_store,
     .enclose = enclosure::enclose_memory,
     .sample = fuzz::sample_descriptor_scatter,
     .source = kTritonOps,
     .note = "S-63; a GPU from sm_100 on"});

constexpr OpDef tt_experimental_descriptor_load =
    old_name(Opcode::tt_experimental_descriptor_load, tt_descriptor_load, fuzz::sample_old_load);
constexpr OpDef tt_experimental_descriptor_store =
    old_name(Opcode::tt_experimental_descriptor_store, tt_descriptor_store, fuzz::sample_old_store);
constexpr OpDef tt_experimental_descriptor_gather =
    old_name(Opcode::tt_experimental_descriptor_gather, tt_descriptor_gather, fuzz::sample_old_gather);
constexpr OpDef tt_experimental_descriptor_scatter =
    old_name(Opcode::tt_experimental_descriptor_scatter, tt_descriptor_scatter, fuzz::sample_old_scatter);

constexpr OpDef tt_reinterpret_tensor_descriptor =
    until("3.3", row(Opcode::tt_reinterpret_tensor_descriptor,
                     {.summary = "result = the descriptor whose 128 bytes, written by the CUDA driver, lie at rawDesc",
                      .operands = {{"rawDesc", TypeRule::pointer}},
                      .results = {{"result", TypeRule::descriptor}},
                      .form = "$rawDesc attrs : type($rawDesc) to type($result)",
                      .evaluate_reason = "the bytes are a CUtensorMap, whose layout NVIDIA does not publish",
                      .emit_reason = "the bytes are a CUtensorMap, whose layout NVIDIA does not publish",
                      .source = "libtriton 3.3.1, parsed and printed"}));

}  // namespace lockstep::dialects
