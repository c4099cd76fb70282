// A launch without rounding, for `run --real`, Python's real=True and judge: every float is also computed in f64, over
// the launch's own control flow, addresses and integers. What f64 has is an interval: of f64's own errors, and of the
// last digits that a constant's format has lost. Invariant: memory is afterwards as before. What launches store is kept
// in a RealMemory for later ones that read it, as long as the bytes stay the same. Not here: rules of ops
// (enclosure/rules), legal results of GPUs (enclosure.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "enclosure/bounds.h"
#include "interpreter/launch/launch.h"

namespace lockstep::enclosure {

class ShadowMemory;

/// What launches stored, without rounding. For one launch at a time.
class RealMemory {
 public:
  RealMemory();
  ~RealMemory();
  /// The number of an element whose bits are still those that were stored; nullopt: nothing is known of it. Unbounded:
  /// it was stored, and an op without a rule has part in it. Precondition: the bytes may be read.
  std::optional<Interval> at(std::uint64_t address, ScalarKind kind) const;
  void clear();
  ShadowMemory& shadows() const { return *shadows_; }
  /// Places where floats of earlier launches became integers, which count as they are.
  std::vector<std::string> own_integers;

 private:
  std::unique_ptr<ShadowMemory> shadows_;
};

/// One element as the launch stores it, and as it would be without rounding.
struct RealDifference {
  std::vector<std::int64_t> index;
  double stored = 0;
  Interval real;      // the middle counts
  double absolute = 0, relative = 0, ulp = 0;
  std::string place;  // "softmax.py:12", of the store
};

struct RealTensor {
  std::string name;
  ScalarKind kind{};
  std::uint64_t elements = 0;  // that the launch stored with another number than f64's, or the same
  std::uint64_t unknown = 0;   // of them: an op without a rule has part in them
  double max_absolute = 0, max_relative = 0, max_ulp = 0;
  double max_open = 0;                // half of the widest interval, in ulp of the tensor's type
  std::vector<RealDifference> worst;  // by ulp, the farthest first; at most three
  std::vector<std::string> own_integers;
};

struct RealReport {
  std::vector<RealTensor> tensors;  // float tensors that the launch stored to
  /// Ops without a rule: "inline asm at k.py:12".
  std::vector<std::string> unknown;
  bool is_complete = true;  // false: the launch did not complete, or an op decided addresses of stores in a way not known
};

/// Runs the launch beside itself, on one thread. nullopt: diagnosed in `sink`, or no memory for a copy.
std::optional<RealReport> run_real(const interpreter::LaunchRequest& request, RealMemory& memory, DiagnosticSink& sink);

}  // namespace lockstep::enclosure
