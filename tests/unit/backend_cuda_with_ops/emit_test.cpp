// Emitted text: what the examples need is there, as wide and with as few exchanges as it should be.
#include "backend_cuda/emit/emit_module.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "dialects/registry.h"
#include "ir/text/parser.h"

namespace lockstep::backend_cuda {
namespace {

namespace fs = std::filesystem;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

EmittedKernel emit(const SourceFilePtr& file, const Target& target = {}) {
  DiagnosticSink sink;
  const auto module = ir::parse_module(dialects::registry(), file, sink);
  EXPECT_TRUE(module.has_value()) << render_text(sink);
  const auto kernel = emit_kernel(*module->kernels().front(), target, sink);
  EXPECT_TRUE(kernel.has_value()) << render_text(sink);
  return kernel.value_or(EmittedKernel{});
}

EmittedKernel emit(const fs::path& path, const Target& target = {}) {
  const auto file = SourceFile::read(path.string());
  EXPECT_TRUE(file.has_value()) << path;
  return emit(*file, target);
}

fs::path example(const std::string& name) {
  return fs::path(LOCKSTEP_TESTS_DIR).parent_path() / "examples" / "ttir" / (name + ".ttir");
}

TEST(Emit, VectorAddMovesSixteenBytesAndExchangesNothing) {
  const EmittedKernel kernel = emit(example("vector_add"));
  EXPECT_EQ(count(kernel.body, "load<4>("), 2u);
  EXPECT_EQ(count(kernel.body, "store<4>("), 1u);
  EXPECT_EQ(count(kernel.body, "__syncthreads"), 0u);
  EXPECT_EQ(kernel.shared_bytes, 0);
  EXPECT_EQ(kernel.threads, 128);
}

TEST(Emit, MasksThatARunSharesAreComputedOnce) {
  EXPECT_EQ(count(emit(example("vector_add")).body, "[r / 4 * 4]) < as_signed(n_);"), 1u);  // n is a multiple of 16
  EXPECT_EQ(count(emit(example("softmax")).body, "[r / "), 0u);  // nothing is known of the columns
}

TEST(Emit, SoftmaxReducesTwiceThroughScratch) {
  const EmittedKernel kernel = emit(example("softmax"));
  EXPECT_EQ(count(kernel.body, "auto combine"), 2u);
  EXPECT_GT(kernel.shared_bytes, 0);
  EXPECT_LT(kernel.shared_bytes, 256);
  // A reduction needs two barriers at most: scratch free, scratch written.
  EXPECT_LE(count(kernel.body, "__syncthreads"), 4u);
}

TEST(Emit, DotsOfHalfFloatsUseTheTensorCore) {
  Target ampere;
  ampere.capability = 80;
  EXPECT_EQ(count(emit(example("matmul"), ampere).body, "dot_mma<f16, f16"), 1u);
  EXPECT_EQ(count(emit(example("matmul")).body, "LS_FN void wgmma_f16_n32"), 1u);
  // What the first dot of attention gives stays in registers on its way to the second.
  EXPECT_EQ(count(emit(example("attention"), ampere).body, "dot_mma_registers<f16, f16"), 1u);
  EXPECT_EQ(count(emit(example("attention")).body, "LS_FN void wgmma_f16_n64_r_t"), 1u);
}

TEST(Emit, LoadsOfADotsLoopRunAheadInAsManyStagesAsAreAskedFor) {
  Target target;
  target.stages = 4;
  const EmittedKernel kernel = emit(example("matmul"), target);
  // Two operands: twice before the loop, once in it. With four buffers a copy goes to the one that was read two
  // iterations ago, so that one barrier an iteration is enough.
  EXPECT_EQ(count(kernel.body, "copy_async<"), 2u * 3);
  EXPECT_EQ(count(kernel.body, "wait_copies<1>"), 1u);
  const std::size_t loop = kernel.body.find("#pragma unroll 1"), end = kernel.body.find("settle_products(");
  EXPECT_EQ(count(kernel.body.substr(loop, end - loop), "__syncthreads"), 1u);
  target.stages = 3;
  EXPECT_EQ(count(emit(example("matmul"), target).body, "copy_async<"), 2u * 3);
  target.stages = 1;
  EXPECT_EQ(count(emit(example("matmul"), target).body, "copy_async<"), 0u);
}

TEST(Emit, SumsOfALoopStayUnderWayAndCopiesStartBehindTheProducts) {
  const std::string body = emit(example("matmul")).body;
  const std::size_t loop = body.find("#pragma unroll 1"), products = body.find("commit_products();", loop);
  ASSERT_NE(products, std::string::npos);
  EXPECT_EQ(body.find("wait_products<0>", loop), body.rfind("wait_products<0>"));  // behind the loop only
  EXPECT_GT(body.find("wait_products<1>", loop), products);
  EXPECT_GT(body.find("copy_async<", loop), body.find("wait_products<1>", loop));
  EXPECT_LT(body.find("wait_products<0>"), body.find("settle_products("));
}

TEST(Emit, TheSecondProductOfAttentionRunsOnIntoTheNextIteration) {
  const std::string body = emit(example("attention")).body;
  const std::size_t loop = body.find("#pragma unroll 1"), end = body.find("wait_copies<0>", loop);
  ASSERT_NE(end, std::string::npos);
  const std::string inside = body.substr(loop, end - loop);
  EXPECT_EQ(count(inside, "commit_products();"), 2u);
  EXPECT_EQ(count(inside, "wait_products<0>();"), 1u);  // of the first, and so of the last iteration's second
  EXPECT_LT(inside.find("wait_products<0>();"), inside.find("settle_products("));
  EXPECT_GT(inside.find("copy_async<"), inside.rfind("commit_products();"));
}

TEST(Emit, OperandsThatALoopKeepsLieInSharedMemoryBeforeIt) {
  const std::string body = emit(example("attention")).body;
  const std::size_t loop = body.find("#pragma unroll 1");
  EXPECT_EQ(count(body, ", Shared>("), 1u);
  EXPECT_LT(body.find(", Shared>("), loop);
  EXPECT_EQ(count(body, "pack_pairs<"), 1u);  // the weights stay in registers
}

TEST(Emit, ThreadsExchangeRunsNotElements) {
  const std::string body = emit(example("matmul")).body;
  EXPECT_EQ(count(body, " give<2, "), 1u);
  EXPECT_EQ(count(body, " take<8, "), 1u);
}

TEST(Emit, ReductionsFollowASourceWhoseLayoutComesLate) {
  const auto file = std::make_shared<SourceFile>("k.ttir", R"(module {
  tt.func public @k(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32>, %n: i32) {
    %zeros = arith.constant dense<0.0> : tensor<8x128xf32>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %range = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %tile = tt.reshape %range : tensor<1024xi32> -> tensor<8x128xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<8x128x!tt.ptr<f32>>
    %at = tt.addptr %xs, %tile : tensor<8x128x!tt.ptr<f32>>, tensor<8x128xi32>
    %sums = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zeros) -> (tensor<8x128xf32>) : i32 {
      %v = tt.load %at : tensor<8x128x!tt.ptr<f32>>
      %next = arith.addf %sum, %v : tensor<8x128xf32>
      scf.yield %next : tensor<8x128xf32>
    }
    %rows = "tt.reduce"(%sums) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tt.reduce.return %s : f32
    }) : (tensor<8x128xf32>) -> tensor<8xf32>
    %places = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %outs = tt.splat %out : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
    %to = tt.addptr %outs, %places : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    tt.store %to, %rows : tensor<8x!tt.ptr<f32>>
    tt.return
  }
}
)");
  EXPECT_FALSE(emit(file).body.empty());  // its own check holds the layouts together
}

