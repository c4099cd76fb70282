// NAME=VALUE texts: what each form means, and that a wrong one is reported with the right code, column and hint.
#include <gtest/gtest.h>

#include <limits>

#include "driver/arguments/arguments.h"

namespace lockstep::driver {
namespace {

ScalarValue scalar(std::string_view text) {
  DiagnosticSink sink;
  const auto argument = parse_argument(text, sink);
  EXPECT_TRUE(argument.has_value()) << render_text(sink);
  if (!argument || argument->is_tensor()) return {};
  return std::get<ScalarValue>(argument->value);
}

TensorSpec tensor(std::string_view text) {
  DiagnosticSink sink;
  const auto argument = parse_argument(text, sink);
  EXPECT_TRUE(argument.has_value()) << render_text(sink);
  if (!argument || !argument->is_tensor()) return {};
  return std::get<TensorSpec>(argument->value);
}

struct Failure {
  std::string code, hint, message;
  std::uint32_t column = 0;
};
Failure failure(std::string_view text) {
  DiagnosticSink sink;
  EXPECT_FALSE(parse_argument(text, sink).has_value()) << text;
  if (sink.diagnostics().size() != 1) return {};
  const Diagnostic& d = sink.diagnostics()[0];
  return {std::string(d.code.spelling()), d.hint, d.message, d.span.file->position(d.span.range.begin).column};
}

TEST(Argument, Integers) {
  EXPECT_EQ(scalar("n=98432").integer, 98432);
  EXPECT_EQ(scalar("n=1_000").integer, 1000);
  EXPECT_EQ(scalar("n=-0x1F").integer, -31);
  EXPECT_EQ(scalar("n=0b101").integer, 5);
  EXPECT_EQ(scalar("n=-9223372036854775808").integer, INT64_MIN);
  const ScalarValue big = scalar("n=18446744073709551615");
  EXPECT_TRUE(big.is_unsigned_64);
  EXPECT_EQ(big.integer, -1);
  EXPECT_FALSE(scalar("n=9223372036854775807").is_unsigned_64);
  EXPECT_EQ(failure("n=18446744073709551616").code, "LS2003");
  EXPECT_EQ(failure("n=-9223372036854775809").code, "LS2003");
  EXPECT_EQ(failure("n=12a").code, "LS2002");
  EXPECT_EQ(failure("n=1__0").code, "LS2002");
  EXPECT_EQ(failure("n=0x").code, "LS2002");
  EXPECT_EQ(failure("n=").code, "LS2002");
  EXPECT_EQ(failure("n=5 6").code, "LS2002");
}

TEST(Argument, Floats) {
  EXPECT_EQ(scalar("eps=1e-5").floating, 1e-5);
  EXPECT_EQ(scalar("eps=-.5").floating, -0.5);
  EXPECT_EQ(scalar("eps=1.").kind, ScalarValue::Kind::floating);
  EXPECT_EQ(scalar("eps=-inf").floating, -std::numeric_limits<double>::infinity());
  EXPECT_NE(scalar("eps=nan").floating, scalar("eps=nan").floating);
  EXPECT_EQ(scalar("eps=5e-324").floating, 5e-324);
  EXPECT_EQ(failure("eps=1e999").code, "LS2003");
  EXPECT_EQ(failure("eps=1e").code, "LS2002");
  EXPECT_EQ(failure("eps=1.5.5").code, "LS2002");
}

TEST(Argument, WordsAndForcedTypes) {
  EXPECT_EQ(scalar("flag=true").kind, ScalarValue::Kind::boolean);
  EXPECT_EQ(scalar("flag=False").integer, 0);
  EXPECT_EQ(scalar("x=none").kind, ScalarValue::Kind::none);
  EXPECT_EQ(scalar("dtype=tl.float16").text, "tl.float16");
  EXPECT_EQ(scalar("mode='zeros'").text, "zeros");
  EXPECT_TRUE(scalar("mode=\"\"").is_quoted);
  EXPECT_EQ(scalar("n=5:i64").forced_type, ScalarKind::i64);
  EXPECT_TRUE(scalar("n=5:u32").forced_unsigned);
  EXPECT_EQ(scalar("n=5:fp16").forced_type, ScalarKind::f16);
  EXPECT_EQ(failure("n=1.5:i32").code, "LS2003");
  EXPECT_EQ(failure("n=5:i33").hint, "did you mean 'i32'?");
  EXPECT_EQ(failure("mode='zeros").code, "LS2006");
  EXPECT_EQ(failure("x=zeros").code, "LS2006");
  EXPECT_EQ(failure("98432").code, "LS2001");
  EXPECT_EQ(failure("=5").code, "LS2001");
  EXPECT_EQ(failure("x=*").code, "LS2002");
}

TEST(Argument, Tensors) {
  const TensorSpec x = tensor("x=randn:f32[1823, 781]");
  EXPECT_EQ(x.kind, TensorSpec::Kind::randn);
  EXPECT_EQ(x.shape, (std::vector<std::int64_t>{1823, 781}));
  EXPECT_EQ(tensor("x=zeros:bf16[4*1024]").shape, (std::vector<std::int64_t>{4096}));
  EXPECT_EQ(tensor("x=zeros:f16[(2+3)*2,0]").shape, (std::vector<std::int64_t>{10, 0}));
  EXPECT_TRUE(tensor("x=ones:f8E5M2[]").shape.empty());
  EXPECT_EQ(tensor("x=full(-3):i32[4]").full_value.integer, -3);
  EXPECT_EQ(tensor("x=full(0.5):fp32[4]").full_value.floating, 0.5);
  EXPECT_EQ(tensor("x=randint(0,9):i64[8]").high, 9);
  EXPECT_EQ(tensor("x=randint(-3, 4):i8[8]").low, -3);
  EXPECT_EQ(tensor("x=randint(7):u8[8]").high, 7);
  EXPECT_TRUE(tensor("x=arange:u32[64]").is_unsigned);
  EXPECT_EQ(tensor("x=empty:f64[2,2]").kind, TensorSpec::Kind::empty);
  EXPECT_EQ(tensor("x=zeros:bool[2]").element, ScalarKind::i1);
}

TEST(Argument, TensorErrorsPointAtTheirPlace) {
  EXPECT_EQ(failure("x=rand_n:f32[8]").hint, "did you mean 'randn'?");
  EXPECT_EQ(failure("x=zeroes:f32[8]").hint, "did you mean 'zeros'?");
  EXPECT_EQ(failure("x=zeroes:f32[8]").column, 3U);
  EXPECT_EQ(failure("x=randn:float33[8]").hint, "did you mean 'float32'?");
  EXPECT_EQ(failure("x=randn:float33[8]").column, 9U);
  EXPECT_EQ(failure("x=randn:f32").code, "LS2006");
  EXPECT_EQ(failure("x=randn:f32[8").code, "LS2006");
  EXPECT_EQ(failure("x=randn:f32[8").column, 14U);
  EXPECT_EQ(failure("x=randn:f32[8,").code, "LS2006");
  EXPECT_EQ(failure("x=randn:f32[-8]").code, "LS2007");
  EXPECT_EQ(failure("x=zeros:i8[4294967296,4294967296]").code, "LS2007");
  EXPECT_EQ(failure("x=zeros:i8[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]").code, "LS2007");
  EXPECT_EQ(failure("x=randn:i32[8]").code, "LS2008");
  EXPECT_EQ(failure("x=full(256):i8[8]").code, "LS2008");
  EXPECT_EQ(failure("x=full(-1):u8[8]").code, "LS2008");
  EXPECT_EQ(failure("x=full(1.5):i8[8]").code, "LS2008");
  EXPECT_EQ(failure("x=arange:i8[300]").code, "LS2008");
  EXPECT_EQ(failure("x=arange(9223372036854775807):i64[2]").code, "LS2008");
  EXPECT_EQ(failure("x=randint(5,5):i8[8]").code, "LS2008");
  EXPECT_EQ(failure("x=randint(0,300):i8[8]").code, "LS2008");
  EXPECT_EQ(failure("x=full:i8[8]").code, "LS2006");
  EXPECT_EQ(failure("x=zeros:f32[n]").code, "LS2021");
  EXPECT_EQ(failure("x=zeros:f32[1/0]").code, "LS2022");
}

TEST(Argument, DescriptorsAndAddresses) {
  const TensorSpec described = tensor("x=desc(y, padding=nan, block=[16,32], shape=[40,33], strides=[40,1])");
  EXPECT_EQ(described.kind, TensorSpec::Kind::view);
  EXPECT_TRUE(described.is_descriptor && described.pads_nan);
  EXPECT_EQ(described.base, "y");
  EXPECT_EQ(described.block, (std::vector<std::int64_t>{16, 32}));
  EXPECT_FALSE(tensor("x=desc(y, padding=zero)").pads_nan);
  EXPECT_FALSE(tensor("x=view(y)").is_descriptor);
  EXPECT_EQ(failure("x=desc(y, padding=one)").code, "LS2015");
  EXPECT_EQ(failure("x=view(y, padding=nan)").code, "LS2009");
  EXPECT_EQ(failure("x=desc(y, blocks=[1])").code, "LS2009");
  const TensorSpec table = tensor("x=addresses(a, b.c)");
  EXPECT_EQ(table.names, (std::vector<std::string>{"a", "b.c"}));
  EXPECT_EQ(table.shape, (std::vector<std::int64_t>{2}));
  EXPECT_EQ(table.element, ScalarKind::i64);
  EXPECT_EQ(failure("x=addresses()").code, "LS2016");
  EXPECT_EQ(failure("x=addresses(a").code, "LS2006");
}

TEST(Argument, ViewsAndFiles) {
  const TensorSpec view = tensor("x=view(y, offset=1, shape=[4,4], strides=[8,-1])");
  EXPECT_EQ(view.base, "y");
  EXPECT_EQ(view.offset, 1);
  EXPECT_EQ(view.strides, (std::vector<std::int64_t>{8, -1}));
  EXPECT_FALSE(tensor("x=view(y)").has_shape);
  EXPECT_EQ(failure("x=view(y, ofset=1)").code, "LS2009");
  EXPECT_EQ(failure("x=view(y, strides=[1])").code, "LS2009");
  EXPECT_EQ(failure("x=view(y, shape=[4,4], strides=[1])").code, "LS2009");
  EXPECT_EQ(failure("x=view(y").code, "LS2006");
  EXPECT_EQ(failure("x=view()").code, "LS2009");
  EXPECT_EQ(tensor("x=@in.npy").path, "in.npy");
  EXPECT_EQ(tensor("x=@dir:odd/data.npz:key").path, "dir:odd/data.npz");
  EXPECT_EQ(tensor("x=@data.npz:key").key, "key");
  EXPECT_EQ(tensor("x=@data.npz:key:bf16").read_as, ScalarKind::bf16);
  EXPECT_EQ(tensor("x=@bits.npy:bf16").read_as, ScalarKind::bf16);
  EXPECT_EQ(failure("x=@in.txt").code, "LS2013");
  EXPECT_EQ(failure("x=@in.npy:zz").code, "LS2005");
}

TEST(Argument, HostileTextsEndInAnError) {
  EXPECT_EQ(failure("x=zeros:f32[" + std::string(5000, '(') + "1").code, "LS2020");
  EXPECT_EQ(failure("x=" + std::string(70000, '1')).code, "LS2001");
  EXPECT_EQ(scalar("x=" + std::string(5000, '0') + "7").integer, 7);
}

std::vector<std::int64_t> grid(std::string_view text) {
  GridNames names;
  names.integers = {{"n", 98432}, {"BLOCK", 1024}, {"zero", 0}, {"low", INT64_MIN}};
  names.shapes = {{"x", {7, 5}}};
  DiagnosticSink sink;
  const auto result = evaluate_grid(text, names, sink);
  if (result) return *result;
  EXPECT_EQ(sink.diagnostics().size(), 1U);
  return {-std::stoll(std::string(sink.diagnostics().at(0).code.spelling().substr(2)))};
}
using Extents = std::vector<std::int64_t>;

TEST(Grid, Expressions) {
  EXPECT_EQ(grid("cdiv(n, BLOCK)"), (Extents{97}));
  EXPECT_EQ(grid("triton.cdiv(n, BLOCK), 2"), (Extents{97, 2}));
  EXPECT_EQ(grid("(cdiv(n, BLOCK), 2 * 3, 1)"), (Extents{97, 6, 1}));
  EXPECT_EQ(grid("(n // BLOCK,)"), (Extents{96}));
  EXPECT_EQ(grid("(n + BLOCK - 1) // BLOCK"), (Extents{97}));
  EXPECT_EQ(grid("1 + 2 * 3 - 4 % 3"), (Extents{6}));
  EXPECT_EQ(grid("-7 // 2 + 10, -7 % 3"), (Extents{6, 2}));
  EXPECT_EQ(grid("x.shape[0], x.shape[-1], x.numel"), (Extents{7, 5, 35}));
  EXPECT_EQ(grid("min(3, max(1, 2)), next_power_of_2(781)"), (Extents{2, 1024}));
  EXPECT_EQ(grid("- -3"), (Extents{3}));
  EXPECT_EQ(grid("8 / 2"), (Extents{4}));
}

TEST(Grid, Errors) {
  EXPECT_EQ(grid("n / 1000"), (Extents{-2022}));
  EXPECT_EQ(grid("n // zero"), (Extents{-2022}));
  EXPECT_EQ(grid("n % zero"), (Extents{-2022}));
  EXPECT_EQ(grid("low // -1"), (Extents{-2022}));
  EXPECT_EQ(grid("-low"), (Extents{-2022}));
  EXPECT_EQ(grid("m"), (Extents{-2021}));
  EXPECT_EQ(grid("x"), (Extents{-2021}));
  EXPECT_EQ(grid("cdv(n, 2)"), (Extents{-2021}));
  EXPECT_EQ(grid("cdiv(n)"), (Extents{-2020}));
  EXPECT_EQ(grid("x.shape[2]"), (Extents{-2022}));
  EXPECT_EQ(grid("x.size"), (Extents{-2020}));
  EXPECT_EQ(grid("1, 2, 3, 4"), (Extents{-2023}));
  EXPECT_EQ(grid("-1"), (Extents{-2023}));
  EXPECT_EQ(grid("2147483648"), (Extents{-2023}));
  EXPECT_EQ(grid("1.5"), (Extents{-2020}));
  EXPECT_EQ(grid(""), (Extents{-2020}));
  EXPECT_EQ(grid("1 2"), (Extents{-2020}));
  EXPECT_EQ(grid(std::string(100000, '-') + "1"), (Extents{1}));
  EXPECT_EQ(grid(std::string(100000, '(')), (Extents{-2020}));
}

}  // namespace
}  // namespace lockstep::driver
