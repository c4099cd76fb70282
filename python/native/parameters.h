// What the engine needs to know about a kernel's parameters, and how the arguments from Python map to them: one tree of
// ArgumentSpec per Python argument (tuples nest), one Parameter per IR parameter. Built once per kernel; it reads no
// values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/op.h"
#include "python/native/arrays/scalar_value.h"
#include "support/scalar.h"

namespace lockstep::python {

/// A parameter of the tt.func.
struct Parameter {
  enum class Kind : std::uint8_t { scalar, pointer, descriptor, other } kind = Kind::scalar;
  ScalarKind element = ScalarKind::i32;  // scalar: its kind; pointer: the pointee's; descriptor: the block's
  std::size_t rank = 0;                  // descriptor
  std::string name, type;                // name may be "argN"
};
std::vector<Parameter> parameters_of(const ir::Op& function);

struct ArgumentSpec {
  enum class Kind : std::uint8_t {
    constant,           // compiled in: nothing is passed
    scalar,             //
    pointer,            //
    descriptor,         // descriptor, sizes i32, strides i64
    pointer_and_sizes,  // a descriptor on GPUs without them: pointer, sizes i64, strides i64, flags i1, sizes, strides
    tuple,
  } kind = Kind::constant;
  Sign sign = Sign::either;
  std::size_t parameter = 0;        // the first IR parameter that it fills
  std::size_t rank = 0, flags = 0;  // descriptors; flags: 0 to 2
  bool has_sizes = false;           // descriptor: sizes and strides are parameters behind it
  std::string name;                 // for messages and findings
  std::vector<ArgumentSpec> items;  // tuple
};

/// The IR parameters that a descriptor argument at `first` fills; 0 if there is none.
std::size_t describe_descriptor(const std::vector<Parameter>& parameters, std::size_t first, ArgumentSpec& spec);

}  // namespace lockstep::python
