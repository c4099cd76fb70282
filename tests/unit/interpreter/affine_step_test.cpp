// Steps on ranges, pointers and masks (affine_step.h) against the general ones: the same elements, form and numbers for
// random tiles of every kind and up to four dimensions, near the ends of the kinds too; and that the steps do the
// frequent cases themselves.
#include "interpreter/tile/affine_step.h"

#include "interpreter/evaluators/elementwise_step.h"
#include "interpreter/plan/structure_step.h"
#include "tests/unit/interpreter/tile_fixture.h"

namespace lockstep::interpreter {
namespace {

using Rule = Elementwise::Rule;
using kernels::CompareInt;

/// Slots 0 and 1 are the operands, 2 is the result.
class StepLab : public TileLab {
 public:
  explicit StepLab(unsigned seed) : TileLab(seed) {
    plan.steps.resize(1);
    step.operand = {0, 1, kNoSlot, kNoSlot};
    step.operand_count = 2;
    step.dies = 0;
    step.result = 2;
    machine->slots = slots.data();
  }
  ~StepLab() {
    for (Tile& slot : slots) machine->pool.release(slot);
  }

  /// The result of the function on the operands. Holds a count.
  Tile run(StepFunction function, const void* record, const TileType& result, const Tile& old) {
    step.record = record;
    step.type = &result;
    machine->set(2, old);
    EXPECT_EQ(function(*machine, &step), &step + 1);
    const Tile made = slots[2];
    slots[2].buffer = nullptr;
    return made;
  }

  void expect_same(const Tile& got, const Tile& wanted, const TileType& type, const std::string& what) {
    ASSERT_EQ(elements(got, type), elements(wanted, type)) << what;
    ASSERT_EQ(got.form, wanted.form) << what;
    ASSERT_EQ(got.provenance, wanted.provenance) << what;
    if (got.form == Form::dense || got.form == Form::gather) return;
    ASSERT_EQ(got.base, wanted.base) << what;
    ASSERT_EQ(got.buffer, nullptr) << what;
    for (std::size_t d = 0; d < type.shape.size(); ++d) ASSERT_EQ(got.stride[d], wanted.stride[d]) << what;
  }

  /// Extents of up to four dimensions, larger ones along the first.
  std::vector<std::int64_t> extents() {
    std::vector<std::int64_t> made = shape(6);
    if (below(5) == 0) made.push_back(1 + below(3));
    if (below(4) == 0) made[0] = 1 + below(200);
    return made;
  }
  /// Plain mostly; with large numbers and strides sometimes.
  Tile operand(const TileType& type) {
    if (below(8) == 0) return any(type);
    if (type.kind == ScalarKind::i1) return often() ? box(type) : uniform_tile(static_cast<std::uint64_t>(below(2)));
    if (below(3) == 0) return uniform(type);
    AffineView view;
    view.base = number(type.kind);
    for (std::size_t d = 0; d < type.shape.size(); ++d) {
      view.stride[d] = below(4) == 0 ? number(type.kind) / (1 + below(200)) : below(9) - 4;
      if (below(3) == 0) view.stride[d] = 0;
    }
    Tile made;
    return from_affine(view, type, made) ? made : affine(type);
  }

