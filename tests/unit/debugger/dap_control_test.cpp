// Interruptions of runs, requests that wait, and numbers that were given out: what the two threads of a server share.
#include <gtest/gtest.h>

#include "debugger/dap/control.h"
#include "debugger/dap/references.h"
#include "debugger/dap/transport/queue.h"

namespace lockstep::debugger::dap {
namespace {

TEST(DapControl, InterruptsOnlyWhatRuns) {
  Control control;
  int pauses = 0;
  EXPECT_FALSE(control.interrupt(Interruption::pause));
  control.begin([&] { ++pauses; }, false);
  EXPECT_FALSE(control.interrupt(Interruption::poke));
  EXPECT_EQ(pauses, 0);
  EXPECT_TRUE(control.interrupt(Interruption::leave));
  EXPECT_TRUE(control.interrupt(Interruption::pause));
  EXPECT_EQ(pauses, 2);
  control.tick();
  EXPECT_EQ(pauses, 3);
  EXPECT_EQ(control.end(), Interruption::leave);  // outdoes a pause
  control.tick();
  EXPECT_EQ(pauses, 3);
  control.begin([&] { ++pauses; }, true);
  EXPECT_EQ(control.end(), Interruption::none);
}

TEST(DapControl, KeepsAPauseForTheRunThatComes) {
  Control control;
  int pauses = 0;
  control.expect();
  EXPECT_TRUE(control.interrupt(Interruption::pause));
  EXPECT_FALSE(control.interrupt(Interruption::poke));
  control.begin([&] { ++pauses; }, true);
  control.tick();
  EXPECT_EQ(pauses, 1);
  EXPECT_EQ(control.end(), Interruption::pause);
  EXPECT_TRUE(control.interrupt(Interruption::pause));
  control.settle();  // no run came
  control.begin([&] { ++pauses; }, true);
  control.tick();
  EXPECT_EQ(pauses, 1);
}

TEST(DapControl, CancelsTheRequestWhoseAnswerIsWorkedOut) {
  Control control;
  int pauses = 0;
  const auto pause = [&] { ++pauses; };
  control.begin(pause, false, 7);
  control.cancel(6);
  EXPECT_EQ(pauses, 0);
  control.cancel(7);
  EXPECT_EQ(pauses, 1);
  EXPECT_EQ(control.end(), Interruption::pause);
  control.cancel(8);  // it was taken from the queue and has not begun
  control.begin(pause, false, 8);
  control.tick();
  EXPECT_EQ(pauses, 2);
  EXPECT_EQ(control.end(), Interruption::pause);
  control.begin(pause, true);  // of a request that has been answered
  control.cancel(8);
  EXPECT_EQ(control.end(), Interruption::none);
}

Request request(std::int64_t seq, const std::string& command) { return {seq, command, {}}; }

TEST(DapQueue, KeepsTheOrderAndGivesBackWhatIsWithdrawn) {
  Queue queue;
  for (std::int64_t seq = 1; seq <= 4; ++seq) queue.push(request(seq, seq == 3 ? "threads" : "next"));
  EXPECT_TRUE(queue.has([](const Request& one) { return one.command == "threads"; }));
  EXPECT_EQ(queue.withdraw(2)->seq, 2);
  EXPECT_FALSE(queue.withdraw(2));
  EXPECT_FALSE(queue.pop_if([](const Request& one) { return one.command == "threads"; }));  // not the first
  EXPECT_EQ(queue.pop()->seq, 1);
  EXPECT_EQ(queue.pop_if([](const Request& one) { return one.command == "threads"; })->seq, 3);
  queue.close();
  queue.push(request(5, "next"));  // too late
  EXPECT_EQ(queue.pop()->seq, 4);
  EXPECT_FALSE(queue.pop());
}

TEST(DapReferences, NumbersAreNotGivenAgainSoon) {
  References references;
  const std::int64_t frame = references.add(FrameReference{FrameReference::Kind::standing, 7, 1});
  EXPECT_EQ(references.frame(frame)->program, 7u);
  const std::int64_t inner = references.add(Container{Container::Kind::value, 0, Value(Tensor::of(1.5)), "x[0]"});
  EXPECT_EQ(references.container(inner)->expression, "x[0]");
  EXPECT_EQ(references.container(inner + 1), nullptr);
  EXPECT_EQ(references.container(-1), nullptr);
  references.clear();
  EXPECT_EQ(references.frame(frame), nullptr);
  EXPECT_EQ(references.container(inner), nullptr);
  EXPECT_NE(references.add(FrameReference{}), frame);
}

TEST(DapReferences, AreBounded) {
  References references;
  for (std::size_t i = 0; i < References::kMost; ++i) ASSERT_NE(references.add(FrameReference{}), 0);
  EXPECT_EQ(references.add(FrameReference{}), 0);
  references.clear();
  EXPECT_NE(references.add(FrameReference{}), 0);
}

}  // namespace
}  // namespace lockstep::debugger::dap
