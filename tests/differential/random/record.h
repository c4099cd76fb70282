// What a GPU answered, in a file: a header (GPU, driver) and one entry a kernel with everything that its launch needs,
// so that it can be judged where there is no GPU, also when the samplers have changed since. Of recorded launches only
// the name is kept: their files are tests/differential/recorded/launches.tar.xz.
// Invariant: a file that was cut or changed is refused, never misread. Format: "LSREC01\n", then blocks of a 32-bit
// little-endian size and that many bytes; the first is the header's text, the others are deflated entries.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sample.h"

namespace lockstep::differential_tests {

struct RecordedTensor {
  std::uint32_t place = 0;  // among the pointer arguments
  std::string bytes;        // after the launch, C order
};

struct RecordedKernel {
  Recipe recipe;  // of a recorded launch: name and target, no text
  std::string text_key;
  std::vector<RecordedTensor> written;
};

struct RecordFile {
  std::string header;  // "NVIDIA H200, driver 13.0"
  std::vector<RecordedKernel> kernels;
};

/// The bytes of one block with its size.
std::string block_of(const std::string& bytes);
std::string entry_of(const RecordedKernel& kernel);
/// What stands before the blocks.
const std::string& record_magic();
/// nullopt: `why` says where it is broken.
std::optional<RecordFile> read_records(const std::string& bytes, std::string& why);

}  // namespace lockstep::differential_tests
