// The algebra of forms on random tiles of every form, against the same arithmetic on their elements; and that the form
// rows is taken where it should be.
#include "interpreter/rows.h"

#include <functional>
#include <map>

#include "tests/unit/interpreter/tile_fixture.h"

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
  EXPECT_GT(seen[Form::rows], 500);
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
  EXPECT_GT(seen[Form::rows], 200);
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
    if (a->form != Form::rows) continue;
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
    taken += out->form == Form::rows ? 1 : 0;
    const auto x = lab.elements(*p, pointers), y = lab.elements(*o, offsets), got = lab.elements(*out, pointers);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto offset = static_cast<Bits>(sign_extend(offsets.kind, y[i]));
      ASSERT_EQ(got[i], x[i] + offset * static_cast<Bits>(bytes));
    }
  }
  EXPECT_GT(taken, 200);
}

}  // namespace
}  // namespace lockstep::interpreter
