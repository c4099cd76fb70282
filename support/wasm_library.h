// Parts of C++20 that Lockstep uses and libc++ 14 lacks. Only the build for WebAssembly includes it, before everything
// else (cmake/LockstepWasmDependencies.cmake).
#pragma once

#ifdef __cplusplus
#include <version>
#ifndef __cpp_lib_bit_cast
#include <bit>

namespace std {
template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}
}  // namespace std
#endif
#endif
