// Conversions between number types. Narrowing floats round once; integers from floats go toward zero.
#include "dialects/enums.h"
#include "dialects/rows.h"

namespace lockstep::dialects {
namespace {

/// The differences between the ops of this file, besides their text.
struct CastMeaning {
  Numbers numbers = Numbers::none;
  const interpreter::ElementwiseLoops* loops = nullptr;
  std::string_view cuda{};
  ir::EncloseHook enclose = nullptr;
  ir::VerifyHook verify = nullptr;
  ir::SampleHook sample = nullptr;
};

consteval OpDef cast(Opcode opcode, std::string_view summary, TypeRule from, TypeRule to, const CastMeaning& meaning) {
  return row(opcode, {.summary = summary,
                      .operands = {{"in", from}},
                      .results = {{"out", to}},
                      .form = "$in attrs : type($in) to type($out)",
                      .relations = "shape(out)=shape(in)",
                      .verify = meaning.verify,
                      .arithmetic = Arithmetic::conversion,
                      .numbers = meaning.numbers,
                      .batching = BatchingRule::elementwise,
                      .evaluate = evaluate_elementwise,
                      .loops = meaning.loops,
                      .emit_cuda = meaning.cuda.empty() ? backend_cuda::emit_truncate : emit_text,
                      .cuda_text = meaning.cuda,
                      .enclose = meaning.enclose,
                      .sample = meaning.sample,
                      .source = "MLIR Arith dialect"});
}

consteval OpDef cast_with(Opcode opcode, std::string_view summary, TypeRule from, TypeRule to, std::string_view form,
                          ir::SpecList<ir::AttributeSpec, 8> attributes, const CastMeaning& meaning) {
  OpDef def = cast(opcode, summary, from, to, meaning);
  def.form = form;
  def.attributes = attributes;
  return def;
}

/// Ops that keep the number, or round it.
consteval OpDef keeping_number(OpDef def) {
  def.in_f64 = [](const double* x) { return x[0]; };
  return def;
}
/// Rounds to fewer numbers: the largest become infinite.
consteval OpDef rounding(OpDef def) {
  def.makes_nan = true;
  return def;
}
consteval OpDef reading_bits(OpDef def) {
  def.reads_bits = true;
  return def;
}

consteval OpDef reinterpreting(OpDef def) {
  def.arithmetic = Arithmetic::reinterpretation;
  def.reads_bits = true;
  def.provenance = Provenance::first_operand_if_pointer;
  return def;
}

constexpr ir::AttributeSpec kNonNegative{"nonNeg", AttributeRule::unit, Presence::optional};
constexpr ir::AttributeSpec kFastMath{.name = "fastmath", .presence = Presence::optional};
constexpr ir::AttributeSpec kOverflow{.name = "overflowFlags", .presence = Presence::defaulted};
constexpr ir::AttributeSpec kRoundingMode{"roundingmode", AttributeRule::enumeration, Presence::optional, 0,
                                          &kArithRounding};

}  // namespace

constexpr OpDef arith_extf =
    keeping_number(cast_with(Opcode::arith_extf, "out = in in a wider float format, exact", kFloat, kFloat,
                             "$in verbatim($fastmath) attrs : type($in) to type($out)", {kFastMath},
                             {Numbers::floats, &kConversionLoops<Conversion::signed_>, "narrow<%T>(wide(%0))",
                              enclosure::enclose_float_cast, verify_widening}));
constexpr OpDef arith_truncf =
    keeping_number(rounding(cast_with(Opcode::arith_truncf,
                                      "out = in rounded to a narrower float format (to nearest even unless said)",
                                      kFloat, kFloat,
                                      "$in ($roundingmode)? verbatim($fastmath) attrs : type($in) to type($out)",
                                      {kRoundingMode, kFastMath},
                                      {Numbers::floats, &interpreter::kTruncationLoops, "",
                                       enclosure::enclose_float_cast, verify_narrowing})));
constexpr OpDef arith_extui =
    cast_with(Opcode::arith_extui, "out = in, zeros above", kInteger, kInteger,
              "$in (nneg $nonNeg)? attrs : type($in) to type($out)", {kNonNegative},
              {Numbers::without_sign, &kConversionLoops<Conversion::unsigned_, StructuredRule::convert_unsigned>,
               "(%T)as_unsigned(%0)", enclosure::enclose_integer, verify_widening});
constexpr OpDef arith_trunci =
    reading_bits(cast_with(Opcode::arith_trunci, "out = the low bits of in", kInteger, kInteger,
                           "$in verbatim($overflowFlags) attrs : type($in) to type($out)", {kOverflow},
                           {Numbers::integers, &kConversionLoops<Conversion::signed_, StructuredRule::convert>,
                            "truncated<%T>(%0)", enclosure::enclose_integer, verify_narrowing}));
constexpr OpDef arith_uitofp =
    keeping_number(reading_bits(cast_with(Opcode::arith_uitofp, "out = unsigned in, rounded to nearest even", kInteger,
                                          kFloat, "$in (nneg $nonNeg)? attrs : type($in) to type($out)",
                                          {kNonNegative},
                                          {Numbers::without_sign, &kConversionLoops<Conversion::unsigned_>,
                                           "from_unsigned<%T>(as_unsigned(%0))", enclosure::enclose_number_cast})));
constexpr OpDef arith_extsi =
    cast(Opcode::arith_extsi, "out = in, copies of the sign above", kInteger, kInteger,
         {Numbers::with_sign, &kConversionLoops<Conversion::signed_, StructuredRule::convert>, "sign_extended<%T>(%0)",
          enclosure::enclose_integer, verify_widening});
constexpr OpDef arith_sitofp =
    keeping_number(cast(Opcode::arith_sitofp, "out = signed in, rounded to nearest even", kInteger, kFloat,
                        {Numbers::with_sign, &kConversionLoops<Conversion::signed_>,
                         "from_signed<%T>(sign_extended<long long>(%0))", enclosure::enclose_number_cast}));
constexpr OpDef arith_fptosi =
    cast(Opcode::arith_fptosi, "out = trunc(in) as signed; undefined if it does not fit", kFloat, kInteger,
         {Numbers::with_sign, &kConversionLoops<Conversion::signed_>, "to_signed<%T>(%0)",
          enclosure::enclose_number_cast});
constexpr OpDef arith_fptoui =
    cast(Opcode::arith_fptoui, "out = trunc(in) as unsigned; undefined if it does not fit", kFloat, kInteger,
         {Numbers::without_sign, &kConversionLoops<Conversion::unsigned_>, "to_unsigned<%T>(%0)",
          enclosure::enclose_number_cast});
constexpr OpDef arith_bitcast =
    reinterpreting(cast(Opcode::arith_bitcast, "out = the bits of in read as another type of that width",
                      TypeRule::scalar_or_tile_of_number, TypeRule::scalar_or_tile_of_number,
                      {Numbers::none, &interpreter::kReinterpretationLoops, "bits_as<%T>(%0)",
                       enclosure::enclose_bitcast, verify_same_width}));
constexpr OpDef arith_index_cast =
    cast(Opcode::arith_index_cast, "out = signed in as index, or back", kInteger, kInteger,
         {Numbers::with_sign, &kConversionLoops<Conversion::signed_, StructuredRule::convert>, "(%T)%0",
          enclosure::enclose_integer, verify_index_cast, fuzz::sample_index_cast});
constexpr OpDef arith_index_castui =
    cast(Opcode::arith_index_castui, "out = unsigned in as index, or back", kInteger, kInteger,
         {Numbers::without_sign, &kConversionLoops<Conversion::unsigned_, StructuredRule::convert_unsigned>,
          "(%T)as_unsigned(%0)", enclosure::enclose_integer, verify_index_cast, fuzz::sample_index_castui});

}  // namespace lockstep::dialects
