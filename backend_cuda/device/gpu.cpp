#include "backend_cuda/device/gpu.h"

#include <algorithm>
#include <optional>

#include "backend_cuda/device/declarations.h"

namespace lockstep::backend_cuda {
namespace {

struct Gpu {
  const Driver* driver = nullptr;
  cuda::Context context = nullptr;
  std::optional<Status> problem;
};

Status refused(const DriverFunctions& functions, const std::string& step, cuda::Result result) {
  return {"LS3023", "the CUDA driver refuses to " + step + ": " + error_text(functions, result),
          "a kernel's fault costs the process its GPU: start the process again"};
}

Gpu open_gpu() {
  const auto driver = open_driver();
  if (!driver) return {nullptr, nullptr, driver.error()};
  Gpu gpu{*driver, nullptr, std::nullopt};
  const DriverFunctions& f = gpu.driver->functions;
  cuda::Device device = 0;
  cuda::Result result = f.device_get(&device, 0);
  if (result == cuda::kSuccess) result = f.retain(&gpu.context, device);
  if (result != cuda::kSuccess) gpu.problem = refused(f, "make a context", result);
  return gpu;
}

// One context for the life of the process.
const Gpu& gpu() {
  static const auto* const opened = new Gpu(open_gpu());
  return *opened;
}

/// The device resources of one launch; frees them.
class Holdings {
 public:
  explicit Holdings(const DriverFunctions& functions) : f_(functions) {}
  ~Holdings() {
    for (const cuda::DevicePointer pointer : pointers) f_.free(pointer);
    for (const cuda::Event event : events) f_.event_destroy(event);
    if (module != nullptr) f_.unload(module);
  }
  Holdings(const Holdings&) = delete;
  Holdings& operator=(const Holdings&) = delete;

  cuda::Module module = nullptr;
  cuda::Function function = nullptr;
  std::vector<cuda::DevicePointer> pointers;  // by buffer
  std::vector<cuda::Event> events;

 private:
  const DriverFunctions& f_;
};

class GpuRun {
 public:
  explicit GpuRun(const GpuLaunch& launch) : launch_(launch), f_(gpu().driver->functions), held_(f_) {}

  Expected<GpuReport, Status> run() {
    GpuReport report;
    report.device = gpu().driver->facts.devices.front();
    // A context is current to a thread, and any thread may launch.
    if (check("use its context", f_.set_current(gpu().context)) && load(report) && copy_in() && start() &&
        check("run the kernel", f_.synchronize()) && copy_out() && measure(report)) {
      return report;
    }
    return Unexpected{problem_};
  }

 private:
  bool check(const std::string& step, cuda::Result result) {
    if (result == cuda::kSuccess) return true;
    problem_ = refused(f_, step, result);
    return false;
  }

  bool load(GpuReport& report) {
    if (!check("load the code", f_.load(&held_.module, launch_.cubin.data()))) return false;
    if (!check("find the kernel", f_.get_function(&held_.function, held_.module, launch_.kernel.c_str()))) return false;
    const auto ask = [&](int attribute, int& answer) {
      return check("report what the kernel needs", f_.get_attribute(&answer, attribute, held_.function));
    };
    if (!ask(cuda::kFunctionRegisters, report.registers) || !ask(cuda::kFunctionLocalBytes, report.local_bytes)) {
      return false;
    }
    return launch_.shared_bytes == 0 ||
           check("give the kernel " + std::to_string(launch_.shared_bytes) + " bytes of shared memory",
                 f_.set_attribute(held_.function, cuda::kFunctionMaxDynamicShared,
                                  static_cast<int>(launch_.shared_bytes)));
  }

  bool copy_in() {
    for (const GpuBuffer& buffer : launch_.buffers) {
      cuda::DevicePointer pointer = 0;
      if (!check("allocate memory", f_.allocate(&pointer, std::max<std::uint64_t>(buffer.bytes, 1)))) return false;
      held_.pointers.push_back(pointer);
      if (buffer.bytes != 0 && !check("copy to the GPU", f_.to_device(pointer, buffer.data, buffer.bytes)))
        return false;
    }
    return true;
  }

