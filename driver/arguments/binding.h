// Binding: gives each kernel parameter its argument as Triton's launcher does: the signature type, whether it becomes a
// constant, whether it is a multiple of 16, and the 64 launch bits. It sees parameters only by the facts below, so that
// the host room does not depend on the frontend or the IR. Not here: making tensors (arguments.h), compiling. Source:
// docs/semantics.md, "Kernel argument -> type" (Triton 3.6). Errors: LS2030 (no such parameter), LS2031 (argument
// missing), LS2032 (wrong kind of argument), LS2033 (value out of range), LS2034 (pointer type), LS2035 (not supported
// yet), LS2036 (a tensor that a descriptor cannot describe).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driver/arguments/arguments.h"
#include "support/constant_value.h"

namespace lockstep::driver {

/// The facts of a parameter in a kernel's def line.
struct ParameterFacts {
  std::string name;
  bool is_constexpr = false;
  std::string annotation;  // "i64", "fp32", "*fp16", "const", "const *i32"; others are ignored
  bool do_not_specialize = false;
  bool do_not_specialize_on_alignment = false;
  std::optional<ConstantValue> default_value;
  std::string hint{};  // "add stride=100 (a number)": where no argument is given for it; empty: what the facts above say
};

/// A parameter of a tt.func: name with or without '%', type in the text's spelling ("i32", "!tt.ptr<f32>").
struct TtirParameter {
  std::string name;
  std::string type;
  bool is_descriptor = false;  // !tt.tensordesc<...>: of these blocks
  std::vector<std::int64_t> block{};
  ScalarKind element{};
};

struct BoundParameter {
  std::string name;
  std::string type;                  // signature: "*fp32", "*kbf16", "i32", "u1"; "" if constant. ttir: as given
  std::optional<ConstantValue> constant;  // constexpr value; also None and the integer 1
  std::int64_t divisibility = 0;     // 16 or 0
  bool is_pointer = false;
  bool is_descriptor = false;  // a tensor descriptor of `view`
  bool pads_nan = false;       // descriptor
  memory_model::ViewId view;   // pointer, descriptor
  std::uint64_t bits = 0;      // scalar: the value in `type`, zero-extended; pointer: the address
};

/// One entry per parameter, in order; a tuple has one for each of its elements, "t.0", "t.1.0", or "t.x" if it is named
/// (an empty tuple has one constant); entries with a `constant` take no part in the launch. An argument without a
/// parameter is an error, unless it is the base of another argument's view(). nullopt: diagnosed.
std::optional<std::vector<BoundParameter>> bind_parameters(std::span<const ParameterFacts> parameters,
                                                           const std::vector<ArgumentText>& arguments,
                                                           const std::vector<Tensor>& tensors,
                                                           const memory_model::AddressSpace& memory,
                                                           DiagnosticSink& sink);

/// The same for a .ttir function, whose types are fixed. Scalars without a parameter are allowed: the grid may use
/// them. The sizes (i32) and strides (i64) that Triton passes after a descriptor are the tensor's unless given.
std::optional<std::vector<BoundParameter>> bind_ttir(std::span<const TtirParameter> parameters,
                                                     const std::vector<ArgumentText>& arguments,
                                                     const std::vector<Tensor>& tensors,
                                                     const memory_model::AddressSpace& memory, DiagnosticSink& sink);

/// Names a grid expression may use: integer and boolean scalars, tensors' shapes, and integer constants of `bound`
/// (defaults).
GridNames make_grid_names(const std::vector<ArgumentText>& arguments, const std::vector<Tensor>& tensors,
                          const memory_model::AddressSpace& memory, std::span<const BoundParameter> bound);

/// A scalar as a compile-time value: words that name a type become dtypes, others strings. nullopt: an integer above
/// 2^63.
std::optional<ConstantValue> to_constant(const ScalarValue& value);
/// The same for a tuple whose elements are among `arguments`. nullopt: it holds a tensor or such an integer.
std::optional<ConstantValue> to_constant(const ArgumentText& argument, const std::vector<ArgumentText>& arguments);

}  // namespace lockstep::driver
