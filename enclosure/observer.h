// Observer: watches an enclosure's run: which programs store to a place, and every result of one program's ops, with
// its bounds, in execution order. Invariant: it does not change the run, but loop-invariant work stays in its loop, so
// that it sees every execution. It does not see ops inside the regions of reductions and scans.
#pragma once

#include <cstdint>
#include <string>

#include "enclosure/bounds.h"
#include "ir/op.h"

namespace lockstep::enclosure {

/// One result of one execution of an op.
struct Observation {
  const ir::Op* op = nullptr;
  std::size_t result = 0;
  ScalarKind kind{};
  std::string bytes;  // the interpreter's elements, row-major
  BoundsRef values;   // as numbers
  BoundsRef bounds;   // what they may be; rounded to the type
};

class Observer {
 public:
  virtual ~Observer() = default;
  /// An op with results has run. `is_once`: for the whole launch, because nothing in it depends on the program. True:
  /// call see() for each of its results.
  virtual bool has_run(const ir::Op& op, std::uint64_t program, bool is_once) = 0;
  virtual void see(const Observation& observation) = 0;
  /// Whether the run should call writes().
  virtual bool wants_writes() const { return false; }
  /// A program is about to write `bytes` at an address (also by an atomic); address 0: an unknown place.
  virtual void writes(std::uint64_t program, std::uint64_t address, int bytes) {
    (void)program, (void)address, (void)bytes;
  }
};

}  // namespace lockstep::enclosure
