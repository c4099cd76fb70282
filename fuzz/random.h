// Random choices for samplers and mutators: one stream per seed, the same on every machine. Not for tensors' contents
// (driver/arguments/philox). Source: splitmix64, public domain, Sebastiano Vigna.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace lockstep::fuzz {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  /// In [0, n); 0 for n = 0.
  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(bits() % n); }
  bool one_in(std::size_t n) { return below(n) == 0; }
  /// An element; precondition: there is one.
  template <typename List>
  auto& pick(List& list) {
    return list[below(std::size(list))];
  }

 private:
  std::uint64_t state_;
};

}  // namespace lockstep::fuzz
