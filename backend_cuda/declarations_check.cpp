// Compares declarations.h with the toolkit's headers when the build found one (LOCKSTEP_HAVE_CUDA_HEADERS); otherwise
// empty. Enumerations are ints in our declarations, so function types are compared by what is passed, not by spelling.
#ifdef LOCKSTEP_HAVE_CUDA_HEADERS

#include <cuda.h>
#if __has_include(<nvrtc.h>)
#include <nvrtc.h>
#define LOCKSTEP_HAVE_NVRTC_HEADER
#endif

#include <type_traits>

#include "backend_cuda/declarations.h"

namespace lockstep::backend_cuda::cuda {
namespace {

template <typename A, typename B>
constexpr bool passes_alike() {
  if constexpr (std::is_same_v<A, B>) return true;
  if constexpr (std::is_enum_v<B>) return std::is_integral_v<A> && sizeof(A) == sizeof(B);
  if constexpr (std::is_pointer_v<A> && std::is_pointer_v<B>) {
    return sizeof(std::remove_pointer_t<A>) == sizeof(std::remove_pointer_t<B>);
  }
  return false;
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
static_assert(!Agreement<DeviceGetName, decltype(cuDeviceGet)>::holds());
static_assert(kSuccess == CUDA_SUCCESS);
static_assert(kNoDevice == CUDA_ERROR_NO_DEVICE);
static_assert(kComputeCapabilityMajor == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
static_assert(kComputeCapabilityMinor == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
#ifdef LOCKSTEP_HAVE_NVRTC_HEADER
static_assert(Agreement<NvrtcVersion, decltype(nvrtcVersion)>::holds());
static_assert(kSuccess == NVRTC_SUCCESS);
#endif

}  // namespace
}  // namespace lockstep::backend_cuda::cuda

#endif
