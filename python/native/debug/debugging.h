// Which launches are offered to a debugger. A launch that is not offered pays for one comparison.
#pragma once

#include <Python.h>

#include <memory>
#include <optional>
#include <vector>

#include "interpreter/launch/launch.h"
#include "python/native/kernel_data.h"
#include "sanitizer/core/check_options.h"

namespace lockstep::python {

/// True: every launch is offered to lockstep.debugging.take(); else only those of kernels with breakpoint(). Under the
/// interpreter's lock.
bool& debugs_every_launch();

/// Offers a launch that is bound, without callbacks; `read_only`: bytes of it that nobody may change. False: a Python
/// exception is set. `report`: the report, if a debugger ran the launch; else the caller runs it.
bool offer_to_debugger(const std::shared_ptr<const KernelData>& kernel, const interpreter::RunRequest& request,
                       const sanitizer::CheckOptions& checks, const std::vector<memory_model::Extent>& read_only,
                       std::optional<interpreter::LaunchReport>& report);

}  // namespace lockstep::python
