// Ops that make tiles or move elements between shapes without computing on them.
#include "dialects/enums.h"
#include "dialects/rows.h"

namespace lockstep::dialects {
namespace {

constexpr std::string_view kUnary = "$src attrs : type($src) -> type($result)";

/// One tile in, one tile of the same elements out.
struct ShapeMeaning {
  Movement movement = Movement::none;
  BatchingRule batching = BatchingRule::by_effects;
  ir::VerifyHook verify = nullptr;
  ir::EvaluateHook evaluate = nullptr;
  ir::SampleHook sample = nullptr;
};
consteval OpDef reshaping(Opcode opcode, std::string_view summary, const ShapeMeaning& meaning,
                          std::string_view form = kUnary) {
  return row(opcode, {.summary = summary,
                      .operands = {{"src", TypeRule::tile}},
                      .results = {{"result", TypeRule::tile}},
                      .form = form,
                      .relations = "element(result)=element(src)",
                      .verify = meaning.verify,
                      .movement = meaning.movement,
                      .provenance = Provenance::first_operand,
                      .batching = meaning.batching,
                      .evaluate = meaning.evaluate,
                      .emit_cuda = backend_cuda::emit_shape_op,
                      .enclose = enclosure::enclose_shape,
                      .sample = meaning.sample,
                      .source = kTritonOps});
}

consteval OpDef with_attributes(OpDef def, ir::SpecList<ir::AttributeSpec, 8> attributes) {
  def.attributes = attributes;
  return def;
}

}  // namespace

constexpr OpDef tt_make_range =
    row(Opcode::tt_make_range, {.summary = "result[i] = start + i for i in [0, end - start)",
                                .attributes = {{"start", AttributeRule::i32}, {"end", AttributeRule::i32}},
                                .results = {{"result", TypeRule::tile_of_integer}},
                                .form = "attrs : type($result)",
                                .verify = verify_make_range,
                                .origin = Origin::range,
                                .evaluate = interpreter::evaluate_make_range,
                                .emit_cuda = backend_cuda::emit_make_range,
                                .enclose = enclosure::enclose_points,
                                .sample = fuzz::sample_make_range,
                                .source = kTritonOps});

constexpr OpDef tt_splat = row(Opcode::tt_splat, {.summary = "result[...] = src",
                                                  .operands = {{"src"}},
                                                  .results = {{"result", TypeRule::tile}},
                                                  .form = kUnary,
                                                  .relations = "src=element(result)",
                                                  .defined_if = Definedness::everything,
                                                  .movement = Movement::splat,
                                                  .provenance = Provenance::first_operand,
                                                  .batching = BatchingRule::splat,
                                                  .evaluate = interpreter::evaluate_splat,
                                                  .emit_cuda = backend_cuda::emit_splat,
                                                  .enclose = enclosure::enclose_shape,
                                                  .source = kTritonOps});

constexpr OpDef tt_unsplat = row(Opcode::tt_unsplat, {.summary = "result = the only element of src",
                                                      .operands = {{"src", TypeRule::tile}},
                                                      .results = {{"result"}},
                                                      .form = "$src attrs : type($src)",
                                                      .relations = "result=element(src)",
                                                      .verify = verify_unsplat,
                                                      .movement = Movement::unsplat,
                                                      .provenance = Provenance::first_operand,
                                                      .batching = BatchingRule::unsplat,
                                                      .evaluate = interpreter::evaluate_unsplat,
                                                      .emit_cuda = backend_cuda::emit_unsplat,
                                                      .enclose = enclosure::enclose_shape,
                                                      .sample = fuzz::sample_unsplat,
                                                      .source = kTritonOps});

constexpr OpDef tt_expand_dims =
    with_attributes(reshaping(Opcode::tt_expand_dims, "result = src with an axis of extent 1 put in",
                              {Movement::expand_dims, BatchingRule::expand_dims, verify_expand_dims,
                               interpreter::evaluate_expand_dims, fuzz::sample_expand_dims}),
                    {{"axis", AttributeRule::i32}});
constexpr OpDef tt_broadcast =
    reshaping(Opcode::tt_broadcast, "result[i...] = src[i... with 0 on axes of extent 1]",
              {Movement::broadcast, BatchingRule::broadcast, verify_broadcast, interpreter::evaluate_broadcast,
               fuzz::sample_broadcast});
constexpr OpDef tt_trans = with_attributes(reshaping(Opcode::tt_trans, "result axis i = src axis order[i]",
                                                     {Movement::transpose, BatchingRule::trans, verify_trans,
                                                      interpreter::evaluate_trans, fuzz::sample_trans}),
                                           {{"order", AttributeRule::dense_array_i32}});
constexpr OpDef tt_reshape = with_attributes(
    reshaping(Opcode::tt_reshape, "result = src in row-major order with another shape; any order if allow_reorder",
              {Movement::reshape, BatchingRule::reshape, verify_reshape, interpreter::evaluate_reshape,
               fuzz::sample_reshape},
              "$src (allow_reorder $allow_reorder)? (efficient_layout $efficient_layout)? attrs : type($src) -> "
              "type($result)"),
    {{"allow_reorder", AttributeRule::unit, Presence::optional},
     {"efficient_layout", AttributeRule::unit, Presence::optional}});

constexpr OpDef tt_join = row(Opcode::tt_join, {.summary = "result[..., 0] = lhs, result[..., 1] = rhs",
                                                .operands = {{"lhs", TypeRule::tile}, {"rhs", TypeRule::tile}},
                                                .results = {{"result", TypeRule::tile}},
                                                .form = "$lhs, $rhs attrs : type($lhs) -> type($result)",
                                                .relations = "rhs=lhs element(result)=element(lhs)",
                                                .verify = verify_join,
                                                .movement = Movement::join,
                                                .provenance = Provenance::operands_of_type,
                                                .batching = BatchingRule::join,
                                                .evaluate = interpreter::evaluate_join,
                                                .emit_cuda = backend_cuda::emit_shape_op,
                                                .enclose = enclosure::enclose_shape,
                                                .sample = fuzz::sample_join,
                                                .source = kTritonOps});

constexpr OpDef tt_split = row(Opcode::tt_split, {.summary = "outLHS = src[..., 0], outRHS = src[..., 1]",
                                                  .operands = {{"src", TypeRule::tile}},
                                                  .results = {{"outLHS", TypeRule::tile}, {"outRHS", TypeRule::tile}},
                                                  .form = "$src attrs : type($src) -> type($outLHS)",
                                                  .relations = "outRHS=outLHS element(outLHS)=element(src)",
                                                  .verify = verify_split,
                                                  .movement = Movement::split,
                                                  .provenance = Provenance::first_operand,
                                                  .batching = BatchingRule::split,
                                                  .evaluate = interpreter::evaluate_split,
                                                  .emit_cuda = backend_cuda::emit_split,
                                                  .enclose = enclosure::enclose_shape,
                                                  .sample = fuzz::sample_split,
                                                  .source = kTritonOps});

constexpr OpDef tt_cat =
    row(Opcode::tt_cat, {.summary = "result = lhs and rhs together; Triton may reorder the elements",
                         .operands = {{"lhs", TypeRule::tile}, {"rhs", TypeRule::tile}},
                         .results = {{"result", TypeRule::tile}},
                         .form = "$lhs, $rhs attrs : type($lhs) -> type($result)",
                         .relations = "rhs=lhs element(result)=element(lhs)",
                         .verify = verify_cat,
                         .movement = Movement::concatenate,
                         .provenance = Provenance::operands_of_type,
                         .batching = BatchingRule::cat,
                         .evaluate = interpreter::evaluate_cat,
                         .emit_cuda = backend_cuda::emit_shape_op,
                         .enclose = enclosure::enclose_shape,
                         .sample = fuzz::sample_cat,
                         .source = kTritonOps,
                         .note = "S-102: one after the other; no order is promised"});

constexpr OpDef tt_gather =
    row(Opcode::tt_gather,
        {.summary = "result[i, j, k] = src[i, indices[i, j, k], k] (axis 1)",
         .operands = {{"src", TypeRule::tile}, {"indices", TypeRule::tile_of_integer}},
         .attributes = {{"axis", AttributeRule::i32}, {"efficient_layout", AttributeRule::unit, Presence::optional}},
         .results = {{"result", TypeRule::tile}},
         .form = "$src [ $indices ] attrs : signature",
         .relations = "element(result)=element(src) shape(result)=shape(indices)",
         .verify = verify_gather,
         .defined_if = Definedness::by_selected_operand,
         .movement = Movement::gather,
         .provenance = Provenance::first_operand,
         .batching = BatchingRule::along_axis,
         .evaluate = interpreter::evaluate_gather,
         .emit_cuda = backend_cuda::emit_gather,
         .enclose = enclosure::enclose_shape,
         .sample = fuzz::sample_gather,
         .source = kTritonOps,
         .note = "S-101: an index outside counts modulo the extent"});

constexpr OpDef tt_histogram =
    row(Opcode::tt_histogram,
        {.summary = "result[b] = number of i with src[i] = b and mask[i]",
         .operands = {{"src", TypeRule::tile_of_integer}, {"mask", TypeRule::boolean_like, Arity::optional}},
         .results = {{"result", TypeRule::tile_of_integer}},
         .form = "$src (, $mask)? attrs : type($src) -> type($result)",
         .relations = "mask=bool(src)",
         .verify = verify_histogram,
         .defined_if = Definedness::everything,
         .combination = Combination::counts,
         .evaluate = interpreter::evaluate_histogram,
         .emit_cuda = backend_cuda::emit_histogram,
         .enclose = enclosure::enclose_points,
         .sample = fuzz::sample_histogram,
         .source = kTritonOps,
         .note = "S-100: values count modulo the larger of the bins and 32"});

}  // namespace lockstep::dialects
