// KernelReading: what kernel_reading.h finds in the text of a kernel. Plain data; a guess, as is said there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::frontend {

/// A dimension of what a pointer reaches, outermost first.
struct ReadDimension {
  std::string extent;  // "columns", "DEPTH"; empty: not found
  std::string stride;  // the parameter that an index is multiplied by; empty: none
};

struct ReadParameter {
  enum class Kind : std::uint8_t { constant, pointer, descriptor, number, stride, fraction, text } kind = Kind::number;
  std::string name;
  std::string why;         // "tl.load(x + row * x_stride + column, mask=inside)", "column < columns"
  std::uint32_t line = 0;  // of it; 0: the kernel does not use the parameter
  bool is_loaded = false, is_stored = false, is_atomic = false;
  bool is_index = false;             // what is loaded is part of another address
  bool is_pieced = false;            // a number that programs or a loop cut into pieces
  std::string block;                 // a number: bounds tl.arange(0, BLOCK) alone
  bool is_power_of_two = false;      // a constant of a tl.arange
  bool is_switch = false;            // a constant that an `if` tests
  bool has_default = false;
  std::vector<ReadDimension> shape;  // of a pointer
};

struct KernelReading {
  std::vector<ReadParameter> parameters;
  std::vector<std::string> grid;  // an expression for each axis; empty: nothing in the text says it
  std::string signature;          // "softmax(x, out, rows, BLOCK: tl.constexpr)"
};

}  // namespace lockstep::frontend
