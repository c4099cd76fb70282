// The parameters of a compare-and-exchange step of a sorting network (compare_exchange.h), in plain C types, because
// the files compiled once per instruction set share them: nothing but <cstdint> and no inline code.
#pragma once

#include <cstdint>

namespace lockstep::interpreter::kernels {

/// Element e takes partner p's value where (e > p) != indicator(e), for e the elements of a dense [outer, 2, inner]
/// tile, inner a power of two: indicator(e) is the middle index, inverted where flips(e).
struct ExchangeOrder {
  std::int64_t inner = 1;
  bool is_flipped = false;      // in blocks 0, 2, ... of flip_block elements
  std::int64_t flip_block = 0;  // a power of two, at least 2 * inner; 0: one block
};
/// `count` elements, a multiple of 2 * inner; in == out legal.
using CompareExchangeFn = void (*)(void* out, const void* in, std::int64_t count, const ExchangeOrder& order);

}  // namespace lockstep::interpreter::kernels
