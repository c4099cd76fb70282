// tt.gather along every axis, with an index smaller than the source in other dimensions, and tt.histogram with masks of
// every form, against plain loops.
#include <algorithm>
#include <numeric>
#include <random>

#include "launch_fixture.h"

namespace lockstep::interpreter {
namespace {

std::string tensor_of(const std::vector<std::int64_t>& shape, const std::string& element) {
  std::string text = "tensor<";
  for (const std::int64_t extent : shape) text += std::to_string(extent) + "x";
  return text + element + ">";
}

/// Lines that bind %`to`p to the addresses of the `count` elements of %`from`.
std::string addresses(const std::string& to, const std::string& from, std::int64_t count, const std::string& element) {
  const std::string n = std::to_string(count), pointers = "tensor<" + n + "x!tt.ptr<" + element + ">>";
  return "    %" + to + "r = tt.make_range {end = " + n + " : i32, start = 0 : i32} : tensor<" + n + "xi32>\n    %" +
         to + "s = tt.splat %" + from + " : !tt.ptr<" + element + "> -> " + pointers + "\n    %" + to +
         "p = tt.addptr %" + to + "s, %" + to + "r : " + pointers + ", tensor<" + n + "xi32>\n";
}
std::string module_of(const std::string& parameters, const std::string& body) {
  return "module {\n  tt.func public @k(" + parameters + ") attributes {noinline = false} {\n" + body +
         "    tt.return\n  }\n}\n";
}
std::int64_t count_of(const std::vector<std::int64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

void check_gather(const std::vector<std::int64_t>& source, const std::vector<std::int64_t>& index, std::size_t axis) {
  const std::int64_t n = count_of(source), m = count_of(index);
  const std::string ns = std::to_string(n), ms = std::to_string(m);
  Harness h(module_of("%x: !tt.ptr<f32>, %i: !tt.ptr<i32>, %o: !tt.ptr<f32>",
                      addresses("x", "x", n, "f32") + addresses("i", "i", m, "i32") + addresses("o", "o", m, "f32") +
                          "    %xv = tt.load %xp : tensor<" + ns + "x!tt.ptr<f32>>\n    %iv = tt.load %ip : tensor<" +
                          ms + "x!tt.ptr<i32>>\n    %xt = tt.reshape %xv : tensor<" + ns + "xf32> -> " +
                          tensor_of(source, "f32") + "\n    %it = tt.reshape %iv : tensor<" + ms + "xi32> -> " +
                          tensor_of(index, "i32") + "\n    %g = tt.gather %xt[%it] {axis = " + std::to_string(axis) +
                          " : i32} : (" + tensor_of(source, "f32") + ", " + tensor_of(index, "i32") + ") -> " +
                          tensor_of(index, "f32") + "\n    %gv = tt.reshape %g : " + tensor_of(index, "f32") +
                          " -> tensor<" + ms + "xf32>\n    tt.store %op, %gv : tensor<" + ms + "x!tt.ptr<f32>>\n"));
  std::vector<float> x(static_cast<std::size_t>(n));
  std::iota(x.begin(), x.end(), 1.0f);
  std::vector<std::int32_t> at(static_cast<std::size_t>(m));
  std::mt19937 random(5);
  for (auto& value : at) value = static_cast<std::int32_t>(random() % 64) - 20;
  h.tensor(x);
  h.tensor(at);
  h.tensor(std::vector<float>(static_cast<std::size_t>(m)));
  h.run();
  std::vector<float> want;
  for (std::int64_t flat = 0; flat < m; ++flat) {
    std::int64_t rest = flat, offset = 0, stride = 1;
    for (std::size_t d = source.size(); d-- > 0; stride *= source[d]) {
      std::int64_t here = rest % index[d];
      rest /= index[d];
      if (d == axis) here = (at[static_cast<std::size_t>(flat)] % source[d] + source[d]) % source[d];
      offset += here * stride;
    }
    want.push_back(x[static_cast<std::size_t>(offset)]);
  }
  EXPECT_EQ(h.values<float>(2), want) << "axis " << axis << " of " << tensor_of(source, "f32");
}

TEST(Gather, AlongEveryAxis) {
  check_gather({16}, {64}, 0);
  check_gather({8, 16}, {8, 32}, 1);
  check_gather({8, 16}, {4, 16}, 1);
  check_gather({8, 16}, {32, 8}, 0);
  for (const std::size_t axis : {0u, 1u, 2u}) check_gather({4, 8, 2}, {4, 8, 2}, axis);
  check_gather({4, 8, 4}, {2, 16, 2}, 1);
}

/// `masks`: lines that bind %m.
void check_histogram(std::int64_t n, std::int64_t bins, const std::string& masks, auto counts) {
  const std::string ns = std::to_string(n), bs = std::to_string(bins);
  Harness h(module_of("%x: !tt.ptr<i32>, %o: !tt.ptr<i32>, %b: !tt.ptr<i8>",
                      addresses("x", "x", n, "i32") + addresses("o", "o", bins, "i32") + addresses("b", "b", n, "i8") +
                          "    %v = tt.load %xp : tensor<" + ns + "x!tt.ptr<i32>>\n" + masks +
                          "    %h = tt.histogram %v, %m : tensor<" + ns + "xi32> -> tensor<" + bs +
                          "xi32>\n    tt.store %op, %h : tensor<" + bs + "x!tt.ptr<i32>>\n"));
  std::vector<std::int32_t> x;
  std::vector<std::int8_t> bits;
  std::mt19937 random(6);
  for (std::int64_t i = 0; i < n; ++i) {
    x.push_back(i % 5 == 0 ? 7 : static_cast<std::int32_t>(random() % 600) - 100);
    bits.push_back(static_cast<std::int8_t>(random() % 2));
  }
  h.tensor(x);
  h.tensor(std::vector<std::int32_t>(static_cast<std::size_t>(bins)));
  h.tensor(bits);
  h.run();
  std::vector<std::int32_t> want(static_cast<std::size_t>(bins));
  const std::int64_t modulus = std::max<std::int64_t>(bins, 32);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::int64_t value = ((x[i] % modulus) + modulus) % modulus;
    if (value < bins && counts(static_cast<std::int64_t>(i), bits[i])) ++want[static_cast<std::size_t>(value)];
  }
  EXPECT_EQ(h.values<std::int32_t>(1), want) << n << " values, " << bins << " bins: " << masks;
}

TEST(Histogram, MasksOfEveryForm) {
  for (const std::int64_t n : {1, 2, 64, 1024})
    for (const std::int64_t bins : {2, 32, 256}) {
      const std::string ns = std::to_string(n), bit = "tensor<" + ns + "xi1>\n", word = "tensor<" + ns + "xi32>\n";
      check_histogram(n, bins, "    %m = arith.constant dense<true> : " + bit,
                      [](std::int64_t, std::int8_t) { return true; });
      check_histogram(n, bins, "    %m = arith.constant dense<false> : " + bit,
                      [](std::int64_t, std::int8_t) { return false; });
      check_histogram(n, bins,
                      "    %e = arith.constant dense<23> : " + word + "    %m = arith.cmpi slt, %xr, %e : " + word,
                      [](std::int64_t i, std::int8_t) { return i < 23; });
      check_histogram(n, bins,
                      "    %bv = tt.load %bp : tensor<" + ns +
                          "x!tt.ptr<i8>>\n    %z = arith.constant dense<0> : tensor<" + ns +
                          "xi8>\n    %m = arith.cmpi ne, %bv, %z : tensor<" + ns + "xi8>\n",
                      [](std::int64_t, std::int8_t given) { return given != 0; });
    }
}

}  // namespace
}  // namespace lockstep::interpreter