TEST(Emit, CountersOfLoopsWrapWithoutUndefinedBehaviour) {
  const std::string body = emit(example("matmul")).body;
  EXPECT_EQ(count(body, "ahead_i_ = add(ahead_i_, 32);"), count(body, " = ahead_i_ < k_;"));
  EXPECT_EQ(count(body, "i_ += 32"), 0u);
}

TEST(Emit, TheCopyEngineBringsTilesThatAreBoxes) {
  Target target;
  target.has_maps = true;
  const EmittedKernel kernel = emit(example("matmul"), target);
  EXPECT_EQ(count(kernel.body, "copy_async<"), 0u);
  EXPECT_EQ(count(kernel.body, "copy_box<f16, 64, 32, false>"), 3u);  // twice before the loop, once in it
  EXPECT_EQ(count(kernel.body, "copy_slowly<f16, 64, 32>"), 3u);      // where a coordinate is negative
  const std::size_t loop = kernel.body.find("#pragma unroll 1"), end = kernel.body.find("settle_products(");
  EXPECT_EQ(count(kernel.body.substr(loop, end - loop), "__syncthreads"), 0u);
  ASSERT_EQ(kernel.maps.size(), 2u);
  // a: 200 rows of 176, of which a launch says the numbers: m, n, k, a_row, b_row, out_row behind three pointers.
  const auto value = [](int parameter) { return std::vector<std::int64_t>{0, 0, 0, 200, 144, 176, 192, 144, 144}.at(static_cast<std::size_t>(parameter)); };
  MapNumbers numbers;
  ASSERT_TRUE(numbers_of(kernel.maps[0], 256, value, numbers));
  EXPECT_EQ(numbers.extents, (std::vector<std::uint64_t>{176, 200}));
  EXPECT_EQ(numbers.strides, (std::vector<std::uint64_t>{384}));
  EXPECT_EQ(numbers.boxes, (std::vector<std::uint32_t>{32, 64}));
  EXPECT_EQ(numbers.swizzle, 2);  // rows of 64 bytes
  MapNumbers other;
  EXPECT_FALSE(numbers_of(kernel.maps[0], 8, value, other));  // the address
  EXPECT_FALSE(numbers_of(kernel.maps[0], 256, [&](int i) { return i == 6 ? 177 : value(i); }, other));  // the stride
  EXPECT_FALSE(numbers_of(kernel.maps[0], 256, [&](int i) { return i == 3 ? 0 : value(i); }, other));    // no rows
}

