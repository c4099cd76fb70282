// Fused groups against their steps run one by one: random expressions over operands in every form must leave the same bytes
// and counts; and plans and scratch show that fusion, and stores without a tile between, really happen.
#include <cmath>
#include <random>

#include "dialects/registry.h"
#include "interpreter/fusion/fused_group.h"
#include "interpreter/fusion/group_space.h"
#include "interpreter/plan/plan_builder.h"
#include "tests/unit/interpreter_with_ops/launch_fixture.h"

namespace lockstep::interpreter {
namespace {

struct Shape {
  int rows, columns;
  bool is_2d() const { return rows > 0; }
  int count() const { return is_2d() ? rows * columns : columns; }
  std::string text() const { return (is_2d() ? std::to_string(rows) + "x" : "") + std::to_string(columns); }
  std::string tile(const std::string& element) const { return "tensor<" + text() + "x" + element + ">"; }
};

/// Writes a kernel whose values are drawn at random.
class Writer {
 public:
  Writer(std::uint64_t seed, Shape shape) : random_(seed), shape_(shape) {}

  std::string write(int inputs, int ops, int stores) {
    write_places();
    for (int i = 0; i < inputs; ++i) write_input();
    for (int i = 0; i < ops; ++i) write_op();
    for (int i = 0; i < stores; ++i) write_store();
    std::string text = "module {\n  tt.func public @k(";
    for (std::size_t i = 0; i < parameters.size(); ++i)
      text += (i == 0 ? "" : ", ") + ("%a" + std::to_string(i)) + ": !tt.ptr<" + parameters[i] + ">";
    text += ", %n: i32, %m: i32, %f: f32) attributes {noinline = false} {\n" + body_ + "    tt.return\n  }\n}\n";
    return text;
  }

  std::vector<std::string> parameters;

 private:
  struct Value {
    std::string name, kind;
  };

  int draw(int below) { return static_cast<int>(random_() % static_cast<std::uint64_t>(below)); }
  std::string fresh() { return "%v" + std::to_string(next_++); }
  std::string emit(const std::string& text) {
    const std::string name = fresh();
    body_ += "    " + name + " = " + text + "\n";
    return name;
  }
  std::string tile(const std::string& kind) const { return shape_.tile(kind); }
  static bool is_float(const std::string& kind) { return kind[0] == 'f' || kind[0] == 'b'; }

  /// Ranges along both dimensions, the place of every element, and the masks.
  void write_places() {
    const std::string columns = std::to_string(shape_.columns);
    if (!shape_.is_2d()) {
      place_ = emit("tt.make_range {end = " + columns + " : i32, start = 0 : i32} : " + tile("i32"));
      mask_.push_back(emit("arith.cmpi slt, " + place_ + ", " + splat("%n", "i32") + " : " + tile("i32")));
      mask_.push_back(emit("arith.cmpi sge, " + place_ + ", " + splat("%m", "i32") + " : " + tile("i32")));
      row_ = column_ = place_;
    } else {
      const std::string rows = std::to_string(shape_.rows);
      const std::string i =
          emit("tt.make_range {end = " + rows + " : i32, start = 0 : i32} : tensor<" + rows + "xi32>");
      const std::string j =
          emit("tt.make_range {end = " + columns + " : i32, start = 0 : i32} : tensor<" + columns + "xi32>");
      row_ = broadcast(expand(i, rows, "i32", 1), "i32", 1);
      column_ = broadcast(expand(j, columns, "i32", 0), "i32", 0);
      const std::string width = emit("arith.constant dense<" + columns + "> : " + tile("i32"));
      const std::string start = emit("arith.muli " + row_ + ", " + width + " : " + tile("i32"));
      place_ = emit("arith.addi " + start + ", " + column_ + " : " + tile("i32"));
      const std::string height = emit("arith.constant dense<" + rows + "> : " + tile("i32"));
      const std::string top = emit("arith.muli " + column_ + ", " + height + " : " + tile("i32"));
      across_ = emit("arith.addi " + top + ", " + row_ + " : " + tile("i32"));
      lies_across_ = draw(2) == 0;
      mask_.push_back(emit("arith.cmpi slt, " + column_ + ", " + splat("%n", "i32") + " : " + tile("i32")));
      mask_.push_back(emit("arith.cmpi sge, " + row_ + ", " + splat("%m", "i32") + " : " + tile("i32")));
    }
    mask_.push_back(emit("arith.andi " + mask_[0] + ", " + mask_[1] + " : " + tile("i1")));
  }
  std::string splat(const std::string& value, const std::string& kind) {
    return emit("tt.splat " + value + " : " + kind + " -> " + tile(kind));
  }
  /// [n] to [n, 1] (axis 1) or [1, n] (axis 0).
  std::string expand(const std::string& value, const std::string& n, const std::string& kind, int axis) {
    return emit("tt.expand_dims " + value + " {axis = " + std::to_string(axis) + " : i32} : tensor<" + n + "x" + kind +
                "> -> tensor<" + (axis == 1 ? n + "x1" : "1x" + n) + "x" + kind + ">");
  }
  std::string broadcast(const std::string& value, const std::string& kind, int axis) {
    const std::string from = axis == 1 ? std::to_string(shape_.rows) + "x1" : "1x" + std::to_string(shape_.columns);
    return emit("tt.broadcast " + value + " : tensor<" + from + "x" + kind + "> -> " + tile(kind));
  }

