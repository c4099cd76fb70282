// Shared by the questions that compare accesses with happens-before: the storages that they follow, and the values that
// an atomic expects.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "debugger/engine/engine.h"
#include "debugger/engine/frame.h"

namespace lockstep::debugger {

/// Whether the access's storage is among `storages`, by number; true for an access outside of the launch's storages.
bool is_among(const std::vector<bool>& storages, const Engine& engine, const interpreter::AccessLanes& lanes);

/// The bits that the point's compare-and-swap or poll expects, lane by lane; read from its second operand on demand.
class ExpectedBits {
 public:
  ExpectedBits(const Engine& engine, const Point& point) : engine_(engine), point_(point) {}
  std::uint64_t operator()(std::int64_t lane);

 private:
  const Engine& engine_;
  const Point& point_;
  std::optional<Datum> expected_;
};

}  // namespace lockstep::debugger
