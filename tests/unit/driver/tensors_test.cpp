#include <gtest/gtest.h>

#include <bit>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "driver/arguments/arguments.h"
#include "driver/files/save.h"
#include "driver/words/print_tensor.h"
#include "support/float_formats.h"

namespace lockstep::driver {
namespace {

struct Made {
  memory_model::AddressSpace memory;
  DiagnosticSink sink;
  std::vector<ArgumentText> arguments;
  std::vector<Tensor> tensors;
  bool is_made = false;

  explicit Made(std::initializer_list<std::string> texts, std::uint64_t max_bytes = 1 << 20) {
    for (const std::string& text : texts) {
      auto argument = parse_argument(text, sink);
      EXPECT_TRUE(argument.has_value()) << render_text(sink);
      if (argument) arguments.push_back(std::move(*argument));
    }
    auto made = make_tensors(arguments, 0, max_bytes, memory, sink);
    is_made = made.has_value();
    if (made) tensors = std::move(*made);
  }
  const memory_model::View& view(std::size_t i) const { return memory.view(tensors.at(i).view); }
  std::string code() const { return sink.diagnostics().empty() ? "" : std::string(sink.diagnostics()[0].code.spelling()); }
  std::string print(std::size_t i) const { return print_tensor(view(i), tensors.at(i).is_unsigned); }
};

template <typename T>
T element(const memory_model::View& view, std::int64_t slot) {
  T value;
  std::memcpy(&value, reinterpret_cast<const T*>(view.base) + slot, sizeof value);
  return value;
}

TEST(Tensors, ValuesOfEachKind) {
  const Made made({"a=arange:i32[4]", "b=full(-2):i8[3]", "c=full(0.1):f16[2]", "d=ones:bf16[2]", "e=ones:bool[2]",
                   "f=full(0.3):f64[1]", "g=full(18446744073709551615):u64[1]", "h=arange(0.5):f32[2]", "n=5",
                   "i=ones:f8E4M3FN[1]", "j=empty:f32[3]"});
  ASSERT_TRUE(made.is_made) << render_text(made.sink);
  ASSERT_EQ(made.tensors.size(), 10U);
  EXPECT_EQ(element<std::int32_t>(made.view(0), 3), 3);
  EXPECT_EQ(element<std::int8_t>(made.view(1), 2), -2);
  EXPECT_EQ(element<std::uint16_t>(made.view(2), 1), 0x2e66);
  EXPECT_EQ(element<std::uint16_t>(made.view(3), 1), 0x3f80);
  EXPECT_EQ(element<std::uint8_t>(made.view(4), 1), 1);
  EXPECT_EQ(element<double>(made.view(5), 0), 0.3);
  EXPECT_EQ(element<std::uint64_t>(made.view(6), 0), ~std::uint64_t{0});
  EXPECT_EQ(element<float>(made.view(7), 1), 1.5F);
  EXPECT_EQ(element<std::uint8_t>(made.view(8), 0), 0x38);
  EXPECT_FALSE(made.view(9).is_initialised);
  EXPECT_TRUE(made.view(8).is_initialised);
  EXPECT_TRUE(made.memory.red_zones_intact());
}

TEST(Tensors, RandStaysBelowOneInEveryType) {
  for (const char* type : {"f16", "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2"}) {
    const Made made({std::string("x=rand:") + type + "[5000]"});
    ASSERT_TRUE(made.is_made);
    const auto array = gather(made.view(0), false, 0);
    for (std::int64_t i = 0; i < 5000; ++i) {
      std::uint64_t bits = 0;
      const auto size = static_cast<std::size_t>(size_bytes(array->element));
      std::memcpy(&bits, array->data.data() + static_cast<std::size_t>(i) * size, size);
      ASSERT_LT(decode_float(array->element, bits), 1.0) << type;
      ASSERT_GE(decode_float(array->element, bits), 0.0) << type;
    }
  }
}

TEST(Tensors, ViewsShareTheStorageOfTheirBase) {
  const Made made({"v=view(x, offset=2, shape=[2,3], strides=[4,-1])", "w=view(v, offset=1, shape=[2])",
                   "t=view(x, offset=3)", "x=arange:i32[10]"});
  ASSERT_TRUE(made.is_made) << render_text(made.sink);
  EXPECT_EQ(made.tensors[0].name, "v");
  EXPECT_EQ(made.view(0).storage, made.view(3).storage);
  EXPECT_EQ(element<std::int32_t>(made.view(0), 0), 2);
  EXPECT_EQ(element<std::int32_t>(made.view(1), 0), 3);
  EXPECT_EQ(made.view(2).shape, (std::vector<std::int64_t>{7}));
  EXPECT_EQ(element<std::int32_t>(made.view(2), 0), 3);
  EXPECT_EQ(made.print(0), "v: i32[2,3]\n[[2 1 0]\n [6 5 4]]\n");
  EXPECT_EQ(made.memory.alias_groups().size(), 1U);
  const auto array = gather(made.view(0), false, 0);
  std::int32_t last = 0;
  std::memcpy(&last, array->data.data() + 20, 4);
  EXPECT_EQ(last, 4);
}

TEST(Tensors, Errors) {
  EXPECT_EQ(Made({"x=zeros:f32[4]", "x=zeros:f32[4]"}).code(), "LS2014");
  EXPECT_EQ(Made({"x=view(y, shape=[4])"}).code(), "LS2009");
  EXPECT_EQ(Made({"x=view(y)", "y=view(x)"}).code(), "LS2009");
  EXPECT_EQ(Made({"x=view(x)"}).code(), "LS2009");
  EXPECT_EQ(Made({"n=4", "x=view(n)"}).code(), "LS2009");
  EXPECT_EQ(Made({"x=zeros:f32[4]", "y=view(x, offset=1, shape=[4])"}).code(), "LS2010");
  EXPECT_EQ(Made({"x=zeros:f32[4]", "y=view(x, offset=-1, shape=[1])"}).code(), "LS2010");
  EXPECT_EQ(Made({"x=zeros:f32[4]", "y=view(x, shape=[2,2], strides=[9223372036854775807,1])"}).code(), "LS2011");
  EXPECT_EQ(Made({"x=zeros:f32[4,4]", "y=view(x, offset=1)"}).code(), "LS2009");
  EXPECT_EQ(Made({"x=zeros:f32[1048576]"}).code(), "LS2012");
  EXPECT_EQ(Made({"x=zeros:i8[1048576]", "y=zeros:i8[1]"}).code(), "LS2012");
  EXPECT_EQ(Made({"x=zeros:i8[1048576]"}).code(), "");
  EXPECT_EQ(Made({"x=zeros:i64[281474976710656]"}, 0).code(), "LS3010");
  EXPECT_EQ(Made({"x=@/nonexistent/in.npy"}).code(), "LS2101");
  EXPECT_EQ(Made({"x=@/dev/zero.npy"}).code(), "LS2101");
}

TEST(Tensors, HugeZerosTakeNoTime) {
  const Made made({"x=zeros:f32[17179869184]", "y=empty:i8[17179869184]"}, 0);
  EXPECT_TRUE(made.is_made);
}

TEST(Tensors, SavedBf16ReadsBackAsBits) {
  const std::string path = testing::TempDir() + "lockstep_host_bits.npy";
  const Made made({"x=randn:bf16[5,7]", "y=view(x, shape=[7,5], strides=[1,7])"});
  const auto array = gather(made.view(1), false, 0);
  ASSERT_TRUE(write_npy(path, *array).has_value());
  const Made again({"z=@" + path + ":bf16"});
  ASSERT_TRUE(again.is_made) << render_text(again.sink);
  EXPECT_EQ(again.view(0).element, ScalarKind::bf16);
  EXPECT_EQ(again.view(0).shape, (std::vector<std::int64_t>{7, 5}));
  EXPECT_EQ(gather(again.view(0), false, 0)->data, array->data);
  EXPECT_EQ(Made({"z=@" + path + ":f32"}).code(), "LS2008");
  EXPECT_EQ(Made({"z=@" + path}).tensors[0].is_unsigned, true);
  EXPECT_TRUE(read_expected(path, "", made.view(1), 0).has_value());
  EXPECT_EQ(read_expected(path, "", made.view(0), 0).error().code.spelling(), "LS2112");
  std::filesystem::remove(path);
}

TEST(Tensors, GatherRefusesMoreThanTheLimit) {
  const Made made({"x=zeros:f32[1]", "y=view(x, shape=[1048576,1048576], strides=[0,0])"});
  ASSERT_TRUE(made.is_made) << render_text(made.sink);
  EXPECT_EQ(gather(made.view(1), false, 1 << 20).error().code.spelling(), "LS2111");
  EXPECT_NE(made.print(1).find("..."), std::string::npos);
}

TEST(Print, LooksLikeNumPy) {
  const Made made({"a=arange:f32[3]", "b=full(-0.1):f16[2]", "c=ones:bool[2]", "d=full(-1):i8[1]", "e=full(255):u8[1]",
                   "f=zeros:f32[0,3]", "g=full(2.5):f32[]", "h=arange:i32[2000]", "i=arange:i32[40,40]",
                   "j=arange:i32[2,2,2]"});
  ASSERT_TRUE(made.is_made) << render_text(made.sink);
  EXPECT_EQ(made.print(0), "a: f32[3]\n[0. 1. 2.]\n");
  EXPECT_EQ(made.print(1), "b: f16[2]\n[-0.1 -0.1]\n");
  EXPECT_EQ(made.print(2), "c: i1[2]\n[True True]\n");
  EXPECT_EQ(made.print(3), "d: i8[1]\n[-1]\n");
  EXPECT_EQ(made.print(4), "e: u8[1]\n[255]\n");
  EXPECT_EQ(made.print(5), "f: f32[0,3]\n[]\n");
  EXPECT_EQ(made.print(6), "g: f32[]\n2.5\n");
  EXPECT_EQ(made.print(7), "h: i32[2000]\n[   0    1    2 ... 1997 1998 1999]\n");
  EXPECT_EQ(made.print(8).substr(0, 61), "i: i32[40,40]\n[[   0    1    2 ...   37   38   39]\n [  40   4");
  EXPECT_EQ(made.print(9), "j: i32[2,2,2]\n[[[0 1]\n  [2 3]]\n [[4 5]\n  [6 7]]]\n");
}

TEST(Print, PositionalBetweenTenToTheMinusFourAndSixteen) {
  const auto text = [](float value) {
    return element_to_text(ScalarKind::f32, false, std::bit_cast<std::uint32_t>(value));
  };
  EXPECT_EQ(text(10.0F), "10.");
  EXPECT_EQ(text(14.5F), "14.5");
  EXPECT_EQ(text(1e7F), "10000000.");
  EXPECT_EQ(text(0.00025F), "0.00025");
  EXPECT_EQ(text(1e-5F), "1e-05");
  EXPECT_EQ(text(-0.0F), "-0.");
  EXPECT_EQ(text(3.1415927F), "3.1415927");
}

TEST(Print, Numbers) {
  const auto f32 = [](float value) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, 4);
    return element_to_text(ScalarKind::f32, false, bits);
  };
  EXPECT_EQ(f32(0.1F), "0.1");
  EXPECT_EQ(f32(1e-20F), "1e-20");
  EXPECT_EQ(f32(-INFINITY), "-inf");
  EXPECT_EQ(f32(-0.0F), "-0.");
  EXPECT_EQ(f32(1.0F / 3), "0.33333334");
  EXPECT_EQ(element_to_text(ScalarKind::bf16, false, 0x7fc0), "nan");
  EXPECT_EQ(element_to_text(ScalarKind::i64, false, ~std::uint64_t{0}), "-1");
}

}  // namespace
}  // namespace lockstep::driver