  std::string parameter(const std::string& kind) {
    parameters.push_back(kind);
    return "%a" + std::to_string(parameters.size() - 1);
  }
  std::string pointers(const std::string& base, const std::string& kind, const std::string& place) {
    const std::string type = tile("!tt.ptr<" + kind + ">");
    const std::string all = emit("tt.splat " + base + " : !tt.ptr<" + kind + "> -> " + type);
    return emit("tt.addptr " + all + ", " + place + " : " + type + ", " + tile("i32"));
  }

  /// A row or column vector, broadcast.
  std::string write_vector(const std::string& kind, int axis) {
    const std::string n = std::to_string(axis == 1 ? shape_.rows : shape_.columns);
    const std::string range = emit("tt.make_range {end = " + n + " : i32, start = 0 : i32} : tensor<" + n + "xi32>");
    const std::string type = "tensor<" + n + "x!tt.ptr<" + kind + ">>";
    const std::string all = emit("tt.splat " + parameter(kind) + " : !tt.ptr<" + kind + "> -> " + type);
    const std::string at = emit("tt.addptr " + all + ", " + range + " : " + type + ", tensor<" + n + "xi32>");
    return broadcast(expand(emit("tt.load " + at + " : " + type), n, kind, axis), kind, axis);
  }

  void write_input() {
    static const char* kKinds[] = {"f32", "f32", "f16", "bf16", "f64", "i8", "i32", "i64", "i16"};
    const std::string kind = kKinds[draw(9)];
    const int how = draw(8);
    if (how == 0) return values_.push_back({splat("%f", "f32"), "f32"});
    if (how == 1) return values_.push_back({draw(2) == 0 ? row_ : column_, "i32"});
    if (how == 2) return values_.push_back({mask_[static_cast<std::size_t>(draw(3))], "i1"});
    if (how <= 4 && shape_.is_2d()) return values_.push_back({write_vector(kind, how - 3), kind});
    const std::string at = pointers(parameter(kind), kind, lies_across_ && draw(4) != 0 ? across_ : place_);
    const std::string type = tile("!tt.ptr<" + kind + ">");
    if (how == 5) {
      const std::string zero =
          emit("arith.constant dense<" + std::string(is_float(kind) ? "0.5" : "3") + "> : " + tile(kind));
      return values_.push_back(
          {emit("tt.load " + at + ", " + mask_[static_cast<std::size_t>(draw(3))] + ", " + zero + " : " + type), kind});
    }
    values_.push_back({emit("tt.load " + at + " : " + type), kind});
  }

  const Value* of_kind(const std::string& kind) {
    std::vector<const Value*> fitting;
    for (const Value& value : values_) {
      if (value.kind == kind) fitting.push_back(&value);
    }
    return fitting.empty() ? nullptr : fitting[static_cast<std::size_t>(draw(static_cast<int>(fitting.size())))];
  }

  void write_conversion(const Value& a) {
    static const char* kFloats[] = {"f16", "bf16", "f32", "f64"};
    if (a.kind == "i1") {
      return values_.push_back({emit("arith.uitofp " + a.name + " : " + tile("i1") + " to " + tile("f32")), "f32"});
    }
    if (!is_float(a.kind)) {
      return values_.push_back({emit("arith.sitofp " + a.name + " : " + tile(a.kind) + " to " + tile("f32")), "f32"});
    }
    const std::string to = kFloats[draw(4)];
    const auto width = [](const std::string& kind) { return kind == "f64" ? 8 : kind == "f32" ? 4 : 2; };
    if (width(to) == width(a.kind)) return;
    const std::string op = width(to) > width(a.kind) ? "arith.extf " : "arith.truncf ";
    values_.push_back({emit(op + a.name + " : " + tile(a.kind) + " to " + tile(to)), to});
  }

