// Ops that make tiles or move elements between shapes without computing on them.
#include "dialects/enums.h"
#include "dialects/rows.h"

namespace lockstep::dialects {
namespace {

constexpr std::string_view kUnary = "$src attrs : type($src) -> type($result)";

/// One tile in, one tile of the same elements out.
consteval OpDef reshaping(Opcode opcode, std::string_view summary, std::string_view form = kUnary) {
  return row(opcode, {.summary = summary,
                      .operands = {{"src", TypeRule::tile}},
                      .results = {{"result", TypeRule::tile}},
                      .form = form,
                      .relations = "element(result)=element(src)",
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
                                .source = kTritonOps});

constexpr OpDef tt_splat = row(Opcode::tt_splat, {.summary = "result[...] = src",
                                                  .operands = {{"src"}},
                                                  .results = {{"result", TypeRule::tile}},
                                                  .form = kUnary,
                                                  .relations = "src=element(result)",
                                                  .defined_if = Definedness::everything,
                                                  .source = kTritonOps});

constexpr OpDef tt_unsplat = row(Opcode::tt_unsplat, {.summary = "result = the only element of src",
                                                      .operands = {{"src", TypeRule::tile}},
                                                      .results = {{"result"}},
                                                      .form = "$src attrs : type($src)",
                                                      .relations = "result=element(src)",
                                                      .source = kTritonOps});

constexpr OpDef tt_expand_dims = with_attributes(
    reshaping(Opcode::tt_expand_dims, "result = src with an axis of extent 1 put in"), {{"axis", AttributeRule::i32}});
constexpr OpDef tt_broadcast = reshaping(Opcode::tt_broadcast, "result[i...] = src[i... with 0 on axes of extent 1]");
constexpr OpDef tt_trans = with_attributes(reshaping(Opcode::tt_trans, "result axis i = src axis order[i]"),
                                           {{"order", AttributeRule::dense_array_i32}});
constexpr OpDef tt_reshape = with_attributes(
    reshaping(Opcode::tt_reshape, "result = src in row-major order with another shape; any order if allow_reorder",
              "$src (allow_reorder $allow_reorder)? (efficient_layout $efficient_layout)? attrs : type($src) -> "
              "type($result)"),
    {{"allow_reorder", AttributeRule::unit, Presence::optional},
     {"efficient_layout", AttributeRule::unit, Presence::optional}});

constexpr OpDef tt_join = row(Opcode::tt_join, {.summary = "result[..., 0] = lhs, result[..., 1] = rhs",
                                                .operands = {{"lhs", TypeRule::tile}, {"rhs", TypeRule::tile}},
                                                .results = {{"result", TypeRule::tile}},
                                                .form = "$lhs, $rhs attrs : type($lhs) -> type($result)",
                                                .relations = "rhs=lhs element(result)=element(lhs)",
                                                .source = kTritonOps});

constexpr OpDef tt_split = row(Opcode::tt_split, {.summary = "outLHS = src[..., 0], outRHS = src[..., 1]",
                                                  .operands = {{"src", TypeRule::tile}},
                                                  .results = {{"outLHS", TypeRule::tile}, {"outRHS", TypeRule::tile}},
                                                  .form = "$src attrs : type($src) -> type($outLHS)",
                                                  .relations = "outRHS=outLHS element(outLHS)=element(src)",
                                                  .source = kTritonOps});

constexpr OpDef tt_cat =
    row(Opcode::tt_cat, {.summary = "result = lhs and rhs together; Triton may reorder the elements",
                         .operands = {{"lhs", TypeRule::tile}, {"rhs", TypeRule::tile}},
                         .results = {{"result", TypeRule::tile}},
                         .form = "$lhs, $rhs attrs : type($lhs) -> type($result)",
                         .relations = "rhs=lhs element(result)=element(lhs)",
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
         .defined_if = Definedness::by_selected_operand,
         .source = kTritonOps,
         .note = "S-101: an index outside counts modulo the extent"});

constexpr OpDef tt_histogram =
    row(Opcode::tt_histogram,
        {.summary = "result[b] = number of i with src[i] = b and mask[i]",
         .operands = {{"src", TypeRule::tile_of_integer}, {"mask", TypeRule::boolean_like, Arity::optional}},
         .results = {{"result", TypeRule::tile_of_integer}},
         .form = "$src (, $mask)? attrs : type($src) -> type($result)",
         .relations = "mask=bool(src)",
         .defined_if = Definedness::everything,
         .source = kTritonOps,
         .note = "S-100: values count modulo the larger of the bins and 32"});

}  // namespace lockstep::ops
