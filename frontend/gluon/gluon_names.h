// The modules under triton.experimental.gluon as far as kernels know them: which name is which function, class or
// module. Source: Triton 3.6, experimental/gluon (its __init__.py files).
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "frontend/eval/python_module.h"
#include "frontend/semantics/value.h"

namespace lockstep::frontend {

/// "triton.experimental", "triton.experimental.gluon.language.nvidia.hopper.tma".
bool is_gluon_space(const std::string& space);
/// nullopt: the module has no such name.
/// `of_triton`: looks up a name of triton.language.
std::optional<Value> gluon_space_attribute(Modules& modules, const std::string& space, const std::string& name,
                                           const std::function<std::optional<Value>(const std::string&)>& of_triton);

}  // namespace lockstep::frontend
