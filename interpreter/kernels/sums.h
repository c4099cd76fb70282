// Sums of products of f32 along the last axis: the products are rounded and added in the order of a reduction (ReduceFn),
// and need no memory of their own. Not here: other kinds, other axes.
#pragma once

#include <cstdint>

namespace lockstep::interpreter::kernels {

/// out[o] = the sum of x[o, i] * y[o, i] over i < n, for dense tiles of [outer, n].
using SumProductsFn = void (*)(float* out, const float* x, const float* y, std::int64_t outer, std::int64_t n);
constexpr std::int64_t kLeastSummedProducts = 2048;  // of n, a power of two

/// That of the instruction set in use.
SumProductsFn sum_products();

}  // namespace lockstep::interpreter::kernels
