// How registers meet shared memory: the place of an element in a buffer, and what an access costs in the banks.
// The model of the banks: 32 of 4 bytes. A warp's access of 4 bytes a lane, or fewer, is one wave; of 8 bytes two half
// warps, of 16 bytes four quarters. A wave takes as many cycles as the bank with the most different words has words.
// Source: NVIDIA's CUDA programming guide (shared memory); lowerLdStShared and PaddedSharedEncodingAttr of Triton 3.6.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/layouts/encoding.h"
#include "ir/layouts/linear_layout.h"

namespace lockstep::ir {

/// A buffer's layout turned round: from dim0, dim1, ... to offset and block.
class SharedPlaces {
 public:
  SharedPlaces(const Encoding& encoding, const std::vector<std::int64_t>& shape);

  /// In elements from the start of the buffer in its block, padding included.
  std::int64_t offset_of(const std::vector<std::int32_t>& element) const;
  /// The block of the cluster that holds it.
  std::int32_t block_of(const std::vector<std::int32_t>& element) const;
  /// Padding added to an offset that does not count it.
  std::int64_t padded(std::int64_t offset) const;
  const LinearLayout& layout() const { return layout_; }
  const LinearLayout& inverse() const { return inverse_; }

 private:
  std::vector<InputPlace> inputs_at(const std::vector<std::int32_t>& element) const;

  LinearLayout layout_, inverse_;
  const PaddedSharedEncoding* padding_;
};

/// What all lanes of one warp do together to load or store a tensor.
struct SharedAccess {
  std::int32_t vector = 1;         // elements that a lane moves at once, at most 16 bytes
  std::int32_t instructions = 0;   // of one warp
  std::int32_t wavefronts = 0;     // cycles of the banks for all of them
  std::int32_t least_wavefronts = 0;  // without conflicts
  std::int32_t conflicts() const { return wavefronts - least_wavefronts; }
};

/// `registers`: the tensor's layout; `bits` of an element: 8, 16, 32, 64. Warp 0 of block 0; copies of registers are
/// moved once.
SharedAccess shared_access(const LinearLayout& registers, const SharedPlaces& buffer, int bits);

}  // namespace lockstep::ir
