// Conversions between number types. Narrowing floats round once; integers from floats go toward zero.
#include "dialects/enums.h"
#include "dialects/rows.h"

namespace lockstep::dialects {
namespace {


consteval OpDef cast(Opcode opcode, std::string_view summary, TypeRule from, TypeRule to) {
  return row(opcode, {.summary = summary,
                      .operands = {{"in", from}},
                      .results = {{"out", to}},
                      .form = "$in attrs : type($in) to type($out)",
                      .relations = "shape(out)=shape(in)",
                      .source = "MLIR Arith dialect"});
}

consteval OpDef cast_with(Opcode opcode, std::string_view summary, TypeRule from, TypeRule to, std::string_view form,
                          ir::SpecList<ir::AttributeSpec, 8> attributes) {
  OpDef def = cast(opcode, summary, from, to);
  def.form = form;
  def.attributes = attributes;
  return def;
}

constexpr ir::AttributeSpec kNonNegative{"nonNeg", AttributeRule::unit, Presence::optional};
constexpr ir::AttributeSpec kFastMath{.name = "fastmath", .presence = Presence::optional};
constexpr ir::AttributeSpec kOverflow{.name = "overflowFlags", .presence = Presence::defaulted};
constexpr ir::AttributeSpec kRoundingMode{"roundingmode", AttributeRule::enumeration, Presence::optional, 0,
                                          &kArithRounding};

}  // namespace

constexpr OpDef arith_extf = cast_with(Opcode::arith_extf, "out = in in a wider float format, exact", kFloat, kFloat,
                                       "$in verbatim($fastmath) attrs : type($in) to type($out)", {kFastMath});
constexpr OpDef arith_truncf = cast_with(
    Opcode::arith_truncf, "out = in rounded to a narrower float format (to nearest even unless said)", kFloat, kFloat,
    "$in ($roundingmode)? verbatim($fastmath) attrs : type($in) to type($out)", {kRoundingMode, kFastMath});
constexpr OpDef arith_extui = cast_with(Opcode::arith_extui, "out = in, zeros above", kInteger, kInteger,
                                        "$in (nneg $nonNeg)? attrs : type($in) to type($out)", {kNonNegative});
constexpr OpDef arith_trunci = cast_with(Opcode::arith_trunci, "out = the low bits of in", kInteger, kInteger,
                                         "$in verbatim($overflowFlags) attrs : type($in) to type($out)", {kOverflow});
constexpr OpDef arith_uitofp = cast_with(Opcode::arith_uitofp, "out = unsigned in, rounded to nearest even", kInteger,
                                         kFloat, "$in (nneg $nonNeg)? attrs : type($in) to type($out)", {kNonNegative});
constexpr OpDef arith_extsi = cast(Opcode::arith_extsi, "out = in, copies of the sign above", kInteger, kInteger);
constexpr OpDef arith_sitofp = cast(Opcode::arith_sitofp, "out = signed in, rounded to nearest even", kInteger, kFloat);
constexpr OpDef arith_fptosi =
    cast(Opcode::arith_fptosi, "out = trunc(in) as signed; undefined if it does not fit", kFloat, kInteger);
constexpr OpDef arith_fptoui =
    cast(Opcode::arith_fptoui, "out = trunc(in) as unsigned; undefined if it does not fit", kFloat, kInteger);
constexpr OpDef arith_bitcast = cast(Opcode::arith_bitcast, "out = the bits of in read as another type of that width",
                                     TypeRule::scalar_or_tile_of_number, TypeRule::scalar_or_tile_of_number);
constexpr OpDef arith_index_cast =
    cast(Opcode::arith_index_cast, "out = signed in as index, or back", kInteger, kInteger);
constexpr OpDef arith_index_castui =
    cast(Opcode::arith_index_castui, "out = unsigned in as index, or back", kInteger, kInteger);

}  // namespace lockstep::ops
