#include "interpreter/kernels/processor.h"

#include <gtest/gtest.h>

namespace lockstep::interpreter::kernels {
namespace {

// The compiler's own answer, where its run-time library has one (the wheels' compiler has none: docs/wheels.md).
TEST(Processor, AgreesWithTheCompilersLibrary) {
#if !defined(__x86_64__)
  EXPECT_FALSE(processor_has("x86-64-v3"));
#elif !defined(__clang__) || __clang_major__ >= 18  // clang 17 knows neither levels nor avxvnni
  EXPECT_EQ(processor_has("x86-64-v3"), __builtin_cpu_supports("x86-64-v3") != 0);
  EXPECT_EQ(processor_has("x86-64-v4"), __builtin_cpu_supports("x86-64-v4") != 0);
  EXPECT_EQ(processor_has("avx512vnni"), __builtin_cpu_supports("avx512vnni") != 0);
  EXPECT_EQ(processor_has("avxvnni"), __builtin_cpu_supports("avxvnni") != 0);
  EXPECT_EQ(processor_has("avx512bf16"), __builtin_cpu_supports("avx512bf16") != 0);
#endif
  EXPECT_FALSE(processor_has("no such thing"));
}

}  // namespace
}  // namespace lockstep::interpreter::kernels
