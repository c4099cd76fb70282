// The table of libdevice: complete, consistent, and right where a mistake would be easy. Errors of the functions are
// measured by tests/ops/tt_extern_elementwise.py.
#include "interpreter/libdevice/catalogue.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <string>

namespace lockstep::interpreter::libdevice {
namespace {

/// The kind of one letter of support/libdevice_symbols.def.
ScalarKind kind_of_letter(char letter) {
  static const std::map<char, ScalarKind> kKinds = {
      {'s', ScalarKind::i16}, {'i', ScalarKind::i32}, {'u', ScalarKind::i32}, {'l', ScalarKind::i64},
      {'q', ScalarKind::i64}, {'1', ScalarKind::i32}, {'h', ScalarKind::f16}, {'b', ScalarKind::bf16},
      {'f', ScalarKind::f32}, {'d', ScalarKind::f64}};
  return kKinds.at(letter);
}

TEST(Libdevice, EverySymbolThatTritonNamesHasARowOfItsTypes) {
  int count = 0;
  const auto check = [&](const std::string& arguments, const std::string& result, const std::string& symbol) {
    ++count;
    const Function* row = find(symbol);
    ASSERT_NE(row, nullptr) << symbol;
    ASSERT_EQ(row->operand_count, arguments.size()) << symbol;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      EXPECT_EQ(row->operand[i], kind_of_letter(arguments[i])) << symbol;
    EXPECT_EQ(row->result, kind_of_letter(result[0])) << symbol;
  };
#define LOCKSTEP_LIBDEVICE(function, arguments, result, symbol) check(arguments, result, symbol);
#include "support/libdevice_symbols.def"
#undef LOCKSTEP_LIBDEVICE
  EXPECT_GE(count, 313);
}

TEST(Libdevice, RowsHaveOneLoopAndSensibleBounds) {
  for (const Function& row : functions()) {
    const int loops =
        (row.unary != nullptr) + (row.binary != nullptr) + (row.ternary != nullptr) + (row.quaternary != nullptr);
    EXPECT_EQ(loops, 1) << row.symbol;
    EXPECT_EQ(find(row.symbol), &row);
    EXPECT_LE(row.worst, row.ulp == 0 ? 0.5 : row.ulp) << row.symbol;
    // Ours is a distance to the exact result, CUDA's one to the rounded result.
    if (row.cuda_ulp >= 0 && row.ulp > 0) {
      EXPECT_LE(row.ulp, row.cuda_ulp + 0.5) << row.symbol;
    }
  }
  EXPECT_EQ(find("__nv_no_such"), nullptr);
  EXPECT_EQ(find(""), nullptr);
}

template <class R, class... A>
R call(const char* symbol, A... operands) {
  const Function* row = find(symbol);
  EXPECT_NE(row, nullptr);
  R result{};
  if constexpr (sizeof...(A) == 1) row->unary(&result, &operands..., 1);
  if constexpr (sizeof...(A) == 2) row->binary(&result, &operands..., 1, 1, 1);
  if constexpr (sizeof...(A) == 3) row->ternary(&result, &operands..., 1, 1, 1, 1);
  return result;
}

TEST(Libdevice, DirectionsOfRounding) {
  const float third = 1.0f / 3;
  EXPECT_EQ(call<float>("__nv_fdiv_rz", 1.0f, 3.0f), std::nextafterf(third, 0.0f));
  EXPECT_EQ(call<float>("__nv_fdiv_ru", 1.0f, 3.0f), third);
  EXPECT_EQ(call<float>("__nv_fdiv_rd", -1.0f, 3.0f), -third);
  EXPECT_TRUE(std::signbit(call<float>("__nv_fsub_rd", 1.0f, 1.0f)));
  EXPECT_FALSE(std::signbit(call<float>("__nv_fsub_ru", 1.0f, 1.0f)));
  EXPECT_EQ(call<float>("__nv_fmul_rz", 3e38f, 3e38f), std::numeric_limits<float>::max());
  EXPECT_EQ(call<double>("__nv_ull2double_rd", std::uint64_t{0xffffffffffffffff}), 18446744073709549568.0);
  EXPECT_EQ(call<double>("__nv_dadd_rn", 1.0, 0x1p-53), 1.0) << "the mode must be back at nearest";
}

TEST(Libdevice, ConversionsSaturate) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(call<std::int32_t>("__nv_float2int_rn", nan), 0);
  EXPECT_EQ(call<std::int64_t>("__nv_float2ll_rn", nan), INT64_MIN);
  EXPECT_EQ(call<std::int32_t>("__nv_double2int_rz", static_cast<double>(nan)), INT32_MIN);
  EXPECT_EQ(call<std::uint32_t>("__nv_float2uint_rz", -5.0f), 0u);
  EXPECT_EQ(call<std::uint64_t>("__nv_double2ull_ru", 1e30), UINT64_MAX);
  EXPECT_EQ(call<std::int32_t>("__nv_float2int_rn", 2.5f), 2);
  EXPECT_EQ(call<std::int32_t>("__nv_float2int_ru", 2.25f), 3);
}

TEST(Libdevice, HugeOrdersOfBesselFunctionsEnd) {
  EXPECT_TRUE(std::isnan(call<double>("__nv_jn", -1, 1.0)));
  EXPECT_EQ(call<double>("__nv_jn", 2147483647, 1.0), 0.0);
  EXPECT_EQ(call<double>("__nv_yn", 2147483647, 1.0), -HUGE_VAL);
  EXPECT_LT(std::fabs(call<double>("__nv_jn", 2147483647, 1e300)), 1e-140);
}

}  // namespace
}  // namespace lockstep::interpreter::libdevice
