// The CUDA driver, opened when first asked for and not before: importing, parsing and running on the CPU never come
// here. Its absence is an answer (a Status), not an error. Errors: LS3020 no driver library, LS3021 it does not start
// or lacks a function, LS3022 there is no device.
#pragma once

#include <string>
#include <vector>

#include "support/result.h"
#include "support/status.h"

namespace lockstep::backend_cuda {

struct DeviceFacts {
  std::string name;          // "NVIDIA H200"
  int major = 0, minor = 0;  // compute capability
};

struct DriverFacts {
  std::string path;  // of the library
  int version = 0;   // highest CUDA version it supports: 13000 is 13.0
  std::vector<DeviceFacts> devices;
};

/// Opens the driver and asks it for its devices. Creates no context.
Expected<DriverFacts, Status> query_driver();

}  // namespace lockstep::backend_cuda
