// Which shapes a tensor or a buffer of an encoding can have: what Triton's verifiers and lowerings ask before a linear
// layout exists.
// Source: LinearLayoutConversions.cpp, getTMABlockShape and TensorMemoryEncodingAttr of Triton 3.6 and 3.9.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/layouts/encoding.h"

namespace lockstep::ir {

/// Why a tensor or buffer of this shape cannot have it ("it has 2 dimensions, the layout 3"); nullopt: it can.
std::optional<std::string> find_shape_fault(const Encoding& encoding, const std::vector<std::int64_t>& shape);

}  // namespace lockstep::ir
