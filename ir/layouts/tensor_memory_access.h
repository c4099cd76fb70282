// The layout of registers that a load or store of tensor memory has, for each shape of the tcgen05.ld instruction.
// Source: getDistributedLayoutForTmemLdSt (TritonNvidiaGPU Dialect.cpp) of Triton 3.9; PTX ISA, tcgen05 data movement
// shapes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "ir/layouts/linear_layout.h"

namespace lockstep::ir {

enum class TensorMemoryShape : std::uint8_t { rows32x32b, rows16x64b, rows16x128b, rows16x256b, split_columns };

/// "32x32b", "16x64b", "16x128b", "16x256b", "32x32b_splitn", as Gluon names them; nullopt: another word.
std::optional<TensorMemoryShape> tensor_memory_shape(std::string_view name);

/// `memory`: to_linear_layout of the buffer; `bits` of an element: 8, 16, 32; `warps`: 4, 8, ... From register, lane,
/// warp and block to dim0, dim1. nullopt: the instruction does not fit.
std::optional<LinearLayout> tensor_memory_registers(const LinearLayout& memory, TensorMemoryShape shape,
                                                    std::int32_t warps, int bits);

}  // namespace lockstep::ir