  std::array<Tile, 3> slots{};
  Step step;
};

kernels::BinaryFn kernel_of(Rule rule, CompareInt predicate, ScalarKind kind) {
  switch (rule) {
    case Rule::add: return kernels::binary(kernels::Binary::addi, kind);
    case Rule::subtract: return kernels::binary(kernels::Binary::subi, kind);
    case Rule::multiply: return kernels::binary(kernels::Binary::muli, kind);
    case Rule::and_: return kernels::binary(kernels::Binary::andi, kind);
    default: return kernels::compare(predicate, kind);
  }
}

Elementwise binary_op(Rule rule, CompareInt predicate, const TileType& type, const TileType& result) {
  Elementwise op;
  op.arity = Elementwise::Arity::binary;
  op.operands = 2;
  op.rule = rule;
  op.predicate = predicate;
  op.binary = kernel_of(rule, predicate, type.kind);
  op.operand = {&type, &type, nullptr};
  op.result = &result;
  op.limits = affine_limits(op);
  return op;
}

constexpr std::array<ScalarKind, 4> kIntegers{ScalarKind::i8, ScalarKind::i16, ScalarKind::i32, ScalarKind::i64};

TEST(AffineStep, BinaryOpsAreTheGeneralOnes) {
  StepLab lab(21);
  int cheap = 0;
  for (int round = 0; round < 20000; ++round) {
    const std::array<Rule, 5> rules{Rule::add, Rule::subtract, Rule::multiply, Rule::compare, Rule::and_};
    const Rule rule = rules[static_cast<std::size_t>(lab.below(5))];
    const auto predicate = static_cast<CompareInt>(lab.below(10));
    const ScalarKind kind = rule == Rule::and_ ? ScalarKind::i1 : kIntegers[static_cast<std::size_t>(lab.below(4))];
    const TileType type = TileLab::type_of(kind, lab.extents());
    const TileType result = TileLab::type_of(rule == Rule::compare ? ScalarKind::i1 : kind, type.shape);
    const Elementwise op = binary_op(rule, predicate, type, result);
    const Temporary a(*lab.machine, lab.operand(type)), b(*lab.machine, lab.operand(type));
    lab.slots[0] = *a;
    lab.slots[1] = *b;
    const StepFunction best = elementwise_step(op), general = structured_step(op);
    EXPECT_TRUE(is_elementwise_step(best));
    const Temporary wanted(*lab.machine, lab.run(general, &op, result, {}));
    const Temporary got(*lab.machine, lab.run(best, &op, result, lab.any(result)));
    const std::string what = "round " + std::to_string(round) + " rule " + std::to_string(static_cast<int>(rule));
    lab.expect_same(*got, *wanted, result, what);
    cheap += is_affine_step(best) && got->form != Form::dense && got->form != Form::gather ? 1 : 0;
  }
  lab.slots[0] = lab.slots[1] = {};
  EXPECT_GT(cheap, 5000);
}

TEST(AffineStep, ConversionsAreTheGeneralOnes) {
  StepLab lab(22);
  for (int round = 0; round < 8000; ++round) {
    const TileType from = TileLab::type_of(kIntegers[static_cast<std::size_t>(lab.below(4))], lab.extents());
    const TileType to = TileLab::type_of(kIntegers[static_cast<std::size_t>(lab.below(4))], from.shape);
    if (from.kind == to.kind) continue;
    Elementwise op;
    op.arity = Elementwise::Arity::convert;
    op.rule = lab.often() ? Rule::convert : Rule::convert_unsigned;
    const bool is_signed = op.rule == Rule::convert;
    op.convert =
        kernels::convert(from.kind, to.kind, is_signed ? kernels::Conversion::signed_ : kernels::Conversion::unsigned_);
    op.operand = {&from, nullptr, nullptr};
    op.result = &to;
    op.limits = affine_limits(op);
    const Temporary a(*lab.machine, lab.operand(from));
    lab.slots[0] = *a;
    const Temporary wanted(*lab.machine, lab.run(structured_step(op), &op, to, {}));
    const Temporary got(*lab.machine, lab.run(elementwise_step(op), &op, to, lab.any(to)));
    lab.expect_same(*got, *wanted, to, "round " + std::to_string(round));
  }
  lab.slots[0] = {};
}

TEST(AffineStep, PointersAreTheGeneralOnes) {
  StepLab lab(23);
  for (int round = 0; round < 8000; ++round) {
    const TileType offsets = TileLab::type_of(kIntegers[static_cast<std::size_t>(lab.below(4))], lab.extents());
    const TileType type = TileLab::type_of(ScalarKind::pointer, offsets.shape);
    AddPointer record;
    record.element_bytes = std::int64_t{1} << lab.below(4);
    record.pointer = &type;
    record.offset = &offsets;
    record.limits = offset_limits(offsets);
    const Temporary pointer(*lab.machine, lab.operand(type)), offset(*lab.machine, lab.operand(offsets));
    lab.slots[0] = *pointer;
    lab.slots[0].provenance = static_cast<std::int32_t>(lab.below(3));
    lab.slots[1] = *offset;
    const Temporary wanted(*lab.machine, lab.run(step_add_pointer, &record, type, {}));
    const Temporary got(*lab.machine, lab.run(add_pointer_step(record), &record, type, lab.any(type)));
    lab.expect_same(*got, *wanted, type, "round " + std::to_string(round));
  }
  lab.slots[0] = lab.slots[1] = {};
}

/// A record without a rule has no general step to hand over to: whoever hands over crashes.
TEST(AffineStep, FrequentCasesAreNotHandedOver) {
  StepLab lab(24);
  for (const ScalarKind kind : kIntegers) {
    for (const std::vector<std::int64_t>& shape :
         {std::vector<std::int64_t>{16}, std::vector<std::int64_t>{4, 8}, std::vector<std::int64_t>{2, 4, 8}}) {
      const TileType type = TileLab::type_of(kind, shape), mask = TileLab::type_of(ScalarKind::i1, shape);
      AffineView view;
      view.base = 3;
      view.stride.fill(0);
      view.stride[shape.size() - 1] = 1;
      ASSERT_TRUE(from_affine(view, type, lab.slots[0]));
      lab.slots[1] = uniform_tile(5);
      for (const Rule rule : {Rule::add, Rule::subtract, Rule::multiply, Rule::compare}) {
        const TileType& result = rule == Rule::compare ? mask : type;
        Elementwise op = binary_op(rule, CompareInt::slt, type, result);
        const StepFunction best = elementwise_step(op);
        ASSERT_TRUE(is_affine_step(best));
        op.rule = Rule::none;
        EXPECT_EQ(lab.run(best, &op, result, {}).form, rule == Rule::compare ? Form::box : Form::affine);
      }
    }
  }
}

}  // namespace
}  // namespace lockstep::interpreter
