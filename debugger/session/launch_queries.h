// LaunchQueries: questions about a launch as a whole, independent of the position: how its memory compares with a
// reference, which op made a result wrong, what it costs. Answers come from separate launches, on copied memory, of the
// session's kernel; the maker of the session supplies them. Invariant: nothing here moves the session. Not here: texts
// of answers (terminal/, dap/), how they are found.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "debugger/session/problem.h"
#include "findings/finding.h"
#include "ir/op.h"
#include "support/json.h"
#include "support/result.h"
#include "support/scalar.h"

namespace lockstep::debugger {

// ---- diff ----

struct DiffRequest {
  std::string name;  // of a tensor; empty: all
  std::string file;  // another .capsule as the reference; empty: the launch's own
  bool has_ended = false;
  /// Bytes of one storage before the launch (Engine::read_before).
  std::function<bool(std::uint64_t address, std::size_t bytes, char* out)> read_before;
};

/// An element that differs from the reference.
struct DifferentElement {
  std::int64_t element = 0;              // C order
  std::uint64_t now = 0, reference = 0;  // bits of TensorDifference::kind, zero-extended
  double absolute = 0;                   // infinite where one of them is no number
  std::int64_t ulp = 0;                  // INT64_MAX: a NaN against a number
};

/// Memory of a tensor now, compared with a reference. Elements that differ but are unchanged since the launch began
/// count as `pending` while programs run, and as `different` afterwards.
struct TensorDifference {
  std::string name, reference;  // "out", "what a GPU left"
  ScalarKind kind{};
  std::vector<std::int64_t> shape;
  std::uint64_t elements = 0, different = 0, pending = 0;
  double largest_absolute = 0;          // of those that are different
  std::int64_t largest_ulp = 0;         // INT64_MAX: a NaN against a number
  std::vector<DifferentElement> first;  // of those that are different, at most kShownElements
  std::string reference_bytes;          // all of the reference's elements, in C order
  /// The value of the reference itself, lines without an end: whether recorded elements are legal results, or the
  /// tolerance of --expect at the end of the launch; empty: unknown.
  std::string verdict;
  bool is_refuted = false;  // by the verdict: the reference holds what no legal execution gives, or does not agree
  static constexpr std::size_t kShownElements = 4;
};

struct DiffReport {
  std::string remark;                     // that belongs in front: other arguments; may be empty
  std::vector<TensorDifference> tensors;  // that differ, or that the launch changes, or that was asked for
};

// ---- bisect ----

struct BisectRequest {
  /// The tensor (a view of the launch's memory) and the byte of the element from the view's first one; without `offset`
  /// the element farthest from the reference, without both in any tensor.
  std::optional<std::int32_t> view;
  std::optional<std::int64_t> offset;
};

/// Where an element of a result was made wrong.
struct Culprit {
  /// Facts, a line each: the element with its values, the method, why this op.
  std::vector<std::string> lines;
  /// Null: no op is to blame, or none with a point. Of the session's module.
  const ir::Op* op = nullptr;
  std::uint64_t program = 0;
  std::uint64_t execution = 0;     // of this op in this program, from 1
  std::vector<std::int64_t> lane;  // of its result (a store: of the tile); empty: a scalar, or not known
};

// ---- cost ----

/// The work of one op in the whole launch. Flops: floating-point operations; a product counts two for each element and
/// step.
struct OpCost {
  const ir::Op* op = nullptr;
  std::uint64_t executions = 0;
  std::uint64_t sectors = 0, bytes = 0;  // asked for: of 32 bytes; different bytes of each execution
  double flops = 0;
  double seconds = 0;  // that sectors and flops take at the rates of a GPU's data sheet, one after the other
};

struct LaunchCost {
  std::string gpu;          // the model whose rates were used: "h200"
  std::vector<OpCost> ops;  // in the order of the text; those that ran
  std::string roofline;     // one line
};

// ---- outputs ----

/// An output of a launch, compared with its reference.
struct ComparedOutput {
  std::string name;
  bool is_equal = false;
  std::string text;  // lines: how many elements differ, where, by how much
};

class LaunchQueries {
 public:
  virtual ~LaunchQueries() = default;
  /// Every answer is stopped() soon after `flag` becomes true. It must outlive the questions.
  void stop_when(const std::atomic<bool>& flag) { stop_ = &flag; }
  /// Problem: there is no reference, no such tensor, the file is not a capsule of this kernel.
  virtual Expected<DiffReport, Problem> diff(const DiffRequest& request) = 0;
  virtual Expected<Culprit, Problem> bisect(const BisectRequest& request) = 0;
  /// LSP findings, as `--check lints` gives them.
  virtual Expected<Report, Problem> lint() = 0;
  /// `gpu`: "h200", "sm_80"; empty: the launch's. Problem: unknown.
  virtual Expected<LaunchCost, Problem> cost(std::string_view gpu) = 0;
  /// What holds of the kernel in every launch of a contract, as `lockstep prove` reports it. `words`: the contract, as it is
  /// in the answer; empty: like this launch. Problem: no contract, or it takes longer than kMostProofSeconds.
  virtual Expected<Json, Problem> prove(const std::vector<std::string>& words) = 0;
  static constexpr int kMostProofSeconds = 30;
  /// For the last launch under checkers (Session::Setup::checked_run), if there are references.
  virtual std::vector<ComparedOutput> compared_outputs() const { return {}; }

 protected:
  bool is_stopped() const { return stop_ != nullptr && *stop_; }
  const std::atomic<bool>* stop_ = nullptr;  // null: nobody stops it
};

}  // namespace lockstep::debugger
