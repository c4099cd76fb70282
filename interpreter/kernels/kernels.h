// The vector kernels: elementwise loops, conversions, reductions, scans and strided copies over dense tiles. The
// interpreter calls these functions; the loops themselves are in isa_*.cpp, chosen once per process (dispatch.h).
// Invariant: the bytes of a result depend neither on the instruction set nor on how a tile is cut into strips. Lookups
// are for plan time: they cost a few ns. Not here: shapes, bounds, masks of loads, threads. All functions are safe to
// call from many threads.
#pragma once

#include <cstdint>

#include "interpreter/kernels/ops.h"
#include "support/scalar.h"

namespace lockstep::interpreter::kernels {

/// Lookups in the chosen table; null when the operation has no such element kind. For compares `kind` is that of the
/// operands.
UnaryFn unary(Unary op, ScalarKind kind);
BinaryFn binary(Binary op, ScalarKind kind);
BinaryFn compare(CompareInt predicate, ScalarKind kind);  // integers and pointers
BinaryFn compare(CompareFloat predicate, ScalarKind kind);
TernaryFn ternary(Ternary op, ScalarKind kind);  // select: kind of the values; every kind
/// Integer <-> integer, integer <-> float, float <-> float, pointer <-> i64. Facts (sm_90): f32 and wider -> f8
/// saturates (infinity too), NaN stays; other narrowing overflows to infinity; float -> integer saturates, NaN is 0
/// (i64: INT64_MIN), 8-bit integers keep the low byte of the 16-bit result. To i1: the low bit of an integer; float ->
/// i1 has no kernel.
ConvertFn convert(ScalarKind from, ScalarKind to, Conversion how = Conversion::signed_);
/// Reductions and scans by one op: addi muli andi ori xori min/max addf mulf. f16, bf16: every combination rounds to
/// the type.
ReduceFn reduce(Binary op, ScalarKind kind);
SumProductsFn sum_products();
ScanFn scan(Binary op, ScalarKind kind);
/// The step of a sorting network: every element is compared with its partner, the element whose index differs in one bit,
/// and takes its place or not. It replaces the ops of Triton's tl.sort and tl.topk for it (batching/sort_network.h), NaN
/// and equal elements included. Null for kinds without an order of their own (f8, pointers). `is_unsigned`: of integers.
CompareExchangeFn compare_exchange(ScalarKind kind, bool is_unsigned);

GatherFn gather(ScalarKind kind);
ScatterFn scatter(ScalarKind kind);
BoxFn copy_box(ScalarKind kind);
FillFn fill(ScalarKind kind);
IotaFn iota(ScalarKind kind);  // i8..i64, pointer

/// Copies `rows` runs of row_bytes bytes.
void copy_rows(char* out, std::int64_t out_row_stride, const char* in, std::int64_t in_row_stride, std::int64_t rows,
               std::int64_t row_bytes);

/// Copies bytes (no overlap) that this core will not read soon: whole cache lines bypass the caches, if the processor
/// can. Other cores see them after finish_streams() on this thread.
void stream(char* out, const char* in, std::int64_t bytes);
/// The same for `rows` runs of row_bytes bytes; returns all their bytes.
std::uint64_t stream_rows(char* out, std::int64_t out_row_stride, const char* in, std::int64_t in_row_stride,
                          std::int64_t rows, std::int64_t row_bytes);
void finish_streams();
constexpr std::int64_t kLeastStream = 256;  // bytes; what is shorter has too many incomplete lines

/// Lowest and highest address among the lanes with mask[i] (mask null: all); `any` false when there is none.
struct AddressRange {
  std::uint64_t lowest = 0;
  std::uint64_t highest = 0;
  bool any = false;
};
AddressRange address_range(const std::uint64_t* addresses, const std::uint8_t* mask, std::int64_t n);
std::int64_t count_true(const std::uint8_t* mask, std::int64_t n);

}  // namespace lockstep::interpreter::kernels
