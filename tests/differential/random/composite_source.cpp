#include "composite_source.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::differential_tests {
namespace {

using std::to_string;

/// What orders a region may be asked for.
enum class Use : std::uint8_t { scan, both };
/// What types its floats may have: any; those that tl.exp, tl.sqrt and / keep.
enum class Floats : std::uint8_t { any, wide };

/// A region of values a, b, c, d (of the left side a0, ..., of the right a1, ...). `fills`: what each is filled with
/// ("i:" of i32); `lines`: its body, whose last one returns.
struct Region {
  const char* name;
  Use use;
  Floats floats;
  std::vector<const char*> fills, identities;
  std::vector<const char*> lines;
};

const std::vector<Region>& regions() {
  static const std::vector<Region> all{
      {"affine", Use::scan, Floats::any, {"near", "unit"}, {"1.0", "0.0"}, {"return a0 * a1, a1 * b0 + b1"}},
      {"decay", Use::scan, Floats::any, {"decay", "unit"}, {"1.0", "0.0"}, {"return a0 * a1, a1 * b0 + b1"}},
      {"two recurrences", Use::scan, Floats::any, {"decay", "unit", "unit"}, {"1.0", "0.0", "0.0"},
       {"return a0 * a1, a1 * b0 + b1, a1 * c0 + c1"}},
      {"second order", Use::scan, Floats::any, {"near", "unit", "unit"}, {"1.0", "0.0", "0.0"},
       {"return a0 * a1, a1 * b0 + b1, c0 + b0 * c1 * 0.5 + c1"}},
      {"2x2 matrices", Use::scan, Floats::any, {"unit", "unit", "unit", "unit"}, {"1.0", "0.0", "0.0", "1.0"},
       {"return a0 * a1 + b0 * c1, a0 * b1 + b0 * d1, c0 * a1 + d0 * c1, c0 * b1 + d0 * d1"}},
      {"complex product", Use::both, Floats::any, {"unit", "unit"}, {"1.0", "0.0"},
       {"return a0 * a1 - b0 * b1, a0 * b1 + b0 * a1"}},
      {"welford", Use::both, Floats::wide, {"unit", "zero", "one"}, {"0.0", "0.0", "0.0"},
       {"delta = a1 - a0", "w = c0 + c1", "r = tl.where(w == 0.0, 0.0, c1 / w)",
        "return a0 + delta * r, b0 + b1 + delta * delta * c0 * r, w"}},
      {"log-sum-exp", Use::both, Floats::wide, {"unit", "positive"}, {"-1e30", "0.0"},
       {"m = tl.maximum(a0, a1)", "return m, b0 * tl.exp(a0 - m) + b1 * tl.exp(a1 - m)"}},
      {"logaddexp", Use::both, Floats::wide, {"unit"}, {"-1e30"},
       {"m = tl.maximum(a0, a1)", "return m + tl.log(tl.exp(a0 - m) + tl.exp(a1 - m))"}},
      {"argmax", Use::both, Floats::any, {"ties", "i:index"}, {"-1.0", "999999"},
       {"left = (a0 > a1) | ((a0 == a1) & (b0 < b1))", "return tl.where(left, a0, a1), tl.where(left, b0, b1)"}},
      {"argmax fast", Use::both, Floats::any, {"ties", "i:index"}, {"-1.0", "999999"},
       {"left = a0 > a1", "return tl.where(left, a0, a1), tl.where(left, b0, b1)"}},
      {"argmin of distinct", Use::both, Floats::wide, {"unit", "i:index"}, {"9.0", "999999"},
       {"left = a0 < a1", "return tl.where(left, a0, a1), tl.where(left, b0, b1)"}},
      {"extremum with payload", Use::both, Floats::any, {"ties", "unit", "i:index"}, {"9.0", "0.0", "999999"},
       {"left = (a0 < a1) | ((a0 == a1) & (c0 < c1))",
        "return tl.where(left, a0, a1), tl.where(left, b0, b1), tl.where(left, c0, c1)"}},
      {"product", Use::both, Floats::any, {"near"}, {"1.0"}, {"return a0 * a1"}},
      {"wide product", Use::both, Floats::any, {"wide"}, {"1.0"}, {"return a0 * a1"}},
      {"small product", Use::both, Floats::any, {"tiny"}, {"1.0"}, {"return a0 * a1"}},
      {"sum and squares", Use::both, Floats::any, {"unit", "positive"}, {"0.0", "0.0"}, {"return a0 + a1, b0 + b1"}},
      {"sum, product, maximum", Use::both, Floats::any, {"unit", "near", "unit"}, {"0.0", "1.0", "-9.0"},
       {"return a0 + a1, b0 * b1, tl.maximum(c0, c1)"}},
      {"sum and count", Use::both, Floats::any, {"unit", "i:count"}, {"0.0", "0"}, {"return a0 + a1, b0 + b1"}},
      {"sum of products", Use::both, Floats::any, {"small"}, {"0.0"}, {"return a0 + a1 + a0 * a1"}},
      {"max-plus", Use::scan, Floats::any, {"unit", "unit"}, {"0.0", "-1000.0"},
       {"return a0 + a1, tl.maximum(b0 + a1, b1)"}},
      {"segmented sum", Use::scan, Floats::any, {"unit", "i:flag"}, {"0.0", "0"},
       {"return tl.where(b1 != 0, a1, a0 + a1), b0 | b1"}},
      {"last that is not zero", Use::scan, Floats::any, {"ties"}, {"0.0"}, {"return tl.where(a1 != 0.0, a1, a0)"}},
      {"harmonic", Use::both, Floats::wide, {"positive"}, {"1e30"}, {"return a0 * a1 / (a0 + a1)"}},
      {"length", Use::both, Floats::wide, {"unit"}, {"0.0"}, {"return tl.sqrt(a0 * a0 + a1 * a1)"}},
      {"weighted mean", Use::both, Floats::wide, {"unit", "positive"}, {"0.0", "1e-9"},
       {"w = b0 + b1", "return (a0 * b0 + a1 * b1) / w, w"}},
      {"smoothing", Use::scan, Floats::any, {"unit"}, {"0.0"}, {"return a0 * 0.5 + a1"}},
      {"difference", Use::scan, Floats::any, {"unit"}, {"0.0"}, {"return a0 - a1"}},
      {"products of neighbours", Use::scan, Floats::any, {"unit", "unit"}, {"0.0", "0.0"},
       {"return a0 + a1 + b0 * a1, b0 - b1"}},
      {"whole affine", Use::scan, Floats::any, {"i:count", "i:any"}, {"1", "0"}, {"return a0 * a1, a1 * b0 + b1"}},
      {"bits", Use::both, Floats::any, {"i:any", "i:any"}, {"0", "0"}, {"return a0 ^ a1, b0 + b1"}},
      {"whole argmax", Use::both, Floats::any, {"i:flag", "i:index"}, {"-1", "999999"},
       {"left = (a0 > a1) | ((a0 == a1) & (b0 < b1))", "return tl.where(left, a0, a1), tl.where(left, b0, b1)"}},
      {"whole polynomial", Use::both, Floats::any, {"i:any"}, {"0"}, {"return a0 + a1 + a0 * a1"}},
  };
  return all;
}

struct Type {
  const char *pointer, *name;
};
constexpr Type kWide[] = {{"*fp32", "fp32"}, {"*fp32", "fp32"}, {"*fp32", "fp32"}, {"*fp64", "fp64"}};
constexpr Type kAny[] = {{"*fp32", "fp32"}, {"*fp32", "fp32"}, {"*fp32", "fp32"},
                         {"*fp16", "fp16"}, {"*bf16", "bf16"}, {"*fp64", "fp64"}};

constexpr const char* kLetters[] = {"a", "b", "c", "d"};

class CompositeWriter {
 public:
  CompositeWriter(fuzz::Random& random, int warps) : random_(random), most_(std::int64_t{1024} * warps) {}

