// Compile-time values between Python and the front end: None, bool, int, float, str, DType, and tuples of these.
#pragma once

#include <pybind11/pybind11.h>

#include <map>
#include <string>

#include "frontend/compile.h"

namespace lockstep::python {

pybind11::object to_python(const ConstantValue& value);
/// Throws TypeError or ValueError that names the constant.
std::map<std::string, ConstantValue> constants_of(const pybind11::dict& given);

}  // namespace lockstep::python
