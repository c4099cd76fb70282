// UpdateKernel: the ops between a load and a store of a kernel as a kernel of its own, which can run with other numbers
// in place of the loaded ones. Invariant: it computes what those ops compute in the launch, bit by bit. Private to
// lane_updates.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "interpreter/launch/prepared.h"
#include "sanitizer/core/checker.h"
#include "sanitizer/lanes/update_ops.h"

namespace lockstep::sanitizer {

class UpdateKernel {
 public:
  using Bytes = std::vector<char>;
  using Leaves = std::unordered_map<const ir::Value*, Bytes>;

  /// Null: its ops cannot run apart from the kernel.
  static std::unique_ptr<UpdateKernel> make(const LaunchContext& context, const LaneUpdate& update);
  /// The elements that the store would write, row-major; `loaded`, `leaves`: elements of the load and of each leaf.
  /// Empty: it could not run.
  Bytes run(const Bytes& loaded, const Leaves& leaves);

 private:
  UpdateKernel(ir::Module module, const LaneUpdate& update) : module_(std::move(module)), update_(update) {}
  bool add_argument(const ir::Value& like);
  void put(std::size_t argument, const Bytes& bytes);

  ir::Module module_;
  const LaneUpdate& update_;
  std::unique_ptr<const interpreter::PreparedKernel> kernel_;
  memory_model::AddressSpace memory_;
  std::vector<interpreter::Argument> arguments_;  // the load's elements, the leaves', the store's
  std::vector<std::uint64_t> sizes_;
};

}  // namespace lockstep::sanitizer
