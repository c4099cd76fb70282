// Emitted text: what the examples need is there, as wide and with as few exchanges as it should be.
#include "backend_cuda/emit_module.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "ir/parser.h"

namespace lockstep::backend_cuda {
namespace {

namespace fs = std::filesystem;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

EmittedKernel emit(const fs::path& path, const Target& target = {}) {
  DiagnosticSink sink;
  const auto file = SourceFile::read(path.string());
  EXPECT_TRUE(file.has_value()) << path;
  const auto module = ir::parse_module(*file, sink);
  EXPECT_TRUE(module.has_value()) << render_text(sink);
  const auto kernel = emit_kernel(*module->kernels().front(), target, sink);
  EXPECT_TRUE(kernel.has_value()) << render_text(sink);
  return kernel.value_or(EmittedKernel{});
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

TEST(Emit, SoftmaxReducesTwiceThroughScratch) {
  const EmittedKernel kernel = emit(example("softmax"));
  EXPECT_EQ(count(kernel.body, "auto combine"), 2u);
  EXPECT_GT(kernel.shared_bytes, 0);
  EXPECT_LT(kernel.shared_bytes, 256);
  // A reduction needs two barriers at most: scratch free, scratch written.
  EXPECT_LE(count(kernel.body, "__syncthreads"), 4u);
}

TEST(Emit, DotsOfHalfFloatsUseTheTensorCore) {
  EXPECT_EQ(count(emit(example("matmul")).body, "dot_mma<f16, f16"), 1u);
  EXPECT_EQ(count(emit(example("attention")).body, "dot_mma<f16, f16"), 2u);
}

TEST(Emit, NarrowAccessesWhereNothingIsKnownOfTheAddresses) {
  DiagnosticSink sink;
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
  const auto module = ir::parse_module(file, sink);
  ASSERT_TRUE(module.has_value()) << render_text(sink);
  const auto kernel = emit_kernel(*module->kernels().front(), {}, sink);
  ASSERT_TRUE(kernel.has_value());
  EXPECT_EQ(count(kernel->body, "load<1>("), 1u);
  EXPECT_EQ(count(kernel->body, "store<1>("), 1u);
}

TEST(Emit, TheSameTextEveryTime) { EXPECT_EQ(emit(example("attention")).text, emit(example("attention")).text); }

}  // namespace
}  // namespace lockstep::backend_cuda
