// The algebra of forms on random tiles of every form, against the same arithmetic on their elements; and that the form
// rows is taken where it should be.
#include "interpreter/tile/rows.h"

#include <functional>
#include <map>

#include "tests/unit/interpreter/tile_fixture.h"
#include "tests/unit/interpreter_with_ops/launch_fixture.h"

namespace lockstep::interpreter {
namespace {

using Bits = std::uint64_t;

struct Algebra {
  const char* name;
  std::function<bool(TileLab&, const Tile&, const Tile&, const TileType&, Tile&)> on_tiles;
  std::function<Bits(ScalarKind, Bits, Bits)> on_elements;
};

const std::vector<Algebra>& numbers() {
  static const std::vector<Algebra> all = {
      {"add",
       [](TileLab& lab, const Tile& a, const Tile& b, const TileType& type, Tile& out) {
         return add_affine(a, b, type, out) || add_rows(*lab.machine, a, b, type, false, out);
       },
       [](ScalarKind kind, Bits a, Bits b) { return truncate_bits(kind, a + b); }},
      {"subtract",
       [](TileLab& lab, const Tile& a, const Tile& b, const TileType& type, Tile& out) {
         return subtract_affine(a, b, type, out) || add_rows(*lab.machine, a, b, type, true, out);
       },
       [](ScalarKind kind, Bits a, Bits b) { return truncate_bits(kind, a - b); }},
      {"multiply",
       [](TileLab& lab, const Tile& a, const Tile& b, const TileType& type, Tile& out) {
         return multiply_affine(a, b, type, out) || multiply_rows(*lab.machine, a, b, type, out);
       },
       [](ScalarKind kind, Bits a, Bits b) { return truncate_bits(kind, a * b); }},
  };
  return all;
}

/// Every element of `out` is what the oracle says of those of a and b.
void expect_elements(TileLab& lab, const Tile& a, const Tile& b, const TileType& type, const Tile& out,
                     const TileType& out_type, const std::function<Bits(Bits, Bits)>& oracle, const char* name) {
  const auto x = lab.elements(a, type), y = lab.elements(b, type), got = lab.elements(out, out_type);
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(got[i], oracle(x[i], y[i])) << name << " at " << i;
}

TEST(Rows, ArithmeticGivesTheBitsOfElements) {
  TileLab lab(1);
  std::map<Form, int> seen;
  for (int round = 0; round < 20000; ++round) {
    const ScalarKind kind = std::array{ScalarKind::i8, ScalarKind::i16, ScalarKind::i32, ScalarKind::i64}[round % 4];
    const TileType type = TileLab::type_of(kind, lab.shape(7));
    const Temporary a(*lab.machine, lab.any(type)), b(*lab.machine, lab.any(type));
    for (const Algebra& op : numbers()) {
      Tile made;
      if (!op.on_tiles(lab, *a, *b, type, made)) continue;
      const Temporary out(*lab.machine, made);
      ++seen[out->form];
      expect_elements(
          lab, *a, *b, type, *out, type, [&](Bits x, Bits y) { return op.on_elements(kind, x, y); }, op.name);
    }
  }
  EXPECT_GT(seen[Form::uniform], 100);
  EXPECT_GT(seen[Form::affine], 500);
  EXPECT_GT(seen[Form::gather], 500);
}

Bits compared(kernels::CompareInt predicate, ScalarKind kind, Bits a, Bits b) {
  using kernels::CompareInt;
  const std::int64_t x = sign_extend(kind, a), y = sign_extend(kind, b);
  switch (predicate) {
    case CompareInt::eq: return a == b;
    case CompareInt::ne: return a != b;
    case CompareInt::slt: return x < y;
    case CompareInt::sle: return x <= y;
    case CompareInt::sgt: return x > y;
    case CompareInt::sge: return x >= y;
    case CompareInt::ult: return a < b;
    case CompareInt::ule: return a <= b;
    case CompareInt::ugt: return a > b;
    case CompareInt::uge: return a >= b;
  }
  return 0;
}

TEST(Rows, ComparisonsGiveTheBitsOfElements) {
  TileLab lab(2);
  std::map<Form, int> seen;
  for (int round = 0; round < 20000; ++round) {
    const ScalarKind kind = round % 2 == 0 ? ScalarKind::i32 : ScalarKind::i64;
    const TileType type = TileLab::type_of(kind, lab.shape(9)), mask = TileLab::type_of(ScalarKind::i1, type.shape);
    const Tile a = lab.affine(type), b = lab.affine(type);
    const auto predicate = static_cast<kernels::CompareInt>(lab.below(10));
    Tile out;
    if (!compare_affine(predicate, a, b, type, out)) continue;
    ++seen[out.form];
    const auto oracle = [&](Bits x, Bits y) { return compared(predicate, kind, x, y); };
    expect_elements(lab, a, b, type, out, mask, oracle, "compare");
  }
  EXPECT_GT(seen[Form::uniform], 1000);
  EXPECT_GT(seen[Form::box], 500);
}

TEST(Rows, MasksGiveTheBitsOfElements) {
  TileLab lab(3);
  std::map<Form, int> seen;
  for (int round = 0; round < 20000; ++round) {
    const TileType type = TileLab::type_of(ScalarKind::i1, lab.shape(7));
    const Temporary a(*lab.machine, lab.any(type)), b(*lab.machine, lab.any(type));
    Tile made;
    if (!and_boxes(*a, *b, type, made) && !and_row_masks(*lab.machine, *a, *b, type, made)) continue;
    const Temporary out(*lab.machine, made);
    ++seen[out->form];
    expect_elements(lab, *a, *b, type, *out, type, [](Bits x, Bits y) { return x & y; }, "and");
  }
  EXPECT_GT(seen[Form::box], 100);
  EXPECT_GT(seen[Form::gather], 200);
}

TEST(Rows, ConversionsKeepTheFormWhereValuesFit) {
  TileLab lab(4);
  int kept = 0, refused = 0;
  const std::array kinds{ScalarKind::i8, ScalarKind::i16, ScalarKind::i32, ScalarKind::i64};
  for (int round = 0; round < 12000; ++round) {
    const TileType from = TileLab::type_of(kinds[static_cast<std::size_t>(lab.below(4))], lab.shape(7));
    const TileType to = TileLab::type_of(kinds[static_cast<std::size_t>(lab.below(4))], from.shape);
    const bool is_unsigned = lab.below(2) == 0;
    const Temporary a(*lab.machine, lab.rows(from));
    Tile made;
    if (a->form != Form::gather) continue;
    if (!convert_rows(*a, from, to, is_unsigned, made)) {
      ++refused;
      continue;
    }
    ++kept;
    const Temporary out(*lab.machine, made);
    const auto x = lab.elements(*a, from), got = lab.elements(*out, to);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Bits wide = is_unsigned ? x[i] : static_cast<Bits>(sign_extend(from.kind, x[i]));
      ASSERT_EQ(got[i], truncate_bits(to.kind, wide));
    }
  }
  EXPECT_GT(kept, 200);
  EXPECT_GT(refused, 50);
}

TEST(Rows, AddressesWrap) {
  TileLab lab(5);
  int taken = 0;
  for (int round = 0; round < 12000; ++round) {
    const TileType pointers = TileLab::type_of(ScalarKind::pointer, lab.shape(7));
    const TileType offsets = TileLab::type_of(round % 2 == 0 ? ScalarKind::i32 : ScalarKind::i64, pointers.shape);
    const Temporary p(*lab.machine, lab.any(pointers)), o(*lab.machine, lab.any(offsets));
    const std::int64_t bytes = std::int64_t{1} << lab.below(4);
    Tile made;
    if (!offset_pointer(*p, pointers, *o, offsets, bytes, made) &&
        !offset_pointer_rows(*lab.machine, *p, pointers, *o, offsets, bytes, made))
      continue;
    const Temporary out(*lab.machine, made);
    taken += out->form == Form::gather ? 1 : 0;
    const auto x = lab.elements(*p, pointers), y = lab.elements(*o, offsets), got = lab.elements(*out, pointers);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto offset = static_cast<Bits>(sign_extend(offsets.kind, y[i]));
      ASSERT_EQ(got[i], x[i] + offset * static_cast<Bits>(bytes));
    }
  }
  EXPECT_GT(taken, 200);
}

