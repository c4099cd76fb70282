// Steps on scalars (scalar_step.h) against the kernels of their ops: the same bits for every op and kind, at the ends
// of the kinds, by zero, with wide shifts, and for floats that overflow, vanish or are NaN; and that the ops have such
// steps.
#include "interpreter/plan/scalar_step.h"

#include "tests/unit/interpreter/tile_fixture.h"

namespace lockstep::interpreter {
namespace {

using kernels::Binary;

struct Lab : TileLab {
  Lab() : TileLab(31) {
    machine->slots = slots.data();
    step.operand = {0, 1, kNoSlot, kNoSlot};
    step.operand_count = 2;
    step.result = 2;
  }
  /// Compares the op on the bits a, b with its kernel.
  void compare(Binary which, ScalarKind kind, std::uint64_t a, std::uint64_t b) {
    const TileType type = type_of(kind, {});
    Elementwise op;
    op.arity = Elementwise::Arity::binary;
    op.operands = 2;
    op.binary = kernels::binary(which, kind);
    op.operand = {&type, &type, nullptr};
    op.result = &type;
    op.limits.shift = 64 - bit_width(kind);
    op.limits.result_mask = truncate_bits(kind, ~std::uint64_t{0});
    const StepFunction run = scalar_step(op);
    ASSERT_NE(run, nullptr);
    slots[0] = uniform_tile(a);
    slots[1] = uniform_tile(b);
    slots[2] = uniform_tile(0x5555);
    step.record = &op;
    ASSERT_EQ(run(*machine, &step), &step + 1);
    std::uint64_t wanted = 0;
    op.binary(&wanted, &a, &b, 1, 0, 0);
    ASSERT_EQ(slots[2].base, wanted) << static_cast<int>(which) << ' ' << static_cast<int>(kind) << ' ' << a << ' '
                                     << b;
    ASSERT_EQ(slots[2].form, Form::uniform);
  }
  std::array<Tile, 3> slots{};
  Step step;
};

TEST(ScalarStep, IntegersAreThoseOfTheKernels) {
  Lab lab;
  constexpr Binary kOps[] = {Binary::andi,  Binary::ori,   Binary::xori,       Binary::minsi,    Binary::maxsi,
                             Binary::minui, Binary::maxui, Binary::shli,       Binary::shrui,    Binary::shrsi,
                             Binary::divsi, Binary::remsi, Binary::floordivsi, Binary::ceildivsi};
  for (const ScalarKind kind : {ScalarKind::i8, ScalarKind::i16, ScalarKind::i32, ScalarKind::i64}) {
    std::vector<std::int64_t> numbers{0,
                                      1,
                                      -1,
                                      2,
                                      3,
                                      -3,
                                      7,
                                      8,
                                      31,
                                      32,
                                      33,
                                      63,
                                      64,
                                      65,
                                      100,
                                      -100,
                                      highest_of(kind),
                                      lowest_of(kind),
                                      highest_of(kind) - 1,
                                      lowest_of(kind) + 1,
                                      std::int64_t{1} << 33};
    for (int i = 0; i < 20; ++i) numbers.push_back(static_cast<std::int64_t>(lab.random()) * 0x1234567);
    for (const Binary which : kOps) {
      for (const std::int64_t a : numbers) {
        for (const std::int64_t b : numbers)
          lab.compare(which, kind, truncate_bits(kind, static_cast<std::uint64_t>(a)),
                      truncate_bits(kind, static_cast<std::uint64_t>(b)));
      }
    }
  }
}

TEST(ScalarStep, FloatsAreThoseOfTheKernels) {
  Lab lab;
  std::vector<std::uint64_t> numbers{0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x00800000, 0x3f800000,
                                     0xbf800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000,
                                     0x7f800001, 0xff800001, 0x7fc12345, 0xffc54321, 0x3eaaaaab, 0x4b800001};
  for (int i = 0; i < 60; ++i) numbers.push_back(lab.random());
  for (const Binary which : {Binary::addf, Binary::subf, Binary::mulf}) {
    for (const std::uint64_t a : numbers) {
      for (const std::uint64_t b : numbers) lab.compare(which, ScalarKind::f32, a, b);
    }
  }
}

}  // namespace
}  // namespace lockstep::interpreter
