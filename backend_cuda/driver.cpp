#include "backend_cuda/driver.h"

#include <algorithm>
#include <array>
#include <utility>

#include "backend_cuda/declarations.h"
#include "backend_cuda/shared_library.h"

namespace lockstep::backend_cuda {
namespace {

struct Functions {
  cuda::Init* init = nullptr;
  cuda::DriverGetVersion* driver_get_version = nullptr;
  cuda::DeviceGetCount* device_get_count = nullptr;
  cuda::DeviceGet* device_get = nullptr;
  cuda::DeviceGetName* device_get_name = nullptr;
  cuda::DeviceGetAttribute* device_get_attribute = nullptr;
};

bool find_all(const SharedLibrary& library, Functions& functions) {
  return library.find("cuInit", functions.init) && library.find("cuDriverGetVersion", functions.driver_get_version) &&
         library.find("cuDeviceGetCount", functions.device_get_count) &&
         library.find("cuDeviceGet", functions.device_get) &&
         library.find("cuDeviceGetName", functions.device_get_name) &&
         library.find("cuDeviceGetAttribute", functions.device_get_attribute);
}

DeviceFacts facts_of(const Functions& functions, int ordinal) {
  DeviceFacts facts;
  cuda::Device device = 0;
  if (functions.device_get(&device, ordinal) != cuda::kSuccess) return facts;
  std::array<char, 256> name{};
  if (functions.device_get_name(name.data(), static_cast<int>(name.size()) - 1, device) == cuda::kSuccess) {
    facts.name = name.data();
  }
  functions.device_get_attribute(&facts.major, cuda::kComputeCapabilityMajor, device);
  functions.device_get_attribute(&facts.minor, cuda::kComputeCapabilityMinor, device);
  return facts;
}

Status no_driver() {
  return {"LS3020", "the CUDA driver (libcuda.so.1) was not found",
          "running on the CPU needs none; install NVIDIA's driver to use a GPU"};
}
Status does_not_start(const std::string& why) {
  return {"LS3021", "the CUDA driver does not start: " + why,
          "`nvidia-smi` says more; running on the CPU needs no driver"};
}
Status no_device() {
  return {"LS3022", "the CUDA driver sees no GPU", "running on the CPU needs none; CUDA_VISIBLE_DEVICES may hide it"};
}

}  // namespace

Expected<DriverFacts, Status> query_driver() {
  if (is_hidden("driver")) return Unexpected{no_driver()};
  // Never closed: the driver does not survive being unloaded.
  static const auto* const library = new std::optional<SharedLibrary>(SharedLibrary::open({"libcuda.so.1"}));
  if (!library->has_value()) return Unexpected{no_driver()};
  Functions functions;
  if (!find_all(**library, functions))
    return Unexpected{does_not_start("a function is missing in " + (*library)->path())};
  const cuda::Result started = functions.init(0);
  if (started == cuda::kNoDevice) return Unexpected{no_device()};
  if (started != cuda::kSuccess) return Unexpected{does_not_start("cuInit returned " + std::to_string(started))};
  DriverFacts facts;
  facts.path = (*library)->path();
  functions.driver_get_version(&facts.version);
  int count = 0;
  functions.device_get_count(&count);
  for (int i = 0; i < std::min(count, 64); ++i) facts.devices.push_back(facts_of(functions, i));
  if (facts.devices.empty()) return Unexpected{no_device()};
  return facts;
}

}  // namespace lockstep::backend_cuda
