// Gathered rows that go straight to a store (row_copy.h): the same bytes, counts and findings as by two steps, for any
// masks, widths, alignments, orders of rows and memory that is written; and that no tile is made where it need not be.
#include <cstdint>

#include "interpreter/fusion/row_copy.h"
#include "interpreter/plan/plan_builder.h"
#include "tests/unit/interpreter_with_ops/launch_fixture.h"

namespace lockstep::interpreter {
namespace {

constexpr std::int64_t kCopiedRows = 16, kCopied = 50;

/// y[%stride * i + j] = x[width * index[i] + j] for rows i of a program below %n; loads are of those below %m.
std::string row_copy_kernel(std::int64_t width, const std::string& between = {}) {
  const std::string shape = "16x" + std::to_string(width), wide = "tensor<" + shape + "xi32>",
                    pointers = "tensor<" + shape + "x!tt.ptr<f32>>", mask = "tensor<" + shape + "xi1>";
  const auto place = [&](const std::string& base, const std::string& row, const std::string& by) {
    return "    %m" + base + " = arith.muli " + row + ", " + by + " : tensor<16x1xi32>\n    %b" + base +
           " = tt.broadcast %m" + base + " : tensor<16x1xi32> -> " + wide + "\n    %o" + base + " = arith.addi %b" +
           base + ", %cb : " + wide + "\n    %s" + base + " = tt.splat %" + base + " : !tt.ptr<f32> -> " + pointers +
           "\n    %p" + base + " = tt.addptr %s" + base + ", %o" + base + " : " + pointers + ", " + wide + "\n";
  };
  std::string text =
      "    %pid = tt.get_program_id x : i32\n    %c16 = arith.constant 16 : i32\n"
      "    %first = arith.muli %pid, %c16 : i32\n"
      "    %r0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>\n"
      "    %f = tt.splat %first : i32 -> tensor<16xi32>\n    %r = arith.addi %f, %r0 : tensor<16xi32>\n"
      "    %c = tt.make_range {end = " + std::to_string(width) + " : i32, start = 0 : i32} : tensor<" +
      std::to_string(width) + "xi32>\n"
      "    %is = tt.splat %i : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>\n"
      "    %ip = tt.addptr %is, %r : tensor<16x!tt.ptr<i32>>, tensor<16xi32>\n"
      "    %row = tt.load %ip : tensor<16x!tt.ptr<i32>>\n"
      "    %ne = tt.expand_dims %row {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>\n"
      "    %re = tt.expand_dims %r {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>\n"
      "    %ce = tt.expand_dims %c {axis = 0 : i32} : tensor<" + std::to_string(width) + "xi32> -> tensor<1x" +
      std::to_string(width) + "xi32>\n    %cb = tt.broadcast %ce : tensor<1x" + std::to_string(width) + "xi32> -> " +
      wide + "\n    %w = arith.constant dense<" + std::to_string(width) + "> : tensor<16x1xi32>\n"
      "    %st = tt.splat %stride : i32 -> tensor<16x1xi32>\n";
  for (const std::string limit : {"m", "n"}) {
    text += "    %" + limit + "l = tt.splat %" + limit + " : i32 -> tensor<16x1xi32>\n    %" + limit +
            "i = arith.cmpi slt, %re, %" + limit + "l : tensor<16x1xi32>\n    %in_" + limit + " = tt.broadcast %" +
            limit + "i : tensor<16x1xi1> -> " + mask + "\n";
  }
  return kernel("%x: !tt.ptr<f32>, %i: !tt.ptr<i32>, %y: !tt.ptr<f32>, %m: i32, %n: i32, %stride: i32",
                text + place("x", "%ne", "%w") + "    %v = tt.load %px, %in_m : " + pointers + "\n" +
                    place("y", "%re", "%st") + between + "    tt.store %py, %v, %in_n : " + pointers + "\n");
}

struct CopySetting {
  std::int64_t width = 64, stride = 64;
  std::uint32_t m = 1000, n = 1000;
  std::int64_t programs = 1, shift = 0;  // of the output in its storage, in elements
  bool is_in_table = false;              // the output lies in the table
  bool streams = false;
  std::int32_t bad_row = 0;  // what row 7 names instead, if not 0
  std::int64_t cut = 0;      // elements that the output lacks at its end
  unsigned threads = 1;
  AccessTracking touches = AccessTracking::none;
};

struct CopyOutcome {
  std::vector<float> table, out;
  std::uint64_t read = 0, written = 0, findings = 0, scratch = 0, streamed = 0;
  bool operator==(const CopyOutcome& other) const {
    return table == other.table && out == other.out && read == other.read && written == other.written &&
           findings == other.findings;
  }
};

CopyOutcome run_copy(const std::string& text, const CopySetting& setting, bool fuses) {
  Harness h(text);
  h.tuning.fuses = fuses;
  h.tuning.stream_bytes = setting.streams ? 1 : 0;
  h.options.touches = setting.touches;
  const std::int64_t rows = kCopiedRows * setting.programs, needed = (rows - 1) * setting.stride + setting.width;
  const std::size_t table = h.tensor(iota_f32(static_cast<std::size_t>((kCopied + rows) * setting.width), 3));
  std::vector<std::int32_t> index(static_cast<std::size_t>(rows));
  for (std::size_t i = 0; i < index.size(); ++i) index[i] = static_cast<std::int32_t>(i * 37 % kCopied);
  if (setting.bad_row != 0) index[7] = setting.bad_row;
  h.tensor(index);
  const std::size_t memory =
      setting.is_in_table ? table : h.spare(std::vector<float>(static_cast<std::size_t>(needed + setting.shift), -1));
  const std::size_t out = h.window(memory, setting.shift, {needed - setting.cut}, {1});
  for (const std::uint64_t scalar : {std::uint64_t{setting.m}, std::uint64_t{setting.n}}) h.scalar(scalar);
  h.scalar(static_cast<std::uint64_t>(setting.stride));
  const LaunchReport report = h.run({setting.programs, 1, 1}, setting.threads);
  return {h.values<float>(table), h.values<float>(out),
          report.bytes_read,      report.bytes_written,
          report.findings.findings().size(), report.scratch_bytes,
          report.bytes_streamed};
}

void expect_same_copies(const CopySetting& setting, const std::string& what) {
  const std::string text = row_copy_kernel(setting.width);
  EXPECT_EQ(run_copy(text, setting, true), run_copy(text, setting, false)) << what;
}

std::size_t copies_in(const std::string& text) {
  DiagnosticSink sink;
  auto module = ir::parse_module(dialects::registry(), std::make_shared<SourceFile>("kernel.ttir", text), sink);
  PlanBuilder builder(*module, sink);
  const auto plan = builder.build(*module->kernels().at(0));
  std::size_t found = 0;
  for (const Step& step : plan->steps) found += step.run == step_copy_rows ? 1 : 0;
  return found;
}

TEST(RowCopies, MakeNoTile) {
  EXPECT_EQ(copies_in(row_copy_kernel(64)), 1u);
  CopySetting setting;
  setting.width = setting.stride = 1024;
  EXPECT_LT(run_copy(row_copy_kernel(1024), setting, true).scratch, 16384u);  // the tile has 64 KiB
  EXPECT_GT(run_copy(row_copy_kernel(1024), setting, false).scratch, 65535u);
}

TEST(RowCopies, AnyWidthsAndPlacesGiveTheSame) {
  for (const std::int64_t width : {2, 16, 32, 64, 128, 512, 1024}) {
    for (const std::int64_t gap : {0, 1, 16, -1}) {
      for (const std::int64_t shift : {0, 1, 16}) {
        for (const bool streams : {false, true}) {
          CopySetting setting;
          setting.width = width;
          setting.stride = width + gap;  // rows that overlap are written in order
          setting.shift = shift;
          setting.streams = streams;
          for (const std::int64_t programs : {1, 5}) {
            if (programs > 1 && gap < 0) continue;
            setting.programs = programs;
            expect_same_copies(setting, std::to_string(width) + " by " + std::to_string(setting.stride) + " from " +
                                     std::to_string(shift) + (streams ? " streamed" : ""));
          }
        }
      }
    }
  }
}

TEST(RowCopies, GoPastTheCachesWhereStoresDo) {
  for (const std::int64_t shift : {0, 1, 16}) {
    for (const std::int64_t width : {16, 32, 64, 256}) {
      CopySetting setting;
      setting.width = setting.stride = width;
      setting.shift = shift;
      setting.streams = true;
      const CopyOutcome outcome = run_copy(row_copy_kernel(width), setting, true);
      EXPECT_EQ(outcome.streamed, outcome.written) << shift << ' ' << width;
      EXPECT_EQ(outcome, run_copy(row_copy_kernel(width), setting, false));
    }
  }
}

TEST(RowCopies, AnyMasksGiveTheSame) {
  for (const std::uint32_t m : {0u, 1u, 7u, 16u, 40u}) {
    for (const std::uint32_t n : {0u, 1u, 7u, 8u, 16u, 33u}) {
      CopySetting setting;
      setting.m = m;
      setting.n = n;
      setting.programs = m > 16 || n > 16 ? 3 : 1;
      expect_same_copies(setting, std::to_string(m) + " loaded, " + std::to_string(n) + " stored");
    }
  }
}

/// The output lies in the table: what is loaded is what was there before the store.
TEST(RowCopies, WrittenMemoryIsReadBeforeItIsWritten) {
  for (const std::int64_t shift : {0, 1, 64, 200}) {
    CopySetting setting;
    setting.is_in_table = true;
    setting.shift = shift;
    expect_same_copies(setting, std::to_string(shift));
  }
}

TEST(RowCopies, OutOfBoundsIsFoundAsBefore) {
  for (const std::int32_t row : {5000, -3}) {
    CopySetting setting;
    setting.bad_row = row;
    expect_same_copies(setting, std::to_string(row));
    EXPECT_GT(run_copy(row_copy_kernel(64), setting, true).findings, 0u);
  }
  CopySetting setting;
  setting.cut = 10;
  for (const std::int64_t programs : {1, 4}) {
    setting.programs = programs;
    expect_same_copies(setting, "a short output");
    EXPECT_EQ(run_copy(row_copy_kernel(64), setting, true).findings, 1u);
  }
}

TEST(RowCopies, AreNotedForTheReport) {
  for (const unsigned threads : {1u, 2u}) {
    CopySetting setting;
    setting.programs = 40;
    setting.touches = AccessTracking::programs;
    setting.threads = threads;
    expect_same_copies(setting, std::to_string(threads));
  }
}

/// A store between the load and the store of its value keeps its place; and a value that others read is a tile.
TEST(RowCopies, AreOnlyOfNeighboursInTheProgram) {
  const std::string pointers = "tensor<16x64x!tt.ptr<f32>>";
  const std::string store = "    %one = arith.constant dense<1.0> : tensor<16x64xf32>\n    tt.store %px, %one, %in_n : " +
                            pointers + "\n";
  const std::string again = "    tt.store %px, %v, %in_n : " + pointers + "\n";
  for (const std::string& between : {store, again}) {
    EXPECT_EQ(copies_in(row_copy_kernel(64, between)), 0u);
    const CopySetting setting;
    EXPECT_EQ(run_copy(row_copy_kernel(64, between), setting, true), run_copy(row_copy_kernel(64, between), setting, false));
  }
}

}  // namespace
}  // namespace lockstep::interpreter