  void write_op() {
    const Value a = values_[static_cast<std::size_t>(draw(static_cast<int>(values_.size())))];
    const Value b = *of_kind(a.kind);
    static const char* kFloatOps[] = {"addf", "subf", "mulf", "maxnumf", "minimumf", "divf"};
    static const char* kIntegerOps[] = {"addi", "subi", "muli", "xori", "andi", "ori", "maxsi"};
    const int how = draw(10);
    const std::string type = " : " + tile(a.kind);
    if (how == 0) return write_conversion(a);
    if (how == 1 && is_float(a.kind)) {
      return values_.push_back({emit("arith.cmpf olt, " + a.name + ", " + b.name + type), "i1"});
    }
    if (how == 2) {
      const Value* mask = of_kind("i1");
      if (mask == nullptr) return;
      return values_.push_back({emit("arith.select " + mask->name + ", " + a.name + ", " + b.name + " : " + tile("i1") +
                                     ", " + tile(a.kind)),
                                a.kind});
    }
    if (how == 3 && a.kind == "f32") return values_.push_back({emit("math.absf " + a.name + type), a.kind});
    if (how == 4 && a.kind == "f32") {
      return values_.push_back({emit("arith.bitcast " + a.name + type + " to " + tile("i32")), "i32"});
    }
    if (a.kind == "i1") {
      return values_.push_back({emit("arith.xori " + a.name + ", " + b.name + type), a.kind});
    }
    const std::string op = is_float(a.kind) ? kFloatOps[draw(6)] : kIntegerOps[draw(7)];
    values_.push_back({emit("arith." + op + " " + a.name + ", " + b.name + type), a.kind});
  }

  void write_store() {
    const std::size_t recent = std::min<std::size_t>(values_.size(), 6);
    const Value value = values_[values_.size() - 1 - static_cast<std::size_t>(draw(static_cast<int>(recent)))];
    const std::string kind = value.kind == "i1" ? "i1" : value.kind;
    const std::string at = pointers(parameter(kind), kind, place_);
    const int mask = draw(4);
    const std::string masked = mask == 3 ? "" : ", " + mask_[static_cast<std::size_t>(mask)];
    body_ += "    tt.store " + at + ", " + value.name + masked + " : " + tile("!tt.ptr<" + kind + ">") + "\n";
  }

