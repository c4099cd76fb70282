// Tuning: the sizes that change how fast a launch is and never what it computes. Tests set them to odd values to prove
// the latter; users need none of them. Read once from LOCKSTEP_TUNING ("strip=64,batch=1", names as in the struct
// without their units), unless another value is given. Units: elements and bytes, as named.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lockstep::interpreter {

struct Tuning {
  std::int64_t strip_elements = 1024;          // of a fused group; at least 16
  std::int64_t batch_elements = 32768;         // of the largest tile of a batch of programs
  std::int64_t batch_product_elements = 8192;  // the same where the programs multiply matrices
  std::int64_t batch_programs = 64;            // most programs run as one; 1: none
  std::int64_t operand_cache_bytes = 1 << 19;  // prepared operands of dots that a worker keeps; 0: none
  // If the outputs that a launch never reads have so many bytes, their whole cache lines bypass the caches: that saves
  // reading the lines first, and they would not fit near a core for the next reader anyway. 0: never.
  std::int64_t stream_bytes = std::int64_t{32} << 20;
  bool fuses = true;   // fused groups run strip by strip
  bool hoists = true;  // loop-invariant work is done before its loop
};

/// The setting in `text`; nullopt: not of the form name=number,... with known names and numbers in range.
std::optional<Tuning> parse_tuning(std::string_view text);
/// The setting in LOCKSTEP_TUNING, or the defaults (with a warning in the log for a bad text).
const Tuning& default_tuning();

}  // namespace lockstep::interpreter