Target whole_processor() {
  Target target;
  target.has_maps = true;
  target.stages = 34;  // of 6 KiB: one block on a multiprocessor
  return target;
}

TEST(Emit, ABlockOfAWholeMultiprocessorTakesOneProgramAfterAnother) {
  const EmittedKernel kernel = emit(example("matmul"), whole_processor());
  EXPECT_TRUE(kernel.is_persistent);
  EXPECT_EQ(kernel.threads, 128 + 32);
  EXPECT_LE(kernel.shared_bytes, whole_processor().shared_limit());
  EXPECT_EQ(count(kernel.body, "for (unsigned ls_program = blockIdx.x;"), 2u);  // of the copying warp, of the others
  EXPECT_EQ(count(kernel.body, "blockIdx"), 2u);
  EXPECT_EQ(count(kernel.body, "(int)(ls_program % ls_grid_x)"), 2u);
  EXPECT_EQ(count(kernel.body, "copy_box<f16, 64, 32, false>"), 1u);
  EXPECT_EQ(count(kernel.body, "return;"), 1u);          // of the copying warp
  EXPECT_EQ(count(kernel.body, "__syncthreads();"), 1u);  // behind the start of the barriers; then it does not come
  EXPECT_EQ(count(kernel.body, "__syncwarp();"), 2u);  // warps store what they computed
  EXPECT_EQ(count(kernel.body, "sync_warps<128>();"), 0u);
  EXPECT_EQ(count(kernel.body, "end_barriers"), 0u);
}

TEST(Emit, BlocksThatShareAMultiprocessorTakeOneProgramEach) {
  Target target = whole_processor();
  target.stages = 15;
  EXPECT_FALSE(emit(example("matmul"), target).is_persistent);
  target = whole_processor();
  target.has_maps = false;
  EXPECT_FALSE(emit(example("matmul"), target).is_persistent);
  EXPECT_FALSE(emit(example("attention"), whole_processor()).is_persistent);  // two products, and a reduction
}

