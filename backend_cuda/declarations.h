// Our own declarations of the few CUDA driver and NVRTC functions that are called, so that no toolkit is needed to
// build. Guarded by declarations_check.cpp, which compares them with cuda.h and nvrtc.h where a toolkit was found.
// Result codes are plain ints here; 0 is success. Source: CUDA 13.0 driver API and NVRTC reference.
#pragma once

namespace lockstep::backend_cuda::cuda {

using Result = int;
using Device = int;
inline constexpr Result kSuccess = 0;
inline constexpr Result kNoDevice = 100;
inline constexpr int kComputeCapabilityMajor = 75;  // device attributes
inline constexpr int kComputeCapabilityMinor = 76;

using Init = Result(unsigned flags);
using DriverGetVersion = Result(int* version);
using DeviceGetCount = Result(int* count);
using DeviceGet = Result(Device* device, int ordinal);
using DeviceGetName = Result(char* name, int length, Device device);
using DeviceGetAttribute = Result(int* value, int attribute, Device device);

using NvrtcVersion = Result(int* major, int* minor);

}  // namespace lockstep::backend_cuda::cuda