  bool copy_out() {
    for (std::size_t i = 0; i < launch_.buffers.size(); ++i) {
      const GpuBuffer& buffer = launch_.buffers[i];
      if (buffer.bytes != 0 && !check("copy from the GPU", f_.to_host(buffer.data, held_.pointers[i], buffer.bytes)))
        return false;
    }
    return true;
  }

  bool encode(const GpuMap& map, cuda::EncodedMap& encoded) {
    const MapNumbers& n = map.numbers;
    const int wide = map.kind == ScalarKind::bf16 ? cuda::kMapBfloat16 : cuda::kMapFloat16;
    const int kind = size_bytes(map.kind) == 1 ? cuda::kMapUint8 : wide;
    void* const address = reinterpret_cast<void*>(held_.pointers[map.buffer] + map.offset);
    return check("make a tensor map",
                 f_.encode_map(&encoded, kind, static_cast<unsigned>(n.extents.size()), address, n.extents.data(),
                               n.strides.data(), n.boxes.data(), n.steps.data(), 0, n.swizzle, cuda::kPromoteTo128, 0));
  }

  bool start() {
    if (launch_.grid[0] == 0 || launch_.grid[1] == 0 || launch_.grid[2] == 0) return true;  // the driver refuses none
    std::vector<std::vector<std::uint64_t>> values;
    for (const GpuArgument& argument : launch_.arguments) {
      const bool is_address = argument.buffer != GpuArgument::kNoBuffer;
      values.push_back({argument.value + (is_address ? held_.pointers[argument.buffer] : 0)});
      values.back().insert(values.back().end(), argument.rest.begin(), argument.rest.end());
    }
    std::vector<void*> arguments;
    for (std::vector<std::uint64_t>& value : values) arguments.push_back(value.data());
    std::vector<cuda::EncodedMap> maps(launch_.maps.size());
    for (std::size_t i = 0; i < maps.size(); ++i) {
      if (!encode(launch_.maps[i], maps[i])) return false;
      arguments.push_back(&maps[i]);
    }
    std::array<std::int64_t, 3> blocks = launch_.grid;
    if (launch_.is_persistent)
      blocks = {std::min<std::int64_t>(blocks[0] * blocks[1] * blocks[2], gpu().driver->facts.devices.front().processors), 1, 1};
    const auto extent = [&](std::size_t i) { return static_cast<unsigned>(blocks[i]); };
    return check("launch the kernel",
                 f_.launch(held_.function, extent(0), extent(1), extent(2), static_cast<unsigned>(launch_.threads), 1,
                           1, static_cast<unsigned>(launch_.shared_bytes), nullptr, arguments.data(), nullptr));
  }

  bool record(std::size_t event) { return check("record an event", f_.event_record(held_.events[event], nullptr)); }

  bool measure(GpuReport& report) {
    if (launch_.repeats <= 0) return true;
    held_.events.resize(2);
    for (cuda::Event& event : held_.events) {
      if (!check("make an event", f_.event_create(&event, 0))) return false;
    }
    std::vector<double> seconds;
    for (int i = 0; i < launch_.repeats; ++i) {
      float milliseconds = 0;
      if (!record(0) || !start() || !record(1)) return false;
      if (!check("run the kernel", f_.event_synchronize(held_.events[1]))) return false;
      if (!check("measure", f_.event_elapsed(&milliseconds, held_.events[0], held_.events[1]))) return false;
      seconds.push_back(static_cast<double>(milliseconds) / 1e3);
    }
    std::sort(seconds.begin(), seconds.end());
    report.best_seconds = seconds.front();
    report.median_seconds = seconds[seconds.size() / 2];
    return true;
  }

  const GpuLaunch& launch_;
  const DriverFunctions& f_;
  Holdings held_;
  Status problem_;
};

}  // namespace

Expected<DeviceFacts, Status> gpu_in_use() {
  if (gpu().problem) return Unexpected{*gpu().problem};
  return gpu().driver->facts.devices.front();
}

bool gpu_takes_maps() { return !gpu().problem && gpu().driver->functions.encode_map != nullptr; }

Expected<GpuReport, Status> launch_on_gpu(const GpuLaunch& launch) {
  if (gpu().problem) return Unexpected{*gpu().problem};
  return GpuRun(launch).run();
}

}  // namespace lockstep::backend_cuda
