// Fused groups run_line the straight way (contiguous_path.cpp) leave what their steps leave one by one: one and two dimensions, cut
// masks, uniform operands, selections, results that are kept as well, stores that touch; with strips of any length.
// That the way is taken shows in the scratch: a group that needs no strip register takes none.
#include "interpreter/fusion/fused_group.h"
#include "tests/unit/interpreter_with_ops/launch_fixture.h"

namespace lockstep::interpreter {
namespace {

/// Tiles of `shape` (2048 elements) at x, y and o; `body` computes from %a and %b with the index %at.
std::string tiles(const std::string& shape, const std::string& body) {
  const std::string i = "tensor<" + shape + "xi32>", p = "tensor<" + shape + "x!tt.ptr<f32>>";
  std::string text;
  if (shape == "2048") {
    text = "    %at = tt.make_range {end = 2048 : i32, start = 0 : i32} : " + i + "\n";
  } else {
    text =
        "    %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>\n    %q = tt.make_range {end = 64 : "
        "i32, start = 0 : i32} : tensor<64xi32>\n"
        "    %re = tt.expand_dims %r {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>\n    %qe = tt.expand_dims "
        "%q "
        "{axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>\n    %rb = tt.broadcast %re : tensor<32x1xi32> -> " +
        i + "\n    %qb = tt.broadcast %qe : tensor<1x64xi32> -> " + i + "\n    %c64 = arith.constant dense<64> : " + i +
        "\n    %row = arith.muli %rb, %c64 : " + i + "\n    %at = arith.addi %row, %qb : " + i + "\n";
  }
  text += "    %ns = tt.splat %n : i32 -> " + i + "\n    %in = arith.cmpi slt, %at, %ns : " + i + "\n";
  text += "    %ks = tt.splat %k : i32 -> " + i + "\n    %moved = arith.addi %at, %ks : " + i + "\n";
  for (const std::string name : {"x", "y", "o"}) {
    text += "    %" + name + "s = tt.splat %" + name + " : !tt.ptr<f32> -> " + p + "\n    %" + name +
            "p = tt.addptr %" + name + "s, %at : " + p + ", " + i + "\n";
  }
  text += "    %op2 = tt.addptr %os, %moved : " + p + ", " + i + "\n    %fs = tt.splat %f : f32 -> tensor<" + shape +
          "xf32>\n    %a = tt.load %xp : " + p + "\n    %b = tt.load %yp : " + p + "\n";
  return kernel("%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %o: !tt.ptr<f32>, %n: i32, %k: i32, %f: f32", text + body);
}

struct LineOutcome {
  std::vector<float> out;
  std::uint64_t read = 0, written = 0, scratch = 0;
};

LineOutcome run_line(const std::string& text, std::uint32_t n, std::uint32_t k, const Tuning& tuning) {
  Harness h(text);
  h.tuning = tuning;
  h.tensor(iota_f32(2048, -700));
  h.tensor(iota_f32(2048, 0.25f));
  const std::size_t out = h.tensor(std::vector<float>(8192, -1));
  h.scalar(n);
  h.scalar(k);
  h.scalar_f32(1.5f);
  const LaunchReport report = h.run({1, 1, 1}, 1);
  EXPECT_TRUE(report.findings.findings().empty());
  return {h.values<float>(out), report.bytes_read, report.bytes_written, report.scratch_bytes};
}

Tuning tuned_line(std::int64_t strip, bool fuses = true) {
  Tuning tuning;
  tuning.strip_elements = strip;
  tuning.fuses = fuses;
  tuning.batch_programs = 1;
  return tuning;
}

const std::vector<std::string>& bodies(const std::string& shape) {
  static std::vector<std::string> made;
  const std::string t = "tensor<" + shape + "xf32>", p = "tensor<" + shape + "x!tt.ptr<f32>>";
  const auto to = [&](const std::string& place, const std::string& value, const std::string& mask) {
    return "    tt.store %" + place + ", %" + value + mask + " : " + p + "\n";
  };
  const std::string sum = "    %c = arith.addf %a, %b : " + t + "\n";
  const std::string two = sum + "    %d = arith.mulf %c, %fs : " + t + "\n";
  made = {
      sum + to("op", "c", ""),
      sum + to("op", "c", ", %in"),
      two + to("op", "d", ""),
      two + to("op", "d", ", %in"),
      two + to("op", "c", "") + to("op2", "d", ""),
      two + to("op", "d", "") + to("op2", "d", ""),
      sum + "    %less = arith.cmpf olt, %a, %c : " + t + "\n    %d = arith.select %less, %b, %fs : tensor<" + shape +
          "xi1>, " + t + "\n" + to("op", "d", ""),
      two + to("op", "c", "") + "    %w = tt.reshape %d : " + t + " -> " + t + "\n" + to("op2", "w", ""),
  };
  return made;
}

TEST(ContiguousPath, LeavesTheBytesOfTheSteps) {
  for (const std::string shape : {"2048", "32x64"}) {
    for (const std::string& body : bodies(shape)) {
      const std::string text = tiles(shape, body);
      for (const std::uint32_t n : {0u, 1u, 17u, 1000u, 2048u}) {
        for (const std::uint32_t k : {2048u, 4096u, 1u, 2047u, 0u}) {
          const LineOutcome plain = run_line(text, n, k, tuned_line(1024, false));
          for (const std::int64_t strip : {16, 1000, 1024, 4096}) {
            const LineOutcome fused = run_line(text, n, k, tuned_line(strip));
            ASSERT_EQ(fused.out, plain.out) << n << ' ' << k << ' ' << strip << "\n" << text;
            EXPECT_EQ(fused.read, plain.read);
            EXPECT_EQ(fused.written, plain.written);
          }
        }
      }
    }
  }
}

TEST(ContiguousPath, OfOneOpTakesNoScratch) {
  EXPECT_EQ(run_line(tiles("2048", bodies("2048")[0]), 0, 0, tuned_line(1024)).scratch, 0u);
  EXPECT_EQ(run_line(tiles("2048", bodies("2048")[1]), 1999, 0, tuned_line(1024)).scratch, 0u);
  EXPECT_EQ(run_line(tiles("32x64", bodies("32x64")[0]), 0, 0, tuned_line(1024)).scratch, 0u);
}

}  // namespace
}  // namespace lockstep::interpreter
