// Our own declarations of the few CUDA driver and NVRTC functions that Lockstep calls, so that the build needs no
// toolkit. Guarded by declarations_check.cpp, which compares them with cuda.h and nvrtc.h where the build finds a
// toolkit. Result codes are plain ints here; 0 is success. Source: CUDA 13.0 driver API and NVRTC reference.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lockstep::backend_cuda::cuda {

using Result = int;
using Device = int;
using DevicePointer = unsigned long long;
using Context = struct CUctx_st*;
using Module = struct CUmod_st*;
using Function = struct CUfunc_st*;
using Stream = struct CUstream_st*;
using Event = struct CUevent_st*;
inline constexpr Result kSuccess = 0;
inline constexpr Result kNoDevice = 100;
inline constexpr int kMultiprocessors = 16;  // device attributes
inline constexpr int kComputeCapabilityMajor = 75;
inline constexpr int kComputeCapabilityMinor = 76;
inline constexpr int kMaxSharedPerBlockOptin = 97;
inline constexpr int kFunctionRegisters = 4;  // function attributes
inline constexpr int kFunctionLocalBytes = 3;
inline constexpr int kFunctionMaxDynamicShared = 8;
inline constexpr int kMapFloat16 = 6;  // CUtensorMapDataType
inline constexpr int kMapBfloat16 = 9;
inline constexpr int kMapUint8 = 0;
inline constexpr int kPromoteTo128 = 2;  // CUtensorMapL2promotion

using Init = Result(unsigned flags);
using DriverGetVersion = Result(int* version);
using DeviceGetCount = Result(int* count);
using DeviceGet = Result(Device* device, int ordinal);
using DeviceGetName = Result(char* name, int length, Device device);
using DeviceGetAttribute = Result(int* value, int attribute, Device device);
using PrimaryContextRetain = Result(Context* context, Device device);
using PrimaryContextRelease = Result(Device device);
using ContextSetCurrent = Result(Context context);
using ContextSynchronize = Result();
using GetErrorText = Result(Result error, const char** text);
using ModuleLoadData = Result(Module* module, const void* image);
using ModuleUnload = Result(Module module);
using ModuleGetFunction = Result(Function* function, Module module, const char* name);
using FunctionGetAttribute = Result(int* value, int attribute, Function function);
using FunctionSetAttribute = Result(Function function, int attribute, int value);
using MemoryAllocate = Result(DevicePointer* pointer, std::size_t bytes);
using MemoryFree = Result(DevicePointer pointer);
using CopyToDevice = Result(DevicePointer to, const void* from, std::size_t bytes);
using CopyToHost = Result(void* to, DevicePointer from, std::size_t bytes);
using LaunchKernel = Result(Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                            unsigned block_y, unsigned block_z, unsigned shared_bytes, Stream stream, void** arguments,
                            void** extra);
struct alignas(64) EncodedMap {  // CUtensorMap
  unsigned char bytes[128];
};
using TensorMapEncode = Result(EncodedMap* map, int type, unsigned rank, void* address, const std::uint64_t* extents,
                               const std::uint64_t* strides, const std::uint32_t* boxes, const std::uint32_t* steps,
                               int interleave, int swizzle, int promotion, int fill);
using EventCreate = Result(Event* event, unsigned flags);
using EventRecord = Result(Event event, Stream stream);
using EventSynchronize = Result(Event event);
using EventElapsedTime = Result(float* milliseconds, Event start, Event end);
using EventDestroy = Result(Event event);

using Program = struct _nvrtcProgram*;
using NvrtcVersion = Result(int* major, int* minor);
using NvrtcErrorString = const char*(Result result);
using NvrtcCreateProgram = Result(Program* program, const char* source, const char* name, int header_count,
                                  const char* const* headers, const char* const* header_names);
using NvrtcCompileProgram = Result(Program program, int option_count, const char* const* options);
using NvrtcSize = Result(Program program, std::size_t* size);  // of the log, the cubin, the PTX; with the final 0
using NvrtcText = Result(Program program, char* text);
using NvrtcDestroyProgram = Result(Program* program);

}  // namespace lockstep::backend_cuda::cuda
