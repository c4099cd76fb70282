// The linear layout of an encoding for a shape, vector for vector as Triton computes it. Inputs of registers: register,
// lane, warp, block. Of shared memory: offset (in elements, before padding), block. Of tensor memory: row, col, block
// where the encoding has a CGALayout. Outputs: dim0, dim1, ...
// A view of a buffer has the layout of its allocation: pass the last dimensions of the allocation's shape.
// Source: LinearLayoutConversions.cpp of Triton 3.6 (TensorMemoryEncoding with CGALayout: 3.9).
#pragma once

#include <cstdint>
#include <vector>

#include "ir/layouts/encoding.h"
#include "ir/layouts/linear_layout.h"

namespace lockstep::ir {

/// The shape is one that it can have (find_shape_fault, shape_rules.h).
LinearLayout to_linear_layout(const Encoding& encoding, const std::vector<std::int64_t>& shape);

/// The elements, padding included, that a buffer of this shape takes in one block.
std::int64_t allocated_elements(const Encoding& encoding, const std::vector<std::int64_t>& shape);

}  // namespace lockstep::ir
