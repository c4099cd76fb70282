// Outputs that a launch does not read, stored past the caches: from chains and from tiles, whole and masked, at any
// alignment; and what is stored the ordinary way.
#include "tests/unit/interpreter_with_ops/launch_fixture.h"

namespace lockstep::interpreter {
namespace {

/// out = |x + y| with 65,536 elements, the first %n of them.
std::string sum_kernel() {
  const std::string t = "tensor<65536xf32>", p = "tensor<65536x!tt.ptr<f32>>", i = "tensor<65536xi32>";
  std::string text = "    %r = tt.make_range {end = 65536 : i32, start = 0 : i32} : " + i +
                     "\n    %ns = tt.splat %n : i32 -> " + i + "\n    %in = arith.cmpi slt, %r, %ns : " + i + "\n";
  for (const std::string name : {"x", "y", "o"}) {
    text += "    %" + name + "s = tt.splat %" + name + " : !tt.ptr<f32> -> " + p + "\n    %" + name +
            "p = tt.addptr %" + name + "s, %r : " + p + ", " + i + "\n";
  }
  return kernel("%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %o: !tt.ptr<f32>, %n: i32",
                text + "    %a = tt.load %xp : " + p + "\n    %b = tt.load %yp : " + p +
                    "\n    %c = arith.addf %a, %b : " + t + "\n    %d = math.absf %c : " + t +
                    "\n    tt.store %op, %d, %in : " + p + "\n");
}

/// Whole lines go past the caches, and nothing beside what is stored changes, wherever the rows begin.
TEST(Streams, StoreOutputsPastTheCaches) {
  for (const bool fuses : {false, true}) {
    for (const std::uint32_t stored : {60000u, 65536u, 63u, 17u}) {
      Harness h(sum_kernel());
      h.tuning.fuses = fuses;
      h.tuning.stream_bytes = 1;
      h.tensor(iota_f32(65536));
      h.tensor(std::vector<float>(65536, 2));
      const std::size_t memory = h.spare(std::vector<float>(65536 + 64, -1));
      const std::size_t out = h.window(memory, stored % 16 + 3, {65536}, {1});
      h.scalar(stored);
      const LaunchReport report = h.run({1, 1, 1}, 1);
      EXPECT_EQ(report.bytes_written, 4u * stored);
      EXPECT_EQ(report.bytes_streamed, stored > 64 ? 4u * stored : 0u) << fuses << ' ' << stored;
      std::vector<float> expected(65536, -1);
      for (std::uint32_t i = 0; i < stored; ++i) expected[i] = static_cast<float>(i) + 2;
      EXPECT_EQ(h.values<float>(out), expected) << fuses << ' ' << stored;
    }
  }
}

TEST(Streams, StoreThroughTheCachesWhatIsReadOrLittle) {
  for (const bool reads : {false, true}) {
    Harness h(sum_kernel());
    h.tuning.stream_bytes = reads ? 1 : 4 * 65536 + 1;
    const std::size_t x = h.tensor(iota_f32(65536));
    h.tensor(std::vector<float>(65536, 2));
    if (reads) {
      h.window(x, 0, {65536}, {1});
    } else {
      h.tensor(std::vector<float>(65536));
    }
    h.scalar(65536);
    EXPECT_EQ(h.run({1, 1, 1}, 1).bytes_streamed, 0u) << reads;
  }
}

}  // namespace
}  // namespace lockstep::interpreter
