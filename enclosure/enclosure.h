// Enclosure: bounds of every element of a launch's tensors, such that every result of a conforming GPU lies within
// them, under any legal order of sums, contraction, approximate functions, input precision and accumulators. The rules:
// docs/differential.md. Invariant: sound; unknown elements are unbounded, with the ops that caused it. The launch
// itself runs as always, and its memory afterwards is the interpreter's. Not here: rounding of single ops
// (enclosure_*.cpp), running GPUs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "enclosure/bounds.h"
#include "enclosure/observer.h"
#include "interpreter/launch/launch.h"

namespace lockstep::enclosure {

class ShadowMemory;

struct EnclosureOptions {
  bool checks_itself = false;  // every value of the interpreter is held against its bounds; slow, for tests
  /// Only the orders of sums in layouts that spread a tile evenly over 32 threads or more: each thread adds its own
  /// elements, then a tree adds the threads' sums. Narrower; wrong for a GPU with another layout.
  bool spreads_sums = false;
  Observer* observer = nullptr;
  /// Instead of bounds of legal results: what f64 has where no format rounds, over the launch's own control flow,
  /// addresses and integers, with what earlier launches left here (real_launch.h). The bounds then hold f64's own errors
  /// and what constants leave open.
  ShadowMemory* real = nullptr;
};

/// An op that makes its results, or results that depend on it, unbounded.
struct UnboundedCause {
  const ir::Op* op = nullptr;
  std::uint64_t times = 0;   // it ran so
  bool lost_memory = false;  // addresses or control flow were not decided: nothing is known of what was stored
  std::string text() const;  // "tl.histogram at k.py:12"
};

/// The enclosure of one tensor: the elements of a view in row-major order.
struct TensorEnclosure {
  memory_model::ViewId view{};
  std::string name;
  ScalarKind kind{};
  std::vector<std::int64_t> shape;
  std::vector<Interval> elements;
  bool is_written = false;  // the kernel may write it
  /// Ops whose models the bounds rely on, in the order in which they first ran; none: every rule is a proof.
  std::vector<const ir::Op*> models;
  /// The launch has findings (an access out of bounds, a race): the kernel itself may cause the difference.
  bool has_findings = false;
  /// Of a run without rounding: the op that stored an element last, by element; null: none did.
  std::vector<const ir::Op*> writers;
};

/// "tl.exp at softmax.py:12": Python's name of an op, and its place.
std::string op_text(const ir::Op& op);

struct Enclosure {
  std::vector<TensorEnclosure> tensors;  // one for each pointer argument, in order
  std::vector<UnboundedCause> causes;
  interpreter::LaunchReport report;
  std::uint64_t misfits = 0;  // of EnclosureOptions::checks_itself: 0 unless a rule is wrong
  std::vector<std::string> misfit_texts;
};

/// Runs the kernel with bounds besides its values. nullopt: diagnosed in `sink`.
std::optional<Enclosure> enclose(const interpreter::LaunchRequest& request, DiagnosticSink& sink,
                                 const EnclosureOptions& options = {});

/// An element that no legal execution gives.
struct Outside {
  std::int64_t element = 0;  // flat, row-major
  double actual = 0;
  Interval bounds;
  double ulp = 0;  // how far beyond the nearer end, in units of the type at that end; infinite for NaN
};

struct Verdict {
  std::uint64_t elements = 0, outside = 0, unbounded = 0;
  std::optional<Outside> first, worst;
  bool is_inside() const { return outside == 0; }
};
/// `actual`: C order, as many elements of the tensor's kind.
Verdict check(const TensorEnclosure& enclosure, const void* actual);

/// Widths in units in the last place of the type at the element's larger end.
struct WidthStatistics {
  std::uint64_t elements = 0, points = 0, unbounded = 0;
  double median = 0, p99 = 0, most = 0;  // of the bounded elements, points included
};
WidthStatistics widths(const TensorEnclosure& enclosure);
double width_in_ulp(ScalarKind kind, const Interval& value);

}  // namespace lockstep::enclosure
