// Included before everything in the bindings of a wheel: one library holds the bindings of every Python, so each function of
// CPython may be missing. A weak name that nobody defines is null; only the bindings of the running Python are ever called.
#pragma once

#define PyAPI_FUNC(RTYPE) __attribute__((weak, visibility("default"))) RTYPE
#define PyAPI_DATA(RTYPE) extern __attribute__((weak, visibility("default"))) RTYPE
