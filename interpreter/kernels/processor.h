// What the processor can do and the system saves the registers of. By cpuid itself: `__builtin_cpu_supports` asks a table of
// the compiler's run-time library, and one that never fills it (zig 0.17's) answers no to everything.
#pragma once

namespace lockstep::interpreter::kernels {

/// `name`: x86-64-v3, x86-64-v4, avx512vnni or avxvnni. False for any other, and on any other processor.
bool processor_has(const char* name);

}  // namespace lockstep::interpreter::kernels
