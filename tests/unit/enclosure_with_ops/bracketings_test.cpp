// Scans and reductions of several values against brute force: whatever bracketing (and, where a reduction may, whatever
// order) is computed in f32, with contraction or without, lies within the bounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "dialects/registry.h"
#include "enclosure/enclosure.h"
#include "ir/text/parser.h"

namespace lockstep::enclosure {
namespace {

using Tuple = std::vector<float>;
using Random = std::mt19937_64;

/// a * b + c as a GPU may compute it: contracted or not.
float random_multiply_add(Random& random, float a, float b, float c) {
  if (random() % 2 == 0) return std::fma(a, b, c);
  volatile float product = a * b;  // no compiler may contract it here
  return product + c;
}

struct Case {
  const char* name;
  const char* body;  // of the region, with arguments %a0.. and %b0..
  std::size_t places;
  bool is_scan, is_reverse, any_order;
  std::function<Tuple(Random&, const Tuple&, const Tuple&)> combine;
  std::function<float(Random&, std::size_t)> leaf;
};

float between(Random& random, double low, double high) {
  return static_cast<float>(low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53);
}

std::string text_of(const Case& one, std::int64_t n) {
  const std::string tile = "tensor<" + std::to_string(n) + "xf32>",
                    pointers = "tensor<" + std::to_string(n) + "x!tt.ptr<f32>>",
                    range = "tensor<" + std::to_string(n) + "xi32>";
  std::string parameters, loads, stores, values, arguments, types, results, plain;
  for (std::size_t p = 0; p < one.places; ++p) {
    const std::string i = std::to_string(p);
    const std::string comma = p == 0 ? "" : ", ";
    parameters += comma + "%x" + i + ": !tt.ptr<f32>, %y" + i + ": !tt.ptr<f32>";
    loads += "%s" + i + " = tt.splat %x" + i + " : !tt.ptr<f32> -> " + pointers + "\n%p" + i + " = tt.addptr %s" + i +
             ", %k : " + pointers + ", " + range + "\n%v" + i + " = tt.load %p" + i + " : " + pointers + "\n";
    const std::string result = one.places == 1 ? "%r" : "%r#" + i;
    stores += one.is_scan ? "%t" + i + " = tt.splat %y" + i + " : !tt.ptr<f32> -> " + pointers + "\n%q" + i +
                                " = tt.addptr %t" + i + ", %k : " + pointers + ", " + range + "\ntt.store %q" + i +
                                ", " + result + " : " + pointers + "\n"
                          : "tt.store %y" + i + ", " + result + " : !tt.ptr<f32>\n";
    values += comma + "%v" + i;
    types += comma + tile;
    results += comma + (one.is_scan ? tile : "f32");
    arguments += comma + "%a" + i + ": f32";
    plain += comma + "f32";
  }
  for (std::size_t p = 0; p < one.places; ++p) arguments += ", %b" + std::to_string(p) + ": f32";
  const std::string op = one.is_scan ? "tt.scan" : "tt.reduce";
  const std::string more = one.is_scan ? std::string(", reverse = ") + (one.is_reverse ? "true" : "false") : "";
  return "module {\ntt.func public @k(" + parameters + ") {\n%k = tt.make_range {end = " + std::to_string(n) +
         " : i32, start = 0 : i32} : " + range + "\n" + loads + "%r" +
         (one.places == 1 ? "" : ":" + std::to_string(one.places)) + " = \"" + op + "\"(" + values +
         ") <{axis = 0 : i32" + more + "}> ({\n^bb0(" + arguments + "):\n" + one.body + op + ".return " +
         [&] {
           std::string names;
           for (std::size_t p = 0; p < one.places; ++p) names += (p == 0 ? "%o" : ", %o") + std::to_string(p);
           return names;
         }() +
         " : " + plain + "\n}) : (" + types + ") -> " + (one.places == 1 ? results : "(" + results + ")") + "\n" + stores +
         "tt.return\n}\n}\n";
}

/// One launch: its leaves, and the bounds of its results by place.
class Launch {
 public:
  Launch(const Case& one, std::int64_t n, Random& random) : case_(one), n_(n) {
    module_ = ir::parse_module(dialects::registry(), std::make_shared<SourceFile>("k.ttir", text_of(one, n)), sink_);
    if (!module_) {
      ADD_FAILURE() << render_text(sink_) << text_of(one, n);
      return;
    }
    leaves_.resize(static_cast<std::size_t>(n), Tuple(one.places));
    request_.module = &*module_;
    request_.function = module_->kernels().front();
    request_.memory = &memory_;
    for (std::size_t p = 0; p < one.places; ++p) {
      auto* x = tensor("x", n);
      for (std::size_t k = 0; k < leaves_.size(); ++k) x[k] = leaves_[k][p] = one.leaf(random, p);
      tensor("y", one.is_scan ? n : 1);
    }
    enclosure_ = enclose(request_, sink_);
    EXPECT_TRUE(enclosure_.has_value()) << render_text(sink_);
  }

