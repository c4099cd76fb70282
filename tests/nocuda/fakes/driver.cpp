// A libcuda.so.1 for tests: one device, whose memory is the process's own. It runs one kernel, vector_add of the
// examples, and only from code that the other fake (nvrtc.cpp) made. FAKE_CUDA names what goes wrong; LACKS_LAUNCH
// leaves a function out.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "backend_cuda/device/declarations.h"

namespace {

using namespace lockstep::backend_cuda::cuda;

constexpr Result kInvalid = 1, kNoMemory = 2, kMismatch = 803, kNoImage = 209, kFault = 700, kNotFound = 500;

bool has(std::string_view trouble) {
  const char* value = std::getenv("FAKE_CUDA");
  return value != nullptr && trouble == value;
}
int a_module, a_function, an_event, a_context;  // what handles point to

}  // namespace

extern "C" {

Result cuInit(unsigned flags) {
  if (has("no_device")) return kNoDevice;
  if (has("mismatch")) return kMismatch;
  if (has("unknown")) return 99999;
  return flags == 0 ? kSuccess : kInvalid;
}
Result cuGetErrorString(Result error, const char** text) {
  switch (error) {
    case kNoMemory: *text = "out of memory"; return kSuccess;
    case kMismatch: *text = "system has unsupported display driver / cuda driver combination"; return kSuccess;
    case kNoImage: *text = "no kernel image is available for execution on the device"; return kSuccess;
    case kFault: *text = "an illegal memory access was encountered"; return kSuccess;
    case kNotFound: *text = "named symbol not found"; return kSuccess;
    default: *text = nullptr; return kInvalid;
  }
}
Result cuDriverGetVersion(int* version) { return *version = 13000, kSuccess; }
Result cuDeviceGetCount(int* count) { return *count = has("zero_devices") ? 0 : 1, kSuccess; }
Result cuDeviceGet(Device* device, int ordinal) { return *device = 0, ordinal == 0 ? kSuccess : kInvalid; }
Result cuDeviceGetName(char* name, int length, Device) { return std::strncpy(name, "Fake GPU", length), kSuccess; }
Result cuDeviceGetAttribute(int* value, int attribute, Device) {
  if (has("mute")) return kInvalid;
  return *value = attribute == kComputeCapabilityMajor ? 9 : attribute == kMultiprocessors ? 4 : 0, kSuccess;
}
Result cuDevicePrimaryCtxRetain(Context* context, Device) {
  *context = reinterpret_cast<Context>(&a_context);
  return has("no_context") ? kNoMemory : kSuccess;
}
Result cuCtxSetCurrent(Context context) {
  return context == reinterpret_cast<Context>(&a_context) ? kSuccess : kInvalid;
}
Result cuCtxSynchronize() { return has("fault") ? kFault : kSuccess; }
Result cuModuleLoadData(Module* module, const void* image) {
  *module = reinterpret_cast<Module>(&a_module);
  const bool is_ours = std::string_view(static_cast<const char*>(image)).find("ELF made by a fake") == 1;
  return has("no_image") || !is_ours ? kNoImage : kSuccess;
}
Result cuModuleUnload(Module) { return kSuccess; }
Result cuModuleGetFunction(Function* function, Module, const char* name) {
  *function = reinterpret_cast<Function>(&a_function);
  return std::string_view(name) == "vector_add" ? kSuccess : kNotFound;
}
Result cuFuncGetAttribute(int* value, int attribute, Function) {
  return *value = attribute == kFunctionRegisters ? 17 : 0, kSuccess;
}
Result cuFuncSetAttribute(Function, int, int) { return kSuccess; }
Result cuMemAlloc_v2(DevicePointer* pointer, std::size_t bytes) {
  if (has("no_memory")) return kNoMemory;
  *pointer = reinterpret_cast<DevicePointer>(std::malloc(bytes));
  return kSuccess;
}
Result cuMemFree_v2(DevicePointer pointer) { return std::free(reinterpret_cast<void*>(pointer)), kSuccess; }
Result cuMemcpyHtoD_v2(DevicePointer to, const void* from, std::size_t bytes) {
  return std::memcpy(reinterpret_cast<void*>(to), from, bytes), kSuccess;
}
Result cuMemcpyDtoH_v2(void* to, DevicePointer from, std::size_t bytes) {
  return std::memcpy(to, reinterpret_cast<const void*>(from), bytes), kSuccess;
}
#ifndef LACKS_LAUNCH
// vector_add(x, y, out, n), and with "wrong" one element that no GPU may give, with "overrun" one behind the last.
Result cuLaunchKernel(Function, unsigned x, unsigned y, unsigned z, unsigned, unsigned, unsigned, unsigned, Stream,
                      void** arguments, void**) {
  constexpr Result kInvalidValue = 1;
  if (x == 0 || y == 0 || z == 0) return kInvalidValue;
  const auto tensor = [&](int i) { return *static_cast<float**>(arguments[i]); };
  const int n = *static_cast<int*>(arguments[3]);
  for (int i = 0; i < n; ++i) tensor(2)[i] = tensor(0)[i] + tensor(1)[i];
  if (has("wrong")) tensor(2)[n - 1] += 1.0F;
  if (has("overrun")) tensor(2)[n] = 1.0F;
  return kSuccess;
}
#endif
Result cuEventCreate(Event* event, unsigned) { return *event = reinterpret_cast<Event>(&an_event), kSuccess; }
Result cuEventRecord(Event, Stream) { return kSuccess; }
Result cuEventSynchronize(Event) { return kSuccess; }
Result cuEventElapsedTime(float* milliseconds, Event, Event) { return *milliseconds = 1.5F, kSuccess; }
Result cuEventDestroy_v2(Event) { return kSuccess; }

}  // extern "C"

#ifndef LACKS_LAUNCH
#define LOCKSTEP_DRIVER_FUNCTION(member, symbol, type) \
  static_assert(std::is_same_v<decltype(symbol), lockstep::backend_cuda::cuda::type>, #symbol);
#include "backend_cuda/device/driver_functions.def"
#endif
