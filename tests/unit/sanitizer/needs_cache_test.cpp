// What launches that are alike needed: kept, settled, and told apart.
#include "sanitizer/core/needs_cache.h"

#include <gtest/gtest.h>

namespace lockstep::sanitizer {
namespace {

Checker::Requirements with_steps(bool reads_memory) {
  Checker::Requirements needs;
  needs.steps = true;
  needs.reads_memory = reads_memory;
  return needs;
}

TEST(NeedsCache, KeepsWhatWasNeeded) {
  NeedsCache cache;
  EXPECT_FALSE(cache.find({1, 2}).has_value());
  cache.keep({1, 2}, {with_steps(false), {}});
  const auto found = cache.find({1, 2});
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE((*found)[0].steps);
  EXPECT_FALSE((*found)[1].steps);
  EXPECT_FALSE(cache.find({1, 3}).has_value());
}

TEST(NeedsCache, SettlesThoseThatAskedNothingOfMemory) {
  NeedsCache cache;
  cache.keep({1}, {with_steps(false), with_steps(true), with_steps(false)});
  cache.settle({1}, 0b011);
  const auto found = cache.find({1});
  ASSERT_TRUE(found.has_value());
  EXPECT_FALSE((*found)[0].steps);
  EXPECT_TRUE((*found)[1].steps);  // its answer hangs on memory
  EXPECT_TRUE((*found)[2].steps);  // it did not run
}

TEST(NeedsCache, ForgetsRatherThanGrows) {
  NeedsCache cache;
  for (std::uint64_t i = 0; i < 10'000; ++i) cache.keep({i}, {with_steps(false)});
  EXPECT_FALSE(cache.find({0}).has_value());
  EXPECT_TRUE(cache.find({9'999}).has_value());
}

TEST(LaunchKey, TellsLaunchesApart) {
  memory_model::AddressSpace memory;
  const auto storage = memory.allocate("x", 1024);
  ASSERT_TRUE(storage.has_value());
  const auto view = memory.add_view(*storage, "x", ScalarKind::f32, 0, {16}, {1});
  const auto behind = memory.add_view(*storage, "x", ScalarKind::f32, 1, {16}, {1});
  ASSERT_TRUE(view.has_value() && behind.has_value());
  interpreter::RunRequest request;
  request.memory = &memory;
  request.arguments.resize(2);
  request.arguments[0].kind = interpreter::Argument::Kind::pointer;
  request.arguments[0].view = *view;
  CheckOptions options;
  const LaunchKey first = key_of(request, options);
  EXPECT_EQ(key_of(request, options), first);
  request.arguments[1].bits = 7;
  const LaunchKey other_scalar = key_of(request, options);
  EXPECT_NE(other_scalar, first);
  request.arguments[0].view = *behind;
  EXPECT_NE(key_of(request, options), other_scalar);
  request.arguments[0].view = *view;
  options.memory_model = MemoryModel::strict;
  EXPECT_NE(key_of(request, options), other_scalar);
}

}  // namespace
}  // namespace lockstep::sanitizer
