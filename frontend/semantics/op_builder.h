// OpBuilder: makes the ops of an operation on tensors. It is the state of semantics.h's functions: the place for ops,
// the place for errors, the request's options. Not here: the rules.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/reporter.h"
#include "frontend/semantics/emitter.h"
#include "frontend/semantics/value.h"

namespace lockstep::frontend {

/// The request's target and mode.
struct Options {
  int capability = 90;            // 10 * major + minor
  bool debug = false;             // overflow checks assert
  bool keeps_asserts = false;     // tl.device_assert and assert are kept
  bool sanitize_overflow = true;  // 64-bit rechecks are emitted, as Triton does; without debug they are dead code
  int num_warps = 4;
  bool is_gluon = false;  // the kernel is @gluon.jit: blocks have layouts
  int num_ctas = 1;       // blocks of a cluster
};

using TensorPair = std::pair<Tensor, Tensor>;
using Shape = std::vector<std::int64_t>;

class OpBuilder {
 public:
  OpBuilder(Emitter& emitter, Reporter& reporter, const Options& options)
      : emit_(emitter), report_(reporter), options_(options) {}
  Emitter& emitter() { return emit_; }
  Reporter& reporter() { return report_; }
  const Options& options() const { return options_; }
  /// Of the group that executes the function: the kernel's, or those of a partition.
  int warps() const { return warps_ > 0 ? warps_ : options_.num_warps; }
  void set_warps(int warps) { warps_ = warps; }

  /// An op with one result. Invalid: the target lacks the type, which was reported.
  Tensor make(std::string_view op, const std::vector<ir::Value*>& operands, const ValueType& type,
              std::vector<ir::NamedAttribute> attributes = {});
  /// nullopt: reported.
  std::optional<ir::Type> ir_type(const ValueType& type);
  /// An attribute of 32 bits.
  ir::NamedAttribute integer(std::string name, std::int64_t value);

 private:
  /// A layout that no value of this shape can have in the warps at hand is reported (LS1131).
  bool check_layout(const ValueType& type);

  Emitter& emit_;
  Reporter& report_;
  const Options& options_;
  int warps_ = 0;
};

}  // namespace lockstep::frontend