constexpr std::int64_t kGathered = 64, kWidth = 256, kTable = 100;

/// Rows of a table of kTable rows, named by an index, one after the other.
std::string gather_kernel() {
  const std::string wide = "tensor<64x256xi32>", pointers = "tensor<64x256x!tt.ptr<f32>>";
  const auto place = [&](const std::string& base, const std::string& row) {
    return "    %m" + base + " = arith.muli " + row + ", %w : tensor<64x1xi32>\n    %b" + base + " = tt.broadcast %m" +
           base + " : tensor<64x1xi32> -> " + wide + "\n    %o" + base + " = arith.addi %b" + base + ", %cb : " + wide +
           "\n    %s" + base + " = tt.splat %" + base + " : !tt.ptr<f32> -> " + pointers + "\n    %p" + base +
           " = tt.addptr %s" + base + ", %o" + base + " : " + pointers + ", " + wide + "\n";
  };
  return kernel("%x: !tt.ptr<f32>, %i: !tt.ptr<i32>, %y: !tt.ptr<f32>",
                "    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n"
                "    %c = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>\n"
                "    %is = tt.splat %i : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>\n"
                "    %ip = tt.addptr %is, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>\n"
                "    %n = tt.load %ip : tensor<64x!tt.ptr<i32>>\n"
                "    %ne = tt.expand_dims %n {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>\n"
                "    %re = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>\n"
                "    %ce = tt.expand_dims %c {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>\n"
                "    %cb = tt.broadcast %ce : tensor<1x256xi32> -> " +
                    wide + "\n    %w = arith.constant dense<256> : tensor<64x1xi32>\n" + place("x", "%ne") +
                    "    %v = tt.load %px : " + pointers + "\n" + place("y", "%re") +
                    "    tt.store %py, %v : " + pointers + "\n");
}

