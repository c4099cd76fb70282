// Matrix products in f64 for midpoints and radii, by the interpreter's own kernels, which are compiled for every
// instruction set (Eigen's would be for the oldest alone): the work of an enclosure is a few products of ordinary
// numbers. Invariant: an element is within (k + 2) 2^-53 of the sum of the products' magnitudes. Private to the room.
#pragma once

#include <cstdint>
#include <memory>

namespace lockstep::enclosure {

struct MatrixShape {
  std::int64_t m = 0, n = 0, k = 0;
};

/// For products of one shape; row-major matrices without gaps.
class Multiplier {
 public:
  explicit Multiplier(const MatrixShape& shape);
  ~Multiplier();
  /// c = a * b, or c += a * b.
  void multiply(const double* a, const double* b, double* c, bool adds) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace lockstep::enclosure
