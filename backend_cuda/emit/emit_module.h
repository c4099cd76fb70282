// The whole of a kernel as CUDA C++: prelude, layouts, signature, body. The text depends on the IR and the Target only,
// so it is the key under which compiled code is kept. Units: bytes of shared memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backend_cuda/device/tensor_map.h"
#include "backend_cuda/emit/probes.h"
#include "backend_cuda/target.h"
#include "ir/module.h"
#include "support/diagnostics/diagnostic.h"

namespace lockstep::backend_cuda {

struct EmittedKernel {
  std::string name;               // of the function, extern "C"
  std::string body;               // what is the kernel's own
  std::string text;               // with the prelude: a whole translation unit
  std::int64_t shared_bytes = 0;  // dynamic shared memory of a block
  int threads = 128;
  ProbeTable probes;  // empty without
  std::vector<TensorMap> maps;  // more parameters, behind the others: 128 bytes each
  // A block takes one program after another: the launch has at most as many blocks as the GPU has multiprocessors, and
  // passes the extents of the grid, three words behind the kernel's own parameters. They are fewer than 2^31 programs.
  bool is_persistent = false;
};

/// Emits a kernel of a verified module. nullopt: diagnosed (LS1910 names what is not supported).
/// `probes`: the kernel writes the values of one program to the memory of one more argument, after the others; then it
/// must have no calls (without_calls).
std::optional<EmittedKernel> emit_kernel(const ir::Op& function, const Target& target, DiagnosticSink& sink,
                                         const ProbeRequest* probes = nullptr);
/// A copy of the function's module with calls replaced by bodies, as the emitter makes it if there are any. It shares
/// types with the original.
ir::Module without_calls(const ir::Op& function);
/// The start of every kernel's text.
const std::string& prelude_text();

}  // namespace lockstep::backend_cuda
