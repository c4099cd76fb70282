// What Triton asks of the layout of a tensor or buffer in its module: rank, threads of a warp, warps, blocks.
// Source: verifyTensorLayout and verifyMemDescLayout (Dialect.cpp), MemDescType::verify (Types.cpp) of Triton 3.6.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/layouts/encoding.h"
#include "ir/layouts/encoding_rules.h"

namespace lockstep::ir {

/// What the module says, or the warp group that the op stands in.
struct WarpGroupSize {
  std::int32_t threads_per_warp = 32;  // ttg.threads-per-warp
  std::int32_t warps = 4;              // ttg.num-warps, or that of the partition
  std::int32_t blocks = 1;             // ttg.num-ctas
};

/// What is wrong with a tensor of this shape and layout (LS1131); nullopt: nothing.
std::optional<EncodingFault> find_tensor_fault(const Encoding& encoding, const std::vector<std::int64_t>& shape,
                                               const WarpGroupSize& group);

/// The same of a buffer: `shape` is the view's, `allocation` what was allocated for it. An allocation may have leading
/// dimensions that the layout does not know (a ring of buffers), and a view the first of them.
std::optional<EncodingFault> find_buffer_fault(const Encoding& encoding, const std::vector<std::int64_t>& shape,
                                               const std::vector<std::int64_t>& allocation, std::int32_t blocks);

}  // namespace lockstep::ir