TEST(Rows, AGatherOfRowsMakesNoTileOfPointers) {
  Harness h(gather_kernel());
  const std::vector<float> table = iota_f32(kTable * kWidth);
  std::vector<std::int32_t> index(kGathered);
  for (std::size_t i = 0; i < index.size(); ++i) index[i] = static_cast<std::int32_t>(i * 37 % kTable);
  h.tensor(table);
  h.tensor(index);
  h.tensor(std::vector<float>(kGathered * kWidth));
  const LaunchReport report = h.run({1, 1, 1}, 1);
  const auto out = h.values<float>(2);
  for (std::size_t i = 0; i < out.size(); ++i)
    ASSERT_EQ(out[i], table[static_cast<std::size_t>(index[i / kWidth] * kWidth) + i % kWidth]) << i;
  EXPECT_LT(report.scratch_bytes, kGathered * kWidth * 8u);  // what the pointers would take, lane by lane
}

TEST(Rows, ARowOutsideOfItsTensorIsFoundLaneByLane) {
  Harness h(gather_kernel());
  std::vector<std::int32_t> index(kGathered, 3);
  index[7] = kTable;
  h.tensor(iota_f32(kTable * kWidth));
  h.tensor(index);
  h.tensor(std::vector<float>(kGathered * kWidth, -1.0f));
  const LaunchReport report = h.run({1, 1, 1}, 1);
  ASSERT_EQ(report.findings.findings().size(), 1u);
  EXPECT_EQ(report.findings.findings()[0].count, 256u);
  EXPECT_EQ(report.findings.findings()[0].lane, (std::vector<std::int64_t>{7, 0}));
  const auto out = h.values<float>(2);
  for (std::size_t i = 0; i < out.size(); ++i)
    ASSERT_EQ(out[i], i / kWidth == 7 ? 0.0f : static_cast<float>(3 * kWidth + i % kWidth)) << i;
}

}  // namespace
}  // namespace lockstep::interpreter
