// EngineScope: what an expression sees of the engine's current program: the variables of one frame, arguments' memory
// now and before the launch, the loops around. Invariant: it reads the engine at each question, so that it stays right
// while the engine moves; without a current program, only arguments and constants remain.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "debugger/engine/engine.h"
#include "debugger/engine/frame.h"
#include "debugger/expression/scope.h"
#include "debugger/session/source/inlined_calls.h"

namespace lockstep::debugger {

class EngineScope : public Scope {
 public:
  /// Both must outlive it.
  struct Extras {
    const std::vector<std::pair<std::string, Value>>* constants = nullptr;
    const std::function<Found(std::string_view)>* reference = nullptr;
    const InlinedCalls* calls = nullptr;
  };
  explicit EngineScope(const Engine& engine, Extras extras) : engine_(engine), extras_(extras) {}

  /// A level of point()->frames; a missing level means the innermost.
  void set_level(std::size_t level) { level_ = level; }

  /// nullopt: the launch has ended.
  std::optional<Frame> frame() const;

  std::optional<Found> find(std::string_view name) const override;
  std::optional<MemoryWindow> argument(std::string_view name) const override;
  std::vector<std::string> names() const override;
  bool has_variable(std::string_view name) const override;
  std::optional<int> program_axis(std::string_view name) const override;
  std::optional<std::array<std::int64_t, 3>> program_id() const override;
  std::array<std::int64_t, 3> grid() const override { return engine_.grid(); }
  std::optional<std::int64_t> iteration(std::string_view loop_variable) const override;
  bool read(std::uint64_t address, std::size_t bytes, Age age, char* out) const override;
  PointerPlace place_of(std::uint64_t address, std::int32_t provenance) const override;
  Found reference(std::string_view name) const override;
  WindowSummaries* summaries() const override { return &summaries_; }

  /// Of the frame's inlined function; empty in the kernel's own frame and where the sources do not tell.
  const std::vector<PassedParameter>& parameters() const;
  /// The value of a variable: memory for a pointer argument of the kernel, else its elements.
  Value value_of(const Variable& variable) const;

 private:
  std::optional<Found> parameter(std::string_view name) const;
  std::optional<MemoryWindow> window_of(const ir::Value& parameter, std::size_t number) const;

  const Engine& engine_;
  Extras extras_;
  std::size_t level_ = 0;
  mutable WindowSummaries summaries_;
};

/// The argument's elements as memory.
MemoryWindow window_of(const memory_model::View& view, const std::string& name);

}  // namespace lockstep::debugger
