// tl.static_print: the text that Triton prints while it compiles, known from a run of Triton 3.6 on the same kernel.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "dialects/registry.h"
#include "frontend/compile.h"

namespace lockstep::frontend {
namespace {

constexpr std::string_view kSource = R"(import triton
import triton.language as tl

@triton.jit
def helper(x):
    tl.static_print("in helper", x)
    return x

@triton.jit
def kernel(p, n, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.static_print("hello", B, i, p, n, 1.5, None, True, sep="|", end="!\n")
    tl.static_print((1, B), (i, n), f"B={B}", p.dtype, i.shape, i.dtype, tl.float32)
    helper(i)
    helper(3)
    for k in range(n):
        tl.static_print("loop", k)
    while n > 3:
        tl.static_print("while", i[None, :])
        n = n - 1
    if B > 3:
        tl.static_print()
    tl.static_print(i + p, [B, 2], B * 2, -B, B == 3, "q'uote")
)";

// The bodies of loops are visited twice.
constexpr std::string_view kPrinted = R"(hello|16|int32[constexpr[16]]|pointer<fp32>[]|int32[]|1.5|None|True!
['1', '16'] ['int32[constexpr[16]]', 'int32[]'] B=16 pointer<fp32> ['16'] int32 fp32
in helper int32[constexpr[16]]
in helper 3
loop int32[]
loop int32[]
while int32[constexpr[1], constexpr[16]]
while int32[constexpr[1], constexpr[16]]

pointer<fp32>[constexpr[16]] ['16', '2'] 32 -16 False q'uote
)";

TEST(StaticPrint, PrintsWhatTritonPrints) {
  const std::filesystem::path path = std::filesystem::path(::testing::TempDir()) / "lockstep_static_print.py";
  std::ofstream(path) << kSource;
  std::string printed;
  CompileRequest request;
  request.path = path.string();
  request.kernel = "kernel";
  request.parameters["p"].type = "*fp32";
  request.parameters["n"].type = "i32";
  request.parameters["B"].constant = ConstantValue::of_integer(16);
  request.print = [&](std::string_view text) { printed += text; };
  DiagnosticSink sink;
  EXPECT_TRUE(compile_kernel(dialects::registry(), request, Stage::raw, sink).has_value()) << render_text(sink);
  EXPECT_EQ(printed, kPrinted);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace lockstep::frontend
