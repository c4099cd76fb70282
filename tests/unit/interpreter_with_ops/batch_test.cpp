// Batches of programs: the same bytes, counts and findings as programs one by one, for any size of batch and number of
// threads; and that batches were really run where they should be, and not where they must not.
#include <functional>

#include "interpreter/batching/batch_analysis.h"
#include "tests/unit/interpreter_with_ops/launch_fixture.h"

namespace lockstep::interpreter {
namespace {

using Grid3 = std::array<std::int64_t, 3>;
using Fill = std::function<void(Harness&)>;

enum class Batches { all, some, none };

struct Answer {
  std::vector<std::vector<std::int8_t>> memory;
  std::string findings;
  LaunchReport report;
};

Answer answer_of(const std::string& text, const Fill& setup, const Grid3& grid, unsigned threads,
                 const Tuning& tuning) {
  Harness h(text);
  h.tuning = tuning;
  setup(h);
  Answer answer;
  answer.report = h.run(grid, threads);
  for (std::size_t i = 0; i < h.tensors(); ++i) answer.memory.push_back(h.values<std::int8_t>(i));
  for (const Finding& finding : answer.report.findings.findings()) answer.findings += render_text(finding);
  return answer;
}

/// Runs the kernel in batches of several sizes and compares with programs one by one.
void expect_same(const std::string& text, const Fill& setup, const Grid3& grid, Batches expected) {
  Tuning single;
  single.batch_programs = 1;
  const Answer wanted = answer_of(text, setup, grid, 1, single);
  EXPECT_EQ(wanted.report.batches, 0u);
  for (const std::int64_t programs : {2, 3, 16, 64}) {
    for (const unsigned threads : {1u, 2u, 7u}) {
      SCOPED_TRACE("batch=" + std::to_string(programs) + " threads=" + std::to_string(threads));
      Tuning tuning;
      tuning.batch_programs = programs;
      tuning.batch_elements = tuning.batch_product_elements = 1 << 16;
      if (programs == 3) tuning.strip_elements = 16;
      const Answer answer = answer_of(text, setup, grid, threads, tuning);
      EXPECT_EQ(answer.memory, wanted.memory);
      EXPECT_EQ(answer.findings, wanted.findings);
      EXPECT_EQ(answer.report.finished, wanted.report.finished);
      EXPECT_EQ(answer.report.programs_run, wanted.report.programs_run);
      EXPECT_EQ(answer.report.bytes_read, wanted.report.bytes_read);
      EXPECT_EQ(answer.report.bytes_written, wanted.report.bytes_written);
      EXPECT_EQ(answer.report.batches > 0, expected != Batches::none);
      if (expected == Batches::all) {
        EXPECT_EQ(answer.report.failed_batches, 0u);
      }
    }
  }
}

std::vector<float> some_floats(std::size_t n) {
  std::vector<float> out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<float>(static_cast<int>(i * 7919 % 1009) - 500) * 0.37F;
  return out;
}

/// %index = program * 64 + 0..63 and %inside = index < n, for kernels on tiles of 64.
const char* const kIndex =
    "    %c64 = arith.constant 64 : i32\n    %p = tt.get_program_id x : i32\n"
    "    %first = arith.muli %p, %c64 : i32\n"
    "    %lane = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n"
    "    %firsts = tt.splat %first : i32 -> tensor<64xi32>\n"
    "    %index = arith.addi %firsts, %lane : tensor<64xi32>\n"
    "    %ns = tt.splat %n : i32 -> tensor<64xi32>\n"
    "    %inside = arith.cmpi slt, %index, %ns : tensor<64xi32>\n";

std::string pointers(const std::string& name, const std::string& base, const std::string& offset,
                     const std::string& shape, const std::string& element) {
  const std::string type = "tensor<" + shape + "x!tt.ptr<" + element + ">>";
  return "    %s" + name + " = tt.splat %" + base + " : !tt.ptr<" + element + "> -> " + type + "\n    %" + name +
         " = tt.addptr %s" + name + ", %" + offset + " : " + type + ", tensor<" + shape + "xi32>\n";
}

std::string vector_add() {
  return kernel(
      "%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32",
      std::string(kIndex) + pointers("px", "x", "index", "64", "f32") +
          "    %vx = tt.load %px, %inside : tensor<64x!tt.ptr<f32>>\n" + pointers("py", "y", "index", "64", "f32") +
          "    %vy = tt.load %py, %inside : tensor<64x!tt.ptr<f32>>\n"
          "    %sum = arith.addf %vx, %vy : tensor<64xf32>\n" +
          pointers("po", "out", "index", "64", "f32") + "    tt.store %po, %sum, %inside : tensor<64x!tt.ptr<f32>>\n");
}

Fill vector_setup(std::size_t elements, std::size_t n) {
  return [=](Harness& h) {
    h.tensor(some_floats(elements));
    h.tensor(iota_f32(elements, 0.5F));
    h.tensor(std::vector<float>(elements));
    h.scalar(n);
  };
}

TEST(Batch, VectorAdd) { expect_same(vector_add(), vector_setup(64 * 128, 64 * 128), {128, 1, 1}, Batches::all); }

TEST(Batch, TailIsRunOneByOne) {
  expect_same(vector_add(), vector_setup(64 * 100, 64 * 99 + 17), {100, 1, 1}, Batches::some);
}

TEST(Batch, SmallGridsAreNotBatched) {
  expect_same(vector_add(), vector_setup(64 * 8, 64 * 8), {8, 1, 1}, Batches::none);
}

// The mask admits what lies past the end: the findings are those of programs one by one.
TEST(Batch, OutOfBoundsInOneProgram) {
  expect_same(vector_add(), vector_setup(64 * 99 + 40, 64 * 100), {100, 1, 1}, Batches::some);
}

/// One row of 64 for each program: out = exp(x - max) / sum, and the row's maximum.
std::string softmax() {
  return kernel(
      "%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %largest: !tt.ptr<f32>, %columns: i32",
      "    %low = arith.constant dense<0xFF800000> : tensor<64xf32>\n"
      "    %p = tt.get_program_id x : i32\n    %start = arith.muli %p, %columns : i32\n"
      "    %lane = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n"
      "    %ns = tt.splat %columns : i32 -> tensor<64xi32>\n"
      "    %inside = arith.cmpi slt, %lane, %ns : tensor<64xi32>\n"
      "    %row = tt.addptr %x, %start : !tt.ptr<f32>, i32\n" +
          pointers("px", "row", "lane", "64", "f32") +
          "    %v = tt.load %px, %inside, %low : tensor<64x!tt.ptr<f32>>\n"
          "    %m = \"tt.reduce\"(%v) <{axis = 0 : i32}> ({\n    ^bb0(%a: f32, %b: f32):\n"
          "      %r = arith.maxnumf %a, %b : f32\n      tt.reduce.return %r : f32\n    }) : (tensor<64xf32>) -> f32\n"
          "    %ms = tt.splat %m : f32 -> tensor<64xf32>\n    %d = arith.subf %v, %ms : tensor<64xf32>\n"
          "    %e = math.exp %d : tensor<64xf32>\n"
          "    %s = \"tt.reduce\"(%e) <{axis = 0 : i32}> ({\n    ^bb0(%a: f32, %b: f32):\n"
          "      %r = arith.addf %a, %b : f32\n      tt.reduce.return %r : f32\n    }) : (tensor<64xf32>) -> f32\n"
          "    %ss = tt.splat %s : f32 -> tensor<64xf32>\n    %q = arith.divf %e, %ss : tensor<64xf32>\n"
          "    %orow = tt.addptr %out, %start : !tt.ptr<f32>, i32\n" +
          pointers("po", "orow", "lane", "64", "f32") +
          "    tt.store %po, %q, %inside : tensor<64x!tt.ptr<f32>>\n"
          "    %pm = tt.addptr %largest, %p : !tt.ptr<f32>, i32\n    tt.store %pm, %m : !tt.ptr<f32>\n");
}

TEST(Batch, SoftmaxOfRows) {
  for (const std::size_t columns : {64u, 49u, 1u}) {
    const Fill setup = [=](Harness& h) {
      h.tensor(some_floats(80 * columns));
      h.tensor(std::vector<float>(80 * columns));
      h.tensor(std::vector<float>(80));
      h.scalar(columns);
    };
    expect_same(softmax(), setup, {80, 1, 1}, Batches::all);
  }
}

// Rows of 80 programs, the last five of which make no whole batch, along y and z.
TEST(Batch, GridOfThreeDimensions) {
  const std::string text = kernel(
      "%out: !tt.ptr<i32>",
      "    %p = tt.get_program_id x : i32\n    %q = tt.get_program_id y : i32\n    %r = tt.get_program_id z : i32\n"
      "    %nx = tt.get_num_programs x : i32\n    %ny = tt.get_num_programs y : i32\n"
      "    %a = arith.muli %r, %ny : i32\n    %b = arith.addi %a, %q : i32\n    %c = arith.muli %b, %nx : i32\n"
      "    %d = arith.addi %c, %p : i32\n    %o = tt.addptr %out, %d : !tt.ptr<i32>, i32\n"
      "    %e = arith.muli %d, %p : i32\n    %f = arith.addi %e, %q : i32\n    tt.store %o, %f : !tt.ptr<i32>\n");
  const Fill setup = [](Harness& h) { h.tensor(std::vector<std::int32_t>(85 * 3 * 2)); };
  expect_same(text, setup, {85, 3, 2}, Batches::all);
}

// Every program stores to the same elements: the last one wins.
TEST(Batch, OverlappingStoresKeepTheOrderOfPrograms) {
  const std::string text =
      kernel("%out: !tt.ptr<i32>, %stride: i32",
             "    %p = tt.get_program_id x : i32\n    %first = arith.muli %p, %stride : i32\n"
             "    %lane = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>\n"
             "    %firsts = tt.splat %first : i32 -> tensor<16xi32>\n"
             "    %index = arith.addi %firsts, %lane : tensor<16xi32>\n    %v = tt.splat %p : i32 -> tensor<16xi32>\n"
             "    %w = arith.xori %v, %lane : tensor<16xi32>\n" +
                 pointers("po", "out", "index", "16", "i32") + "    tt.store %po, %w : tensor<16x!tt.ptr<i32>>\n");
  for (const std::uint64_t stride : {0u, 1u, 7u, 16u}) {
    const Fill setup = [=](Harness& h) {
      h.tensor(std::vector<std::int32_t>(100 * 16));
      h.scalar(stride);
    };
    expect_same(text, setup, {100, 1, 1}, Batches::all);
  }
}

/// Two stores to one tensor: out[p * stride + 0..15] = p, then out[p * stride + gap + 0..15] = -p.
std::string two_stores() {
  return kernel("%out: !tt.ptr<i32>, %stride: i32, %gap: i32",
                "    %zero = arith.constant 0 : i32\n    %p = tt.get_program_id x : i32\n"
                "    %first = arith.muli %p, %stride : i32\n"
                "    %lane = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>\n"
                "    %firsts = tt.splat %first : i32 -> tensor<16xi32>\n"
                "    %index = arith.addi %firsts, %lane : tensor<16xi32>\n"
                "    %v = tt.splat %p : i32 -> tensor<16xi32>\n" +
                    pointers("po", "out", "index", "16", "i32") +
                    "    tt.store %po, %v : tensor<16x!tt.ptr<i32>>\n    %m = arith.subi %zero, %p : i32\n"
                    "    %w = tt.splat %m : i32 -> tensor<16xi32>\n    %gaps = tt.splat %gap : i32 -> tensor<16xi32>\n"
                    "    %later = arith.addi %index, %gaps : tensor<16xi32>\n" +
                    pointers("pq", "out", "later", "16", "i32") + "    tt.store %pq, %w : tensor<16x!tt.ptr<i32>>\n");
}

/// A tile of 16 x 16 for every program, `apart` elements after that of the one before; then zeros above the diagonal of
/// its rows below n. The triangle's mask is dense in an ordinary program, too.
std::string triangles(int apart) {
  const std::string matrix = "tensor<16x16xi32>", mask = "tensor<16x16xi1>";
  return kernel(
      "%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32",
      "    %apart = arith.constant " + std::to_string(apart) +
          " : i32\n    %c16 = arith.constant 16 : i32\n    %p = tt.get_program_id x : i32\n"
          "    %first = arith.muli %p, %apart : i32\n    %row0 = arith.muli %p, %c16 : i32\n"
          "    %lane = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>\n"
          "    %i = tt.expand_dims %lane {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>\n"
          "    %j = tt.expand_dims %lane {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>\n"
          "    %ii = tt.broadcast %i : tensor<16x1xi32> -> " +
          matrix + "\n    %jj = tt.broadcast %j : tensor<1x16xi32> -> " + matrix +
          "\n    %s16 = arith.constant dense<16> : " + matrix + "\n    %down = arith.muli %ii, %s16 : " + matrix +
          "\n    %inner = arith.addi %down, %jj : " + matrix + "\n    %firsts = tt.splat %first : i32 -> " + matrix +
          "\n    %index = arith.addi %firsts, %inner : " + matrix + "\n" +
          pointers("px", "x", "index", "16x16", "f32") + "    %v = tt.load %px : tensor<16x16x!tt.ptr<f32>>\n" +
          pointers("po", "out", "index", "16x16", "f32") +
          "    tt.store %po, %v : tensor<16x16x!tt.ptr<f32>>\n"
          "    %rows0 = tt.splat %row0 : i32 -> tensor<16x1xi32>\n    %rows = arith.addi %rows0, %i : "
          "tensor<16x1xi32>\n"
          "    %ns = tt.splat %n : i32 -> tensor<16x1xi32>\n    %in = arith.cmpi slt, %rows, %ns : tensor<16x1xi32>\n"
          "    %below = tt.broadcast %in : tensor<16x1xi1> -> " +
          mask + "\n    %above = arith.cmpi slt, %ii, %jj : " + matrix +
          "\n    %both = arith.andi %below, %above : " + mask +
          "\n    %zero = arith.constant dense<0.0> : tensor<16x16xf32>\n"
          "    tt.store %po, %zero, %both : tensor<16x16x!tt.ptr<f32>>\n");
}

TEST(Batch, StoresOfTriangles) {
  const auto setup = [](std::size_t n) -> Fill {
    return [n](Harness& h) {
      h.tensor(some_floats(64 * 256));
      h.tensor(std::vector<float>(64 * 256));
      h.scalar(n);
    };
  };
  expect_same(triangles(256), setup(64 * 16), {64, 1, 1}, Batches::all);
  expect_same(triangles(256), setup(63 * 16 + 5), {64, 1, 1}, Batches::some);
  expect_same(triangles(128), setup(64 * 16), {64, 1, 1}, Batches::none);  // whose zeros come last shows
}

TEST(Batch, StoresOfSeveralOps) {
  const auto setup = [](std::uint64_t stride, std::uint64_t gap) {
    return [=](Harness& h) {
      h.tensor(std::vector<std::int32_t>(8192));
      h.scalar(stride);
      h.scalar(gap);
    };
  };
  expect_same(two_stores(), setup(32, 16), {100, 1, 1}, Batches::all);
  expect_same(two_stores(), setup(24, 8), {100, 1, 1}, Batches::all);
  expect_same(two_stores(), setup(32, 17), {100, 1, 1}, Batches::none);  // reaches the next program's
  expect_same(two_stores(), setup(0, 16), {100, 1, 1}, Batches::none);
  expect_same(two_stores(), setup(16, 4), {100, 1, 1}, Batches::none);
}

// What a program reads may have been written by the one before it: no batches.
TEST(Batch, InPlaceIsNotBatched) {
  const Fill setup = [](Harness& h) {
    h.tensor(some_floats(64 * 64));
    h.tensor(iota_f32(64 * 64));
    h.window(0, 0, {64 * 64}, {1});
    h.scalar(64 * 64);
  };
  expect_same(vector_add(), setup, {64, 1, 1}, Batches::none);
}

// A loop with shared bounds over carried pointers; a sum per program.
TEST(Batch, LoopWithCarriedPointer) {
  const std::string text = kernel(
      "%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %width: i32, %n: i32",
      "    %c0 = arith.constant 0 : i32\n    %c16 = arith.constant 16 : i32\n"
      "    %zero = arith.constant dense<0.0> : tensor<16xf32>\n    %steps = arith.constant dense<16> : tensor<16xi32>\n"
      "    %p = tt.get_program_id x : i32\n    %start = arith.muli %p, %width : i32\n"
      "    %lane = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>\n"
      "    %row = tt.addptr %x, %start : !tt.ptr<f32>, i32\n" +
          pointers("px", "row", "lane", "16", "f32") +
          "    %r:2 = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %zero, %at = %px) -> (tensor<16xf32>, "
          "tensor<16x!tt.ptr<f32>>)  : i32 {\n"
          "      %left = arith.subi %n, %i : i32\n      %lefts = tt.splat %left : i32 -> tensor<16xi32>\n"
          "      %inside = arith.cmpi slt, %lane, %lefts : tensor<16xi32>\n"
          "      %v = tt.load %at, %inside, %zero : tensor<16x!tt.ptr<f32>>\n"
          "      %sum = arith.addf %acc, %v : tensor<16xf32>\n"
          "      %next = tt.addptr %at, %steps : tensor<16x!tt.ptr<f32>>, tensor<16xi32>\n"
          "      scf.yield %sum, %next : tensor<16xf32>, tensor<16x!tt.ptr<f32>>\n    }\n"
          "    %s = \"tt.reduce\"(%r#0) <{axis = 0 : i32}> ({\n    ^bb0(%a: f32, %b: f32):\n"
          "      %q = arith.addf %a, %b : f32\n      tt.reduce.return %q : f32\n    }) : (tensor<16xf32>) -> f32\n"
          "    %po = tt.addptr %out, %p : !tt.ptr<f32>, i32\n    tt.store %po, %s : !tt.ptr<f32>\n");
  for (const std::uint64_t n : {0u, 5u, 16u, 50u}) {
    const Fill setup = [=](Harness& h) {
      h.tensor(some_floats(70 * 50 + 14));
      h.tensor(std::vector<float>(70));
      h.scalar(50);
      h.scalar(n);
    };
    expect_same(text, setup, {70, 1, 1}, Batches::all);
  }
}

/// if (p < limit) out[p] = x[p] + 1, where most batches agree.
TEST(Batch, ConditionThatAgreesInMostBatches) {
  const std::string text =
      kernel("%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %limit: i32",
             "    %one = arith.constant 1.0 : f32\n    %p = tt.get_program_id x : i32\n"
             "    %go = arith.cmpi slt, %p, %limit : i32\n    %a = tt.addptr %x, %p : !tt.ptr<f32>, i32\n"
             "    %v = scf.if %go -> (f32) {\n      %l = tt.load %a : !tt.ptr<f32>\n"
             "      %s = arith.addf %l, %one : f32\n      scf.yield %s : f32\n    } else {\n"
             "      scf.yield %one : f32\n    }\n"
             "    %o = tt.addptr %out, %p : !tt.ptr<f32>, i32\n    tt.store %o, %v : !tt.ptr<f32>\n");
  for (const std::uint64_t limit : {0u, 33u, 64u, 1000u}) {
    const Fill setup = [=](Harness& h) {
      h.tensor(some_floats(640));
      h.tensor(std::vector<float>(640));
      h.scalar(limit);
    };
    expect_same(text, setup, {640, 1, 1}, limit == 33 ? Batches::some : Batches::all);
  }
}

/// A while loop and branches between blocks, with conditions that agree.
TEST(Batch, OpenControlFlow) {
  const std::string text =
      "module {\n  tt.func public @k(%out: !tt.ptr<i32>, %n: i32) attributes {noinline = false} {\n"
      "    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n    %p = tt.get_program_id x : i32\n"
      "    %done = arith.cmpi sge, %p, %n : i32\n    cf.cond_br %done, ^leave, ^work(%p : i32)\n"
      "  ^work(%w: i32):\n"
      "    %r:2 = scf.while (%i = %c0, %s = %w) : (i32, i32) -> (i32, i32) {\n"
      "      %more = arith.cmpi slt, %i, %c1 : i32\n      scf.condition(%more) %i, %s : i32, i32\n    } do {\n"
      "    ^bb0(%i: i32, %s: i32):\n      %j = arith.addi %i, %c1 : i32\n      %t = arith.addi %s, %s : i32\n"
      "      scf.yield %j, %t : i32, i32\n    }\n"
      "    %o = tt.addptr %out, %p : !tt.ptr<i32>, i32\n    tt.store %o, %r#1 : !tt.ptr<i32>\n"
      "    cf.br ^leave\n  ^leave:\n    tt.return\n  }\n}\n";
  const Fill setup = [](Harness& h) {
    h.tensor(std::vector<std::int32_t>(640));
    h.scalar(600);
  };
  expect_same(text, setup, {640, 1, 1}, Batches::some);
}

/// Rows chosen by loaded numbers.
TEST(Batch, GatheredRows) {
  const std::string text = kernel(
      "%rows: !tt.ptr<i32>, %x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32",
      std::string(kIndex) +
          "    %pr = tt.addptr %rows, %p : !tt.ptr<i32>, i32\n    %row = tt.load %pr : !tt.ptr<i32>\n"
          "    %at = arith.muli %row, %c64 : i32\n    %base = tt.addptr %x, %at : !tt.ptr<f32>, i32\n" +
          pointers("px", "base", "lane", "64", "f32") + "    %v = tt.load %px : tensor<64x!tt.ptr<f32>>\n" +
          pointers("po", "out", "index", "64", "f32") + "    tt.store %po, %v, %inside : tensor<64x!tt.ptr<f32>>\n");
  const auto setup = [](std::int32_t rows) {
    return [=](Harness& h) {
      std::vector<std::int32_t> chosen(96);
      for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = static_cast<std::int32_t>(i * 13 % 40);
      chosen[50] = rows;
      h.tensor(chosen);
      h.tensor(some_floats(40 * 64));
      h.tensor(std::vector<float>(96 * 64));
      h.scalar(96 * 64);
    };
  };
  expect_same(text, setup(7), {96, 1, 1}, Batches::all);
  expect_same(text, setup(40), {96, 1, 1}, Batches::some);  // one row past the end
}

/// Tiles of two dimensions through reductions of both axes, trans, join, split, cat, reshape, gather and scan.
TEST(Batch, ShapesAndAxes) {
  const auto fold = [](const std::string& name, const std::string& from, int axis, const std::string& in,
                       const std::string& out) {
    return "    %" + name + " = \"tt.reduce\"(%" + from + ") <{axis = " + std::to_string(axis) +
           " : i32}> ({\n    ^bb0(%a: f32, %b: f32):\n      %r = arith.addf %a, %b : f32\n"
           "      tt.reduce.return %r : f32\n    }) : (" +
           in + ") -> " + out + "\n";
  };
  const std::string text = kernel(
      "%x: !tt.ptr<f32>, %out: !tt.ptr<f32>",
      "    %c64 = arith.constant 64 : i32\n    %p = tt.get_program_id x : i32\n    %first = arith.muli %p, %c64 : i32\n"
      "    %lane = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n"
      "    %row = tt.addptr %x, %first : !tt.ptr<f32>, i32\n" +
          pointers("px", "row", "lane", "64", "f32") +
          "    %v = tt.load %px : tensor<64x!tt.ptr<f32>>\n"
          "    %m = tt.reshape %v : tensor<64xf32> -> tensor<4x16xf32>\n" +
          fold("s0", "m", 0, "tensor<4x16xf32>", "tensor<16xf32>") +
          fold("s1", "m", 1, "tensor<4x16xf32>", "tensor<4xf32>") +
          "    %e0 = tt.expand_dims %s0 {axis = 0 : i32} : tensor<16xf32> -> tensor<1x16xf32>\n"
          "    %b0 = tt.broadcast %e0 : tensor<1x16xf32> -> tensor<4x16xf32>\n"
          "    %e1 = tt.expand_dims %s1 {axis = 1 : i32} : tensor<4xf32> -> tensor<4x1xf32>\n"
          "    %b1 = tt.broadcast %e1 : tensor<4x1xf32> -> tensor<4x16xf32>\n"
          "    %d = arith.subf %b0, %b1 : tensor<4x16xf32>\n"
          "    %t = tt.trans %d {order = array<i32: 1, 0>} : tensor<4x16xf32> -> tensor<16x4xf32>\n"
          "    %f = tt.reshape %t : tensor<16x4xf32> -> tensor<64xf32>\n"
          "    %j = tt.join %f, %v : tensor<64xf32> -> tensor<64x2xf32>\n"
          "    %l, %g = tt.split %j : tensor<64x2xf32> -> tensor<64xf32>\n"
          "    %half = tt.reshape %g : tensor<64xf32> -> tensor<32x2xf32>\n"
          "    %h0, %h1 = tt.split %half : tensor<32x2xf32> -> tensor<32xf32>\n"
          "    %c = tt.cat %h1, %h0 : tensor<32xf32> -> tensor<64xf32>\n"
          "    %back = arith.constant dense<63> : tensor<64xi32>\n    %ri = arith.subi %back, %lane : tensor<64xi32>\n"
          "    %rev = tt.gather %c[%ri] {axis = 0 : i32} : (tensor<64xf32>, tensor<64xi32>) -> tensor<64xf32>\n"
          "    %sc = \"tt.scan\"(%rev) <{axis = 0 : i32, reverse = false}> ({\n    ^bb0(%a: f32, %b: f32):\n"
          "      %r = arith.addf %a, %b : f32\n      tt.scan.return %r : f32\n    }) : (tensor<64xf32>) -> "
          "tensor<64xf32>\n"
          "    %sum = arith.addf %sc, %l : tensor<64xf32>\n"
          "    %cond = arith.cmpf ogt, %sum, %v : tensor<64xf32>\n"
          "    %res = arith.select %cond, %sum, %rev : tensor<64xi1>, tensor<64xf32>\n"
          "    %orow = tt.addptr %out, %first : !tt.ptr<f32>, i32\n" +
          pointers("po", "orow", "lane", "64", "f32") + "    tt.store %po, %res : tensor<64x!tt.ptr<f32>>\n");
  const Fill setup = [](Harness& h) {
    h.tensor(some_floats(64 * 75));
    h.tensor(std::vector<float>(64 * 75));
  };
  expect_same(text, setup, {75, 1, 1}, Batches::all);
}

// Products of matrices: both vary, the left or the right is shared, a loop carries the sum, types differ, tf32 splits.
TEST(Batch, ProductsOfMatrices) {
  const auto dot = [](const std::string& name, const std::string& a, const std::string& b, const std::string& c,
                      const std::string& types, const std::string& precision = "") {
    return "    %" + name + " = tt.dot %" + a + ", %" + b + ", %" + c + precision + " : " + types + "\n";
  };
  const std::string to_row = " : tensor<64xf32> -> tensor<4x16xf32>\n";
  const std::string text = kernel(
      "%x: !tt.ptr<f32>, %same: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32",
      "    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n    %c64 = arith.constant 64 : i32\n"
      "    %zero = arith.constant dense<0.0> : tensor<4x4xf32>\n"
      "    %p = tt.get_program_id x : i32\n    %first = arith.muli %p, %c64 : i32\n"
      "    %lane = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n"
      "    %row = tt.addptr %x, %first : !tt.ptr<f32>, i32\n" +
          pointers("px", "row", "lane", "64", "f32") + "    %v = tt.load %px : tensor<64x!tt.ptr<f32>>\n" +
          pointers("ps", "same", "lane", "64", "f32") + "    %w = tt.load %ps : tensor<64x!tt.ptr<f32>>\n" +
          "    %a = tt.reshape %v" + to_row + "    %b = tt.reshape %w" + to_row +
          "    %at = tt.trans %a {order = array<i32: 1, 0>} : tensor<4x16xf32> -> tensor<16x4xf32>\n"
          "    %bt = tt.trans %b {order = array<i32: 1, 0>} : tensor<4x16xf32> -> tensor<16x4xf32>\n"
          "    %ha = arith.truncf %a : tensor<4x16xf32> to tensor<4x16xbf16>\n"
          "    %ht = arith.truncf %bt : tensor<16x4xf32> to tensor<16x4xbf16>\n" +
          dot("both", "a", "at", "zero", "tensor<4x16xf32> * tensor<16x4xf32> -> tensor<4x4xf32>") +
          dot("left", "b", "at", "both", "tensor<4x16xf32> * tensor<16x4xf32> -> tensor<4x4xf32>",
              ", inputPrecision = tf32") +
          dot("right", "a", "bt", "left", "tensor<4x16xf32> * tensor<16x4xf32> -> tensor<4x4xf32>",
              ", inputPrecision = tf32x3") +
          "    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %right) -> (tensor<4x4xf32>)  : i32 {\n" +
          dot("next", "ha", "ht", "acc", "tensor<4x16xbf16> * tensor<16x4xbf16> -> tensor<4x4xf32>") +
          "      scf.yield %next : tensor<4x4xf32>\n    }\n"
          "    %c16 = arith.constant 16 : i32\n    %start = arith.muli %p, %c16 : i32\n"
          "    %small = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>\n"
          "    %orow = tt.addptr %out, %start : !tt.ptr<f32>, i32\n" +
          pointers("po", "orow", "small", "16", "f32") +
          "    %flat = tt.reshape %sum : tensor<4x4xf32> -> tensor<16xf32>\n"
          "    tt.store %po, %flat : tensor<16x!tt.ptr<f32>>\n");
  for (const std::uint64_t n : {0u, 3u}) {
    const Fill setup = [=](Harness& h) {
      h.tensor(some_floats(64 * 75));
      h.tensor(iota_f32(64, 0.37F));
      h.tensor(std::vector<float>(16 * 75));
      h.scalar(n);
    };
    expect_same(text, setup, {75, 1, 1}, Batches::all);
  }
}

// Large products are no faster together: their tiles would leave the caches.
TEST(Batch, LargeProductsAreNotBatched) {
  Tuning tuning;
  EXPECT_LT(tuning.batch_product_elements, 2 * 128 * 64);
  BatchAnalysis analysis;
  analysis.is_possible = analysis.has_products = true;
  analysis.varying.insert(nullptr);
  analysis.largest = 64 * 128;
  EXPECT_EQ(analysis.most_programs(tuning), 0u);
  analysis.has_products = false;
  EXPECT_EQ(analysis.most_programs(tuning), 4u);
}

// Ids that are divided make addresses that are no box over the programs, in every batch: it is soon given up.
TEST(Batch, IsGivenUpWhereItFails) {
  const std::string text = kernel(
      "%x: !tt.ptr<f32>, %out: !tt.ptr<f32>",
      "    %c3 = arith.constant 3 : i32\n    %p = tt.get_program_id x : i32\n    %q = arith.divsi %p, %c3 : i32\n"
      "    %go = arith.cmpi eq, %q, %p : i32\n"
      "    scf.if %go {\n      %b = tt.addptr %out, %p : !tt.ptr<f32>, i32\n"
      "      %v = tt.load %x : !tt.ptr<f32>\n      tt.store %b, %v : !tt.ptr<f32>\n    }\n"
      "    %odd = arith.constant 2 : i32\n    %rem = arith.remsi %p, %odd : i32\n"
      "    %is = arith.cmpi eq, %rem, %odd : i32\n    %alt = arith.trunci %rem : i32 to i1\n"
      "    scf.if %alt {\n      %b = tt.addptr %out, %p : !tt.ptr<f32>, i32\n"
      "      %v = tt.load %x : !tt.ptr<f32>\n      tt.store %b, %v : !tt.ptr<f32>\n    }\n");
  Harness h(text);
  h.tensor(some_floats(1));
  h.tensor(std::vector<float>(4096));
  const LaunchReport report = h.run({4096, 1, 1}, 1);
  EXPECT_EQ(report.batches, 0u);
  EXPECT_GT(report.failed_batches, 0u);
  EXPECT_LT(report.failed_batches, 16u);
  EXPECT_EQ(h.run({4096, 1, 1}, 1).failed_batches, 0u);  // not tried at once again
}

TEST(Batch, AtomicsAndPrintsAreNotBatched) {
  const Fill setup = [](Harness& h) { h.tensor(std::vector<std::int32_t>(64)); };
  expect_same(kernel("%x: !tt.ptr<i32>",
                     "    %t = arith.constant true\n    %p = tt.get_program_id x : i32\n"
                     "    %o = tt.atomic_rmw add, acq_rel, gpu, %x, %p, %t : (!tt.ptr<i32>, i32, i1) -> i32\n"),
              setup, {64, 1, 1}, Batches::none);
  expect_same(kernel("%x: !tt.ptr<i32>",
                     "    %p = tt.get_program_id x : i32\n"
                     "    tt.print \" p: \" {hex = false, isSigned = array<i32: 1>} : %p : i32\n"),
              setup, {64, 1, 1}, Batches::none);
}

/// All programs read one number and store it to one place: counted for each of them.
TEST(Batch, WhatAllProgramsDoAlikeCountsForEach) {
  const Fill setup = [](Harness& h) {
    h.tensor(some_floats(4));
    h.tensor(std::vector<float>(1));
    h.tensor(std::vector<std::int32_t>(64));
  };
  expect_same(kernel("%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %ids: !tt.ptr<i32>",
                     "    %v = tt.load %x : !tt.ptr<f32>\n    tt.store %out, %v : !tt.ptr<f32>\n"
                     "    %p = tt.get_program_id x : i32\n    %a = tt.addptr %ids, %p : !tt.ptr<i32>, i32\n"
                     "    tt.store %a, %p : !tt.ptr<i32>\n"),
              setup, {64, 1, 1}, Batches::all);
}

// Assertions that fail in one program are found there.
TEST(Batch, AssertionInOneProgram) {
  const Fill setup = [](Harness& h) { h.tensor(std::vector<std::int32_t>(640)); };
  expect_same(kernel("%ids: !tt.ptr<i32>",
                     "    %c41 = arith.constant 41 : i32\n    %p = tt.get_program_id x : i32\n"
                     "    %ok = arith.cmpi ne, %p, %c41 : i32\n    tt.assert %ok, \"not 41\" : i1\n"
                     "    %a = tt.addptr %ids, %p : !tt.ptr<i32>, i32\n    tt.store %a, %p : !tt.ptr<i32>\n"),
              setup, {640, 1, 1}, Batches::some);
}

}  // namespace
}  // namespace lockstep::interpreter
