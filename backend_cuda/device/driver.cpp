#include "backend_cuda/device/driver.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "backend_cuda/device/shared_library.h"

namespace lockstep::backend_cuda {
namespace {

constexpr int kMostDevices = 64;

Status no_driver() {
  return {"LS3020", "the CUDA driver (libcuda.so.1) was not found",
          "install NVIDIA's driver to use a GPU; running on the CPU does not need it"};
}
Status does_not_start(const std::string& why) {
  return {"LS3021", "the CUDA driver does not start: " + why,
          "run `nvidia-smi` for details; running on the CPU needs no driver"};
}
Status no_device() {
  return {"LS3022", "the CUDA driver sees no GPU", "CUDA_VISIBLE_DEVICES may hide it; running on the CPU does not need one"};
}

/// The first missing symbol; empty if there is none.
std::string find_all(const SharedLibrary& library, DriverFunctions& functions) {
#define LOCKSTEP_DRIVER_FUNCTION(member, symbol, type) \
  if (!library.find(#symbol, functions.member)) return #symbol;
#include "backend_cuda/device/driver_functions.def"
#undef LOCKSTEP_DRIVER_FUNCTION
  return "";
}

std::optional<DeviceFacts> facts_of(const DriverFunctions& functions, int ordinal) {
  DeviceFacts facts;
  cuda::Device device = 0;
  std::array<char, 256> name{};
  const bool is_known =
      functions.device_get(&device, ordinal) == cuda::kSuccess &&
      functions.device_name(name.data(), static_cast<int>(name.size()) - 1, device) == cuda::kSuccess &&
      functions.device_attribute(&facts.processors, cuda::kMultiprocessors, device) == cuda::kSuccess &&
      functions.device_attribute(&facts.major, cuda::kComputeCapabilityMajor, device) == cuda::kSuccess &&
      functions.device_attribute(&facts.minor, cuda::kComputeCapabilityMinor, device) == cuda::kSuccess;
  if (!is_known) return std::nullopt;
  facts.name = name.data();
  return facts;
}

Expected<Driver, Status> start(const SharedLibrary& library) {
  Driver driver;
  driver.facts.path = library.path();
  const DriverFunctions& f = driver.functions;
  if (const std::string missing = find_all(library, driver.functions); !missing.empty()) {
    return Unexpected{does_not_start("there is no " + missing + " in " + library.path())};
  }
  if (!library.find("cuTensorMapEncodeTiled", driver.functions.encode_map)) driver.functions.encode_map = nullptr;
  const cuda::Result started = f.init(0);
  if (started == cuda::kNoDevice) return Unexpected{no_device()};
  if (started != cuda::kSuccess) return Unexpected{does_not_start("cuInit says '" + error_text(f, started) + "'")};
  int count = 0;
  if (f.version(&driver.facts.version) != cuda::kSuccess || f.device_count(&count) != cuda::kSuccess) {
    return Unexpected{does_not_start("it does not report its version and its devices")};
  }
  for (int i = 0; i < std::min(count, kMostDevices); ++i) {
    const auto facts = facts_of(f, i);
    if (!facts) return Unexpected{does_not_start("it does not describe device " + std::to_string(i))};
    driver.facts.devices.push_back(*facts);
  }
  if (driver.facts.devices.empty()) return Unexpected{no_device()};
  return driver;
}

Expected<Driver, Status> open_and_start() {
  auto library = SharedLibrary::open({"libcuda.so.1"});
  if (!library) return Unexpected{no_driver()};
  // Never closed: the driver does not survive being unloaded.
  static const auto* const kept = new SharedLibrary(std::move(*library));
  return start(*kept);
}

}  // namespace

Expected<const Driver*, Status> open_driver() {
  if (is_hidden("driver")) return Unexpected{no_driver()};
  static const auto* const opened = new Expected<Driver, Status>(open_and_start());
  if (!*opened) return Unexpected{opened->error()};
  return &opened->value();
}

std::string error_text(const DriverFunctions& functions, cuda::Result result) {
  const char* text = nullptr;
  functions.error_text(result, &text);
  return text == nullptr ? "error " + std::to_string(result) : text;
}

}  // namespace lockstep::backend_cuda
