// Emscripten's fmaf rounds half of the ties the wrong way, because it asks for a rounding mode that WebAssembly has
// not. This one takes its place.
#include "support/floats/fused_multiply_add.h"

extern "C" float fmaf(float a, float b, float c) { return lockstep::fused_multiply_add(a, b, c); }
