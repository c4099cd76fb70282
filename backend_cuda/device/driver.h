// The CUDA driver, opened at its first use: importing, parsing and running on the CPU never open it. The only door to
// its functions, in one table. Its absence is an answer (a Status), not an error. Errors: LS3020 no driver library,
// LS3021 it does not start or lacks a function, LS3022 there is no device.
#pragma once

#include <string>
#include <vector>

#include "backend_cuda/device/declarations.h"
#include "support/diagnostics/status.h"
#include "support/result.h"

namespace lockstep::backend_cuda {

struct DeviceFacts {
  std::string name;          // "NVIDIA H200"
  int major = 0, minor = 0;  // compute capability
  int processors = 0;        // multiprocessors
};

struct DriverFacts {
  std::string path;  // of the library
  int version = 0;   // highest CUDA version it supports: 13000 is 13.0
  std::vector<DeviceFacts> devices;
};

struct DriverFunctions {
#define LOCKSTEP_DRIVER_FUNCTION(member, symbol, type) cuda::type* member = nullptr;
#include "backend_cuda/device/driver_functions.def"
#undef LOCKSTEP_DRIVER_FUNCTION
  cuda::TensorMapEncode* encode_map = nullptr;  // null: a driver before CUDA 12
};

/// Started, with at least one device; lives as long as the process.
struct Driver {
  DriverFunctions functions;
  DriverFacts facts;
};

/// Opens and starts the driver and asks it for its devices; later calls answer the same. Creates no context.
Expected<const Driver*, Status> open_driver();
/// The driver's text for a result, or the result's number.
std::string error_text(const DriverFunctions& functions, cuda::Result result);

}  // namespace lockstep::backend_cuda
