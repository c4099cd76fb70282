#include "cli/progress.h"

#include <gtest/gtest.h>

namespace lockstep::cli {
namespace {

TEST(Progress, TextHasShareAndTimeLeft) {
  EXPECT_EQ(progress_text({500, 2000, 3.0}),
            "[#######-----------------------]  25 %  500 of 2,000 programs, 9.00 s left");
  EXPECT_EQ(progress_text({0, 0, 3.0}), "[------------------------------]   0 %  0 of 0 programs");
  EXPECT_EQ(progress_text({9, 3, 3.0}), "[##############################] 100 %  9 of 3 programs");
}

}  // namespace
}  // namespace lockstep::cli
