// Points: the places of a kernel where a debugger can stand, one before each op, and their static facts: the Python
// line, the frames of inlined functions around it, the slots of its values. A DebugKernel is a kernel planned with a
// marker step at each point. Invariant: points are numbered in the order of the text, an inlined function's anew for
// each call; ops inside the regions of reductions, scans and maps have none. Not here: running.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "debugger/engine/definitions.h"
#include "debugger/engine/names.h"
#include "debugger/engine/place.h"
#include "interpreter/access/access_lanes.h"
#include "interpreter/launch/prepared.h"
#include "interpreter/launch/stepped_launch.h"

namespace lockstep::debugger {

/// A function that is running: the kernel (number 0) or an inlined call of another one.
struct Activation {
  const ir::Op* function = nullptr;
  std::int32_t caller = -1;      // activation
  std::uint32_t call_point = 0;  // point of the tt.call, where there is a caller
  std::unordered_map<const ir::Value*, interpreter::Slot> slots;
};

struct Point {
  const ir::Op* op = nullptr;
  std::uint32_t number = 0;
  std::uint32_t activation = 0;
  Location location;           // call sites of inlined calls included
  std::vector<Place> frames;   // user lines, innermost first; empty: unknown
  std::size_t loop_level = 0;  // level (0: outermost) of the frame that the nearest loop around stands in
  bool is_statement = true;    // a place to stop at when stepping by line: no constant, no terminator
  bool writes = false;         // stores or updates memory
  std::int32_t lookup = -1;    // index into DebugKernel::lookups: it touches memory
  Place place() const { return frames.empty() ? Place{} : frames.front(); }
  std::size_t depth() const { return frames.size(); }
};

/// What a person sees under a name (frame.h).
struct Variable {
  std::string name;
  const ir::Value* value = nullptr;
  interpreter::Slot slot = interpreter::kNoSlot;
  bool is_argument = false;  // of the kernel
};

class DebugKernel {
 public:
  /// Null: diagnosed. The module must outlive it.
  static std::unique_ptr<DebugKernel> make(const ir::Module& module, const ir::Op& function,
                                           const TargetProfile& profile, DiagnosticSink& sink);

  const ir::Module& module() const { return module_; }
  const ir::Op& function() const { return function_; }
  const TargetProfile& profile() const { return profile_; }
  const interpreter::PreparedKernel& kernel() const { return *kernel_; }
  const std::vector<Point>& points() const { return points_; }
  const std::vector<Activation>& activations() const { return activations_; }
  const interpreter::LaneLookup* lookup(const Point& point) const {
    return point.lookup < 0 ? nullptr : &lookups_[static_cast<std::size_t>(point.lookup)];
  }
  /// kNoSlot: the plan has no slot for the value there.
  interpreter::Slot slot_of(const ir::Value& value, std::uint32_t activation) const;

  const Definitions& definitions() const { return definitions_; }
  void set_renamings(std::vector<Definitions::Renaming> all) {
    definitions_.renamings = std::move(all);
    variables_.clear();
  }
  /// The value does not belong to the variable of its name.
  void add_intermediate(const ir::Value& value) {
    definitions_.intermediates.insert(&value);
    variables_.clear();
  }
  /// Adds names that the IR does not have.
  void add_name(const ir::Value& value, Definitions::Result name) {
    definitions_.results[&value].push_back(std::move(name));
    variables_.clear();
  }
  /// Variables of a frame of a point, which do not depend on the run: `find` computes them the first time. Valid until
  /// the next call.
  const std::vector<Variable>& variables_of(const Point& point, std::size_t level,
                                            const std::function<std::vector<Variable>()>& find) const;

  /// The point of a step; null: the step is not a marker.
  static const Point* point_of(const interpreter::Step* step);
  static bool is_marker(const interpreter::Step* step) { return step->run == &step_marker; }

 private:
  friend class PointCollector;
  DebugKernel(const ir::Module& module, const ir::Op& function, const TargetProfile& profile)
      : module_(module), function_(function), profile_(profile) {}
  static const interpreter::Step* step_marker(interpreter::Machine& machine, const interpreter::Step* step);

  const ir::Module& module_;
  const ir::Op& function_;
  TargetProfile profile_;
  std::unique_ptr<const interpreter::PreparedKernel> kernel_;
  std::vector<Point> points_;
  std::vector<Activation> activations_;
  std::vector<interpreter::LaneLookup> lookups_;
  Definitions definitions_;
  mutable std::map<std::pair<std::uint32_t, std::size_t>, std::vector<Variable>> variables_;  // by point and level
};

}  // namespace lockstep::debugger
