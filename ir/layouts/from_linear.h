// The named encoding that has a given linear layout: what a debugger calls it, and what Triton would have written.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/layouts/encoding.h"
#include "ir/layouts/linear_layout.h"

namespace lockstep::ir {

/// Of registers (register, lane, warp, block): a blocked layout, else a tensor core's result of version 2 or 3, else
/// #ttg.linear. Of shared memory (offset, block): swizzled, else for TMA and wgmma (`element_bits` of an element), else
/// #ttg.shared_linear. Its linear layout for the outputs' sizes is exactly `layout`. Null: no encoding has it.
const Encoding* from_linear_layout(EncodingTable& encodings, const LinearLayout& layout,
                                   std::uint32_t element_bits = 16);

/// Only the blocked form; null: there is none.
const Encoding* blocked_form(EncodingTable& encodings, const LinearLayout& layout);

}  // namespace lockstep::ir