  Interval bounds(std::size_t place, std::int64_t k) const {
    return enclosure_->tensors[2 * place + 1].elements[static_cast<std::size_t>(k)];
  }
  bool are_proofs() const {
    return std::all_of(enclosure_->tensors.begin(), enclosure_->tensors.end(),
                       [](const TensorEnclosure& one) { return one.models.empty(); });
  }

  /// In the order in which the op takes them.
  std::vector<Tuple> leaves() const {
    std::vector<Tuple> all = leaves_;
    if (case_.is_reverse) std::reverse(all.begin(), all.end());
    return all;
  }
  std::int64_t place_of(std::int64_t k) const { return case_.is_reverse ? n_ - 1 - k : k; }

 private:
  float* tensor(const char* name, std::int64_t elements) {
    const auto storage = memory_.allocate(name, static_cast<std::uint64_t>(4 * elements));
    const auto view = memory_.add_view(*storage, name, ScalarKind::f32, 0, {elements}, {1});
    interpreter::Argument argument;
    argument.kind = interpreter::Argument::Kind::pointer;
    argument.view = *view;
    request_.arguments.push_back(argument);
    return reinterpret_cast<float*>(memory_.view(*view).base);
  }

  const Case& case_;
  std::int64_t n_;
  std::vector<Tuple> leaves_;
  DiagnosticSink sink_;
  std::optional<ir::Module> module_;
  memory_model::AddressSpace memory_;
  interpreter::LaunchRequest request_;
  std::optional<Enclosure> enclosure_;
};

/// A random tree over leaves [first, last): split evenly, near an end, or anywhere.
Tuple fold(const Case& one, Random& random, const std::vector<Tuple>& leaves, std::size_t first, std::size_t last) {
  if (last - first == 1) return leaves[first];
  const std::size_t length = last - first;
  const std::uint64_t how = random() % 4;
  const std::size_t split = how == 0 ? length / 2 : how == 1 ? 1 : how == 2 ? length - 1 : 1 + random() % (length - 1);
  const Tuple left = fold(one, random, leaves, first, first + split);
  return one.combine(random, left, fold(one, random, leaves, first + split, last));
}

constexpr const char* kAffine =
    "%o0 = arith.mulf %a0, %b0 : f32\n%m = arith.mulf %b0, %a1 : f32\n%o1 = arith.addf %m, %b1 : f32\n";

Tuple affine(Random& random, const Tuple& x, const Tuple& y) {
  return {x[0] * y[0], random_multiply_add(random, y[0], x[1], y[1])};
}

float near_one(Random& random, std::size_t place) { return place == 0 ? between(random, 0.7, 1.1) : between(random, -1, 1); }

std::vector<Case> cases() {
  const auto any = [](Random& random, std::size_t) { return between(random, -1, 1); };
  return {
      {"affine", kAffine, 2, true, false, false, affine, near_one},
      {"affine from the end", kAffine, 2, true, true, false, affine, near_one},
      {"smoothing, not associative",
       "%h = arith.constant 5.000000e-01 : f32\n%m = arith.mulf %a0, %h : f32\n%o0 = arith.addf %m, %b0 : f32\n", 1, true,
       false, false,
       [](Random& random, const Tuple& x, const Tuple& y) { return Tuple{random_multiply_add(random, x[0], 0.5F, y[0])}; }, any},
      {"complex product",
       "%p = arith.mulf %a0, %b0 : f32\n%q = arith.mulf %a1, %b1 : f32\n%o0 = arith.subf %p, %q : f32\n"
       "%s = arith.mulf %a0, %b1 : f32\n%t = arith.mulf %a1, %b0 : f32\n%o1 = arith.addf %s, %t : f32\n",
       2, false, false, true,
       [](Random& random, const Tuple& x, const Tuple& y) {
         return Tuple{random_multiply_add(random, x[0], y[0], -(x[1] * y[1])), random_multiply_add(random, x[0], y[1], x[1] * y[0])};
       },
       [](Random& random, std::size_t) { return between(random, -0.9, 0.9); }},
      {"product", "%o0 = arith.mulf %a0, %b0 : f32\n", 1, false, false, true,
       [](Random&, const Tuple& x, const Tuple& y) { return Tuple{x[0] * y[0]}; },
       [](Random& random, std::size_t) { return between(random, 0.5, 1.6); }},
      {"small product", "%o0 = arith.mulf %a0, %b0 : f32\n", 1, true, false, false,
       [](Random&, const Tuple& x, const Tuple& y) { return Tuple{x[0] * y[0]}; },
       [](Random& random, std::size_t) { return between(random, 0.001, 1.5); }},
      {"sum of products",
       "%m = arith.mulf %a0, %b0 : f32\n%s = arith.addf %a0, %b0 : f32\n%o0 = arith.addf %s, %m : f32\n", 1, false, false,
       true,
       [](Random& random, const Tuple& x, const Tuple& y) { return Tuple{random_multiply_add(random, x[0], y[0], x[0] + y[0])}; },
       [](Random& random, std::size_t) { return between(random, -0.2, 0.2); }},
      {"sum and squares", "%o0 = arith.addf %a0, %b0 : f32\n%o1 = arith.addf %a1, %b1 : f32\n", 2, false, false, true,
       [](Random&, const Tuple& x, const Tuple& y) { return Tuple{x[0] + y[0], x[1] + y[1]}; }, any},
      {"first of the largest, ties",
       "%g = arith.cmpf ogt, %a0, %b0 : f32\n%o0 = arith.select %g, %a0, %b0 : f32\n"
       "%o1 = arith.select %g, %a1, %b1 : f32\n",
       2, false, false, true,
       [](Random&, const Tuple& x, const Tuple& y) { return x[0] > y[0] ? x : y; },
       [](Random& random, std::size_t place) {
         return place == 0 ? static_cast<float>(random() % 4) : between(random, -1, 1);
       }},
  };
}

TEST(Bracketings, EveryTreeLiesWithin) {
  Random random(7);
  for (const Case& one : cases()) {
    for (const std::int64_t n : {2, 16, 64, 128, 512}) {
      const Launch launch(one, n, random);
      ASSERT_TRUE(launch.are_proofs()) << one.name;
      std::vector<Tuple> leaves = launch.leaves();
      for (int round = 0; round < 40; ++round) {
        if (one.any_order) std::shuffle(leaves.begin(), leaves.end(), random);
        const std::int64_t k = one.is_scan && round > 5 ? static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n)) : n - 1;
        const Tuple made = fold(one, random, leaves, 0, static_cast<std::size_t>(k) + 1);
        for (std::size_t p = 0; p < one.places; ++p) {
          const Interval bounds = launch.bounds(p, one.is_scan ? launch.place_of(k) : 0);
          EXPECT_TRUE(bounds.is_unbounded() || bounds.contains(static_cast<double>(made[p])))
              << one.name << ", " << n << " leaves, result " << p << " of " << k + 1 << ": " << made[p] << " is not in ["
              << bounds.low << ", " << bounds.high << "]";
        }
      }
    }
  }
}

