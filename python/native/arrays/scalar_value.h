// A Python number as launch bits of a scalar parameter. Ranges are those of Triton's launcher: signed integers that do
// not fit raise OverflowError, unsigned ones are cut to their width, floats are rounded once (bf16 is cut, as
// Triton 3.6's launcher does). Errors are Python exceptions: TypeError, OverflowError.
#pragma once

#include <Python.h>

#include <cstdint>

#include "support/scalar.h"

namespace lockstep::python {

/// How an integer parameter reads numbers: "i32", "u32", or a TTIR i32 without a sign.
enum class Sign : std::uint8_t { is_signed, is_unsigned, either };

/// False: a Python exception is set.
bool read_scalar(PyObject* number, ScalarKind kind, Sign sign, std::uint64_t& bits);

}  // namespace lockstep::python
