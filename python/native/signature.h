// Triton's signature of a launch (one type string per bound argument, tuples nested) laid over the parameters of the
// compiled kernel. Invariant: the specs made fill every IR parameter once, in order, each by a value of its kind.
// Source of the strings: Triton 3.6 to 3.9, JITFunction's signature ("*fp32", "i32", "u1", "constexpr",
// "tensordesc<fp16[16, 32]>").
#pragma once

#include <Python.h>

#include <string>
#include <vector>

#include "python/native/parameters.h"

namespace lockstep::python {

/// One spec per entry of `signature`; `names` are those of the bound arguments. False: TypeError or ValueError is set.
bool read_signature(const std::vector<Parameter>& parameters, PyObject* signature,
                    const std::vector<std::string>& names, std::vector<ArgumentSpec>& specs);

}  // namespace lockstep::python
