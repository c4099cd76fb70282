// Names of targets, and the facts that they decide. The table of Triton's own answers: PTX of Triton 3.6 per target.
#include "support/target_profile.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TargetProfile profile(const char* name) {
  const auto parsed = TargetProfile::parse(name);
  EXPECT_TRUE(parsed) << name;
  return parsed ? *parsed : TargetProfile();
}

TEST(TargetProfile, DefaultIsSm90AndMeasured) {
  EXPECT_EQ(TargetProfile().name(), "sm_90");
  EXPECT_TRUE(TargetProfile().is_measured());
}

TEST(TargetProfile, ParsesNames) {
  EXPECT_EQ(profile("sm_80").capability(), 80);
  EXPECT_EQ(profile("sm_90a").name(), "sm_90");
  EXPECT_EQ(profile("100").name(), "sm_100");
  EXPECT_EQ(profile("sm_120f").capability(), 120);
}

TEST(TargetProfile, RefusesOtherTexts) {
  for (const char* text :
       {"", "sm_", "gfx90a", "sm_90b", "sm_9", "sm_200", "sm_-90", "sm_90 ", "99999999999999999999"}) {
    const auto parsed = TargetProfile::parse(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code.spelling(), "LS2210");
  }
}

TEST(TargetProfile, Float8) {
  EXPECT_TRUE(profile("sm_80").refuses(ScalarKind::f8E4M3FN));
  EXPECT_TRUE(profile("sm_86").refuses(ScalarKind::f8E4M3FN));
  EXPECT_FALSE(profile("sm_80").refuses(ScalarKind::f8E5M2));
  EXPECT_FALSE(profile("sm_89").refuses(ScalarKind::f8E4M3FN));
  EXPECT_EQ(profile("sm_86").float8_narrowing(), Float8Narrowing::in_software);
  EXPECT_EQ(profile("sm_89").float8_narrowing(), Float8Narrowing::through_f16);
  EXPECT_EQ(profile("sm_100").float8_narrowing(), Float8Narrowing::direct);
}

TEST(TargetProfile, OnlyTheMeasuredTargetSaysMeasured) {
  for (const char* name : {"sm_80", "sm_89", "sm_100"}) {
    for (const ProfileFact& fact : profile(name).facts()) EXPECT_FALSE(fact.is_measured) << name << " " << fact.topic;
  }
}

}  // namespace
}  // namespace lockstep
