// A trial: one launch made under many settings (threads, tuning) and what differed. Invariant: each run starts from the
// same bytes at the same addresses, so that findings can be compared as texts. The instruction set is the process's:
// compare hashes() of two processes for that.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interpreter/launch/prepared.h"

namespace lockstep::exactness {

struct Setting {
  std::string tuning;  // as in LOCKSTEP_TUNING; "" for the defaults
  std::vector<unsigned> threads;
};

/// The plain way: every optimisation off.
inline constexpr const char* kPlain = "fuse=0,hoist=0,batch=1,operand_cache=0";
/// What is compared with it; `thorough`: more sizes and thread counts for each.
std::vector<Setting> settings(bool thorough);

struct Verdict {
  bool ran = false;                               // false: the kernel is not supported, or was stopped by a limit
  std::uint64_t hash = 0;                         // of what the plain way left behind
  std::size_t runs = 0;                           // under other settings
  std::uint64_t batches = 0, failed_batches = 0;  // over all runs
  std::string difference;                         // "" if there was none
  std::string left_behind;                        // by the plain way, as readable text: only where asked for
};

using Bytes = std::vector<std::byte>;
/// Everything that a launch left behind.
struct Result {
  std::vector<Bytes> memory;   // by storage
  std::string texts, printed;  // texts: outcome, finished programs, findings and printed lines
  bool was_stopped = false;    // by a limit
  std::uint64_t batches = 0, failed_batches = 0;
  bool is_like(const Result& other) const { return memory == other.memory && texts == other.texts; }
};
std::vector<Bytes> contents(const memory_model::AddressSpace& memory);
void put_back(const memory_model::AddressSpace& memory, const std::vector<Bytes>& all);
Result make_result(const interpreter::LaunchReport& report, const memory_model::AddressSpace& memory,
                   const std::string& printed);
std::uint64_t hash_of(const Result& result);
/// For people; both are of the same launch.
std::string what_differs(const Result& plain, const Result& other, const memory_model::AddressSpace& memory);

struct Options {
  std::vector<Setting> settings;
  bool shows = false;    // fills left_behind
  bool any_nan = false;  // every NaN in a tensor of floats counts as the same
};
/// `request`: arguments and memory; its threads, callbacks and limits are set here.
Verdict try_launch(const ir::Module& module, const ir::Op& function, const TargetProfile& profile,
                   interpreter::RunRequest request, const Options& options);

}  // namespace lockstep::exactness
