#include "ir/layouts/tensor_rules.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "ir/layouts/block_shape.h"
#include "ir/layouts/shape_rules.h"
#include "ir/layouts/to_linear.h"

namespace lockstep::ir {
namespace {

using Fault = std::optional<EncodingFault>;

Fault check_count(std::int32_t has, std::int32_t wanted, const std::string& what, const std::string& attribute) {
  if (has == wanted) return std::nullopt;
  return EncodingFault{"the layout has " + std::to_string(has) + " " + what + ", " + attribute + " says " +
                           std::to_string(wanted),
                       ""};
}

std::int32_t blocks_of(const Encoding& encoding) { return std::int32_t{1} << cluster_bases(encoding).size(); }

}  // namespace

std::optional<EncodingFault> find_tensor_fault(const Encoding& encoding, const std::vector<std::int64_t>& shape,
                                               const WarpGroupSize& group) {
  if (!encoding.is_distributed()) {
    return EncodingFault{"a tensor cannot have #" + std::string(encoding.name()),
                         "that is a layout of memory; tensors are held in registers"};
  }
  if (encoding.rank() == 0) return std::nullopt;  // still open: Gluon's passes choose one
  if (const auto reason = find_shape_fault(encoding, shape)) return EncodingFault{*reason, ""};
  const LinearLayout layout = to_linear_layout(encoding, shape);
  if (auto fault = check_count(layout.input_size("lane"), group.threads_per_warp, "threads in a warp",
                               "ttg.threads-per-warp")) {
    return fault;
  }
  if (auto fault = check_count(layout.input_size("warp"), group.warps, "warps", "ttg.num-warps")) return fault;
  return check_count(layout.input_size("block"), group.blocks, "blocks", "ttg.num-ctas");
}

std::optional<EncodingFault> find_buffer_fault(const Encoding& encoding, const std::vector<std::int64_t>& shape,
                                               const std::vector<std::int64_t>& allocation, std::int32_t blocks) {
  if (!encoding.is_shared() && !encoding.is_tensor_memory()) {
    return EncodingFault{"a buffer cannot have #" + std::string(encoding.name()),
                         "that is a layout of registers; buffers lie in memory"};
  }
  const std::size_t rank = encoding.rank();
  if (shape.size() != rank && shape.size() != rank + 1) {
    return EncodingFault{"the buffer has " + std::to_string(shape.size()) + " dimensions, the layout " +
                             std::to_string(rank),
                         "a ring of buffers has one dimension more"};
  }
  if (allocation.size() < shape.size()) {
    return EncodingFault{"the allocation has fewer dimensions than the view", ""};
  }
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::int64_t whole = allocation[allocation.size() - shape.size() + i];
    if (shape[i] >= 1 && shape[i] <= whole) continue;
    return EncodingFault{"dimension " + std::to_string(i) + " of the view has " + std::to_string(shape[i]) +
                             " elements, the allocation " + std::to_string(whole),
                         ""};
  }
  const std::vector<std::int64_t> inner(allocation.end() - static_cast<long>(rank), allocation.end());
  if (const auto reason = find_shape_fault(encoding, inner)) return EncodingFault{*reason, ""};
  const auto* memory = encoding.as<TensorMemoryEncoding>();
  if (memory != nullptr && memory->cta_split_m * memory->cta_split_n > 1) return std::nullopt;  // Triton up to 3.7
  const auto* scales = encoding.as<TensorMemoryScalesEncoding>();
  if (scales != nullptr && scales->cta_split_m * scales->cta_split_n > 1) return std::nullopt;
  return check_count(blocks_of(encoding), blocks, "blocks", "ttg.num-ctas");
}

}  // namespace lockstep::ir