// 64 x 256 sums of products, stored as f16.
constexpr const char* kWideProduct = R"(module {
  tt.func public @k(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32},
                    %out: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %k: i32) {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %zeros = arith.constant dense<0.0> : tensor<64x256xf32>
    %program = tt.get_program_id y : i32
    %m0 = arith.muli %program, %c64 : i32
    %r64 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %r256 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %m0s = tt.splat %m0 : i32 -> tensor<64xi32>
    %m = arith.addi %m0s, %r64 : tensor<64xi32>
    %rows = tt.expand_dims %m {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %inner = tt.expand_dims %r64 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %across = tt.expand_dims %r64 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %columns = tt.expand_dims %r256 {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
    %pitch = arith.constant dense<1024> : tensor<64x1xi32>
    %width = arith.constant dense<256> : tensor<64x1xi32>
    %a_rows = arith.muli %rows, %pitch : tensor<64x1xi32>
    %b_rows = arith.muli %inner, %width : tensor<64x1xi32>
    %out_rows = arith.muli %rows, %width : tensor<64x1xi32>
    %columns2 = tt.broadcast %columns : tensor<1x256xi32> -> tensor<64x256xi32>
    %out_rows2 = tt.broadcast %out_rows : tensor<64x1xi32> -> tensor<64x256xi32>
    %b_rows2 = tt.broadcast %b_rows : tensor<64x1xi32> -> tensor<64x256xi32>
    %a_rows2 = tt.broadcast %a_rows : tensor<64x1xi32> -> tensor<64x64xi32>
    %across2 = tt.broadcast %across : tensor<1x64xi32> -> tensor<64x64xi32>
    %a_at = arith.addi %a_rows2, %across2 : tensor<64x64xi32>
    %b_at = arith.addi %b_rows2, %columns2 : tensor<64x256xi32>
    %out_at = arith.addi %out_rows2, %columns2 : tensor<64x256xi32>
    %as = tt.splat %a : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %bs = tt.splat %b : !tt.ptr<f16> -> tensor<64x256x!tt.ptr<f16>>
    %outs = tt.splat %out : !tt.ptr<f16> -> tensor<64x256x!tt.ptr<f16>>
    %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zeros) -> (tensor<64x256xf32>) : i32 {
      %is = tt.splat %i : i32 -> tensor<64x64xi32>
      %a_here = arith.addi %a_at, %is : tensor<64x64xi32>
      %a_from = tt.addptr %as, %a_here : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %left = tt.load %a_from : tensor<64x64x!tt.ptr<f16>>
      %w = arith.constant 256 : i32
      %down = arith.muli %i, %w : i32
      %downs = tt.splat %down : i32 -> tensor<64x256xi32>
      %b_here = arith.addi %b_at, %downs : tensor<64x256xi32>
      %b_from = tt.addptr %bs, %b_here : tensor<64x256x!tt.ptr<f16>>, tensor<64x256xi32>
      %right = tt.load %b_from : tensor<64x256x!tt.ptr<f16>>
      %d = tt.dot %left, %right, %s : tensor<64x64xf16> * tensor<64x256xf16> -> tensor<64x256xf32>
      scf.yield %d : tensor<64x256xf32>
    }
    %to = tt.addptr %outs, %out_at : tensor<64x256x!tt.ptr<f16>>, tensor<64x256xi32>
    %short = arith.truncf %sum : tensor<64x256xf32> to tensor<64x256xf16>
    tt.store %to, %short : tensor<64x256x!tt.ptr<f16>>
    tt.return
  }
}
)";

TEST(Emit, ExchangesBesideBuffersHappenInParts) {
  Target target = whole_processor();
  target.stages = 4;  // becomes 5, of 40 KiB each; 26 are left, and the result has 32
  const EmittedKernel kernel = emit(std::make_shared<SourceFile>("k.ttir", kWideProduct), target);
  EXPECT_TRUE(kernel.is_persistent);
  EXPECT_LE(kernel.shared_bytes, target.shared_limit());
  EXPECT_EQ(count(kernel.body, "without_bits<"), 4u);  // two parts, there and back
  EXPECT_EQ(count(kernel.body, "__syncwarp();"), 4u);
  EXPECT_EQ(count(kernel.body, "(int)(ls_program / ls_grid_x % ls_grid_y)"), 2u);
  target.has_maps = false;
  EXPECT_EQ(count(emit(std::make_shared<SourceFile>("k.ttir", kWideProduct), target).body, "without_bits<"), 0u);
}

// kWideProduct with f8 operands; sums of `short_sums` products may be short.
SourceFilePtr f8_product(const std::string& short_sums, bool b_goes_along_k) {
  const auto replace = [](std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
    return text;
  };
  std::string text;
  std::istringstream lines(kWideProduct);
  for (std::string line; std::getline(lines, line);) {
    const bool is_result = count(line, "%out") + count(line, "%short") + count(line, "%to") != 0;
    text += (is_result ? line : replace(line, "f16", "f8E4M3FN")) + "\n";
  }
  text = replace(text, "right, %s :", "right, %s {maxNumImpreciseAcc = " + short_sums + " : i32} :");
  if (b_goes_along_k) {
    text = replace(text, "%b_at = arith.addi %b_rows2, %columns2", R"(%far = arith.constant dense<1024> : tensor<64x256xi32>
    %down2 = tt.broadcast %inner : tensor<64x1xi32> -> tensor<64x256xi32>
    %far_columns = arith.muli %columns2, %far : tensor<64x256xi32>
    %b_at = arith.addi %down2, %far_columns)");
    text = replace(text, "%w = arith.constant 256", "%w = arith.constant 1");
  }
  return std::make_shared<SourceFile>("k.ttir", text);
}

