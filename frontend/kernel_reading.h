// A guess about a kernel's parameters from its text, without types and without a run: which are pointers and how they
// are accessed, which numbers bound an index, which are strides, what a grid's axes count. Invariant: only a guess,
// from names and the form of expressions; no result depends on it, and every text that shows it calls it one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frontend/compile.h"

namespace lockstep::frontend {

/// A dimension that a pointer reaches, outermost first.
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

/// nullopt: the file is not readable as Python.
std::optional<KernelReading> read_kernel_text(const std::string& path, const KernelInfo& kernel);

}  // namespace lockstep::frontend
