// LintTraffic: how well the accesses of one op use memory, over a whole launch: lanes, bytes, sectors of 32 bytes,
// repeats. It counts per execution over the whole tile and assumes no layout: a tile needs at least these sectors.
// Invariant: counts are exact. Not here: what deserves a finding (lints.cpp).
#pragma once

#include <cstdint>
#include <vector>

#include "memory_model/byte_runs.h"
#include "sanitizer/core/execution.h"

namespace lockstep::sanitizer {

using memory_model::kSectorBytes;
using ByteRun = memory_model::Extent;

struct OpTraffic {
  std::uint64_t executions = 0;
  std::uint64_t lanes = 0, active = 0;
  std::uint64_t bytes = 0;    // different ones of each execution
  std::uint64_t sectors = 0;  // different ones of each execution
  std::uint64_t runs = 0;     // of adjacent bytes
  std::uint64_t repeats = 0;  // executions that touched what the one before it in the same program did
  std::uint64_t programs = 0;
  bool is_one_address = true;  // all lanes of all executions
  bool is_one_each = true;     // all lanes of each execution have one address
  std::uint64_t address = 0;
  // The execution before:
  std::uint64_t last_program = ~std::uint64_t{0}, last_hash = 0;
};

/// The different bytes of an access as runs, rising, none adjacent to the next.
std::vector<ByteRun> runs_of(interpreter::AccessLanes& lanes);
/// Counts one execution.
void count(OpTraffic& traffic, Execution& run, const std::vector<ByteRun>& runs);
std::uint64_t sectors_of(const std::vector<ByteRun>& runs);

}  // namespace lockstep::sanitizer
