// Philox4x32-10, the counter-based generator, and its numbers. Invariant: the bytes of a tensor are a function of
// (seed, argument name, element index) alone, the same on every platform and in every version: only integer arithmetic
// and
// + - * / sqrt of IEEE doubles are used, no library function. Not for cryptography.
// Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011; Box and Muller 1958.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace lockstep::driver {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;
/// Ten rounds.
PhiloxCounter philox(PhiloxCounter counter, PhiloxKey key);

/// FNV-1a, 64 bits.
std::uint64_t stable_hash(std::string_view text);

/// The random stream of one tensor: counter = (block, hash of the name), key = seed. Block b makes elements 2b and 2b
/// + 1.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::string_view name);
  using Pair = std::array<double, 2>;
  std::array<std::uint64_t, 2> bits(std::uint64_t block) const;
  /// Uniform in [0, 1), multiples of 2^-53.
  Pair uniform(std::uint64_t block) const;
  /// Standard normal, by Box and Muller's transform.
  Pair normal(std::uint64_t block) const;
  /// Uniform integers in [low, low + range), range > 0; bias below range / 2^64.
  std::array<std::int64_t, 2> integers(std::uint64_t block, std::int64_t low, std::uint64_t range) const;

 private:
  PhiloxKey key_;
  std::uint64_t name_hash_;
};

/// Natural logarithm for x in [2^-1022, 2^1023]; within 2 ULP of the exact value. Stable bytes.
double stable_log(double x);
struct SineCosine {
  double sine, cosine;
};
/// Sine and cosine of 2 pi t for t in [0, 1]; within 2e-16 of the exact values. Stable bytes.
SineCosine stable_sine_cosine(double t);

}  // namespace lockstep::driver
