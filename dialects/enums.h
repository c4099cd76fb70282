// Closed sets of names for integer attributes, with MLIR's and Triton's values. Source: TritonAttrDefs.td of
// Triton 3.6; MLIR Arith dialect (predicates, rounding modes).
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::dialects {

using ir::EnumCase;
using ir::EnumSpec;

inline constexpr EnumCase kCmpiCases[] = {{"eq", 0},  {"ne", 1},  {"slt", 2}, {"sle", 3}, {"sgt", 4},
                                          {"sge", 5}, {"ult", 6}, {"ule", 7}, {"ugt", 8}, {"uge", 9}};
inline constexpr EnumSpec kCmpiPredicate{"integer comparison", kCmpiCases};

inline constexpr EnumCase kCmpfCases[] = {{"false", 0}, {"oeq", 1},  {"ogt", 2},  {"oge", 3},  {"olt", 4},  {"ole", 5},
                                          {"one", 6},   {"ord", 7},  {"ueq", 8},  {"ugt", 9},  {"uge", 10}, {"ult", 11},
                                          {"ule", 12},  {"une", 13}, {"uno", 14}, {"true", 15}};
inline constexpr EnumSpec kCmpfPredicate{"float comparison", kCmpfCases};

inline constexpr EnumCase kArithRoundingCases[] = {
    {"to_nearest_even", 0}, {"downward", 1}, {"upward", 2}, {"toward_zero", 3}, {"to_nearest_away", 4}};
inline constexpr EnumSpec kArithRounding{"rounding mode", kArithRoundingCases};

inline constexpr EnumCase kCacheModifierCases[] = {{"none", 1}, {"ca", 2}, {"cg", 3}, {"wb", 4},
                                                   {"cs", 5},   {"wt", 6}, {"cv", 7}};
inline constexpr EnumSpec kCacheModifier{"cache modifier", kCacheModifierCases};

inline constexpr EnumCase kEvictionCases[] = {{"evict_normal", 1}, {"evict_first", 2}, {"evict_last", 3}};
inline constexpr EnumSpec kEvictionPolicy{"eviction policy", kEvictionCases};

inline constexpr EnumCase kPaddingCases[] = {{"pad_zero", 1}, {"pad_nan", 2}};
inline constexpr EnumSpec kPadding{"padding", kPaddingCases};

inline constexpr EnumCase kAtomicCases[] = {{"and", 1}, {"or", 2},  {"xor", 3},  {"add", 4},  {"fadd", 5},
                                            {"max", 6}, {"min", 7}, {"umax", 8}, {"umin", 9}, {"exch", 10}};
inline constexpr EnumSpec kAtomicOp{"atomic operation", kAtomicCases};

inline constexpr EnumCase kDescriptorReduceCases[] = {{"add", 1}, {"min", 2}, {"max", 3}, {"inc", 4},
                                                      {"dec", 5}, {"and", 6}, {"or", 7},  {"xor", 8}};
inline constexpr EnumSpec kDescriptorReduce{"descriptor reduction", kDescriptorReduceCases};

inline constexpr EnumCase kSemanticCases[] = {{"relaxed", 1}, {"acquire", 2}, {"release", 3}, {"acq_rel", 4}};
inline constexpr EnumSpec kSemantic{"memory order", kSemanticCases};

inline constexpr EnumCase kScopeCases[] = {{"gpu", 1}, {"cta", 2}, {"sys", 3}};
inline constexpr EnumSpec kScope{"memory scope", kScopeCases};

/// A set of bits; 3.7 and later print the whole set as `all`. Source: libtriton 3.7.1.
inline constexpr EnumCase kBarrierCases[] = {{"none", 0},         {"local", 1},       {"global_read", 2},
                                             {"global_write", 4}, {"tensor_read", 8}, {"tensor_write", 16},
                                             {"all", 31}};
inline constexpr EnumSpec kBarrierSpaces{"barrier scope", kBarrierCases, true};

inline constexpr EnumCase kAxisCases[] = {{"x", 0}, {"y", 1}, {"z", 2}};
inline constexpr EnumSpec kGridAxis{"grid axis", kAxisCases};

inline constexpr EnumCase kRoundingCases[] = {{"rtz", 0}, {"rtne", 1}};
inline constexpr EnumSpec kRounding{"rounding", kRoundingCases};

inline constexpr EnumCase kPropagateNanCases[] = {{"none", 0}, {"all", 65535}};
inline constexpr EnumSpec kPropagateNan{"NaN propagation", kPropagateNanCases};

inline constexpr EnumCase kInputPrecisionCases[] = {
    {"tf32", 0}, {"tf32x3", 1}, {"ieee", 2}, {"bf16x3", 3}, {"bf16x6", 4}};
inline constexpr EnumSpec kInputPrecision{"input precision", kInputPrecisionCases};

inline constexpr EnumCase kScaleElementCases[] = {{"e4m3", 0}, {"e5m2", 1}, {"e2m3", 2}, {"e3m2", 3},
                                                  {"e2m1", 4}, {"bf16", 5}, {"fp16", 6}};
inline constexpr EnumSpec kScaleElement{"scaled element type", kScaleElementCases};

/// Of Triton 3.9's TritonNvidiaGPUEnums.td.
inline constexpr EnumCase kTmemWaitCases[] = {{"load", 0}, {"store", 1}};
inline constexpr EnumSpec kTmemWait{"kind of access to tensor memory", kTmemWaitCases};

inline constexpr EnumCase kPackedArithCases[] = {{"add", 0}, {"sub", 1}, {"mul", 2}, {"fma", 3}, {"min", 4}, {"max", 5}};
inline constexpr EnumSpec kPackedArith{"packed operation", kPackedArithCases};

}  // namespace lockstep::dialects
