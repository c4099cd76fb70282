#include "debugger/queries/value_edges.h"

#include <algorithm>

#include "ir/interfaces/region_branch.h"
#include "ir/op_def.h"

namespace lockstep::debugger {

namespace {

class Finder {
 public:
  Finder(const DebugKernel& kernel, const Point& point) : kernel_(kernel), point_(point), op_(*point.op) {}

  /// Into, around and out of structured ops.
  void structured() {
    const std::vector<ir::RegionEdge> edges = ir::successor_edges(op_);
    std::size_t most = 0;
    for (const ir::RegionEdge& edge : edges) most = std::max(most, edge.count);
    for (std::size_t i = 0; i < most; ++i) {
      for (const ir::RegionEdge& edge : edges) {
        if (i < edge.count) add(*edge.source(i), *edge.target(i));
      }
    }
  }
  void calls() {
    const auto& activations = kernel_.activations();
    for (std::uint32_t a = 1; a < activations.size(); ++a) {
      if (activations[a].call_point != point_.number ||
          activations[a].caller != static_cast<std::int32_t>(point_.activation))
        continue;
      const ir::Block& entry = activations[a].function->region().front();
      for (std::size_t i = 0; i < op_.operand_count(); ++i) add(*op_.operand(i), *entry.argument(i), a);
    }
  }
  void returns() {
    const Activation& running = kernel_.activations()[point_.activation];
    if (running.caller < 0) return;
    const ir::Op& call = *kernel_.points()[running.call_point].op;
    for (std::size_t i = 0; i < op_.operand_count(); ++i)
      add(*op_.operand(i), *call.result(i), static_cast<std::uint32_t>(running.caller));
  }
  void branches(const Point* next) {
    for (const ir::RegionEdge& edge : ir::successor_edges(op_)) {
      if (next == nullptr || next->op->block() != edge.entered) continue;
      for (std::size_t i = 0; i < edge.count; ++i) add(*edge.source(i), *edge.target(i));
      return;
    }
  }
  std::vector<ValueEdge> take() { return std::move(found_); }

 private:
  void add(const ir::Value& from, const ir::Value& to) { add(from, to, point_.activation); }
  void add(const ir::Value& from, const ir::Value& to, std::uint32_t activation) {
    found_.push_back({&from, &to, point_.activation, activation});
  }

  const DebugKernel& kernel_;
  const Point& point_;
  const ir::Op& op_;
  std::vector<ValueEdge> found_;
};

}  // namespace

std::vector<ValueEdge> value_edges(const DebugKernel& kernel, const Point& point, const Point* next) {
  Finder finder(kernel, point);
  switch (point.op->def().control) {
    case ir::Control::call: finder.calls(); break;
    case ir::Control::function_return: finder.returns(); break;
    case ir::Control::jump:
    case ir::Control::conditional_jump: finder.branches(next); break;
    default: finder.structured();
  }
  return finder.take();
}

}  // namespace lockstep::debugger
