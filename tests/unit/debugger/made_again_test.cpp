// A debugged launch asked as a whole, where it takes a GPU: the interpreter plays it, and a test spoils one value. The
// op that was spoilt must be named, as an op of the session's kernel. The rest is in tests/debugger/terminal.
#include "debugger/launch/made_again.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "backend_cuda/emit/probes.h"

namespace lockstep::debugger {
namespace {

class MadeAgainFromACapsule : public testing::Test {
 protected:
  MadeAgainFromACapsule() : session_(options(), sink_) {}
  void SetUp() override { ASSERT_TRUE(prepare(session_)) << render_text(sink_); }

  static driver::LaunchSpec options() {
    driver::LaunchSpec made;
    made.target = LOCKSTEP_TESTS_DIR "/golden/capsules/outside.capsule";  // out[3] is 4.5, legal is 4
    return made;
  }

  /// out[3] as probes see it where the result of that op is spoilt in element 3; empty: of none.
  Culprit culprit(const std::string& spelling) {
    MadeAgain questions(session_);
    questions.use_probes(
        {[spelling](const interpreter::LaunchRequest& request, const ir::Op& function,
                    const backend_cuda::ProbeRequest& probes, backend_cuda::ProbeTable& table, DiagnosticSink& sink) {
           const auto ops = backend_cuda::ops_in_order(function);
           auto bytes = gpu_diff::probe_in_interpreter({})(request, function, probes, table, sink);
           for (const backend_cuda::ProbeSlot& slot : table.slots) {
             if (!bytes || ops[slot.op]->spelling() != spelling) continue;
             const float wrong = 4.5F;
             std::memcpy(bytes->data() + slot.offset + 3 * sizeof wrong, &wrong, sizeof wrong);
           }
           return bytes;
         },
         "a spoilt GPU"});
    BisectRequest request;
    request.view = session_.find_tensor("out")->view.index;
    request.offset = 3 * static_cast<std::int64_t>(sizeof(float));
    const auto found = questions.bisect(request);
    EXPECT_TRUE(found.has_value()) << (found ? "" : found.error().text());
    return found ? *found : Culprit{};
  }

  DiagnosticSink sink_;
  driver::PreparedLaunch session_;
};

TEST_F(MadeAgainFromACapsule, ProbesNameAnOpOfTheSessionsKernel) {
  const Culprit found = culprit("arith.addf");
  ASSERT_NE(found.op, nullptr);
  EXPECT_EQ(found.op->spelling(), "arith.addf");
  const auto ops = backend_cuda::ops_in_order(*session_.request().function);
  EXPECT_NE(std::find(ops.begin(), ops.end(), found.op), ops.end());
  EXPECT_EQ(found.program, 0U);
  EXPECT_EQ(found.execution, 1U);
  EXPECT_EQ(found.lane, std::vector<std::int64_t>{3});
  ASSERT_GE(found.lines.size(), 2U);
  EXPECT_NE(found.lines[0].find("outside"), std::string::npos) << found.lines[0];
  EXPECT_NE(found.lines[1].find("a spoilt GPU"), std::string::npos) << found.lines[1];
}

TEST_F(MadeAgainFromACapsule, WhatProbesMakeRightIsNoOpsFault) {
  const Culprit found = culprit("");
  EXPECT_EQ(found.op, nullptr);
  std::string all;
  for (const std::string& line : found.lines) all += line + "\n";
  EXPECT_NE(all.find("with probes the element lies inside"), std::string::npos) << all;
}

}  // namespace
}  // namespace lockstep::debugger
