// TensorMap: what the host tells the GPU's copy engine about the memory behind a parameter, so that the kernel copies
// whole tiles of it (cuTensorMapEncodeTiled). The emitter writes the table with names of parameters; each launch fills
// in the numbers. A launch whose numbers the engine does not take runs the text without maps. Units: elements; bytes
// where they say so. Not here: which loads become boxes (layout/boxes.h).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "support/scalar.h"

namespace lockstep::backend_cuda {

/// (factor * the product of parameters (by their number) + offset) / divisor, which divides it.
struct LaunchNumber {
  std::int64_t factor = 0;
  std::vector<int> parameters;
  std::int64_t offset = 0;
  std::int64_t divisor = 1;
  friend bool operator==(const LaunchNumber&, const LaunchNumber&) = default;
};

struct MapDimension {
  LaunchNumber extent;  // elements from here on read as zero
  LaunchNumber stride;  // 1 for the first
  int box = 1;          // elements of a copy
  friend bool operator==(const MapDimension&, const MapDimension&) = default;
};

struct TensorMap {
  int parameter = 0;  // of the kernel, a pointer
  ScalarKind kind = ScalarKind::f16;
  std::vector<MapDimension> dimensions;  // fastest first
  friend bool operator==(const TensorMap&, const TensorMap&) = default;
};

/// A map's numbers in one launch.
struct MapNumbers {
  std::vector<std::uint64_t> extents;        // elements
  std::vector<std::uint64_t> strides;        // bytes, without the first dimension's
  std::vector<std::uint32_t> boxes, steps;   // elements; steps are 1
  int swizzle = 0;                           // CUtensorMapSwizzle
};

/// An extent without a bound.
inline constexpr std::int64_t kUnbounded = std::int64_t{1} << 31;

/// The numbers of a map; `value`: of a parameter, an integer. False: the copy engine does not take them.
bool numbers_of(const TensorMap& map, std::uint64_t address, const std::function<std::int64_t(int)>& value,
                MapNumbers& numbers);
/// The table as a line of JSON, for programs that launch a cubin.
std::string text_of(const TensorMap& map);

}  // namespace lockstep::backend_cuda
