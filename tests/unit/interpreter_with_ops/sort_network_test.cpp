// Steps of sorting networks: found in the dataflow that tl.sort writes, the same bytes as their ops one by one (NaN,
// zeros of both signs, ties), and left alone where a value in between is seen or the indicator is another one.
#include "interpreter/batching/sort_network.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "interpreter/plan/plan_builder.h"
#include "launch_fixture.h"

namespace lockstep::interpreter {
namespace {

/// The text of a bitonic sort of [rows, 2^bits] elements of %v, as tl.sort writes it.
class Network {
 public:
  Network(std::int64_t rows, int bits, std::string element, bool is_descending, std::string predicate)
      : rows_(rows), bits_(bits), element_(std::move(element)), predicate_(std::move(predicate)) {
    is_float_ = element_[0] == 'f' || element_[0] == 'b';
    word_ = is_float_ ? "i" + element_.substr(element_[0] == 'b' ? 2 : 1) : element_;
    line("%two = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>");
    line("%t0 = tt.reshape %v : tensor<" + std::to_string(rows_ << bits_) + "x" + element_ + "> -> " + full(element_));
    for (int stage = 1; stage <= bits_; ++stage)
      for (int dim = bits_ - stage; dim < bits_; ++dim) exchange(stage, dim, is_descending);
    line("%sorted = tt.reshape %t" + std::to_string(step_) + " : " + full(element_) + " -> tensor<" +
         std::to_string(rows_ << bits_) + "x" + element_ + ">");
  }
  const std::string& text() const { return text_; }
  int steps() const { return step_; }

 private:
  void line(const std::string& text) { text_ += "    " + text + "\n"; }
  std::string shape(std::int64_t rows, const std::vector<int>& wide, const std::string& element) const {
    std::string text = "tensor<" + std::to_string(rows) + "x";
    for (int d = 0; d < bits_; ++d) text += std::find(wide.begin(), wide.end(), d) != wide.end() ? "2x" : "1x";
    return text + element + ">";
  }
  std::string full(const std::string& element) const {
    std::vector<int> all;
    for (int d = 0; d < bits_; ++d) all.push_back(d);
    return shape(rows_, all, element);
  }
  std::string without_one() const {
    std::string text = "tensor<" + std::to_string(rows_) + "x";
    for (int d = 0; d + 1 < bits_; ++d) text += "2x";
    return text + word_ + ">";
  }
  std::string indicator(int stage, int dim, bool is_descending, const std::string& n) {
    const std::string along = shape(1, {dim}, "i32");
    line("%along" + n + " = tt.reshape %two : tensor<2xi32> -> " + along);
    if (stage == bits_) {
      line("%order" + n + " = arith.constant dense<" + std::to_string(is_descending ? 1 : 0) + "> : " + along);
      line("%small" + n + " = arith.xori %order" + n + ", %along" + n + " : " + along);
      return along;
    }
    const int flip = bits_ - 1 - stage;
    const std::string other = shape(1, {flip}, "i32"), both = shape(1, {flip, dim}, "i32");
    line("%other" + n + " = tt.reshape %two : tensor<2xi32> -> " + other);
    line("%wide_other" + n + " = tt.broadcast %other" + n + " : " + other + " -> " + both);
    line("%wide_along" + n + " = tt.broadcast %along" + n + " : " + along + " -> " + both);
    line("%small" + n + " = arith.xori %wide_other" + n + ", %wide_along" + n + " : " + both);
    return both;
  }
  void exchange(int stage, int dim, bool is_descending) {
    const std::string in = "%t" + std::to_string(step_++), n = std::to_string(step_), axis = std::to_string(dim + 1);
    const std::string small = indicator(stage, dim, is_descending, n), bit = full("i1");
    std::vector<int> others;
    for (int d = 0; d < bits_; ++d)
      if (d != dim) others.push_back(d);
    const std::string one = shape(rows_, others, word_);
    std::string bits = in, partner = "%words" + n;
    if (is_float_) {
      bits = "%bits" + n;
      partner = "%partner" + n;
      line(bits + " = tt.bitcast " + in + " : " + full(element_) + " -> " + full(word_));
    }
    line("%pair" + n + " = \"tt.reduce\"(" + bits + ") <{axis = " + axis + " : i32}> ({\n    ^bb0(%a: " + word_ +
         ", %b: " + word_ + "):\n      %z = arith.xori %a, %b : " + word_ + "\n      tt.reduce.return %z : " + word_ +
         "\n    }) : (" + full(word_) + ") -> " + without_one());
    line("%expanded" + n + " = tt.expand_dims %pair" + n + " {axis = " + axis + " : i32} : " + without_one() + " -> " +
         one);
    line("%spread" + n + " = tt.broadcast %expanded" + n + " : " + one + " -> " + full(word_));
    line("%words" + n + " = arith.xori " + bits + ", %spread" + n + " : " + full(word_));
    if (is_float_) line(partner + " = tt.bitcast %words" + n + " : " + full(word_) + " -> " + full(element_));
    line("%greater" + n + " = arith." + predicate_ + ", " + in + ", " + partner + " : " + full(element_));
    line("%number" + n + " = arith.extui %greater" + n + " : " + bit + " to " + full("i32"));
    line("%wide" + n + " = tt.broadcast %small" + n + " : " + small + " -> " + full("i32"));
    line("%swaps" + n + " = arith.cmpi ne, %number" + n + ", %wide" + n + " : " + full("i32"));
    line("%t" + n + " = arith.select %swaps" + n + ", " + partner + ", " + in + " : " + bit + ", " + full(element_));
  }

