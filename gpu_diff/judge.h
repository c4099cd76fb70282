// The judge: whether a GPU's results of a launch are legal. It compares every tensor with the enclosure of the same
// launch: an element outside is a fault of the GPU's code (or of its compiler or hardware), unless the enclosure's
// findings show that the kernel itself is at fault. Invariant: nothing legal is outside. Not here: GPUs, files, which
// op was at fault (bisect.h). Units: ULP of the tensor's type.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "enclosure/enclosure.h"
#include "interpreter/launch/launch.h"

namespace lockstep::gpu_diff {

/// Distances of the actual elements from the interpreter's; a number against NaN is infinitely far. Integers: their
/// difference.
struct UlpStatistics {
  std::uint64_t elements = 0, equal_bits = 0;
  double median = 0, p99 = 0, most = 0;
};

/// Where elements lie between the ends of their bounds: 0 in the middle, 1 at an end, beyond 1 outside. Only for
/// elements that have room: not for certain or unbounded ones, or with a bound on one side.
struct PositionStatistics {
  static constexpr std::size_t kParts = 20;
  std::uint64_t elements = 0;
  double median = 0, p99 = 0, most = 0;
  std::array<std::uint64_t, kParts> histogram{};  // of equal parts of 0 to 1; the last has those outside, too
};

struct TensorJudgement {
  std::string name;
  std::size_t place = 0;    // among Judgement::enclosure's tensors
  bool is_written = false;  // the kernel may write it
  enclosure::Verdict verdict;
  enclosure::WidthStatistics widths;
  UlpStatistics ulp;
  PositionStatistics positions;
  std::uint64_t addresses = 0;  // elements that hold addresses of tensors: not compared, a GPU has its own
};

struct Judgement {
  std::vector<TensorJudgement> tensors;  // of each pointer or descriptor argument, in order
  enclosure::Enclosure enclosure;
  bool is_inside() const;
};

/// Runs the enclosure on the request's present storages (before the launch) and compares `actual` with it: for each
/// pointer or descriptor argument, in order, the view's elements in C order. The storages then hold the interpreter's
/// results. nullopt: diagnosed; LS2112 where the sizes of `actual` do not fit.
std::optional<Judgement> judge(const interpreter::LaunchRequest& request, const std::vector<std::string>& actual,
                               DiagnosticSink& sink, const enclosure::EnclosureOptions& options = {});

/// The same with results for some of the tensors only; the others are not judged.
std::optional<Judgement> judge_some(const interpreter::LaunchRequest& request,
                                    const std::vector<std::optional<std::string>>& actual, DiagnosticSink& sink,
                                    const enclosure::EnclosureOptions& options = {});

/// The storages' content, in the form for judge().
std::vector<std::string> tensor_bytes(const interpreter::LaunchRequest& request);

/// enclosure::check; certain elements must match bit by bit even if a bound is not an exact number (64-bit integers).
/// `actual` and `expected` (the interpreter's): as many elements as the tensor's, in C order.
enclosure::Verdict check_bits(const enclosure::TensorEnclosure& tensor, const char* actual, const char* expected);

/// Both: C order, as many elements of `kind` (a multiple of its size).
UlpStatistics ulp_statistics(ScalarKind kind, const std::string& actual, const std::string& expected);

/// `actual`: as many elements as the tensor's, in C order.
PositionStatistics position_statistics(const enclosure::TensorEnclosure& tensor, const char* actual);

}  // namespace lockstep::gpu_diff
