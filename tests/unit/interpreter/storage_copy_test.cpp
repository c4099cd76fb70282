// Copies of storages: whole small ones, and of large ones the pages that were touched.
#include "interpreter/access/storage_copy.h"

#include <gtest/gtest.h>

#include <cstring>

#include "memory_model/touched.h"

namespace lockstep::interpreter {
namespace {

using memory_model::AddressSpace;

char* bytes_of(const AddressSpace& memory, memory_model::StorageId id) {
  return reinterpret_cast<char*>(memory.storage(id).extent.begin);
}

TEST(StorageCopy, PutsBackWhatWasThere) {
  AddressSpace memory;
  const auto id = *memory.allocate("x", 10000);
  std::memset(bytes_of(memory, id), 3, 10000);
  MemoryBudget budget;
  StorageCopy copy(budget);
  ASSERT_TRUE(copy.take(memory, {id}));
  EXPECT_EQ(budget.used.load(), 10000U);
  std::memset(bytes_of(memory, id), 4, 10000);
  copy.restore();
  EXPECT_EQ(bytes_of(memory, id)[0], 3);
  EXPECT_EQ(bytes_of(memory, id)[9999], 3);
}

TEST(StorageCopy, OfALargeStorageOnlyWhatWasTouched) {
  constexpr std::uint64_t kBytes = std::uint64_t{16} << 30;
  constexpr std::uint64_t kFar = kBytes - 5000, kMiddle = kBytes / 2;
  AddressSpace memory;
  const auto id = *memory.allocate("x", kBytes);
  char* x = bytes_of(memory, id);
  if (!memory_model::touched_ranges({1, 2})) GTEST_SKIP() << "this system does not tell which pages were touched";
  x[0] = 1;
  x[kFar] = 2;
  MemoryBudget budget;
  StorageCopy copy(budget);
  ASSERT_TRUE(copy.take(memory, {id}));
  EXPECT_LE(budget.used.load(), std::uint64_t{8} << 20);
  x[0] = 7;
  x[kMiddle] = 8;
  x[kFar + 1] = 9;
  copy.restore();
  EXPECT_EQ(x[0], 1);
  EXPECT_EQ(x[kMiddle], 0);
  EXPECT_EQ(x[kFar], 2);
  EXPECT_EQ(x[kFar + 1], 0);
}

TEST(StorageCopy, MemoryOfALargeCopyServesTheNext) {
  constexpr std::uint64_t kBytes = std::uint64_t{24} << 20;
  AddressSpace memory;
  const auto id = *memory.allocate("x", kBytes), other = *memory.allocate("y", kBytes / 2 + 5);
  MemoryBudget budget;
  for (int round = 1; round < 6; ++round) {
    const auto storage = round % 2 == 0 ? other : id;
    const std::uint64_t last = memory.storage(storage).extent.bytes() - 1;
    char* bytes = bytes_of(memory, storage);
    std::memset(bytes, round, last + 1);
    StorageCopy copy(budget);
    StorageCopy beside(budget);
    ASSERT_TRUE(copy.take(memory, {storage}, 2));
    std::memset(bytes, 100, last + 1);
    ASSERT_TRUE(beside.take(memory, {storage}));
    char kept = 0;
    for (const std::uint64_t at : {std::uint64_t{0}, kBytes / 3, last}) {
      ASSERT_TRUE(copy.read(memory.storage(storage).extent.begin + at, 1, &kept));
      ASSERT_EQ(kept, round);
      ASSERT_TRUE(beside.read(memory.storage(storage).extent.begin + at, 1, &kept));
      ASSERT_EQ(kept, 100);
    }
    copy.restore();
    ASSERT_EQ(bytes[last], round);
    ASSERT_EQ(bytes[0], round);
  }
  EXPECT_EQ(budget.used.load(), 0U);
}

TEST(StorageCopy, RefusesWhatTheLaunchMayNotHave) {
  AddressSpace memory;
  const auto id = *memory.allocate("x", 10000);
  MemoryBudget budget;
  budget.limit = 9999;
  StorageCopy copy(budget);
  EXPECT_FALSE(copy.take(memory, {id}));
  EXPECT_EQ(budget.used.load(), 0U);
}

TEST(StorageCopy, RefusesWhatTheMachineDoesNotHave) {
  const std::uint64_t available = memory_model::available_memory();
  if (available == 0) GTEST_SKIP() << "this system does not tell what memory it has";
  AddressSpace memory;
  std::vector<char> byte(1);
  const auto id = memory.borrow("x", byte.data(), std::uint64_t{1} << 45);  // not looked at
  MemoryBudget budget;
  StorageCopy copy(budget);
  EXPECT_FALSE(copy.take(memory, {id}));
  EXPECT_EQ(budget.used.load(), 0U);
}

}  // namespace
}  // namespace lockstep::interpreter
