// Types, attributes, use lists, modules, the builder, and float literals.
#include <cmath>
#include <cstring>

#include "dialects/registry.h"
#include "ir/builder.h"
#include "ir/layouts/encoding.h"
#include "ir/op_registry.h"
#include "ir/text/float_text.h"
#include "test_text.h"

namespace lockstep::ir {
namespace {

TEST(Types, AreInternedAndSpeltAsMlir) {
  Context context{dialects::registry()};
  const Type f32 = context.floating(ScalarKind::f32);
  const Type pointer = context.pointer(f32);
  const Type tile = context.tensor({4, 8}, pointer);
  EXPECT_EQ(tile, context.tensor({4, 8}, context.pointer(context.scalar(ScalarKind::f32))));
  EXPECT_EQ(tile.to_string(), "tensor<4x8x!tt.ptr<f32>>");
  EXPECT_EQ(tile.element_count(), 32);
  EXPECT_EQ(tile.element(), pointer);
  EXPECT_EQ(context.pointer(f32, 3).to_string(), "!tt.ptr<f32, 3>");
  EXPECT_EQ(context.descriptor(context.tensor({16}, f32)).to_string(), "!tt.tensordesc<tensor<16xf32>>");
  const Type integers = context.tensor({16}, context.integer(32));
  const Type with_sign = context.descriptor(integers, Signedness::is_signed);
  EXPECT_EQ(with_sign.to_string(), "!tt.tensordesc<tensor<16xsi32>>");
  EXPECT_EQ(context.descriptor(integers, Signedness::is_unsigned).to_string(), "!tt.tensordesc<tensor<16xui32>>");
  EXPECT_EQ(with_sign.signedness(), Signedness::is_signed);
  EXPECT_EQ(with_sign.pointee(), integers);
  EXPECT_NE(with_sign, context.descriptor(integers));
  EXPECT_EQ(context.descriptor(context.tensor({16}, f32), Signedness::is_signed),
            context.descriptor(context.tensor({16}, f32)));
  EXPECT_EQ(context.function({f32, context.integer(1)}, {}).to_string(), "(f32, i1) -> ()");
  EXPECT_EQ(context.function({}, {f32}).to_string(), "() -> f32");
  const Attribute open = context.encoding_attribute(context.encodings().get(OpenEncoding{}));
  EXPECT_EQ(context.tensor({2}, f32, open).to_string(), "tensor<2xf32, #gluon.auto_encoding>");
  EXPECT_NE(context.tensor({2}, f32, open), context.tensor({2}, f32));
  EXPECT_EQ(context.index().scalar_kind(), ScalarKind::i64);
  EXPECT_EQ(context.integer(7).scalar_kind(), std::nullopt);
}

TEST(Attributes, AreInternedAndSignExtended) {
  Context context{dialects::registry()};
  EXPECT_EQ(context.integer_attribute(context.integer(8), 200)->integer, -56);
  EXPECT_EQ(context.integer_attribute(context.integer(1), 3), context.boolean(true));
  EXPECT_EQ(context.i32(5), context.i32(5));
  EXPECT_NE(context.i32(5), context.integer_attribute(context.integer(64), 5));
  EXPECT_EQ(print_attribute(context.array(
                {context.i32(1), context.integer_attribute(context.integer(64), 2), context.string("a\"\n")})),
            "[1 : i32, 2, \"a\\22\\0A\"]");
  EXPECT_EQ(print_attribute(context.dictionary({{"b", context.unit()}, {"a c", context.boolean(false)}})),
            "{\"a c\" = false, b}");
  EXPECT_EQ(print_attribute(context.dense_array(context.integer(32), {})), "array<i32>");
  EXPECT_EQ(print_attribute(context.symbol("f g")), "@\"f g\"");
}

std::uint64_t bits(float value) {
  std::uint32_t result;
  std::memcpy(&result, &value, sizeof result);
  return result;
}

TEST(FloatText, PrintsAsMlirAndReadsBack) {
  const std::pair<float, const char*> kCases[] = {
      {0.0F, "0.000000e+00"},     {-0.0F, "-0.000000e+00"},          {1.5F, "1.500000e+00"},
      {1.0e-7F, "1.000000e-07"},  {6.28318548F, "6.28318548"},       {4.6566126e-10F, "4.6566126E-10"},
      {99999.953F, "99999.9531"}, {16777216.0F, "0x4B800000"},       {INFINITY, "0x7F800000"},
      {-INFINITY, "0xFF800000"},  {3.4028235e38F, "3.40282347E+38"}, {1e30F, "1.000000e+30"}};
  for (const auto& [value, text] : kCases) {
    EXPECT_EQ(print_float(ScalarKind::f32, bits(value)), text);
    const bool is_decimal = std::isfinite(value) && text[1] != 'x';
    if (is_decimal) {
      EXPECT_EQ(parse_float(ScalarKind::f32, text), bits(value)) << text;
    }
  }
  EXPECT_EQ(parse_float(ScalarKind::f64, "1.0e999"), std::nullopt);
  EXPECT_EQ(parse_float(ScalarKind::f64, "1.0e-999"), 0u);
  EXPECT_EQ(parse_float(ScalarKind::f16, "0.1"), 0x2E66u);
}

TEST(FloatText, EveryHalfReadsBackToItself) {
  for (const ScalarKind kind : {ScalarKind::f16, ScalarKind::bf16, ScalarKind::f8E5M2, ScalarKind::f8E4M3FN}) {
    for (std::uint64_t value = 0; value < (std::uint64_t{1} << bit_width(kind)); ++value) {
      const std::string text = print_float(kind, value);
      if (text.starts_with("0x")) continue;
      ASSERT_EQ(parse_float(kind, text), value) << text;
    }
  }
}

/// f(x: i32) { a = x + x; b = a + x; return }
struct Fixture {
  Module module{dialects::registry()};
  Builder builder{module.context()};
  Op* function = nullptr;
  Op* first = nullptr;
  Op* second = nullptr;
  Fixture() {
    Context& context = module.context();
    const Type i32 = context.integer(32);
    builder.set_insertion_point_to_end(module.body());
    function = builder.create("tt.func", {}, {},
                              {{"sym_name", context.string("f")},
                               {"sym_visibility", context.string("public")},
                               {"function_type", context.type_attribute(context.function({i32}, {}))}});
    Block& block = function->region().add_block();
    Value* x = block.add_argument(i32);
    builder.set_insertion_point_to_end(block);
    first = builder.create("arith.addi", {x, x}, {i32});
    second = builder.create("arith.addi", {first->result(), x}, {i32});
    builder.create("tt.return", {}, {});
  }
};

TEST(Ops, UseListsFollowTheOperands) {
  Fixture f;
  Value* x = f.function->region().front().argument(0);
  EXPECT_EQ(x->uses().size(), 3u);
  f.first->result()->replace_all_uses_with(x);
  EXPECT_FALSE(f.first->result()->has_uses());
  EXPECT_EQ(x->uses().size(), 4u);
  EXPECT_EQ(f.second->operand(0), x);
  f.first->erase();
  EXPECT_EQ(x->uses().size(), 2u);
  DiagnosticSink sink;
  EXPECT_TRUE(verify(f.module, sink)) << render_text(sink);
}

TEST(Ops, PrintOnOneLineForMessages) {
  Fixture f;
  EXPECT_EQ(print_op(*f.second), "%1 = arith.addi %0, %arg0 : i32");
  EXPECT_EQ(print_op(*f.function), "tt.func public @f(%arg0: i32) {...}");
}

TEST(Ops, ThatDoNotFitTheirRowPrintInTheGenericForm) {
  Fixture f;
  f.second->set_operands({f.first->result()});
  EXPECT_EQ(print_op(*f.second), "%1 = \"arith.addi\"(%0) <{overflowFlags = #arith.overflow<none>}> : (i32) -> i32");
}

TEST(Modules, FindFunctionsAndArgumentAttributes) {
  Fixture f;
  EXPECT_EQ(f.module.find_function("f"), f.function);
  EXPECT_EQ(f.module.find_function("g"), nullptr);
  EXPECT_EQ(f.module.kernels().size(), 1u);
  EXPECT_FALSE(argument_attribute(*f.function, 0, "tt.divisibility"));
  set_argument_attribute(f.module.context(), *f.function, 0, "tt.divisibility", f.module.context().i32(16));
  EXPECT_EQ(argument_attribute(*f.function, 0, "tt.divisibility")->integer, 16);
  EXPECT_EQ(print_op(*f.function), "tt.func public @f(%arg0: i32 {tt.divisibility = 16 : i32}) {...}");
}

TEST(Builder, MakesConstantsOfEveryKind) {
  Module module{dialects::registry()};
  Context& context = module.context();
  Builder builder(context);
  builder.set_insertion_point_to_end(module.body());
  builder.constant(context.integer(8), 200);
  builder.constant(context.integer(1), 1);
  builder.constant(context.floating(ScalarKind::f16), 0x3C00);
  builder.constant(context.tensor({4}, context.integer(1)), 1);
  builder.constant(context.tensor({2, 2}, context.floating(ScalarKind::f64)), 0x3FF8000000000000);
  EXPECT_EQ(print_module(module),
            "module {\n  %c-56_i8 = arith.constant -56 : i8\n  %true = arith.constant true\n  %cst = arith.constant "
            "1.000000e+00 : f16\n"
            "  %cst_0 = arith.constant dense<true> : tensor<4xi1>\n  %cst_1 = arith.constant dense<1.500000e+00> : "
            "tensor<2x2xf64>\n}\n");
}

TEST(Builder, SegmentsAndBranches) {
  Fixture f;
  Context& context = f.module.context();
  Block& entry = f.function->region().front();
  Block& next = f.function->region().add_block();
  next.add_argument(context.integer(32));
  f.builder.set_insertion_point_to_end(next);
  f.builder.create("tt.return", {}, {});
  entry.ops().back()->erase();
  f.builder.set_insertion_point_to_end(entry);
  Value* condition = f.builder.constant(context.integer(1), 1);
  Op* branch = f.builder.create("cf.cond_br", {condition}, {});
  branch->add_successor(&next, {f.first->result()});
  branch->add_successor(&next, {f.second->result()});
  EXPECT_EQ(branch->operand_group(2), std::vector<Value*>{f.second->result()});
  EXPECT_EQ(next.predecessors(), std::vector<Block*>{&entry});
  DiagnosticSink sink;
  EXPECT_TRUE(verify(f.module, sink)) << render_text(sink);
  EXPECT_EQ(print_op(*branch), "cf.cond_br %true, ^bb1(%0 : i32), ^bb1(%1 : i32)");
}

}  // namespace
}  // namespace lockstep::ir
