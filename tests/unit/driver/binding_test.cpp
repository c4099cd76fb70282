// Binding against Triton 3.6's own table of argument types (docs/semantics.md).
#include "driver/arguments/binding.h"

#include <gtest/gtest.h>

#include <array>

namespace lockstep::driver {
namespace {

struct Bound {
  memory_model::AddressSpace memory;
  DiagnosticSink sink;
  std::vector<ArgumentText> arguments;
  std::vector<Tensor> tensors;
  std::optional<std::vector<BoundParameter>> result;

  void parse(std::initializer_list<std::string> texts) {
    for (const std::string& text : texts) {
      auto argument = parse_argument(text, sink);
      if (argument) arguments.push_back(std::move(*argument));
    }
    auto made = make_tensors(arguments, 0, 1 << 20, memory, sink);
    if (made) tensors = std::move(*made);
  }
  Bound(std::vector<ParameterFacts> parameters, std::initializer_list<std::string> texts) {
    parse(texts);
    result = bind_parameters(parameters, arguments, tensors, memory, sink);
  }
  Bound(std::vector<TtirParameter> parameters, std::initializer_list<std::string> texts) {
    parse(texts);
    result = bind_ttir(parameters, arguments, tensors, memory, sink);
  }
  std::string code() const { return sink.diagnostics().empty() ? "" : std::string(sink.diagnostics()[0].code.spelling()); }
  std::string hint() const { return sink.diagnostics().empty() ? "" : sink.diagnostics()[0].hint; }
};

ParameterFacts plain(std::string annotation = "") {
  return {"x", false, std::move(annotation), false, false, std::nullopt, ""};
}
ParameterFacts constexpr_parameter() { return {"x", true, "", false, false, std::nullopt, ""}; }

BoundParameter one(ParameterFacts facts, const std::string& text) {
  Bound bound(std::vector<ParameterFacts>{std::move(facts)}, {text});
  EXPECT_TRUE(bound.result.has_value()) << render_text(bound.sink);
  return bound.result ? bound.result->at(0) : BoundParameter{};
}
std::string code_of(ParameterFacts facts, const std::string& text) {
  return Bound(std::vector<ParameterFacts>{std::move(facts)}, {text}).code();
}

TEST(Binding, ScalarsAsTritonSpecialisesThem) {
  const auto type = [](const std::string& value) { return one(plain(), "x=" + value).type; };
  EXPECT_EQ(type("5"), "i32");
  EXPECT_EQ(type("2147483647"), "i32");
  EXPECT_EQ(type("2147483648"), "i64");
  EXPECT_EQ(type("-2147483649"), "i64");
  EXPECT_EQ(type("9223372036854775808"), "u64");
  EXPECT_EQ(type("true"), "u1");
  EXPECT_EQ(type("1e-5"), "fp32");
  EXPECT_EQ(type("1e300"), "fp32");
  EXPECT_EQ(type("1"), "");
  EXPECT_EQ(type("none"), "");
  EXPECT_EQ(type("5:i64"), "i64");
  EXPECT_EQ(type("1:i64"), "i64");
  EXPECT_EQ(type("5:u32"), "u32");
  EXPECT_EQ(one(plain(), "x=1").constant->integer, 1);
  EXPECT_EQ(one(plain(), "x=none").constant->kind, ConstantValue::Kind::none);
}

TEST(Binding, LaunchBits) {
  EXPECT_EQ(one(plain(), "x=-2").bits, 0xfffffffeU);
  EXPECT_EQ(one(plain(), "x=-2147483649").bits, static_cast<std::uint64_t>(-2147483649LL));
  EXPECT_EQ(one(plain(), "x=0.1").bits, 0x3dcccccdU);
  EXPECT_EQ(one(plain(), "x=1e300").bits, 0x7f800000U);
  EXPECT_EQ(one(plain("fp16"), "x=3").bits, 0x4200U);
  EXPECT_EQ(one(plain(), "x=18446744073709551615").bits, ~std::uint64_t{0});
  EXPECT_EQ(one(plain(), "x=true").bits, 1U);
  EXPECT_EQ(one(plain(), "x=-1:i8").bits, 0xffU);
  EXPECT_EQ(code_of(plain(), "x=4294967296:i32"), "LS2033");
  EXPECT_EQ(code_of(plain(), "x=-1:u32"), "LS2033");
  EXPECT_EQ(code_of(plain("i32"), "x=2147483648"), "LS2033");
  EXPECT_EQ(code_of(plain("i32"), "x=1.5"), "LS2033");
}

TEST(Binding, Divisibility) {
  const auto of = [](const std::string& text, ParameterFacts facts = plain()) {
    return one(std::move(facts), text).divisibility;
  };
  EXPECT_EQ(of("x=32"), 16);
  EXPECT_EQ(of("x=0"), 16);
  EXPECT_EQ(of("x=-16"), 16);
  EXPECT_EQ(of("x=24"), 0);
  EXPECT_EQ(of("x=16.0"), 0);
  EXPECT_EQ(of("x=32:i64"), 16);
  EXPECT_EQ(of("x=zeros:f32[4]"), 16);
  EXPECT_EQ(of("x=32", {"x", false, "", true, false, std::nullopt, ""}), 0);
  EXPECT_EQ(of("x=32", {"x", false, "", false, true, std::nullopt, ""}), 0);
  EXPECT_EQ(one({"x", false, "", true, false, std::nullopt, ""}, "x=1").type, "i32");
  EXPECT_EQ(one({"x", false, "", false, true, std::nullopt, ""}, "x=1").type, "");
  Bound odd(std::vector<ParameterFacts>{plain()}, {"y=zeros:f32[4]", "x=view(y, offset=1, shape=[2])"});
  ASSERT_TRUE(odd.result.has_value()) << render_text(odd.sink);
  EXPECT_EQ(odd.result->at(0).divisibility, 0);
}

TEST(Binding, PointerTypes) {
  const auto type = [](const std::string& text, std::string annotation = "") {
    return one(plain(std::move(annotation)), text).type;
  };
  EXPECT_EQ(type("x=zeros:f32[4]"), "*fp32");
  EXPECT_EQ(type("x=zeros:bf16[4]"), "*bf16");
  EXPECT_EQ(type("x=zeros:u8[4]"), "*u8");
  EXPECT_EQ(type("x=zeros:bool[4]"), "*i1");
  EXPECT_EQ(type("x=zeros:f8E4M3FN[4]"), "*fp8e4nv");
  EXPECT_EQ(type("x=zeros:f32[4]", "const"), "*kfp32");
  EXPECT_EQ(type("x=zeros:f32[4]", "tl.const"), "*kfp32");
  EXPECT_EQ(type("x=zeros:f32[4]", "*kfp16"), "*kfp16");
  EXPECT_EQ(type("x=zeros:i32[4]", "const *i32"), "*ki32");
  EXPECT_EQ(type("x=zeros:f32[4]", "torch.Tensor"), "*fp32");
  EXPECT_EQ(type("x=5", "int"), "i32");
}

TEST(Binding, Constants) {
  const auto constant = [](const std::string& text) { return *one(constexpr_parameter(), text).constant; };
  EXPECT_EQ(constant("x=64").integer, 64);
  EXPECT_EQ(constant("x=true").kind, ConstantValue::Kind::boolean);
  EXPECT_EQ(constant("x=0.5").floating, 0.5);
  EXPECT_EQ(constant("x=none").kind, ConstantValue::Kind::none);
  EXPECT_EQ(constant("x=tl.float16").text, "fp16");
  EXPECT_EQ(constant("x=fp16").kind, ConstantValue::Kind::dtype);
  EXPECT_EQ(constant("x='fp16'").kind, ConstantValue::Kind::string);
  EXPECT_EQ(constant("x=leaky_relu").kind, ConstantValue::Kind::string);
  EXPECT_EQ(code_of(constexpr_parameter(), "x=zeros:f32[4]"), "LS2032");
  EXPECT_EQ(code_of(constexpr_parameter(), "x=5:i64"), "LS2032");
  EXPECT_EQ(code_of(constexpr_parameter(), "x=9223372036854775808"), "LS2033");
  EXPECT_EQ(code_of(plain(), "x=word"), "LS2032");
}

TEST(Binding, DefaultsAndMissingAndUnknown) {
  const ConstantValue eps{ConstantValue::Kind::floating, 0, 1e-5, {}}, block{ConstantValue::Kind::integer, 64, 0, {}};
  const std::vector<ParameterFacts> parameters{{"a", false, "", false, false, std::nullopt, ""},
                                               {"eps", false, "", false, false, eps, ""},
                                               {"BLOCK", true, "", false, false, block, ""}};
  const Bound bound(parameters, {"a=zeros:f32[4]"});
  ASSERT_TRUE(bound.result.has_value()) << render_text(bound.sink);
  EXPECT_EQ(bound.result->at(1).type, "fp32");
  EXPECT_EQ(bound.result->at(1).bits, 0x3727c5acU);
  EXPECT_EQ(bound.result->at(2).constant->integer, 64);
  const GridNames names = make_grid_names(bound.arguments, bound.tensors, bound.memory, *bound.result);
  EXPECT_EQ(names.integers.at("BLOCK"), 64);
  EXPECT_EQ(names.shapes.at("a"), (std::vector<std::int64_t>{4}));
  EXPECT_EQ(Bound(parameters, {"BLOCK=32"}).code(), "LS2031");
  const Bound unknown(parameters, {"a=zeros:f32[4]", "BLOK=32"});
  EXPECT_EQ(unknown.code(), "LS2030");
  EXPECT_EQ(unknown.hint(), "did you mean 'BLOCK'?");
  EXPECT_EQ(Bound(parameters, {"a=zeros:f32[4]", "b=zeros:f32[4]"}).code(), "LS2030");
}

TEST(Binding, Ttir) {
  const std::vector<TtirParameter> parameters{{"%arg0", "!tt.ptr<f32>"}, {"%n", "i32"}, {"%eps", "f32"}};
  const Bound bound(parameters, {"arg0=zeros:f32[4]", "n=4294967295", "eps=0.1", "BLOCK=64"});
  ASSERT_TRUE(bound.result.has_value()) << render_text(bound.sink);
  EXPECT_TRUE(bound.result->at(0).is_pointer);
  EXPECT_EQ(bound.result->at(1).bits, 0xffffffffU);
  EXPECT_EQ(bound.result->at(2).bits, 0x3dcccccdU);
  EXPECT_EQ(Bound(parameters, {"arg0=zeros:f16[4]", "n=1", "eps=1"}).code(), "LS2034");
  EXPECT_EQ(Bound(parameters, {"arg0=5", "n=1", "eps=1"}).code(), "LS2032");
  EXPECT_EQ(Bound(parameters, {"arg0=zeros:i32[4]", "n=4294967296", "eps=1"}).code(), "LS2033");
  EXPECT_EQ(Bound(parameters, {"arg0=zeros:i32[4]", "n=1"}).code(), "LS2031");
  EXPECT_EQ(Bound(parameters, {"arg0=zeros:f32[4]", "n=1", "eps=1", "z=zeros:f32[4]"}).code(), "LS2030");
  const Bound opaque(std::vector<TtirParameter>{{"%d", "!other.type"}}, {"d=5"});
  EXPECT_EQ(opaque.code(), "LS2035");
  EXPECT_TRUE(opaque.sink.only_unsupported());
}

TEST(Binding, TtirDescriptors) {
  const std::vector<TtirParameter> parameters{
      {"%d", "!tt.tensordesc<tensor<16x32xf16>>", true, {16, 32}, ScalarKind::f16},
      {"%d_0", "i32"},
      {"%d_1", "i32"},
      {"%d_2", "i64"},
      {"%d_3", "i64"},
      {"%n", "i32"}};
  const Bound plain(parameters, {"d=zeros:f16[40,48]", "n=3"});
  ASSERT_TRUE(plain.result.has_value()) << render_text(plain.sink);
  EXPECT_TRUE(plain.result->at(0).is_descriptor && !plain.result->at(0).is_pointer);
  EXPECT_FALSE(plain.result->at(0).pads_nan);
  const std::array<std::uint64_t, 5> numbers{40, 48, 48, 1, 3};
  for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(plain.result->at(i + 1).bits, numbers[i]) << i;
  const Bound given(parameters, {"d=desc(x, padding=nan)", "x=zeros:f16[40,48]", "d_0=7", "n=3"});
  ASSERT_TRUE(given.result.has_value()) << render_text(given.sink);
  EXPECT_EQ(given.result->at(1).bits, 7u);
  EXPECT_EQ(given.result->at(2).bits, 48u);
  const Bound nan(parameters, {"d=desc(x, padding=nan, shape=[4,33], strides=[40,1])", "x=zeros:f16[40,48]", "n=3"});
  ASSERT_TRUE(nan.result.has_value()) << render_text(nan.sink);
  EXPECT_TRUE(nan.result->at(0).pads_nan);
  EXPECT_EQ(nan.result->at(2).bits, 33u);
  EXPECT_EQ(Bound(parameters, {"d=5", "n=3"}).code(), "LS2032");
  EXPECT_EQ(Bound(parameters, {"n=3"}).code(), "LS2031");
  for (const char* wrong :
       {"d=zeros:f16[64]", "d=zeros:f32[40,48]", "d=zeros:f16[40,33]", "d=desc(x, shape=[4,4], strides=[1,8])",
        "d=desc(x, offset=1, shape=[4,8])", "d=desc(x, block=[8,8])"}) {
    EXPECT_EQ(Bound(parameters, {wrong, "x=zeros:f16[40,48]", "n=3"}).code(), "LS2036") << wrong;
  }
  const std::vector<TtirParameter> single{{"%d", "!tt.tensordesc<tensor<f16>>", true, {}, ScalarKind::f16}};
  EXPECT_EQ(Bound(single, {"d=zeros:f16[]"}).code(), "LS2036");
}

TEST(Binding, PythonDescriptors) {
  const Bound bound(std::vector<ParameterFacts>{plain()}, {"x=desc(y, block=[16,32])", "y=zeros:u8[40,48]"});
  ASSERT_TRUE(bound.result.has_value()) << render_text(bound.sink);
  EXPECT_EQ(bound.result->at(0).type, "tensordesc<u8[16, 32]>");
  EXPECT_TRUE(bound.result->at(0).is_descriptor);
  EXPECT_EQ(Bound(std::vector<ParameterFacts>{plain()}, {"x=desc(y)", "y=zeros:u8[40,48]"}).code(), "LS2036");
}

TEST(Binding, TablesOfAddresses) {
  const Bound bound(std::vector<ParameterFacts>{plain()}, {"x=addresses(b, a)", "a=zeros:f32[4]", "b=zeros:f32[4]"});
  ASSERT_TRUE(bound.result.has_value()) << render_text(bound.sink);
  const auto* table = reinterpret_cast<const std::uint64_t*>(bound.memory.view(bound.tensors[0].view).base);
  EXPECT_EQ(table[0], bound.memory.view(bound.tensors[2].view).base);
  EXPECT_EQ(table[1], bound.memory.view(bound.tensors[1].view).base);
}

}  // namespace
}  // namespace lockstep::driver
