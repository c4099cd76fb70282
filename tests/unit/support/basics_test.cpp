// check, scalar, location, result and log: the small parts of support/.
#include <gtest/gtest.h>

#include "support/check.h"
#include "support/location.h"
#include "support/log.h"
#include "support/result.h"
#include "support/scalar.h"

namespace lockstep {
namespace {

TEST(Check, FailureNamesPlaceConditionAndMessage) {
  try {
    LOCKSTEP_CHECK(1 > 2, "arithmetic is broken");
    FAIL();
  } catch (const InternalError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("arithmetic is broken (check failed: 1 > 2)"), std::string::npos);
    EXPECT_EQ(text.find("support/basics_test.cpp:"), 0U);
  }
}

TEST(Result, WrongSideIsADefect) {
  const Expected<int, std::string> good(3);
  const Expected<int, std::string> bad(Unexpected{std::string("no")});
  EXPECT_EQ(*good, 3);
  EXPECT_EQ(bad.error(), "no");
  EXPECT_THROW(good.error(), InternalError);
  EXPECT_THROW(bad.value(), InternalError);
}

TEST(Scalar, SpellingRoundTrips) {
  for (int i = 0; i <= static_cast<int>(ScalarKind::pointer); ++i) {
    const auto kind = static_cast<ScalarKind>(i);
    EXPECT_EQ(parse_scalar_kind(spelling(kind)), kind) << spelling(kind);
  }
}

TEST(Scalar, OtherNames) {
  EXPECT_EQ(parse_scalar_kind("fp32"), ScalarKind::f32);
  EXPECT_EQ(parse_scalar_kind("float16"), ScalarKind::f16);
  EXPECT_EQ(parse_scalar_kind("fp8e4nv"), ScalarKind::f8E4M3FN);
  EXPECT_EQ(parse_scalar_kind("fp8e5b16"), ScalarKind::f8E5M2FNUZ);
  EXPECT_EQ(parse_scalar_kind("u8"), ScalarKind::i8);
  EXPECT_EQ(parse_scalar_kind("bool"), ScalarKind::i1);
  EXPECT_EQ(parse_scalar_kind("f33"), std::nullopt);
  EXPECT_EQ(parse_scalar_kind(""), std::nullopt);
}

TEST(Location, InnermostFileGoesThroughNamesToTheCallee) {
  const LocationNode callee{LocationNode::Kind::file, "helper.py", 3, 4, 0, 0, {}};
  const LocationNode caller{LocationNode::Kind::file, "kernel.py", 9, 1, 0, 0, {}};
  const LocationNode name{LocationNode::Kind::name, "x", 0, 0, 0, 0, {Location(&callee)}};
  const LocationNode call{LocationNode::Kind::call_site, "", 0, 0, 0, 0, {Location(&name), Location(&caller)}};
  const LocationNode empty{LocationNode::Kind::name, "y", 0, 0, 0, 0, {}};
  const LocationNode fused{LocationNode::Kind::fused, "", 0, 0, 0, 0, {Location(&empty), Location(), Location(&call)}};
  EXPECT_EQ(Location(&fused).innermost_file().node(), &callee);
  EXPECT_TRUE(Location(&empty).innermost_file().is_unknown());
  EXPECT_TRUE(Location().innermost_file().is_unknown());
}

TEST(Log, LevelsByName) {
  EXPECT_FALSE(log::set_level("loud"));
  EXPECT_TRUE(log::set_level("debug"));
  EXPECT_TRUE(log::is_enabled_debug());
  EXPECT_TRUE(log::set_level("warn"));
  EXPECT_FALSE(log::is_enabled_debug());
}

TEST(Log, BracesAreNoFormat) {
  testing::internal::CaptureStderr();
  log::warn("a {} b {0:z}");
  log::debug("hidden");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "lockstep: warning: a {} b {0:z}\n");
}

}  // namespace
}  // namespace lockstep