  exactness::RandomKernel write() {
    choose();
    start();
    if (turns_ > 1) {
      loop();
    } else {
      load("");
      fold(kBody);
      after();
      store();
    }
    made_.grid = {static_cast<std::int64_t>(2 + random_.below(4)), 1, 1};
    for (auto& parameter : made_.parameters) parameter.elements *= made_.grid[0];
    std::string names;
    for (const auto& each : made_.parameters) names += (names.empty() ? "" : ", ") + each.name;
    made_.source = "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef combine(" + sides() + "):\n" +
                   combine_ + "\n\n@triton.jit\ndef kernel(" + names + "):\n" + body_;
    return std::move(made_);
  }

 private:
  static constexpr std::size_t kBody = 4;

  std::size_t places() const { return region_->fills.size(); }
  void line(const std::string& text, std::size_t indent = kBody) { body_ += std::string(indent, ' ') + text + "\n"; }
  static bool is_whole(const char* fill) { return std::string_view(fill).starts_with("i:"); }
  std::string sides() const {
    std::string text;
    for (const char* side : {"0", "1"}) {
      for (std::size_t p = 0; p < places(); ++p) text += (text.empty() ? "" : ", ") + (kLetters[p] + std::string(side));
    }
    return text;
  }

  void choose() {
    region_ = &random_.pick(regions());
    is_scan_ = region_->use == Use::scan || random_.one_in(2);
    type_ = region_->floats == Floats::wide ? random_.pick(kWide) : random_.pick(kAny);
    // Triton computes an extremum of bf16 in f32, which is no type of the region then.
    const bool has_extremum = std::any_of(region_->lines.begin(), region_->lines.end(), [](const char* text) {
      return std::string_view(text).find("tl.maximum") != std::string_view::npos;
    });
    if (has_extremum && type_.name == std::string_view("bf16")) type_ = kAny[0];
    is_reverse_ = is_scan_ && random_.one_in(3);
    constexpr std::size_t kSteps[] = {6, 6, 6, 7, 7, 8, 10};  // most are short: every tree is gone through there
    n_ = std::int64_t{2} << random_.below(is_scan_ ? random_.pick(kSteps) : 10);
    const bool has_two = random_.one_in(2) && n_ <= 256;
    others_ = has_two ? std::int64_t{1} << random_.below(n_ > 64 ? 3 : 5) : 0;
    while (others_ > 1 && n_ * others_ > most_) others_ /= 2;
    axis_ = has_two ? random_.below(2) : 0;
    turns_ = random_.one_in(5) ? 2 + random_.below(3) : 1;
    length_ = random_.one_in(4) ? n_ - static_cast<std::int64_t>(random_.below(static_cast<std::size_t>(n_) / 2)) : n_;
    for (const char* text : region_->lines) combine_ += "    " + std::string(text) + "\n";
  }