/// The case that an H200 showed: an affine scan of 128 is bounded everywhere, and its bounds are worth having.
TEST(Bracketings, AnAffineScanIsBoundedNarrowly) {
  Random random(11);
  const Case one = cases().front();
  for (const std::int64_t n : {128, 1024}) {
    const Launch launch(one, n, random);
    double worst = 0;
    for (std::int64_t k = 0; k < n; ++k) {
      const Interval bounds = launch.bounds(1, k);
      ASSERT_FALSE(bounds.is_unbounded()) << n << ": " << k;
      worst = std::max(worst, bounds.high - bounds.low);
    }
    EXPECT_LT(worst, 0.01) << n;
  }
}

/// Results that cancel are small beside what was rounded on the way: n roundings of the result are too few.
TEST(Bracketings, AnAffineScanThatCancelsLiesWithin) {
  Random random(19);
  Case one = cases().front();
  one.leaf = [](Random& numbers, std::size_t place) {
    return place == 0 ? between(numbers, 0.99, 1.0) : between(numbers, -1, 1);
  };
  for (int program = 0; program < 4; ++program) {
    const Launch launch(one, 128, random);
    for (int round = 0; round < 20; ++round) {
      for (std::size_t k = 0; k < 128; ++k) {
        const Tuple made = fold(one, random, launch.leaves(), 0, k + 1);
        const Interval bounds = launch.bounds(1, static_cast<std::int64_t>(k));
        EXPECT_TRUE(bounds.contains(static_cast<double>(made[1])))
            << k << ": " << made[1] << " is not in [" << bounds.low << ", " << bounds.high << "]";
      }
    }
  }
}

/// What is certain must be so: a choice whose values differ is the same in any order, one with ties is not.
TEST(Bracketings, AChoiceIsCertainWhereItsValuesDiffer) {
  Random random(13);
  Case one = cases().back();
  const Launch tied(one, 64, random);
  EXPECT_LT(tied.bounds(1, 0).low, tied.bounds(1, 0).high);
  one.leaf = [](Random& numbers, std::size_t) { return between(numbers, -1, 1); };
  const Launch distinct(one, 64, random);
  EXPECT_EQ(distinct.bounds(1, 0).low, distinct.bounds(1, 0).high);
}

/// Too many trees to go through, and no polynomial: said to be open, not guessed.
TEST(Bracketings, ALongScanOfAnyRegionIsOpen) {
  Random random(17);
  const Case one = cases()[2];
  const Launch launch(one, 1024, random);
  EXPECT_TRUE(launch.bounds(0, 1023).is_unbounded());
}

}  // namespace
}  // namespace lockstep::enclosure
