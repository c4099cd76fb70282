// Functions of f32 with the bits that a GPU gives for what Triton 3.6 makes of them on sm_90: libdevice's polynomials
// around the approximate instructions (instructions.h). Invariant: no state; a NaN is 0x7fffffff. Not here: functions
// without an entry, which are rounded as without `--bits`.
// Source: the PTX that Triton 3.6.0 compiles for sm_90, with its flag __CUDA_FTZ; held against an H200's recorded
// answers by tests/differential/bits.py.
#pragma once

namespace lockstep::interpreter::gpu_bits {

// math.* and the operators of tl.
float exp_bits(float x);
float exp2_bits(float x);
float log_bits(float x);
float log2_bits(float x);
float sin_bits(float x);
float cos_bits(float x);
float erf_bits(float x);
float sqrt_bits(float x);
float rsqrt_bits(float x);
float divide_bits(float a, float b);
/// x % y: fma(-trunc(x / y), y, x).
float remainder_bits(float x, float y);

// Only libdevice's: __nv_expf is another function than math.exp.
float expf_bits(float x);
float expm1f_bits(float x);
float log10f_bits(float x);
float log1pf_bits(float x);
float tanhf_bits(float x);
float fast_expf_bits(float x);
float fast_logf_bits(float x);
float fast_log2f_bits(float x);
float fast_sinf_bits(float x);
float fast_cosf_bits(float x);
float fast_dividef_bits(float a, float b);

}  // namespace lockstep::interpreter::gpu_bits
