// Which layouts a tensor or a buffer may have in its module.
#include "ir/layouts/tensor_rules.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "encoding_reader.h"

namespace lockstep::ir {
namespace {

std::string tensor(const std::string& text, const std::vector<std::int64_t>& shape, const WarpGroupSize& group = {}) {
  EncodingTestReader reader;
  const Encoding* encoding = reader.read(text);
  if (encoding == nullptr) return reader.messages();
  const auto fault = find_tensor_fault(*encoding, shape, group);
  return fault ? fault->message : "";
}

std::string buffer(const std::string& text, const std::vector<std::int64_t>& shape,
                   const std::vector<std::int64_t>& allocation, std::int32_t blocks = 1) {
  EncodingTestReader reader;
  const Encoding* encoding = reader.read(text);
  if (encoding == nullptr) return reader.messages();
  const auto fault = find_buffer_fault(*encoding, shape, allocation, blocks);
  return fault ? fault->message : "";
}

const std::string kRow = "#ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>";
const std::string kRing = "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>";

TEST(TensorRules, TensorsFitTheirModule) {
  EXPECT_EQ(tensor(kRow, {512}), "");
  EXPECT_EQ(tensor(kRow, {64}), "");
  EXPECT_EQ(tensor(kRow, {512, 4}), "the shape has 2 dimensions, the layout 1");
  EXPECT_EQ(tensor(kRow, {500}), "the extent 500 is not a power of two");
  EXPECT_EQ(tensor(kRow, {512}, {32, 8, 1}), "the layout has 4 warps, ttg.num-warps says 8");
  EXPECT_EQ(tensor(kRow, {512}, {64, 4, 1}), "the layout has 32 threads in a warp, ttg.threads-per-warp says 64");
  EXPECT_EQ(tensor(kRow, {512}, {32, 4, 2}), "the layout has 1 blocks, ttg.num-ctas says 2");
  EXPECT_EQ(tensor("#ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], "
                   "warpsPerCTA = [4, 1], order = [1, 0]}>}>",
                   {32}),
            "");  // lanes and warps along the dimension that is left out hold copies, and count
  EXPECT_EQ(tensor(kRing, {64, 64}), "a tensor cannot have #ttg.nvmma_shared");
  EXPECT_EQ(tensor("#gluon.auto_encoding", {64, 64}), "");
}

TEST(TensorRules, BuffersFitTheirAllocation) {
  EXPECT_EQ(buffer(kRing, {64, 64}, {64, 64}), "");
  EXPECT_EQ(buffer(kRing, {3, 64, 64}, {3, 64, 64}), "");
  EXPECT_EQ(buffer(kRing, {32, 64}, {3, 64, 64}), "");
  EXPECT_EQ(buffer(kRing, {2, 3, 64, 64}, {2, 3, 64, 64}), "the buffer has 4 dimensions, the layout 2");
  EXPECT_EQ(buffer(kRing, {128, 64}, {64, 64}), "dimension 0 of the view has 128 elements, the allocation 64");
  EXPECT_EQ(buffer(kRing, {64, 64}, {64}), "the allocation has fewer dimensions than the view");
  EXPECT_EQ(buffer(kRing, {64, 32}, {64, 32}), "a row has 32 elements, a swizzle of 128 bytes needs 64");
  EXPECT_EQ(buffer(kRing, {64, 64}, {64, 64}, 2), "the layout has 1 blocks, ttg.num-ctas says 2");
  EXPECT_EQ(buffer(kRow, {64}, {64}), "a buffer cannot have #ttg.blocked");
  const std::string memory = "#ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>";
  EXPECT_EQ(buffer(memory, {2, 128, 64}, {2, 128, 64}), "");
}

}  // namespace
}  // namespace lockstep::ir
