// Pointers plus offsets that are data: one pointer or many, offsets of 8, 32 and 64 bits and of both signs.
#include "tests/unit/interpreter_with_ops/launch_fixture.h"

namespace lockstep::interpreter {
namespace {

constexpr std::size_t kOffsetLanes = 16, kOffsetMiddle = 40;

/// out[i] = x[%middle + index[i] - index[i] + index[i]], by three pointers one after the other.
std::string offsets_kernel(const std::string& kind) {
  const std::string index = "tensor<16x" + kind + ">", pointers = "tensor<16x!tt.ptr<f32>>";
  return kernel("%x: !tt.ptr<f32>, %i: !tt.ptr<" + kind + ">, %out: !tt.ptr<f32>, %middle: i32",
                "    %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>\n    %is = tt.splat %i : !tt.ptr<" +
                    kind + "> -> tensor<16x!tt.ptr<" + kind + ">>\n    %ip = tt.addptr %is, %r : tensor<16x!tt.ptr<" + kind +
                    ">>, tensor<16xi32>\n    %index = tt.load %ip : tensor<16x!tt.ptr<" + kind + ">>\n    %none = arith.constant dense<0> : " +
                    index + "\n    %back = arith.subi %none, %index : " + index +
                    "\n    %m = tt.addptr %x, %middle : !tt.ptr<f32>, i32\n    %ms = tt.splat %m : !tt.ptr<f32> -> " + pointers +
                    "\n    %p = tt.addptr %ms, %index : " + pointers + ", " + index + "\n    %q = tt.addptr %p, %back : " +
                    pointers + ", " + index + "\n    %at = tt.addptr %q, %index : " + pointers + ", " + index +
                    "\n    %v = tt.load %at : " + pointers + "\n    %os = tt.splat %out : !tt.ptr<f32> -> " + pointers +
                    "\n    %op = tt.addptr %os, %r : " + pointers + ", tensor<16xi32>\n    tt.store %op, %v : " + pointers + "\n");
}

template <class T>
void expect_offsets(const std::string& text, const std::vector<T>& index, ScalarKind kind) {
  Harness h(text);
  h.tensor(iota_f32(80));
  h.tensor(index, kind);
  const std::size_t out = h.tensor(std::vector<float>(kOffsetLanes));
  h.scalar(kOffsetMiddle);
  h.run();
  std::vector<float> wanted;
  for (const T each : index) wanted.push_back(static_cast<float>(static_cast<std::int64_t>(kOffsetMiddle) + each));
  EXPECT_EQ(h.values<float>(out), wanted);
}

TEST(DenseOffsets, AddToEachPointer) {
  std::vector<std::int32_t> words;
  std::vector<std::int64_t> doubles;
  std::vector<std::int8_t> bytes;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(kOffsetLanes); ++i) {
    words.push_back(i * 29 % 79 - 40);
    doubles.push_back(words.back());
    bytes.push_back(static_cast<std::int8_t>(words.back()));
  }
  expect_offsets(offsets_kernel("i32"), words, ScalarKind::i32);
  expect_offsets(offsets_kernel("i64"), doubles, ScalarKind::i64);
  expect_offsets(offsets_kernel("i8"), bytes, ScalarKind::i8);
}

}  // namespace
}  // namespace lockstep::interpreter
