// The whole of a kernel as CUDA C++: prelude, layouts, signature, body. The text depends on the IR and the Target only,
// so it is the key under which compiled code is kept. Units: bytes of shared memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backend_cuda/target.h"
#include "ir/module.h"
#include "support/diagnostic.h"

namespace lockstep::backend_cuda {

struct EmittedKernel {
  std::string name;               // of the function, extern "C"
  std::string body;               // what is the kernel's own
  std::string text;               // with the prelude: a whole translation unit
  std::int64_t shared_bytes = 0;  // dynamic shared memory of a block
  int threads = 128;
};

/// Emits a kernel of a verified module. nullopt: diagnosed (LS1910 names what is not supported).
std::optional<EmittedKernel> emit_kernel(const ir::Op& function, const Target& target, DiagnosticSink& sink);
/// What every kernel's text starts with.
const std::string& prelude_text();

}  // namespace lockstep::backend_cuda
