#include "cli/outputs.h"

#include <gtest/gtest.h>

#include <cstring>

namespace lockstep::cli {
namespace {

template <typename T>
host::Array make(ScalarKind kind, std::vector<std::int64_t> shape, const std::vector<T>& values) {
  host::Array array;
  array.element = kind;
  array.shape = std::move(shape);
  array.data.resize(values.size() * sizeof(T));
  std::memcpy(array.data.data(), values.data(), array.data.size());
  return array;
}

TEST(Outputs, ViewsAreReadInLogicalOrderWhateverTheirStrides) {
  memory_model::AddressSpace memory;
  const auto storage = memory.allocate("x", 6 * 4);
  ASSERT_TRUE(storage.has_value());
  auto* data = reinterpret_cast<std::int32_t*>(memory.storage(*storage).extent.begin);
  for (int i = 0; i < 6; ++i) data[i] = i;
  const auto transposed = memory.add_view(*storage, "t", ScalarKind::i32, 0, {3, 2}, {1, 3});
  const auto reversed = memory.add_view(*storage, "r", ScalarKind::i32, 5, {6}, {-1});
  const auto repeated = memory.add_view(*storage, "b", ScalarKind::i32, 4, {2, 2}, {0, 1});
  const auto scalar = memory.add_view(*storage, "s", ScalarKind::i32, 3, {}, {});
  const auto empty = memory.add_view(*storage, "e", ScalarKind::i32, 0, {0, 4}, {4, 1});
  EXPECT_EQ(format_array("t", copy_view(memory, *transposed)), "t: i32[3,2]\n[[0, 3],\n [1, 4],\n [2, 5]]\n");
  EXPECT_EQ(format_array("r", copy_view(memory, *reversed)), "r: i32[6]\n[5, 4, 3, 2, 1, 0]\n");
  EXPECT_EQ(format_array("b", copy_view(memory, *repeated)), "b: i32[2,2]\n[[4, 5],\n [4, 5]]\n");
  EXPECT_EQ(format_array("s", copy_view(memory, *scalar)), "s: i32[]\n3\n");
  EXPECT_EQ(format_array("e", copy_view(memory, *empty)), "e: i32[0,4]\n[]\n");
}

TEST(Outputs, PrintedValuesByType) {
  EXPECT_EQ(format_array("a", make<float>(ScalarKind::f32, {2}, {0.1F, -1e30F})), "a: f32[2]\n[0.1, -1e+30]\n");
  EXPECT_EQ(format_array("a", make<std::uint16_t>(ScalarKind::bf16, {2}, {0x3F80, 0x7F80})), "a: bf16[2]\n[1, inf]\n");
  EXPECT_EQ(format_array("a", make<std::int8_t>(ScalarKind::i8, {2}, {-1, 127})), "a: i8[2]\n[-1, 127]\n");
  EXPECT_EQ(format_array("a", make<std::uint8_t>(ScalarKind::i1, {2}, {0, 1})), "a: i1[2]\n[false, true]\n");
  EXPECT_EQ(format_array("a", make<std::int64_t>(ScalarKind::i64, {1}, {INT64_MIN})), "a: i64[1]\n[-9223372036854775808]\n");
}

TEST(Outputs, LargeTensorsAreCut) {
  std::vector<std::int32_t> values(2000);
  for (int i = 0; i < 2000; ++i) values[static_cast<std::size_t>(i)] = i;
  EXPECT_EQ(format_array("a", make(ScalarKind::i32, {2000}, values)), "a: i32[2000]\n[0, 1, 2, ..., 1997, 1998, 1999]\n");
}

TEST(Outputs, FileRequests) {
  const auto plain = parse_file_request("--save", "out=@a/b.npy");
  ASSERT_TRUE(plain.has_value());
  EXPECT_EQ(plain->name, "out");
  EXPECT_EQ(plain->path, "a/b.npy");
  const auto keyed = parse_file_request("--expect", "out=@ref.npz:key");
  ASSERT_TRUE(keyed.has_value());
  EXPECT_EQ(keyed->key, "key");
  for (const char* text : {"out", "out=5", "out=zeros:f32[4]", "=@a.npy", ""}) {
    EXPECT_EQ(parse_file_request("--save", text).error().code, "LS2203") << text;
  }
}

TEST(Outputs, ExpectationSaysWhereAndByHowMuch) {
  const FileRequest request{"out", "ref.npy", "", {}};
  const host::Array output = make<float>(ScalarKind::f32, {2, 2}, {1, 2, 3, 4});
  const compare::Tolerance tolerance = compare::Tolerance::default_for(ScalarKind::f32);
  EXPECT_TRUE(check_expectation(request, output, output, tolerance).is_equal);
  const auto result = check_expectation(request, output, make<float>(ScalarKind::f32, {2, 2}, {1, 2.5F, 3, 7}), tolerance);
  EXPECT_FALSE(result.is_equal);
  EXPECT_NE(result.text.find("out differs from ref.npy at 2 elements of 4"), std::string::npos) << result.text;
  EXPECT_NE(result.text.find("first: at [0,1] it is 2, expected 2.5, off by 0.5"), std::string::npos) << result.text;
  EXPECT_NE(result.text.find("worst: at [1,1] it is 4, expected 7, off by 3"), std::string::npos) << result.text;
}

TEST(Outputs, ReferenceOfAnotherWidthIsRoundedAndOtherMismatchesAreSaid) {
  const std::string path = testing::TempDir() + "lockstep_reference.npy";
  const FileRequest request{"out", path, "", {}};
  ASSERT_TRUE(host::write_npy(path, make<double>(ScalarKind::f64, {2}, {0.1, 2})).has_value());
  const auto rounded = read_reference(request, make<float>(ScalarKind::f32, {2}, {0, 0}));
  ASSERT_TRUE(rounded.has_value());
  EXPECT_EQ(format_array("r", *rounded), "r: f32[2]\n[0.1, 2]\n");
  EXPECT_EQ(read_reference(request, make<float>(ScalarKind::f32, {1, 2}, {0, 0})).error().code, "LS2205");
  EXPECT_EQ(read_reference(request, make<std::int32_t>(ScalarKind::i32, {2}, {0, 0})).error().code, "LS2205");
  std::remove(path.c_str());
}

}  // namespace
}  // namespace lockstep::cli
