// LaunchCost: what each op of a launch cost, counted while the launch runs again: executions, sectors and bytes of its
// accesses, floating-point operations. The lints (lint_traffic.h, lint_roofline.h) count the same way, so that both
// give the same figures. Not here: what deserves a finding (lints.cpp), lines, texts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "sanitizer/core/checker.h"
#include "sanitizer/lint/lint_roofline.h"

namespace lockstep::sanitizer {

class LaunchCost : public Checker {
 public:
  struct Op {
    const ir::Op* op = nullptr;
    std::uint64_t executions = 0;  // by programs; what is done once for the whole launch counts 1
    OpTraffic traffic;             // of accesses
    Flops flops;
  };

  /// Runs the launch on the request's memory, on one thread. Null: it did not complete.
  static std::unique_ptr<const LaunchCost> count(const LaunchContext& context);

  /// In the order of their first execution.
  const std::vector<Op>& ops() const { return ops_; }
  /// The line of LSP00.
  std::string roofline(const GpuModel& model) const { return roofline_.text(model); }

  Requirements needs(const LaunchContext& context) const override;
  Interest wish(const ir::Op& op) const override;
  void before(Execution& run) override;

 private:
  explicit LaunchCost(const LaunchContext& context) : roofline_(context) {}

  std::vector<Op> ops_;
  std::unordered_map<const ir::Op*, std::size_t> places_;
  LintRoofline roofline_;
};

}  // namespace lockstep::sanitizer
