// Frame: what a person sees of a program at a point: its variables under their Python names, the loops around it, the
// bytes of its values. A name means the definition that comes last before the point in the blocks around it (of a loop
// body's own block before the loop's). Precondition of everything: Engine::point().
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "debugger/engine/engine.h"

namespace lockstep::debugger {

/// A loop around the point.
struct LoopPosition {
  const ir::Op* op = nullptr;
  std::string variable;  // its name; may be empty
  Place place;
  std::optional<std::int64_t> iteration;  // from 0; of scf.for
  std::optional<std::int64_t> count;      // of scf.for
  std::int64_t value = 0;                 // of the variable

  /// "k = 1, the last of 2 iterations", as in findings; "an iteration" for a loop without a counter.
  std::string text() const;
};

/// Elements of a value, row-major without gaps; f8 and the like as their bits.
struct Datum {
  ScalarKind kind = ScalarKind::i32;
  std::vector<std::int64_t> shape;  // empty: a scalar
  std::string bytes;
  std::int32_t provenance = -1;  // of pointers: the view that they come from

  std::int64_t count() const {
    std::int64_t all = 1;
    for (const std::int64_t extent : shape) all *= extent;
    return all;
  }
};

class Frame {
 public:
  /// `level`: 0 the innermost of point()->frames (user lines), up to frames.size() - 1.
  explicit Frame(const Engine& engine, std::size_t level = 0);

  /// One for each name, in the order of the text, without unnamed values and constants that only the TTIR names.
  std::vector<Variable> variables() const;
  /// Values with only a number ("%12"), in the order of the text, without constants.
  std::vector<Variable> numbered() const;
  std::optional<Variable> find(std::string_view name) const;
  /// By its name in the TTIR ("%12", "%acc_24").
  std::optional<Variable> find_ssa(std::string_view name) const;
  /// Innermost first.
  std::vector<LoopPosition> loops() const;
  Place place() const;
  /// The function of the frame.
  std::string function() const;

 private:
  std::size_t depth_of_calls(std::uint32_t activation) const;
  std::size_t depth_of(const ir::Value& value, std::uint32_t activation) const;
  std::size_t calls_around() const;
  bool has_calls_of(const std::vector<Place>& places, std::size_t outer) const;
  bool is_of_this_call(const ir::Value& value, std::uint32_t activation) const;
  bool is_of_another_call(const ir::Value& value, std::uint32_t activation, const std::string& name) const;
  const std::vector<Variable>& all_variables() const;
  std::vector<Variable> find_variables() const;
  std::uint32_t line_of(const ir::Value& value, std::uint32_t activation) const;
  void rename(std::vector<Variable>& variables, std::vector<std::uint32_t>& lines) const;
  LoopPosition loop_position(const ir::Op& loop, std::uint32_t activation) const;
  template <typename Visit>
  bool for_each_visible(Visit&& visit) const;
  template <typename Visit>
  bool visit_function(const ir::Op& from, std::uint32_t activation, Visit&& visit) const;
  template <typename Visit>
  bool visit_blocks_before(const ir::Block& block, std::uint32_t activation, Visit&& visit) const;

  const Engine& engine_;
  const Point& point_;
  std::size_t level_;
};

/// For the current program. A value that was not computed yet reads as zeros.
Datum read(const Engine& engine, interpreter::Slot slot);

}  // namespace lockstep::debugger