  std::int64_t block() const { return n_ * std::max<std::int64_t>(others_, 1); }
  std::int64_t results() const { return is_scan_ ? block() : std::max<std::int64_t>(others_, 1); }

  std::string parameter(const std::string& name, const char* pointer, std::int64_t elements) {
    made_.parameters.push_back({name, pointer, elements, 0, !random_.one_in(4)});
    return name;
  }

  void start() {
    for (std::size_t p = 0; p < places(); ++p) {
      const char* fill = region_->fills[p];
      const std::string suffix = is_whole(fill) ? fill + 2 : fill;
      inputs_.push_back(parameter("x" + to_string(p) + "_" + suffix, is_whole(fill) ? "*i32" : type_.pointer,
                                  block() * static_cast<std::int64_t>(turns_)));
    }
    for (std::size_t p = 0; p < places(); ++p) {
      const char* pointer = is_whole(region_->fills[p]) ? "*i32" : type_.pointer;
      outputs_.push_back(parameter("y" + to_string(p), pointer, results()));
    }
    line("pid = tl.program_id(0)");
    const std::string along = "tl.arange(0, " + to_string(n_) + ")";
    if (others_ == 0) {
      line("k = " + along);
      line("at = k");
    } else {
      const bool is_first = axis_ == 0;
      line("k = " + along + (is_first ? "[:, None]" : "[None, :]"));
      line("j = tl.arange(0, " + to_string(others_) + ")" + (is_first ? "[None, :]" : "[:, None]"));
      // Which of the two is contiguous in memory decides the layout.
      line(random_.one_in(2) ? "at = j * " + to_string(n_) + " + k" : "at = k * " + to_string(others_) + " + j");
    }
  }

  void load(const std::string& more, std::size_t indent = kBody) {
    for (std::size_t p = 0; p < places(); ++p) {
      const std::string from = inputs_[p] + " + pid * " + to_string(block() * static_cast<std::int64_t>(turns_)) +
                               (more.empty() ? "" : " + " + more) + " + at";
      const std::string mask = length_ == n_ ? "" : ", mask=(k < " + to_string(length_) +
                                                        ") & (at >= 0), other=" + region_->identities[p];
      line("v" + to_string(p) + " = tl.load(" + from + mask + ")", indent);
    }
  }