  std::mt19937_64 random_;
  Shape shape_;
  std::string body_, place_, across_, row_, column_;
  bool lies_across_ = false;  // most inputs lie down the columns
  std::vector<std::string> mask_;
  std::vector<Value> values_;
  int next_ = 0;
};

ScalarKind kind_named(const std::string& name) {
  static const std::pair<const char*, ScalarKind> kKinds[] = {
      {"i1", ScalarKind::i1},   {"i8", ScalarKind::i8},   {"i16", ScalarKind::i16},
      {"i32", ScalarKind::i32}, {"i64", ScalarKind::i64}, {"bf16", ScalarKind::bf16},
      {"f16", ScalarKind::f16}, {"f32", ScalarKind::f32}, {"f64", ScalarKind::f64}};
  for (const auto& [known, kind] : kKinds) {
    if (name == known) return kind;
  }
  return ScalarKind::i8;
}

/// A tensor with signed zeros, infinities, NaNs and denormal numbers among ordinary ones.
template <typename T>
void add_elements(Harness& h, ScalarKind kind, int count, std::mt19937_64& random) {
  static const double kSpecial[] = {0.0, -0.0, 1.0, -1.5, 3.25, 1e-42, 65504, -2e5, INFINITY, -INFINITY, NAN};
  std::vector<T> data(static_cast<std::size_t>(count));
  for (T& element : data) {
    std::uint64_t bits = random() >> 3;
    if (is_float(kind)) {
      const double value = random() % 4 == 0 ? kSpecial[random() % 11] : static_cast<double>(random() % 2001) / 250 - 4;
      bits = encode_float(kind, value);
    }
    if (kind == ScalarKind::i1) bits &= 1;
    std::memcpy(&element, &bits, sizeof element);
  }
  h.tensor(data, kind);
}
void add_tensor(Harness& h, ScalarKind kind, int count, std::mt19937_64& random) {
  switch (size_bytes(kind)) {
    case 1: return add_elements<std::int8_t>(h, kind, count, random);
    case 2: return add_elements<std::uint16_t>(h, kind, count, random);
    case 4: return add_elements<std::int32_t>(h, kind, count, random);
    default: return add_elements<std::int64_t>(h, kind, count, random);
  }
}

struct ChainOutcome {
  std::vector<std::vector<std::int8_t>> bytes;
  std::uint64_t read = 0, written = 0, scratch = 0;
  std::size_t findings = 0;
};

ChainOutcome run_written(const std::string& text, const std::vector<std::string>& parameters, std::uint64_t seed,
                    Shape shape, const Tuning& tuning) {
  Harness h(text);
  h.tuning = tuning;
  std::mt19937_64 random(seed);
  for (const std::string& kind : parameters) add_tensor(h, kind_named(kind), shape.count(), random);
  h.scalar(static_cast<std::uint32_t>(random() % static_cast<unsigned>(shape.columns + 2)));
  h.scalar(static_cast<std::uint32_t>(random() % static_cast<unsigned>(shape.is_2d() ? shape.rows : shape.columns)));
  h.scalar_f32(0.75f);
  const LaunchReport report = h.run({1, 1, 1}, 1);
  ChainOutcome out;
  for (std::size_t i = 0; i < parameters.size(); ++i) out.bytes.push_back(h.values<std::int8_t>(i));
  out.read = report.bytes_read;
  out.written = report.bytes_written;
  out.scratch = report.scratch_bytes;
  out.findings = report.findings.findings().size();
  return out;
}

Tuning tuned(std::int64_t strip, bool fuses = true) {
  Tuning tuning;
  tuning.strip_elements = strip;
  tuning.fuses = fuses;
  tuning.batch_programs = 1;
  return tuning;
}

class RandomChains : public testing::TestWithParam<Shape> {};

TEST_P(RandomChains, LeaveTheBytesOfTheirSteps) {
  const Shape shape = GetParam();
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Writer writer(seed * 977 + static_cast<std::uint64_t>(shape.count()), shape);
    const int ops = 2 + static_cast<int>(seed % 17);
    const std::string text = writer.write(2 + static_cast<int>(seed % 5), ops, 1 + static_cast<int>(seed % 3));
    const ChainOutcome plain = run_written(text, writer.parameters, seed, shape, tuned(1024, false));
    for (const std::int64_t strip : {16, 1024}) {
      Tuning tuning = tuned(strip);
      tuning.stream_bytes = static_cast<std::int64_t>(seed % 2);
      const ChainOutcome fused = run_written(text, writer.parameters, seed, shape, tuning);
      ASSERT_EQ(plain.bytes, fused.bytes) << "seed " << seed << " strip " << strip << "\n" << text;
      EXPECT_EQ(plain.read, fused.read) << text;
      EXPECT_EQ(plain.written, fused.written) << text;
      EXPECT_EQ(plain.findings, fused.findings) << text;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Shapes, RandomChains,
                         testing::Values(Shape{0, 16}, Shape{0, 256}, Shape{0, 4096}, Shape{4, 64}, Shape{64, 16},
                                         Shape{8, 512}, Shape{1, 128}, Shape{32, 1}));

// ---- white-box ----

std::vector<const FusedGroup*> chains_of(const std::string& text, const Tuning& tuning) {
  static std::vector<std::unique_ptr<Plan>> kept;
  static std::vector<std::unique_ptr<ir::Module>> modules;
  DiagnosticSink sink;
  auto module = ir::parse_module(dialects::registry(), std::make_shared<SourceFile>("kernel.ttir", text), sink);
  modules.push_back(std::make_unique<ir::Module>(std::move(*module)));
  PlanBuilder builder(*modules.back(), sink, {}, tuning);
  kept.push_back(builder.build(*modules.back()->kernels().at(0)));
  std::vector<const FusedGroup*> chains;
  for (const Step& step : kept.back()->steps) {
    if (step.run == step_fused_group) chains.push_back(static_cast<const FusedGroup*>(step.record));
  }
  return chains;
}

/// out = |x + y| * x with 65,536 elements, the first %n of them.
std::string long_chain() {
  const std::string t = "tensor<65536xf32>", p = "tensor<65536x!tt.ptr<f32>>", i = "tensor<65536xi32>";
  return kernel(
      "%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %o: !tt.ptr<f32>, %n: i32",
      "    %r = tt.make_range {end = 65536 : i32, start = 0 : i32} : " + i + "\n    %ns = tt.splat %n : i32 -> " + i +
          "\n    %in = arith.cmpi slt, %r, %ns : " + i + "\n    %xs = tt.splat %x : !tt.ptr<f32> -> " + p +
          "\n    %ys = tt.splat %y : !tt.ptr<f32> -> " + p + "\n    %os = tt.splat %o : !tt.ptr<f32> -> " + p +
          "\n    %xp = tt.addptr %xs, %r : " + p + ", " + i + "\n    %yp = tt.addptr %ys, %r : " + p + ", " + i +
          "\n    %op = tt.addptr %os, %r : " + p + ", " + i + "\n    %a = tt.load %xp : " + p +
          "\n    %b = tt.load %yp : " + p + "\n    %c = arith.addf %a, %b : " + t + "\n    %d = math.absf %c : " + t +
          "\n    %e = arith.mulf %d, %a : " + t + "\n    tt.store %op, %e, %in : " + p + "\n");
}

TEST(FusedGroups, TakeStepsAndTheirStoreTogether) {
  const auto chains = chains_of(long_chain(), tuned(1024));
  ASSERT_EQ(chains.size(), 1u);
  EXPECT_EQ(chains[0]->ops.size(), 3u);
  EXPECT_EQ(chains[0]->stores.size(), 1u);
  EXPECT_TRUE(chains[0]->outputs.empty());
  EXPECT_EQ(chains[0]->strips, 1);
  EXPECT_TRUE(chains_of(long_chain(), tuned(1024, false)).empty());
}

TEST(FusedGroups, StoreWithoutATileBetween) {
  Harness h(long_chain());
  h.tuning = tuned(1024);
  h.tensor(iota_f32(65536));
  h.tensor(std::vector<float>(65536, 2));
  const std::size_t out = h.tensor(std::vector<float>(65536, -1));
  h.scalar(60000);
  const LaunchReport report = h.run({1, 1, 1}, 1);
  EXPECT_EQ(h.values<float>(out)[7], 63);
  EXPECT_EQ(h.values<float>(out)[59999], 59999.0f * 60001.0f);
  EXPECT_EQ(h.values<float>(out)[60000], -1);
  EXPECT_EQ(report.bytes_written, 240000u);
  EXPECT_LT(report.scratch_bytes, 16384u);  // a tile would be 256 KiB
}

/// |x| and -x of 64x64 elements, stored to rows of 128 elements: from element 8192 on, and %k elements behind.
std::string two_chained_stores() {
  const std::string t = "tensor<64x64xf32>", p = "tensor<64x64x!tt.ptr<f32>>", i = "tensor<64x64xi32>";
  std::string text =
      "    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n    %n = arith.constant "
      "dense<128> : " +
      i + "\n";
  for (const std::string axis : {"0", "1"}) {
    const std::string thin = axis == "0" ? "tensor<1x64xi32>" : "tensor<64x1xi32>";
    text += "    %e" + axis + " = tt.expand_dims %r {axis = " + axis + " : i32} : tensor<64xi32> -> " + thin +
            "\n    %b" + axis + " = tt.broadcast %e" + axis + " : " + thin + " -> " + i + "\n";
  }
  text += "    %row = arith.muli %b1, %n : " + i + "\n    %at = arith.addi %row, %b0 : " + i +
          "\n    %ks = tt.splat %k : i32 -> " + i + "\n    %begin = arith.constant dense<8192> : " + i +
          "\n    %at1 = arith.addi %at, %begin : " + i + "\n    %at2 = arith.addi %at1, %ks : " + i + "\n";
  text += "    %xs = tt.splat %x : !tt.ptr<f32> -> " + p + "\n    %xp = tt.addptr %xs, %at : " + p + ", " + i +
          "\n    %os = tt.splat %o : !tt.ptr<f32> -> " + p + "\n    %op = tt.addptr %os, %at1 : " + p + ", " + i + "\n";
  return kernel("%x: !tt.ptr<f32>, %o: !tt.ptr<f32>, %k: i32",
                text + "    %op2 = tt.addptr %os, %at2 : " + p + ", " + i + "\n    %v = tt.load %xp : " + p +
                    "\n    %a = math.absf %v : " + t + "\n    %c = arith.negf %v : " + t +
                    "\n    tt.store %op, %a : " + p + "\n    tt.store %op2, %c : " + p + "\n");
}

TEST(FusedGroups, StoreBothHalvesOfTheSameRows) {
  ASSERT_EQ(chains_of(two_chained_stores(), tuned(64)).size(), 1u);
  ASSERT_EQ(chains_of(two_chained_stores(), tuned(64)).at(0)->stores.size(), 2u);
  for (const int k : {64, -64, 63, 65, -63, 32, 0, 128, 192, 8192, -8192, 127, 8128, 1}) {
    std::vector<float> expected;
    for (const bool fuses : {false, true}) {
      Harness h(two_chained_stores());
      h.tuning = tuned(64, fuses);
      h.tensor(iota_f32(8192, -4000));
      const std::size_t out = h.tensor(std::vector<float>(3 * 8192, -1));
      h.scalar(static_cast<std::uint32_t>(k));
      const LaunchReport report = h.run({1, 1, 1}, 1);
      EXPECT_EQ(report.bytes_written, 32768u) << k;
      if (!fuses) expected = h.values<float>(out);
      EXPECT_EQ(h.values<float>(out), expected) << k;
      const bool is_apart = k == 64 || k == -64 || k == 192 || k == 8192 || k == -8192 || k == 8128;
      EXPECT_EQ(report.scratch_bytes < 16384, fuses && is_apart) << k << ' ' << report.scratch_bytes;
    }
  }
}

TEST(FusedGroups, StoresOutOfBoundsAreFoundAsBefore) {
  for (const bool fuses : {true, false}) {
    Harness h(long_chain());
    h.tuning = tuned(1024, fuses);
    h.tensor(iota_f32(65536));
    h.tensor(std::vector<float>(65536, 2));
    const std::size_t out = h.tensor(std::vector<float>(100));
    h.scalar(104);
    const LaunchReport report = h.run({1, 1, 1}, 1);
    ASSERT_EQ(report.findings.findings().size(), 1u);
    EXPECT_EQ(report.findings.findings()[0].code, FindingCode::LS101);
    EXPECT_EQ(report.bytes_written, 400u);
    EXPECT_EQ(h.values<float>(out)[99], 99.0f * 101.0f);
  }
}

/// (d * a + b) * c + e, and its negation, on 4x8x16: d in place, e transposed, a, b, c along one dimension each.
std::string three_dimensions() {
  const std::string t = "tensor<4x8x16xf32>", i = "tensor<4x8x16xi32>", p = "tensor<4x8x16x!tt.ptr<f32>>";
  const std::string extents[] = {"4", "8", "16"}, names[] = {"a", "b", "c"}, steps[] = {"128", "16", "1"};
  const std::string one[] = {"4x1x1", "1x8x1", "1x1x16"}, two[] = {"4x1", "8x1", "1x16"};
  const std::string first[] = {"1", "1", "0"}, second[] = {"2", "0", "0"};
  std::string text;
  const auto widen = [&](const std::string& from, const std::string& to, std::size_t d, const std::string& kind) {
    text += "    %" + to + "2 = tt.expand_dims %" + from + " {axis = " + first[d] + " : i32} : tensor<" + extents[d] +
            "x" + kind + "> -> tensor<" + two[d] + "x" + kind + ">\n    %" + to + "3 = tt.expand_dims %" + to +
            "2 {axis = " + second[d] + " : i32} : tensor<" + two[d] + "x" + kind + "> -> tensor<" + one[d] + "x" +
            kind + ">\n    %" + to + " = tt.broadcast %" + to + "3 : tensor<" + one[d] + "x" + kind +
            "> -> tensor<4x8x16x" + kind + ">\n";
  };
  for (std::size_t d = 0; d < 3; ++d) {
    const std::string n = extents[d], v = names[d], pointers = "tensor<" + n + "x!tt.ptr<f32>>";
    text += "    %r" + v + " = tt.make_range {end = " + n + " : i32, start = 0 : i32} : tensor<" + n + "xi32>\n    %s" +
            v + " = tt.splat %p" + v + " : !tt.ptr<f32> -> " + pointers + "\n    %q" + v + " = tt.addptr %s" + v +
            ", %r" + v + " : " + pointers + ", tensor<" + n + "xi32>\n    %l" + v + " = tt.load %q" + v + " : " +
            pointers + "\n";
    widen("l" + v, v, d, "f32");
    widen("r" + v, "i" + v, d, "i32");
    text += "    %k" + v + " = arith.constant dense<" + steps[d] + "> : " + i + "\n    %m" + v + " = arith.muli %i" +
            v + ", %k" + v + " : " + i + "\n";
  }
  text += "    %xy = arith.addi %ma, %mb : " + i + "\n    %at = arith.addi %xy, %mc : " + i +
          "\n    %ns = tt.splat %n : i32 -> " + i + "\n    %ms = tt.splat %m : i32 -> " + i +
          "\n    %in1 = arith.cmpi slt, %ic, %ns : " + i + "\n    %in2 = arith.cmpi sge, %ib, %ms : " + i +
          "\n    %in = arith.andi %in1, %in2 : tensor<4x8x16xi1>\n";
  for (const char* name : {"d", "o", "w"}) {
    const std::string v = name;
    text += "    %s" + v + " = tt.splat %p" + v + " : !tt.ptr<f32> -> " + p + "\n    %q" + v + " = tt.addptr %s" + v +
            ", %at : " + p + ", " + i + "\n";
  }
  const std::string turned = "tensor<16x8x4x!tt.ptr<f32>>";
  return kernel(
      "%pa: !tt.ptr<f32>, %pb: !tt.ptr<f32>, %pc: !tt.ptr<f32>, %pd: !tt.ptr<f32>, %po: !tt.ptr<f32>, %pw: "
      "!tt.ptr<f32>, %n: i32, %m: i32",
      text + "    %d = tt.load %qd : " + p + "\n    %qe = tt.reshape %qd : " + p + " -> " + turned +
          "\n    %le = tt.load %qe : " + turned +
          "\n    %e = tt.trans %le {order = array<i32: 2, 1, 0>} : tensor<16x8x4xf32> -> " + t +
          "\n    %v1 = arith.mulf %d, %a : " + t + "\n    %v2 = arith.addf %v1, %b : " + t +
          "\n    %v3 = arith.mulf %v2, %c : " + t + "\n    %v4 = arith.addf %v3, %e : " + t +
          "\n    %v5 = arith.select %in, %v4, %b : tensor<4x8x16xi1>, " + t + "\n    tt.store %qo, %v5 : " + p +
          "\n    %v6 = arith.negf %v4 : " + t + "\n    tt.store %qw, %v6, %in : " + p + "\n");
}

TEST(FusedGroups, SpacesAreTurnedWhereMemoryLiesDownTheColumns) {
  GroupTrack across{0, true, {4, 64}}, along{0, true, {128, 4}}, column{0, true, {4, 0}}, range{0, false, {1, 9}};
  GroupInterval part{{1, 2}, {3, 5}};
  const auto turned = [&](std::vector<GroupTrack> tracks) {
    GroupSpace space;
    space.rank = 2;
    space.extent = {16, 32};
    for (GroupTrack& track : tracks) space.tracks[space.track_count++] = &track;
    GroupInterval interval = part;
    space.intervals[space.interval_count++] = &interval;
    space.turn();
    EXPECT_EQ(space.extent[0], space.is_turned ? 32 : 16);
    EXPECT_EQ(space.row_stride(tracks[0]) == 4, !space.is_turned);
    EXPECT_EQ(interval.low[0], space.is_turned ? 2 : 1);
    EXPECT_EQ(interval.high[1], space.is_turned ? 3 : 5);
    return space.is_turned;
  };
  EXPECT_TRUE(turned({across}));
  EXPECT_TRUE(turned({across, column, range}));
  EXPECT_TRUE(turned({across, along, across}));
  EXPECT_FALSE(turned({across, along}));
  EXPECT_FALSE(turned({column}));
}

/// Both inputs lie down the columns; the result is read by an op outside of the chain.
TEST(FusedGroups, ResultsOfATurnedSpace) {
  const std::string
      tile = "tensor<16x32xi32>",
      text = kernel(
          "%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %out: !tt.ptr<f32>",
          "    %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>\n"
          "    %c = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>\n"
          "    %re = tt.expand_dims %r {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>\n"
          "    %ce = tt.expand_dims %c {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>\n"
          "    %i = tt.broadcast %re : tensor<16x1xi32> -> " +
              tile +
              "\n"
              "    %j = tt.broadcast %ce : tensor<1x32xi32> -> " +
              tile +
              "\n"
              "    %c16 = arith.constant dense<16> : " +
              tile +
              "\n"
              "    %down = arith.muli %j, %c16 : " +
              tile + "\n    %at = arith.addi %down, %i : " + tile +
              "\n"
              "    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>>\n"
              "    %px = tt.addptr %xs, %at : tensor<16x32x!tt.ptr<f32>>, " +
              tile +
              "\n"
              "    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>>\n"
              "    %py = tt.addptr %ys, %at : tensor<16x32x!tt.ptr<f32>>, " +
              tile +
              "\n"
              "    %vx = tt.load %px : tensor<16x32x!tt.ptr<f32>>\n    %vy = tt.load %py : tensor<16x32x!tt.ptr<f32>>\n"
              "    %e = math.sqrt %vy : tensor<16x32xf32>\n    %p = arith.mulf %vx, %e : tensor<16x32xf32>\n"
              "    %rows = \"tt.reduce\"(%p) <{axis = 1 : i32}> ({\n    ^bb0(%a: f32, %b: f32):\n"
              "      %s = arith.addf %a, %b : f32\n      tt.reduce.return %s : f32\n"
              "    }) : (tensor<16x32xf32>) -> tensor<16xf32>\n"
              "    %os = tt.splat %out : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>\n"
              "    %po = tt.addptr %os, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>\n"
              "    tt.store %po, %rows : tensor<16x!tt.ptr<f32>>\n");
  const auto run = [&](const Tuning& tuning) {
    Harness h(text);
    h.tuning = tuning;
    h.tensor(iota_f32(512, 0.01f));
    h.tensor(iota_f32(512, 0.003f));
    h.tensor(std::vector<float>(16));
    h.run({1, 1, 1}, 1);
    return h.values<float>(2);
  };
  const std::vector<float> plain = run(tuned(1024, false));
  EXPECT_NE(plain[0], plain[15]);
  EXPECT_EQ(run(tuned(16)), plain);
  EXPECT_EQ(run(tuned(1024)), plain);
}

TEST(FusedGroups, ThreeDimensions) {
  const std::string text = three_dimensions();
  ASSERT_EQ(chains_of(text, tuned(64)).size(), 1u);
  std::vector<std::vector<float>> expected;
  for (const std::int64_t strip : {0, 16, 64, 100, 1024}) {
    Harness h(text);
    h.tuning = tuned(std::max<std::int64_t>(strip, 16), strip != 0);
    for (const int count : {4, 8, 16, 512}) h.tensor(iota_f32(static_cast<std::size_t>(count), 0.5f));
    for (int i = 0; i < 2; ++i) h.tensor(std::vector<float>(512, -1));
    h.scalar(11);
    h.scalar(3);
    h.run({1, 1, 1}, 1);
    const std::vector<std::vector<float>> found{h.values<float>(4), h.values<float>(5)};
    if (strip == 0) expected = found;
    EXPECT_EQ(found, expected) << "strip " << strip;
  }
}

TEST(FusedGroups, AddressArithmeticKeepsItsForms) {
  const std::string i = "tensor<256xi32>";
  const auto chains = chains_of(
      kernel("%x: !tt.ptr<i32>, %n: i32",
             "    %r = tt.make_range {end = 256 : i32, start = 0 : i32} : " + i + "\n    %ns = tt.splat %n : i32 -> " +
                 i + "\n    %a = arith.muli %r, %ns : " + i + "\n    %b = arith.addi %a, %r : " + i +
                 "\n    %xs = tt.splat %x : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>\n    %xp = tt.addptr %xs, %b : "
                 "tensor<256x!tt.ptr<i32>>, " +
                 i +
                 "\n    %v = tt.load %xp : tensor<256x!tt.ptr<i32>>\n"
                 "    %c = arith.addi %v, %r : " +
                 i + "\n    %d = arith.addi %c, %r : " + i +
                 "\n    %yp = tt.addptr %xs, %d : tensor<256x!tt.ptr<i32>>, " + i +
                 "\n    tt.store %yp, %v : tensor<256x!tt.ptr<i32>>\n"),
      tuned(1024));
  EXPECT_TRUE(chains.empty());
}

}  // namespace
}  // namespace lockstep::interpreter
