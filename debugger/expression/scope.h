// Scope: what an expression can see: variables, arguments' memory, the program and its loops, pointers' meaning, a
// reference run. The debugger's is EngineScope; tests have their own. Invariant: asking a scope changes nothing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "debugger/expression/value.h"
#include "debugger/expression/window_summaries.h"

namespace lockstep::debugger {

/// Where a pointer points.
struct PointerPlace {
  std::string argument;             // empty: into no argument
  std::vector<std::int64_t> shape;  // of the argument
  std::vector<std::int64_t> index;  // of the element; what its strides would give where it lies outside; may be empty
  std::int64_t offset = 0;          // bytes from element (0, 0, ...)
  bool is_inside = false;
};

class Scope {
 public:
  using Found = Expected<Value, std::string>;

  Scope() = default;
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  virtual ~Scope() = default;

  /// A variable: of Python, of the TTIR ("%12"), or a parameter; pointer parameters are windows on their arguments.
  /// nullopt: there is none. Error: it has no value here.
  virtual std::optional<Found> find(std::string_view name) const = 0;
  /// An argument of the launch, even if a variable of its name holds something else.
  virtual std::optional<MemoryWindow> argument(std::string_view name) const = 0;
  /// For suggestions and completion.
  virtual std::vector<std::string> names() const = 0;
  /// True if a variable has the name anywhere in the kernel, with a value here or not.
  virtual bool has_variable(std::string_view name) const = 0;
  /// The name stands for the program's id along this axis wherever the kernel uses it.
  virtual std::optional<int> program_axis(std::string_view name) const = 0;

  /// nullopt: no program is at a point.
  virtual std::optional<std::array<std::int64_t, 3>> program_id() const = 0;
  virtual std::array<std::int64_t, 3> grid() const = 0;
  /// Of the loop with that variable, from 0; of the innermost one if empty. nullopt: not in such a loop.
  virtual std::optional<std::int64_t> iteration(std::string_view loop_variable) const = 0;

  /// Copies bytes of an argument's storage. False: they are not in one storage (or unknown at that age).
  virtual bool read(std::uint64_t address, std::size_t bytes, Age age, char* out) const = 0;
  virtual PointerPlace place_of(std::uint64_t address, std::int32_t provenance) const = 0;
  /// ref("c"). Error: why there is none.
  virtual Found reference(std::string_view name) const = 0;
  /// Null: summaries of memory are not kept.
  virtual WindowSummaries* summaries() const { return nullptr; }
};

/// A program that need not be at a point: only what depends_only_on_program() admits has a value.
class ProgramScope : public Scope {
 public:
  /// `names`: tells which names are axes.
  ProgramScope(std::array<std::int64_t, 3> program, std::array<std::int64_t, 3> grid, const Scope& names)
      : program_(program), grid_(grid), names_(names) {}

  std::optional<Found> find(std::string_view name) const override;
  std::optional<MemoryWindow> argument(std::string_view) const override { return std::nullopt; }
  std::vector<std::string> names() const override { return {}; }
  bool has_variable(std::string_view name) const override { return names_.has_variable(name); }
  std::optional<int> program_axis(std::string_view name) const override { return names_.program_axis(name); }
  std::optional<std::array<std::int64_t, 3>> program_id() const override { return program_; }
  std::array<std::int64_t, 3> grid() const override { return grid_; }
  std::optional<std::int64_t> iteration(std::string_view) const override { return std::nullopt; }
  bool read(std::uint64_t, std::size_t, Age, char*) const override { return false; }
  PointerPlace place_of(std::uint64_t, std::int32_t) const override { return {}; }
  Found reference(std::string_view) const override { return Unexpected{std::string("there is no reference")}; }

 private:
  std::array<std::int64_t, 3> program_, grid_;
  const Scope& names_;
};

}  // namespace lockstep::debugger
