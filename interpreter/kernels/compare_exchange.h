// The step of a sorting network over a dense tile: every element is compared with its partner, the element whose index
// differs in one bit, and takes its place or not. It replaces the ops of Triton's tl.sort and tl.topk for it
// (interpreter/batching/sort_network.h), NaN and equal elements included. Chosen per instruction set like the other
// kernels.
#pragma once

#include <string_view>

#include "interpreter/kernels/exchange_order.h"
#include "support/scalar.h"

namespace lockstep::interpreter::kernels {

/// Null for kinds without an order of their own (f8, pointers). `is_unsigned`: of integers.
CompareExchangeFn compare_exchange(ScalarKind kind, bool is_unsigned);
/// For one instruction set, as table_of(); null if it cannot run here. For tests and benchmarks.
CompareExchangeFn compare_exchange_of(std::string_view isa, ScalarKind kind, bool is_unsigned);

}  // namespace lockstep::interpreter::kernels
