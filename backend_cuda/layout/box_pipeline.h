// Text of what a launch knows of boxes: coordinates, extents and strides as C++ expressions. Not here: the pipeline of
// boxes itself, whose class pipeline.h declares.
#pragma once

#include <string>

#include "backend_cuda/emit/emit_context.h"
#include "backend_cuda/layout/linear_form.h"

namespace lockstep::backend_cuda {

/// An int: the form where the loop's counter, `counter`, has the C++ name `name`.
std::string form_text(EmitContext& context, const LinearForm& form, const ir::Value* counter, const std::string& name);
/// A long long, of the arguments of the kernel's first block.
std::string launch_number_text(EmitContext& context, const LaunchNumber& launch_number, const ir::Block& arguments);

}  // namespace lockstep::backend_cuda
