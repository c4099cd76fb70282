// Compares declarations.h with the toolkit's headers when the build found one (LOCKSTEP_HAVE_CUDA_HEADERS); otherwise
// empty. Enumerations are ints in our declarations, so function types are compared by what is passed, not by spelling.
#ifdef LOCKSTEP_HAVE_CUDA_HEADERS

#include <cuda.h>
#if __has_include(<nvrtc.h>)
#include <nvrtc.h>
#define LOCKSTEP_HAVE_NVRTC_HEADER
#endif

#include <type_traits>

#include "backend_cuda/device/declarations.h"

namespace lockstep::backend_cuda::cuda {
namespace {

template <typename A, typename B>
constexpr bool passes_alike() {
  if constexpr (std::is_same_v<A, B>) {
    return true;
  } else if constexpr (std::is_enum_v<B>) {
    return std::is_integral_v<A> && sizeof(A) == sizeof(B);
  } else if constexpr (std::is_pointer_v<A> && std::is_pointer_v<B>) {
    return sizeof(std::remove_pointer_t<A>) == sizeof(std::remove_pointer_t<B>);  // handles and void* are the same type
  } else {
    return false;
  }
}

template <typename Ours, typename Theirs>
struct Agreement;
template <typename R1, typename... A1, typename R2, typename... A2>
struct Agreement<R1(A1...), R2(A2...)> {
  static constexpr bool holds() {
    if constexpr (sizeof...(A1) != sizeof...(A2)) {
      return false;
    } else {
      return passes_alike<R1, R2>() && (passes_alike<A1, A2>() && ...);
    }
  }
};

static_assert(Agreement<Init, decltype(cuInit)>::holds());
static_assert(Agreement<DriverGetVersion, decltype(cuDriverGetVersion)>::holds());
static_assert(Agreement<DeviceGetCount, decltype(cuDeviceGetCount)>::holds());
static_assert(Agreement<DeviceGet, decltype(cuDeviceGet)>::holds());
static_assert(Agreement<DeviceGetName, decltype(cuDeviceGetName)>::holds());
static_assert(Agreement<DeviceGetAttribute, decltype(cuDeviceGetAttribute)>::holds());
static_assert(Agreement<PrimaryContextRetain, decltype(cuDevicePrimaryCtxRetain)>::holds());
static_assert(Agreement<PrimaryContextRelease, decltype(cuDevicePrimaryCtxRelease)>::holds());
static_assert(Agreement<ContextSetCurrent, decltype(cuCtxSetCurrent)>::holds());
static_assert(Agreement<ContextSynchronize, decltype(cuCtxSynchronize)>::holds());
static_assert(Agreement<GetErrorText, decltype(cuGetErrorString)>::holds());
static_assert(Agreement<ModuleLoadData, decltype(cuModuleLoadData)>::holds());
static_assert(Agreement<ModuleUnload, decltype(cuModuleUnload)>::holds());
static_assert(Agreement<ModuleGetFunction, decltype(cuModuleGetFunction)>::holds());
static_assert(Agreement<FunctionGetAttribute, decltype(cuFuncGetAttribute)>::holds());
static_assert(Agreement<FunctionSetAttribute, decltype(cuFuncSetAttribute)>::holds());
static_assert(Agreement<MemoryAllocate, decltype(cuMemAlloc)>::holds());
static_assert(Agreement<MemoryFree, decltype(cuMemFree)>::holds());
static_assert(Agreement<CopyToDevice, decltype(cuMemcpyHtoD)>::holds());
static_assert(Agreement<CopyToHost, decltype(cuMemcpyDtoH)>::holds());
static_assert(Agreement<LaunchKernel, decltype(cuLaunchKernel)>::holds());
#if CUDA_VERSION >= 12000
static_assert(Agreement<TensorMapEncode, decltype(cuTensorMapEncodeTiled)>::holds());
static_assert(kMapFloat16 == CU_TENSOR_MAP_DATA_TYPE_FLOAT16 && kMapBfloat16 == CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 &&
              kMapUint8 == CU_TENSOR_MAP_DATA_TYPE_UINT8);
static_assert(kPromoteTo128 == CU_TENSOR_MAP_L2_PROMOTION_L2_128B);
#endif
static_assert(Agreement<EventCreate, decltype(cuEventCreate)>::holds());
static_assert(Agreement<EventRecord, decltype(cuEventRecord)>::holds());
static_assert(Agreement<EventSynchronize, decltype(cuEventSynchronize)>::holds());
static_assert(Agreement<EventElapsedTime, decltype(cuEventElapsedTime)>::holds());
static_assert(Agreement<EventDestroy, decltype(cuEventDestroy)>::holds());
static_assert(!Agreement<DeviceGetName, decltype(cuDeviceGet)>::holds());
static_assert(kSuccess == CUDA_SUCCESS);
static_assert(kNoDevice == CUDA_ERROR_NO_DEVICE);
static_assert(kMultiprocessors == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
static_assert(kComputeCapabilityMajor == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
static_assert(kComputeCapabilityMinor == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
static_assert(kMaxSharedPerBlockOptin == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
static_assert(kFunctionRegisters == CU_FUNC_ATTRIBUTE_NUM_REGS);
static_assert(kFunctionLocalBytes == CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
static_assert(kFunctionMaxDynamicShared == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
#ifdef LOCKSTEP_HAVE_NVRTC_HEADER
static_assert(Agreement<NvrtcVersion, decltype(nvrtcVersion)>::holds());
static_assert(kSuccess == NVRTC_SUCCESS);
#endif

}  // namespace
}  // namespace lockstep::backend_cuda::cuda

#endif