TEST(Emit, ProductsOfEightBitsAreReadAlongK) {
  Target target = whole_processor();
  target.stages = 8;  // of 20 KiB; the result's exchange has room beside them
  const EmittedKernel kernel = emit(f8_product("64", true), target);
  EXPECT_EQ(count(kernel.body, "wgmma.mma_async.sync.aligned.m64n256k32.f32.e4m3.e4m3 "), 1u);
  EXPECT_EQ(count(kernel.body, ", 1, 1, 1;"), 1u);  // no flags of transposition
  EXPECT_EQ(count(kernel.body, "copy_box<f8e4m3, 256, 64, false>"), 1u);
  EXPECT_TRUE(kernel.is_persistent);
  ASSERT_EQ(kernel.maps.size(), 2u);
  EXPECT_EQ(kernel.maps[1].kind, ScalarKind::f8E4M3FN);
  // Runs across K: through registers, and written down the columns.
  const EmittedKernel across = emit(f8_product("64", false), whole_processor());
  EXPECT_EQ(count(across.body, "wgmma.mma_async.sync.aligned.m64n256k32.f32.e4m3.e4m3 "), 1u);
  EXPECT_EQ(count(across.body, "store<1, Shared>(&Stored<f8e4m3, 64, 256, true>::at("), 1u);
  EXPECT_TRUE(across.maps.empty());
}

TEST(Emit, SumsOfEightBitsThatMayNotBeShortTakeNoWgmma) {
  const EmittedKernel kernel = emit(f8_product("32", true), whole_processor());
  EXPECT_EQ(count(kernel.body, "dot_mma<f8e4m3, f8e4m3, 64, 256, 64"), 1u);
  EXPECT_EQ(count(kernel.body, "wgmma.mma_async"), 0u);
}

TEST(Emit, WithoutTensorMapsThreadsCopy) {
  EXPECT_TRUE(emit(example("matmul")).maps.empty());
  Target target;
  target.has_maps = true;
  target.capability = 80;
  EXPECT_TRUE(emit(example("matmul"), target).maps.empty());
}

TEST(Emit, AsManyStagesAsSharedMemoryHolds) {
  Target target;
  target.stages = 200;
  const EmittedKernel kernel = emit(example("attention"), target);
  EXPECT_LE(kernel.shared_bytes, target.shared_limit());
  EXPECT_GT(kernel.shared_bytes, target.shared_limit() / 2);
}

TEST(Emit, NarrowAccessesWhereNothingIsKnownOfTheAddresses) {
  const auto file = std::make_shared<SourceFile>("k.ttir", R"(module {
  tt.func public @k(%x: !tt.ptr<f32>, %n: i32) {
    %range = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %ns = tt.splat %n : i32 -> tensor<256xi32>
    %mask = arith.cmpi slt, %range, %ns : tensor<256xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %at = tt.addptr %xs, %range : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %v = tt.load %at, %mask : tensor<256x!tt.ptr<f32>>
    tt.store %at, %v, %mask : tensor<256x!tt.ptr<f32>>
    tt.return
  }
}
)");
  const EmittedKernel kernel = emit(file);
  EXPECT_EQ(count(kernel.body, "load<1>("), 1u);
  EXPECT_EQ(count(kernel.body, "store<1>("), 1u);
}

TEST(Emit, ADotOfSquareTilesIsNoElementwiseOp) {
  const auto file = std::make_shared<SourceFile>("k.ttir", R"(module {
  tt.func public @k(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %one = arith.constant dense<1.0> : tensor<64x64xf16>
    %d = tt.dot %one, %one, %zero : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %range = tt.make_range {end = 4096 : i32, start = 0 : i32} : tensor<4096xi32>
    %index = tt.reshape %range : tensor<4096xi32> -> tensor<64x64xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %at = tt.addptr %xs, %index : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    tt.store %at, %d : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
}
)");
  const EmittedKernel kernel = emit(file);
  // The accumulators' layout: two columns and the row eight below in a thread's first registers.
  EXPECT_EQ(count(kernel.body, "registers 0 9 3 4 5, lanes 1 2 6 7 8, warps 10 11"), 1u) << kernel.body;
}

TEST(Emit, TheSameTextEveryTime) { EXPECT_EQ(emit(example("attention")).text, emit(example("attention")).text); }

}  // namespace
}  // namespace lockstep::backend_cuda