  static std::string listed(const std::string& prefix, std::size_t count) {
    std::string text;
    for (std::size_t p = 0; p < count; ++p) text += (p == 0 ? "" : ", ") + prefix + to_string(p);
    return text;
  }

  void fold(std::size_t indent) {
    const std::string values = places() == 1 ? "v0" : "(" + listed("v", places()) + ")";
    line(listed("r", places()) + " = tl." + (is_scan_ ? "associative_scan(" : "reduce(") + values + ", " +
             to_string(axis_) + ", combine" + (is_scan_ && is_reverse_ ? ", reverse=True" : "") + ")",
         indent);
  }

  /// Chunks of a longer sequence, what came before combined with each.
  void loop() {
    load("");
    fold(kBody);
    line(listed("s", places()) + " = " + listed("r", places()));
    line("for t in range(1, " + to_string(turns_) + "):");
    load("t * " + to_string(block()), 8);
    fold(8);
    line(listed("s", places()) + " = combine(" + listed("s", places()) + ", " + listed("r", places()) + ")", 8);
    line(listed("r", places()) + " = " + listed("s", places()));
    store();
  }

  /// Arithmetic that a GPU may contract with the region's last op.
  void after() {
    if (is_whole(region_->fills[0]) || random_.one_in(2)) return;
    const std::string last = "r" + to_string(is_whole(region_->fills[places() - 1]) ? 0 : places() - 1);
    line(random_.one_in(2) ? "r0 = r0 + " + last : "r0 = " + last + " - r0");
  }

  void store() {
    const std::string where = is_scan_ ? " + at" : others_ == 0 ? "" : " + tl.arange(0, " + to_string(others_) + ")";
    for (std::size_t p = 0; p < places(); ++p) {
      line("tl.store(" + outputs_[p] + " + pid * " + to_string(results()) + where + ", r" + to_string(p) + ")");
    }
  }

  fuzz::Random& random_;
  std::int64_t most_;
  exactness::RandomKernel made_;
  const Region* region_ = nullptr;
  Type type_{};
  std::string body_, combine_;
  std::vector<std::string> inputs_, outputs_;
  std::int64_t n_ = 2, others_ = 0, length_ = 2;
  std::size_t axis_ = 0, turns_ = 1;
  bool is_scan_ = false, is_reverse_ = false;
};

double between(fuzz::Random& random, double low, double high) {
  return low + (high - low) * static_cast<double>(random.bits() >> 11) * 0x1p-53;
}

double power_between(fuzz::Random& random, double low, double high) { return std::exp2(between(random, low, high)); }

}  // namespace

exactness::RandomKernel random_composite(fuzz::Random& random, int warps) {
  return CompositeWriter(random, warps).write();
}

std::optional<double> fill_number(const std::string& name, ScalarKind kind, fuzz::Random& random) {
  const std::size_t at = name.find('_');
  if (at == std::string::npos) return std::nullopt;
  const std::string_view fill = std::string_view(name).substr(at + 1);
  const bool is_half = kind == ScalarKind::f16;
  if (fill == "unit") return between(random, -1, 1);
  if (fill == "near") return between(random, 0.5, 1.25) * (random.one_in(8) ? -1 : 1);
  if (fill == "decay") return between(random, 0.8, 1);
  if (fill == "positive") return between(random, 0.25, 4);
  if (fill == "small") return between(random, -0.05, 0.05);
  if (fill == "ties") return static_cast<double>(random.below(8));
  if (fill == "wide") return power_between(random, is_half ? -3 : -20, is_half ? 3 : 20);
  if (fill == "tiny") return power_between(random, is_half ? -6 : -40, random.one_in(2) ? 1 : 0);
  if (fill == "zero") return 0;
  if (fill == "one") return 1;
  if (fill == "flag") return random.one_in(6) ? 1 : 0;
  if (fill == "count") return static_cast<double>(1 + random.below(4));
  if (fill == "index") return static_cast<double>(random.below(5000));
  if (fill == "any") return static_cast<double>(static_cast<std::int32_t>(random.bits()));
  return std::nullopt;
}

}  // namespace lockstep::differential_tests
