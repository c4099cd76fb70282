// NanOrigin: where a NaN or an infinity comes from: the chain of executions that led from the op that made it of finite
// operands (or from an element of an argument, a scalar, a constant that held it) to a tile's lane or an element of
// memory, through loops, memory and other programs' stores. If several operands are not finite, it follows one: that
// with the same bits, else of the same kind (NaN, inf, -inf), else a NaN. Invariant: each link held a NaN or an
// infinity in this execution. Not here: text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "debugger/engine/engine.h"
#include "debugger/session/problem.h"
#include "support/result.h"

namespace lockstep::debugger {

/// A number in its own format.
struct Number {
  ScalarKind kind = ScalarKind::f32;
  std::uint64_t bits = 0;
};
/// A float that is NaN or infinite.
bool is_special(const Number& number);

/// The lanes of an operand that made one lane of a result.
struct NanOriginOperand {
  std::size_t operand = 0;
  std::int64_t lanes = 0;
  std::int64_t special = 0;  // of them NaN or infinite
  Number first;
  double least = 0, greatest = 0;  // of the finite ones; least > greatest: none
};

/// An execution on the path: its result (or stored value) is special.
struct NanOriginStep {
  Mark mark;
  const Point* point = nullptr;
  std::uint64_t program = 0;
  std::int64_t lane = 0;      // row-major; of the result, of a store's tile
  std::uint64_t address = 0;  // of memory ops, if the lane touches memory
  Number value;
  std::vector<std::int64_t> iterations;  // of the loops around, outermost first, from 0
  std::vector<NanOriginOperand> operands;    // numbers only, without pointers and masks
  bool is_move = false;                  // it only brought the number here: broadcast, load, store ...
};

struct NanOrigin {
  enum class Origin : std::uint8_t {
    op,         // steps.front() made it of finite operands
    memory,     // `input` held it before any program of the launch stored there
    scalar,     // the kernel's parameter `scalar`
    constant,   // of the kernel's text, used by steps.front() (or by what is asked about, if there is none)
    padding,    // of a descriptor or block pointer: steps.front() is the load, the lane lies outside of its shape
    undefined,  // steps.front() is a load whose lane was off without `other`, or out of bounds
    unknown,    // nothing before made it: somebody set it (`set`)
  } origin = Origin::unknown;
  /// In the order of time.
  std::vector<NanOriginStep> steps;
  ByteRange input;
  std::uint32_t scalar = 0;
  bool is_truncated = false;  // more than kMostNanOriginSteps: those in between are left out
};

inline constexpr std::size_t kMostNanOriginSteps = 10'000;

/// For an element of memory as it is now, which is_special(). Problem, here and below: pause() came.
Expected<NanOrigin, Problem> find_nan_origin(Engine& engine, ByteRange element, const Number& value);
/// For a lane of a value of the current program, which is_special().
Expected<NanOrigin, Problem> find_nan_origin(Engine& engine, interpreter::Slot slot, std::int64_t lane, const Number& value);

}  // namespace lockstep::debugger
