// The instruction sets that the processor has and whose registers the system saves. By cpuid itself:
// `__builtin_cpu_supports` reads a table of the compiler's run-time library, which zig 0.17's never fills.
#pragma once

namespace lockstep::interpreter::kernels {

/// `name`: x86-64-v3, x86-64-v4, avx512vnni, avxvnni or avx512bf16. False for any other name, and on other processors.
bool processor_has(const char* name);

}  // namespace lockstep::interpreter::kernels
