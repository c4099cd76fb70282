#include "driver/launch/outputs.h"

#include <gtest/gtest.h>

#include <cstring>

namespace lockstep::driver {
namespace {

template <typename T>
driver::Array make(ScalarKind kind, std::vector<std::int64_t> shape, const std::vector<T>& values) {
  driver::Array array;
  array.element = kind;
  array.shape = std::move(shape);
  array.data.resize(values.size() * sizeof(T));
  std::memcpy(array.data.data(), values.data(), array.data.size());
  return array;
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
    EXPECT_EQ(parse_file_request("--save", text).error().code.spelling(), "LS2203") << text;
  }
}

TEST(Outputs, ExpectationSaysWhereAndByHowMuch) {
  const FileRequest request{"out", "ref.npy", ""};
  const driver::Array output = make<float>(ScalarKind::f32, {2, 2}, {1, 2, 3, 4});
  const enclosure::Tolerance tolerance = enclosure::Tolerance::default_for(ScalarKind::f32);
  EXPECT_TRUE(check_expectation(request, output, output, tolerance).is_equal);
  const auto result =
      check_expectation(request, output, make<float>(ScalarKind::f32, {2, 2}, {1, 2.5F, 3, 7}), tolerance);
  EXPECT_FALSE(result.is_equal);
  EXPECT_EQ(result.text.find("error: out differs from ref.npy\nout: 2 of 4 elements differ ("), 0U) << result.text;
  EXPECT_NE(result.text.find("first: out[0,1] is 2, expected 2.5 (off by 0.5, "), std::string::npos) << result.text;
  EXPECT_NE(result.text.find("worst: out[1,1] is 4, expected 7 (off by 3, "), std::string::npos) << result.text;
}

TEST(Outputs, ExpectationReadsUnsignedIntegersWithoutASign) {
  driver::Array output = make<std::uint32_t>(ScalarKind::i32, {1}, {4294967295U});
  output.is_unsigned = true;
  const auto reference = make<std::uint32_t>(ScalarKind::i32, {1}, {1});
  const auto result = check_expectation({"out", "ref.npz", "key"}, output, reference, enclosure::Tolerance{});
  EXPECT_NE(result.text.find("out differs from ref.npz:key"), std::string::npos) << result.text;
  EXPECT_NE(result.text.find("out[0] is 4294967295, expected 1 (off by 4.29497e+09)"), std::string::npos)
      << result.text;
}

TEST(Outputs, ExpectationHasNoSignedNaN) {
  const auto output = make<std::uint32_t>(ScalarKind::f32, {1}, {0});
  const auto reference = make<std::uint32_t>(ScalarKind::f32, {1}, {0xffc00000U});
  const auto result = check_expectation({"out", "r.npy", ""}, output, reference, enclosure::Tolerance{});
  EXPECT_NE(result.text.find("expected nan\n"), std::string::npos) << result.text;
}

}  // namespace
}  // namespace lockstep::driver
