// Kernels whose addresses, masks and branches some loaded number decides, and their twins without one.
#include "sanitizer/core/launch_facts.h"
#include "tests/unit/interpreter_with_ops/launch_fixture.h"

namespace lockstep::sanitizer {
namespace {

using interpreter::Harness;
using interpreter::kernel;

constexpr std::string_view kParameters = "%x: !tt.ptr<i32>, %table: !tt.ptr<i32>, %n: i32";
constexpr std::string_view kLoaded = "    %loaded = tt.load %table : !tt.ptr<i32>\n";
constexpr std::string_view kIds =
    "    %p = tt.get_program_id x : i32\n    %one = arith.constant 1 : i32\n    %zero = arith.constant 0 : i32\n";

bool hang_on_memory(const std::string& body) {
  Harness harness(kernel(std::string(kParameters), std::string(kLoaded) + std::string(kIds) + body));
  return places_hang_on_memory(harness.module(), *harness.module().kernels().at(0));
}

std::string store_at(const std::string& index, const std::string& value) {
  return "    %a = tt.addptr %x, %" + index + " : !tt.ptr<i32>, i32\n    tt.store %a, %" + value + " : !tt.ptr<i32>\n";
}

TEST(FixedPlaces, AddressesMayBeLoaded) {
  EXPECT_FALSE(hang_on_memory(store_at("p", "loaded")));
  EXPECT_TRUE(hang_on_memory(store_at("loaded", "one")));
  EXPECT_TRUE(hang_on_memory("    %s = arith.addi %p, %loaded : i32\n" + store_at("s", "one")));
}

TEST(FixedPlaces, MasksMayBeLoaded) {
  const auto masked = [](const std::string& than) {
    return "    %m = arith.cmpi slt, %p, %" + than +
           " : i32\n    %a = tt.addptr %x, %p : !tt.ptr<i32>, i32\n    tt.store %a, %loaded, %m : !tt.ptr<i32>\n";
  };
  EXPECT_FALSE(hang_on_memory(masked("n")));
  EXPECT_TRUE(hang_on_memory(masked("loaded")));
}

TEST(FixedPlaces, BranchesMayBeLoaded) {
  const auto branch = [](const std::string& than) {
    return "    %m = arith.cmpi slt, %p, %" + than + " : i32\n    scf.if %m {\n" + store_at("p", "one") + "    }\n";
  };
  EXPECT_FALSE(hang_on_memory(branch("n")));
  EXPECT_TRUE(hang_on_memory(branch("loaded")));
}

/// What loops carry of elements decides nothing; what they carry of addresses does.
TEST(FixedPlaces, LoopsCarryBoth) {
  const auto loop = [](const std::string& bound, const std::string& first, const std::string& index) {
    return "    %end:2 = scf.for %i = %zero to %" + bound + " step %one iter_args(%sum = %zero, %at = %" + first +
           ") -> (i32, i32) : i32 {\n      %next = arith.addi %sum, %loaded : i32\n"
           "      %further = arith.addi %at, %one : i32\n      scf.yield %next, %further : i32, i32\n    }\n" +
           store_at(index, "end#0");
  };
  EXPECT_FALSE(hang_on_memory(loop("n", "zero", "end#1")));
  EXPECT_FALSE(hang_on_memory(loop("n", "loaded", "p")));
  EXPECT_TRUE(hang_on_memory(loop("n", "loaded", "end#1")));
  EXPECT_TRUE(hang_on_memory(loop("n", "zero", "end#0")));
  EXPECT_TRUE(hang_on_memory(loop("loaded", "zero", "p")));
}

}  // namespace
}  // namespace lockstep::sanitizer
