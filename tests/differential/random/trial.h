// One random kernel tried: emitted and compiled, run on the GPU, and what came back held against its enclosure; or any
// part of that. Invariant: whatever is wrong is an Outcome with a reason, never an exception or an exit, but for a GPU
// whose context is lost (Outcome::faulted): nothing else can run in the process then. Not here: choosing kernels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record.h"
#include "sample.h"

namespace lockstep::differential_tests {

/// emit: text and cubin. check: the interpreter's own results and values are judged, no GPU. gpu: all.
enum class Mode : std::uint8_t { emit, check, gpu };

struct TrialOptions {
  Mode mode = Mode::emit;
  /// An op's spelling: results of kernels that have it are changed before they are judged, and in mode emit such a
  /// kernel counts as refused. Shows that failures are seen and shrunk.
  std::string planted;
  /// What lies outside is bisected: details say which op made it (gpu_diff/bisect.h).
  bool bisects = false;
};

enum class Outcome : std::uint8_t {
  fine,          // compiled; judged: every element inside
  skipped,       // may race, has findings, or is not supported: nothing to compare
  not_emitted,   // the backend has no text for it
  not_compiled,  // NVRTC refuses the text
  outside,       // an element that no legal execution gives, or bytes written that are nobody's
  faulted,       // the GPU stopped
  defect,        // Lockstep contradicts itself
};
const char* name_of(Outcome outcome);
/// What a person has to look at.
inline bool is_failure(Outcome outcome) { return outcome > Outcome::skipped; }

struct Result {
  Outcome outcome = Outcome::skipped;
  std::string reason;                                      // one line; what is counted together has the same
  std::string details;                                     // as much as there is to say
  std::string text_key;                                    // of the emitted text
  std::uint64_t elements = 0, certain = 0, unbounded = 0;  // of the tensors that the kernel may write
  double median_ulp = 0, most_ulp = 0;                     // distances from the interpreter, of the worst tensor
  std::vector<std::string> outputs;                        // what came back: one for each pointer argument, in order
  std::vector<bool> is_written;                            // by the kernel, of those
  std::string gpu;                                         // the device's name
};

Result try_kernel(const Recipe& recipe, const std::string& text, const TrialOptions& options);

/// Holds recorded outputs against today's enclosure. The result's text key is that of what would be emitted today.
Result judge_recorded(const RecordedKernel& kernel);

}  // namespace lockstep::differential_tests
