// Apart: why two accesses never touch one byte, as a tree of comparisons. Who finds it: pairs.h.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "prove/certificate.h"

namespace lockstep::prove {

/// difference = 0, although no case says so.
struct Equal {
  Poly difference;
  Certificate low, high;  // difference >= 0, -difference >= 0
};

struct Apart {
  enum class Kind : std::uint8_t {
    split,     // cases: difference <= -1, = 0, >= 1
    forward,   // the second lies behind the first: why
    backward,  // in front of it: why
    same,      // it is the same point: equal
  } kind = Kind::same;
  Poly difference{};
  std::vector<Apart> cases{};
  std::vector<Equal> equal{};
  Poly goal{};  // >= 0
  Certificate why{};
};

/// Of two sites, or of two lanes of one.
struct PairProof {
  const ir::Op *first = nullptr, *second = nullptr;
  bool is_of_lanes = false;
  Apart why{};
};

}  // namespace lockstep::prove