  std::int64_t rows_;
  int bits_;
  std::string element_, predicate_, word_, text_;
  bool is_float_ = false;
  int step_ = 0;
};

std::string network_module(const Network& network, std::int64_t count, const std::string& element,
                      const std::string& extra = "") {
  const std::string n = std::to_string(count), pointers = "tensor<" + n + "x!tt.ptr<" + element + ">>";
  std::string text = "    %r = tt.make_range {end = " + n + " : i32, start = 0 : i32} : tensor<" + n + "xi32>\n";
  for (const char* name : {"x", "y"}) {
    text += std::string("    %") + name + "s = tt.splat %" + name + " : !tt.ptr<" + element + "> -> " + pointers +
            "\n    %" + name + "p = tt.addptr %" + name + "s, %r : " + pointers + ", tensor<" + n + "xi32>\n";
  }
  return kernel("%x: !tt.ptr<" + element + ">, %y: !tt.ptr<" + element + ">",
                text + "    %v = tt.load %xp : " + pointers + "\n" + network.text() + extra +
                    "    tt.store %yp, %sorted : " + pointers + "\n");
}

int exchanges_of(const Harness& h, bool fuses) {
  DiagnosticSink sink;
  Tuning tuning = default_tuning();
  tuning.fuses = fuses;
  PlanBuilder builder(h.module(), sink, {}, tuning);
  const auto plan = builder.build(*h.module().kernels().at(0));
  EXPECT_NE(plan, nullptr) << render_text(sink);
  return plan == nullptr ? -1 : static_cast<int>(std::count_if(plan->steps.begin(), plan->steps.end(), is_exchange));
}

template <typename T>
void check(const std::vector<T>& data, ScalarKind kind, const std::string& element, const std::string& predicate,
           std::int64_t rows, int bits, bool is_descending) {
  const Network network(rows, bits, element, is_descending, predicate);
  const std::string text = network_module(network, rows << bits, element);
  std::vector<std::vector<T>> sorted;
  for (const bool fuses : {true, false}) {
    Harness h(text);
    h.tuning.fuses = fuses;
    h.tensor(data, kind);
    h.tensor(std::vector<T>(data.size()), kind);
    h.run();
    EXPECT_EQ(exchanges_of(h, fuses), fuses ? network.steps() : 0);
    sorted.push_back(h.values<T>(1));
  }
  ASSERT_EQ(sorted[0].size(), data.size());
  EXPECT_EQ(std::memcmp(sorted[0].data(), sorted[1].data(), data.size() * sizeof(T)), 0)
      << element << " " << rows << "x" << (1 << bits) << (is_descending ? " descending" : "");
}

TEST(SortNetwork, SameBytesAsItsOps) {
  std::mt19937_64 random(9);
  // The last two are more than one block of a run.
  for (const auto& [rows, bits] : {std::pair{1, 2}, std::pair{1, 5}, std::pair{4, 3}, std::pair{2, 7},
                                   std::pair{128, 5}, std::pair{2, 11}})
    for (const bool is_descending : {false, true}) {
      const auto n = static_cast<std::size_t>(rows) << bits;
      std::vector<float> f(n);
      std::vector<std::int32_t> i(n);
      std::vector<std::int64_t> l(n);
      std::vector<std::uint16_t> h(n);
      std::vector<std::int8_t> b(n);
      for (std::size_t k = 0; k < n; ++k) {
        const std::uint64_t word = random();
        f[k] = word % 11 == 0 ? std::nanf("") : word % 7 == 0 ? -0.0f : static_cast<float>(word % 9) - 4.0f;
        i[k] = static_cast<std::int32_t>(word);
        l[k] = static_cast<std::int64_t>(word % 5) - 2;
        h[k] = static_cast<std::uint16_t>(word);
        b[k] = static_cast<std::int8_t>(word);
      }
      check(f, ScalarKind::f32, "f32", "cmpf ogt", rows, bits, is_descending);
      check(i, ScalarKind::i32, "i32", "cmpi sgt", rows, bits, is_descending);
      check(i, ScalarKind::i32, "i32", "cmpi ugt", rows, bits, is_descending);
      check(l, ScalarKind::i64, "i64", "cmpi sgt", rows, bits, is_descending);
      check(h, ScalarKind::f16, "f16", "cmpf ogt", rows, bits, is_descending);
      check(h, ScalarKind::bf16, "bf16", "cmpf ogt", rows, bits, is_descending);
      check(b, ScalarKind::i8, "i8", "cmpi ugt", rows, bits, is_descending);
    }
}

TEST(SortNetwork, ItSorts) {
  const Network network(1, 6, "i32", false, "cmpi sgt");
  Harness h(network_module(network, 64, "i32"));
  std::vector<std::int32_t> data;
  for (int i = 0; i < 64; ++i) data.push_back(i * 37 % 64);
  h.tensor(data);
  h.tensor(std::vector<std::int32_t>(64));
  h.run();
  std::sort(data.begin(), data.end());
  EXPECT_EQ(h.values<std::int32_t>(1), data);
}

TEST(SortNetwork, LeftAloneWhereItIsAnotherThing) {
  const Network network(1, 2, "i32", false, "cmpi sgt");
  const auto count = [&](std::string text, const std::string& from, const std::string& to) {
    if (const auto at = text.find(from); at != std::string::npos) text.replace(at, from.size(), to);
    return exchanges_of(Harness(text), true);
  };
  const std::string text = network_module(network, 4, "i32");
  ASSERT_EQ(count(text, "", ""), 3);
  EXPECT_EQ(count(text, "cmpi sgt, %t0", "cmpi sge, %t0"), 2);
  EXPECT_EQ(count(text, "cmpi sgt, %t0, %words1", "cmpi sgt, %words1, %t0"), 2);
  EXPECT_EQ(count(text, "%z = arith.xori %a, %b", "%z = arith.addi %a, %b"), 2);
  EXPECT_EQ(count(text, "dense<0>", "dense<2>"), 2);
  EXPECT_EQ(count(text, "arith.select %swaps2, %words2, %t1", "arith.select %swaps2, %t1, %words2"), 2);
  // Another user of the partner's value.
  const std::string seen =
      "    %other = tt.reshape %words1 : tensor<1x2x2xi32> -> tensor<4xi32>\n"
      "    tt.store %xp, %other : tensor<4x!tt.ptr<i32>>\n";
  EXPECT_EQ(exchanges_of(Harness(network_module(network, 4, "i32", seen)), true), 2);
}

}  // namespace
}  // namespace lockstep::interpreter
