// Functions of Gluon's language that become ops, and methods of its buffers: one row each, as in builtins.cpp. Functions
// that Gluon takes over from Triton's language are Triton's rows. A row without `lower` is refused by its name.
#pragma once

#include <string_view>

#include "frontend/builtins/builtin.h"
#include "frontend/semantics/types.h"

namespace lockstep::frontend {

/// "arange" of triton.experimental.gluon.language; "mbarrier.init", "tma.store_wait" of its modules for NVIDIA.
const Builtin* find_gluon_builtin(std::string_view name);
/// A method of a buffer in shared memory or in tensor memory.
const Builtin* find_buffer_method(HandleType::Kind kind, std::string_view name);

}  // namespace lockstep::frontend
