#include "interpreter/kernels/kernels.h"

#include <cstring>

#include "interpreter/kernels/dispatch.h"

namespace lockstep::interpreter::kernels {
namespace {

Kind kind_of(ScalarKind kind) { return static_cast<Kind>(kind); }

bool is_scannable(Binary op) {
  switch (op) {
    case Binary::addi:
    case Binary::muli:
    case Binary::andi:
    case Binary::ori:
    case Binary::xori:
    case Binary::minsi:
    case Binary::maxsi:
    case Binary::minui:
    case Binary::maxui:
    case Binary::addf:
    case Binary::mulf:
    case Binary::minnumf:
    case Binary::maxnumf:
    case Binary::minimumf:
    case Binary::maximumf: return true;
    default: return false;
  }
}

}  // namespace

UnaryFn unary(Unary op, ScalarKind kind) { return table().unary(op, kind_of(kind)); }
BinaryFn binary(Binary op, ScalarKind kind) { return table().binary(op, kind_of(kind)); }
BinaryFn compare(CompareInt predicate, ScalarKind kind) { return table().compare_int(predicate, kind_of(kind)); }
BinaryFn compare(CompareFloat predicate, ScalarKind kind) { return table().compare_float(predicate, kind_of(kind)); }
TernaryFn ternary(Ternary op, ScalarKind kind) { return table().ternary(op, kind_of(kind)); }
ConvertFn convert(ScalarKind from, ScalarKind to, Conversion how) {
  return table().convert(kind_of(from), kind_of(to), how);
}
ReduceFn reduce(Binary op, ScalarKind kind) { return is_scannable(op) ? table().reduce(op, kind_of(kind)) : nullptr; }
SumProductsFn sum_products() { return table().sum_products; }
ScanFn scan(Binary op, ScalarKind kind) { return is_scannable(op) ? table().scan(op, kind_of(kind)) : nullptr; }

CompareExchangeFn compare_exchange(ScalarKind kind, bool is_unsigned) {
  return table().compare_exchange(kind_of(kind), is_unsigned);
}

GatherFn gather(ScalarKind kind) { return table().gather(size_bytes(kind)); }
ScatterFn scatter(ScalarKind kind) { return table().scatter(size_bytes(kind)); }
BoxFn copy_box(ScalarKind kind) { return table().copy_box(size_bytes(kind)); }
FillFn fill(ScalarKind kind) { return table().fill(size_bytes(kind)); }
IotaFn iota(ScalarKind kind) { return table().iota(kind_of(kind)); }

void copy_rows(char* out, std::int64_t out_row_stride, const char* in, std::int64_t in_row_stride, std::int64_t rows,
               std::int64_t row_bytes) {
  if (out_row_stride == row_bytes && in_row_stride == row_bytes) {
    std::memcpy(out, in, static_cast<std::size_t>(rows * row_bytes));
    return;
  }
  for (std::int64_t i = 0; i < rows; ++i)
    std::memcpy(out + i * out_row_stride, in + i * in_row_stride, static_cast<std::size_t>(row_bytes));
}

void stream(char* out, const char* in, std::int64_t bytes) { table().stream(out, in, bytes); }

std::uint64_t stream_rows(char* out, std::int64_t out_row_stride, const char* in, std::int64_t in_row_stride,
                          std::int64_t rows, std::int64_t row_bytes) {
  const bool is_one = out_row_stride == row_bytes && in_row_stride == row_bytes;
  if (is_one) stream(out, in, rows * row_bytes);
  for (std::int64_t i = 0; !is_one && i < rows; ++i)
    stream(out + i * out_row_stride, in + i * in_row_stride, row_bytes);
  return static_cast<std::uint64_t>(rows * row_bytes);
}

void finish_streams() { table().finish_streams(); }

AddressRange address_range(const std::uint64_t* addresses, const std::uint8_t* mask, std::int64_t n) {
  AddressRange range;
  range.any = table().address_range(addresses, mask, n, &range.lowest, &range.highest);
  return range.any ? range : AddressRange{};
}

std::int64_t count_true(const std::uint8_t* mask, std::int64_t n) { return table().count_true(mask, n); }

}  // namespace lockstep::interpreter::kernels
