// Out-of-bounds accesses: codes, names, ranges, lanes; and that they touch nothing.
#include "tests/unit/interpreter_with_ops/launch_fixture.h"

namespace lockstep::interpreter {
namespace {

std::string copy_kernel(const std::string& load = "tt.load %4", const std::string& store_pointer = "%6") {
  return kernel("%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32",
                "    %c128 = arith.constant 128 : i32\n"
                "    %p = tt.get_program_id x : i32\n"
                "    %0 = arith.muli %p, %c128 : i32\n"
                "    %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>\n"
                "    %1 = tt.splat %0 : i32 -> tensor<128xi32>\n"
                "    %2 = arith.addi %1, %r : tensor<128xi32>\n"
                "    %n1 = tt.splat %n : i32 -> tensor<128xi32>\n"
                "    %m = arith.cmpi slt, %2, %n1 : tensor<128xi32>\n"
                "    %le = arith.cmpi sle, %2, %n1 : tensor<128xi32>\n"
                "    %3 = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>\n"
                "    %4 = tt.addptr %3, %2 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>\n"
                "    %5 = tt.splat %y : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>\n"
                "    %6 = tt.addptr %5, %2 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>\n"
                "    %v = " +
                    load +
                    " : tensor<128x!tt.ptr<f32>>\n"
                    "    tt.store " +
                    store_pointer + ", %v, %m : tensor<128x!tt.ptr<f32>>\n");
}

TEST(Bounds, MissingTailMaskNamesRangeProgramAndLanes) {
  Harness h(copy_kernel());
  h.tensor(iota_f32(1000));
  h.tensor(std::vector<float>(1000));
  h.scalar(1000);
  const LaunchReport report = h.run({8, 1, 1});
  ASSERT_EQ(report.findings.findings().size(), 1u);
  const Finding& finding = report.findings.findings()[0];
  EXPECT_EQ(finding.code, FindingCode::LS101);
  EXPECT_EQ(finding.message,
            "out-of-bounds read: a0[1000..1023], a0 has 1000 elements; program (7,0,0), 24 of 128 lanes; no mask on "
            "this load");
  EXPECT_EQ(finding.argument, "a0");
  EXPECT_EQ(finding.element, 1000);
  EXPECT_EQ(finding.lane, (std::vector<std::int64_t>{104}));
  EXPECT_EQ(finding.count, 24u);
  EXPECT_EQ(h.values<float>(1), iota_f32(1000));
}

TEST(Bounds, InclusiveMaskIsOffByOne) {
  Harness h(copy_kernel("tt.load %4, %le"));
  h.tensor(iota_f32(1000));
  h.tensor(std::vector<float>(1000));
  h.scalar(1000);
  const LaunchReport report = h.run({8, 1, 1});
  ASSERT_EQ(report.findings.findings().size(), 1u);
  const Finding& finding = report.findings.findings()[0];
  EXPECT_EQ(finding.code, FindingCode::LS101);
  EXPECT_EQ(finding.message,
            "out-of-bounds read: a0[1000], a0 has 1000 elements; program (7,0,0), 1 of 128 lanes; the mask is "
            "true for lane 104, which lies past the end (it is true for 105 of 128 lanes)");
  EXPECT_NE(finding.hint.find("inclusive"), std::string::npos);
}

TEST(Bounds, SilentWhenMaskIsRight) {
  Harness h(copy_kernel("tt.load %4, %m"));
  h.tensor(iota_f32(1000));
  h.tensor(std::vector<float>(1000));
  h.scalar(1000);
  const LaunchReport report = h.run({8, 1, 1});
  EXPECT_TRUE(report.findings.findings().empty());
  EXPECT_EQ(report.bytes_read, 4000u);
  EXPECT_EQ(report.bytes_written, 4000u);
}

TEST(Bounds, NegativeIndexIsBeforeTheStart) {
  Harness h(copy_kernel("tt.load %4"));
  h.tensor(iota_f32(128));
  h.window(0, 1, {127}, {1});
  h.scalar(128);
  const LaunchReport before = h.run();
  ASSERT_EQ(before.findings.findings().size(), 1u);
  EXPECT_EQ(before.findings.findings()[0].code, FindingCode::LS101);  // the store's last lane is past the window's end
  Harness g(kernel("%x: !tt.ptr<f32>, %y: !tt.ptr<f32>",
                   "    %m1 = arith.constant -1 : i32\n    %0 = tt.addptr %x, %m1 : !tt.ptr<f32>, i32\n"
                   "    %1 = tt.load %0 : !tt.ptr<f32>\n    tt.store %y, %1 : !tt.ptr<f32>\n"));
  g.tensor(iota_f32(8, 5));
  g.tensor(iota_f32(8, 5));
  const LaunchReport report = g.run();
  ASSERT_EQ(report.findings.findings().size(), 1u);
  EXPECT_EQ(report.findings.findings()[0].code, FindingCode::LS104);
  EXPECT_EQ(report.findings.findings()[0].element, -1);
  EXPECT_EQ(g.values<float>(1)[0], 0.0f);
}

/// What a faulting scalar load gives is a scalar like any other: arithmetic on it sees 0, or `other` where the mask is
/// off.
TEST(Bounds, FaultingScalarLoadGivesZero) {
  Harness g(kernel(
      "%x: !tt.ptr<i32>, %n: i32",
      "    %0 = tt.addptr %x, %n : !tt.ptr<i32>, i32\n    %v = tt.load %0 : !tt.ptr<i32>\n    %c5 = arith.constant 5 : "
      "i32\n"
      "    %f = arith.constant false\n    %c9 = arith.constant 9 : i32\n    %m = tt.load %0, %f, %c9 : !tt.ptr<i32>\n"
      "    %s = arith.addi %v, %c5 : i32\n    %t = arith.addi %s, %m : i32\n    tt.store %x, %t : !tt.ptr<i32>\n"));
  g.tensor(std::vector<std::int32_t>{1, 2});
  g.scalar(1000);
  EXPECT_EQ(g.run().findings.findings().size(), 1u);
  EXPECT_EQ(g.values<std::int32_t>(0)[0], 14);
}

TEST(Bounds, GapOfStridedViewIsOutsideTheView) {
  Harness g(kernel("%x: !tt.ptr<f32>, %w: !tt.ptr<f32>, %y: !tt.ptr<f32>",
                   "    %c3 = arith.constant 3 : i32\n    %0 = tt.addptr %w, %c3 : !tt.ptr<f32>, i32\n"
                   "    %1 = tt.load %0 : !tt.ptr<f32>\n    tt.store %y, %1 : !tt.ptr<f32>\n"));
  g.tensor(iota_f32(16));
  g.window(0, 0, {8}, {2});
  g.tensor(std::vector<float>(1));
  const LaunchReport report = g.run();
  ASSERT_EQ(report.findings.findings().size(), 1u);
  EXPECT_EQ(report.findings.findings()[0].code, FindingCode::LS102);
}

TEST(Bounds, StridedViewWithinItsElementsIsSilent) {
  Harness g(kernel("%x: !tt.ptr<f32>, %w: !tt.ptr<f32>, %y: !tt.ptr<f32>",
                   "    %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>\n"
                   "    %c2 = arith.constant dense<2> : tensor<8xi32>\n"
                   "    %o = arith.muli %r, %c2 : tensor<8xi32>\n"
                   "    %0 = tt.splat %w : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>\n"
                   "    %1 = tt.addptr %0, %o : tensor<8x!tt.ptr<f32>>, tensor<8xi32>\n"
                   "    %2 = tt.load %1 : tensor<8x!tt.ptr<f32>>\n"
                   "    %3 = tt.splat %y : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>\n"
                   "    %4 = tt.addptr %3, %r : tensor<8x!tt.ptr<f32>>, tensor<8xi32>\n"
                   "    tt.store %4, %2 : tensor<8x!tt.ptr<f32>>\n"));
  g.tensor(iota_f32(16));
  g.window(0, 1, {8}, {2});
  g.tensor(std::vector<float>(8));
  const LaunchReport report = g.run();
  EXPECT_TRUE(report.findings.findings().empty());
  EXPECT_EQ(g.values<float>(2), (std::vector<float>{1, 3, 5, 7, 9, 11, 13, 15}));
}

TEST(Bounds, PointerOfAnotherArgumentIsReported) {
  // The difference of two addresses takes a pointer derived from a0 into a1.
  Harness g(
      kernel("%x: !tt.ptr<f32>, %y: !tt.ptr<f32>",
             "    %0 = tt.ptr_to_int %x : !tt.ptr<f32> -> i64\n    %1 = tt.ptr_to_int %y : !tt.ptr<f32> -> i64\n"
             "    %2 = arith.subi %1, %0 : i64\n    %c4 = arith.constant 4 : i64\n    %3 = arith.divsi %2, %c4 : i64\n"
             "    %4 = tt.addptr %x, %3 : !tt.ptr<f32>, i64\n    %v = arith.constant 7.0 : f32\n"
             "    tt.store %4, %v : !tt.ptr<f32>\n"));
  g.tensor(iota_f32(64));
  g.tensor(std::vector<float>(64));
  const LaunchReport report = g.run();
  ASSERT_EQ(report.findings.findings().size(), 1u);
  EXPECT_EQ(report.findings.findings()[0].code, FindingCode::LS109);
  EXPECT_EQ(g.values<float>(1)[0], 0.0f);
}

TEST(Bounds, AnyAddressIsSafe) {
  Harness g(kernel("%y: !tt.ptr<f32>, %n: i64",
                   "    %0 = tt.int_to_ptr %n : i64 -> !tt.ptr<f32>\n    %1 = tt.load %0 : !tt.ptr<f32>\n"
                   "    tt.store %0, %1 : !tt.ptr<f32>\n    %2 = tt.addptr %y, %n : !tt.ptr<f32>, i64\n"
                   "    %3 = tt.load %2 : !tt.ptr<f32>\n    tt.store %2, %3 : !tt.ptr<f32>\n"));
  g.tensor(iota_f32(4));
  for (const std::uint64_t address :
       {std::uint64_t{0}, std::uint64_t{1} << 47, ~std::uint64_t{0}, ~std::uint64_t{0} / 2, ~std::uint64_t{0} / 4}) {
    Harness fresh(kernel("%y: !tt.ptr<f32>, %n: i64",
                         "    %0 = tt.int_to_ptr %n : i64 -> !tt.ptr<f32>\n    %1 = tt.load %0 : !tt.ptr<f32>\n    "
                         "tt.store %0, %1 : !tt.ptr<f32>\n"));
    fresh.tensor(iota_f32(4));
    fresh.scalar(address);
    EXPECT_EQ(fresh.run().findings.findings().size(), 2u);
  }
  g.scalar(std::uint64_t{1} << 62);
  EXPECT_EQ(g.run().findings.findings().size(),
            2u);  // 2^62 elements of 4 bytes wrap around to the start: only the integer's own accesses
}

/// Offsets that take the strides of a tile of pointers near 2^63.
TEST(Bounds, AnyStrideIsSafe) {
  for (const std::uint64_t step :
       {std::uint64_t{1} << 60, std::uint64_t{1} << 61, (std::uint64_t{1} << 61) - 1, std::uint64_t{3} << 59}) {
    Harness g(
        kernel("%x: !tt.ptr<f32>, %n: i64",
               "    %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>\n    %w = arith.extsi %r : "
               "tensor<8xi32> to tensor<8xi64>\n"
               "    %ns = tt.splat %n : i64 -> tensor<8xi64>\n    %o = arith.muli %w, %ns : tensor<8xi64>\n    %c4 = "
               "arith.constant 4 : i32\n"
               "    %k = tt.splat %c4 : i32 -> tensor<8xi32>\n    %m = arith.cmpi sge, %r, %k : tensor<8xi32>\n"
               "    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>\n    %p = tt.addptr %xs, %o : "
               "tensor<8x!tt.ptr<f32>>, tensor<8xi64>\n"
               "    %v = tt.load %p, %m : tensor<8x!tt.ptr<f32>>\n    tt.store %p, %v : tensor<8x!tt.ptr<f32>>\n"));
    g.tensor(iota_f32(4));
    g.scalar(step);
    g.run();
  }
}

TEST(Bounds, FindingsAreTheSameForAnyThreadCount) {
  std::string first;
  for (const unsigned threads : {1u, 2u, 7u}) {
    Harness h(copy_kernel());
    h.tensor(iota_f32(1000));
    h.tensor(std::vector<float>(1000));
    h.scalar(100000);
    const LaunchReport report = h.run({64, 1, 1}, threads);
    std::string text;
    for (const Finding& finding : report.findings.findings()) text += render_text(finding);
    if (threads == 1) first = text;
    EXPECT_EQ(text, first);
    EXPECT_FALSE(text.empty());
  }
}

// ---- Reach::storage: as far as the storage goes ----

/// Loads %n elements from %i on, step %s, of the first tensor; stores 0 or their value.
const char* const kReach =
    "    %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>\n"
    "    %st = tt.splat %s : i32 -> tensor<8xi32>\n    %q = arith.muli %r, %st : tensor<8xi32>\n"
    "    %it = tt.splat %i : i32 -> tensor<8xi32>\n    %o = arith.addi %q, %it : tensor<8xi32>\n"
    "    %xp = tt.splat %x : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>\n"
    "    %xo = tt.addptr %xp, %o : tensor<8x!tt.ptr<f32>>, tensor<8xi32>\n"
    "    %v = tt.load %xo : tensor<8x!tt.ptr<f32>>\n"
    "    %yp = tt.splat %y : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>\n"
    "    %yo = tt.addptr %yp, %r : tensor<8x!tt.ptr<f32>>, tensor<8xi32>\n"
    "    tt.store %yo, %v : tensor<8x!tt.ptr<f32>>\n";

/// x is elements 10, 12, .. 18 of borrowed memory of 4,000 floats, of which x's storage is the first 30, z's the next
/// 10 and w's those from 3,000 on.
struct Reaching {
  explicit Reaching(std::int64_t first, std::int64_t step, Reach reach = Reach::storage)
      : h(kernel("%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %i: i32, %s: i32", kReach)), data(iota_f32(4000)), out(8) {
    using memory_model::Address;
    auto& memory = h.memory();
    const std::array<std::int64_t, 1> shape{5}, strides{2}, all{8}, rest{10}, many{1000}, one{1};
    const auto x = memory.borrow("x", data.data(), 120), z = memory.borrow("z", data.data() + 30, 40);
    const auto y = memory.borrow("y", out.data(), 32), w = memory.borrow("w", data.data() + 3000, 4000);
    const auto place = [](float* at) { return reinterpret_cast<Address>(at); };
    const auto add = [&](auto storage, const char* name, float* at, const auto& sizes, const auto& steps) {
      return reach == Reach::view ? *memory.add_view_at(storage, name, ScalarKind::f32, place(at), sizes, steps)
                                  : *memory.add_bare_view(storage, name, ScalarKind::f32, place(at), sizes, steps);
    };
    h.argument(add(x, "x", data.data() + 10, shape, strides));
    h.argument(add(y, "y", out.data(), all, one));
    add(z, "z", data.data() + 30, rest, one);
    add(w, "w", data.data() + 3000, many, one);
    h.scalar(static_cast<std::uint32_t>(first));
    h.scalar(static_cast<std::uint32_t>(step));
    h.options.reach = reach;
    report = h.run();
  }
  FindingCode code() const {
    return report.findings.findings().empty() ? FindingCode::none : report.findings.findings()[0].code;
  }
  std::string message() const {
    const std::string all = report.findings.findings().empty() ? "" : report.findings.findings()[0].message;
    return all.substr(0, all.find(';'));
  }
  Harness h;
  std::vector<float> data, out;
  LaunchReport report;
};

TEST(Reach, TheWholeStorageOfAViewAndNothingElse) {
  const Reaching gaps(0, 1), before(-10, 1), to_the_end(12, 1);
  for (const Reaching* one : {&gaps, &before, &to_the_end}) EXPECT_EQ(one->code(), FindingCode::none);
  EXPECT_EQ(gaps.out, iota_f32(8, 10));
  EXPECT_EQ(before.out, iota_f32(8));
  EXPECT_EQ(to_the_end.out, iota_f32(8, 22));
  EXPECT_EQ(Reaching(0, 1, Reach::view).code(), FindingCode::LS102);
  EXPECT_EQ(Reaching(0, 2, Reach::view).code(), FindingCode::LS102);
}

TEST(Reach, FindingsAreJudgedByTheStorage) {
  const Reaching past(14, 1);
  EXPECT_EQ(past.code(), FindingCode::LS101) << "whose memory lies behind is chance";
  EXPECT_EQ(past.message(),
            "out-of-bounds read: x[10]..x+84 bytes, x has shape [5] and strides [2] and its storage ends before x[10]");
  ASSERT_EQ(past.report.findings.findings()[0].notes.size(), 1u);
  EXPECT_EQ(past.report.findings.findings()[0].notes[0].message,
            "2 of the lanes: in this launch 'z' lies there, where the allocator put it");
  EXPECT_EQ(past.out, (std::vector<float>{24, 25, 26, 27, 28, 29, 0, 0}));
  EXPECT_EQ(Reaching(21, 1).code(), FindingCode::LS101) << "wholly in z, but z begins where x ends";
  const Reaching wrong(2991, 1);
  EXPECT_EQ(wrong.code(), FindingCode::LS109);
  EXPECT_EQ(wrong.message(),
            "pointer derived from 'x' accesses allocation 'w': x+11964 bytes..x[1499], x has "
            "shape [5] and strides [2] and its storage ends before x[10]");
  const Reaching far(1000, 1);
  EXPECT_EQ(far.code(), FindingCode::LS101);
  EXPECT_TRUE(far.report.findings.findings()[0].notes.empty());
  const Reaching before(-14, 1);
  EXPECT_EQ(before.code(), FindingCode::LS104);
  EXPECT_EQ(before.message(),
            "read before start of x: x[-7]..x-44 bytes, x has shape [5] and strides [2] and its storage begins at "
            "x[-5]");
  EXPECT_EQ(before.out, (std::vector<float>{0, 0, 0, 0, 0, 1, 2, 3}));
}

TEST(Reach, ATensorThatIsItsStorageReadsAsBefore) {
  Harness h(copy_kernel());
  h.tensor(iota_f32(1000));
  h.tensor(std::vector<float>(1000));
  h.scalar(1000);
  h.options.reach = Reach::storage;
  const LaunchReport report = h.run({8, 1, 1});
  ASSERT_EQ(report.findings.findings().size(), 1u);
  EXPECT_EQ(report.findings.findings()[0].message,
            "out-of-bounds read: a0[1000..1023], a0 has 1000 elements; program (7,0,0), 24 of 128 lanes; no mask on "
            "this load");
}

}  // namespace
}  // namespace lockstep::interpreter
