// TTGIR: what computes gives what TTIR gives, through buffers, too; what runs side by side is refused by name.
#include "launch_fixture.h"

namespace lockstep::interpreter {
namespace {

constexpr const char* kHead = R"(
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#other = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
)";

std::string ttgir_module(const std::string& body) {
  return kHead + std::string("  tt.func public @k(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {\n") + body +
         "    tt.return\n  }\n}\n";
}

TEST(Ttgir, ComputesAsTtirDoes) {
  Harness sums(ttgir_module(R"(
    %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %c = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %eight = arith.constant dense<8> : tensor<8xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %first = arith.muli %r, %eight : tensor<8xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %rows = tt.expand_dims %first {axis = 1 : i32} : tensor<8xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<8x1xi32, #blocked>
    %columns = tt.expand_dims %c {axis = 0 : i32} : tensor<8xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x8xi32, #blocked>
    %a = tt.broadcast %rows : tensor<8x1xi32, #blocked> -> tensor<8x8xi32, #blocked>
    %b = tt.broadcast %columns : tensor<1x8xi32, #blocked> -> tensor<8x8xi32, #blocked>
    %i = arith.addi %a, %b : tensor<8x8xi32, #blocked>
    %base = tt.splat %p : !tt.ptr<f32> -> tensor<8x8x!tt.ptr<f32>, #blocked>
    %at = tt.addptr %base, %i : tensor<8x8x!tt.ptr<f32>, #blocked>, tensor<8x8xi32, #blocked>
    %x = tt.load %at : tensor<8x8x!tt.ptr<f32>, #blocked>
    %s = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%l: f32, %m: f32):
      %n = arith.addf %l, %m : f32
      tt.reduce.return %n : f32
    }) : (tensor<8x8xf32, #blocked>) -> tensor<8xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %t = ttg.convert_layout %s : tensor<8xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<8xf32, #other>
    %o = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32, #other>
    %ob = tt.splat %q : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>, #other>
    %oa = tt.addptr %ob, %o : tensor<8x!tt.ptr<f32>, #other>, tensor<8xi32, #other>
    tt.store %oa, %t : tensor<8x!tt.ptr<f32>, #other>
)"));
  sums.tensor(iota_f32(64));
  const std::size_t out = sums.tensor(std::vector<float>(8));
  sums.run();
  std::vector<float> expected(8);
  for (std::size_t i = 0; i < 64; ++i) expected[i / 8] += static_cast<float>(i);
  EXPECT_EQ(sums.values<float>(out), expected) << sums.diagnostics;
}

TEST(Ttgir, ABufferGivesBackWhatWasStored) {
  Harness copy(ttgir_module(R"(
    %one = arith.constant 1 : i32
    %i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32, #other>
    %pb = tt.splat %p : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>, #other>
    %pa = tt.addptr %pb, %i : tensor<8x!tt.ptr<f32>, #other>, tensor<8xi32, #other>
    %x = tt.load %pa : tensor<8x!tt.ptr<f32>, #other>
    %ring = ttg.local_alloc : () -> !ttg.memdesc<2x8xf32, #shared, #smem, mutable>
    %at = ttg.memdesc_index %ring[%one] : !ttg.memdesc<2x8xf32, #shared, #smem, mutable> -> !ttg.memdesc<8xf32, #shared, #smem, mutable>
    ttg.local_store %x, %at : tensor<8xf32, #other> -> !ttg.memdesc<8xf32, #shared, #smem, mutable>
    %y = ttg.local_load %at : !ttg.memdesc<8xf32, #shared, #smem, mutable> -> tensor<8xf32, #other>
    %qb = tt.splat %q : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>, #other>
    %qa = tt.addptr %qb, %i : tensor<8x!tt.ptr<f32>, #other>, tensor<8xi32, #other>
    tt.store %qa, %y : tensor<8x!tt.ptr<f32>, #other>
)"));
  copy.tensor(iota_f32(8));
  const std::size_t out = copy.tensor(std::vector<float>(8));
  copy.run();
  EXPECT_EQ(copy.values<float>(out), iota_f32(8)) << copy.diagnostics;
}

TEST(Ttgir, GroupsOfWarpsRunWithoutABuffer) {
  Harness kernel(ttgir_module(R"(
    ttg.warp_specialize()
    default {
      ttg.warp_yield
    }
    partition0() num_warps(4) {
      ttg.warp_return
    } : () -> ()
    ttng.async_tma_store_wait {pendings = 0 : i32}
    ttng.fence_async_shared {bCluster = false}
)"));
  kernel.tensor(iota_f32(8));
  kernel.tensor(iota_f32(8));
  kernel.run();
  EXPECT_EQ(kernel.diagnostics, "");
}

std::string refusal(const std::string& body) {
  Harness kernel(ttgir_module(body));
  kernel.tensor(iota_f32(8));
  kernel.tensor(iota_f32(8));
  kernel.expects_refusal = true;
  kernel.run();
  EXPECT_TRUE(kernel.was_unsupported) << kernel.diagnostics;
  return kernel.diagnostics;
}

TEST(Ttgir, RefusesByNameWhatItDoesNotExecute) {
  EXPECT_NE(refusal("    %0 = ttg.warp_id\n").find("'ttg.warp_id'"), std::string::npos);
  EXPECT_NE(refusal(R"(
    %x = arith.constant dense<1> : tensor<128xi32, #other>
    %y = tt.elementwise_inline_asm "mov.b32 $0, $2; mov.b32 $1, $3;" {constraints = "=r,=r,r,r", packed_element = 2 : i32, pure = true} %x : tensor<128xi32, #other> -> tensor<128xi32, #other>
)").find("that a layout chooses"),
            std::string::npos);
}

}  // namespace
}  // namespace lockstep::interpreter
