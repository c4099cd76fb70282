#include "backend_cuda/gpu.h"

#include <algorithm>
#include <optional>

#include "backend_cuda/declarations.h"
#include "backend_cuda/shared_library.h"

namespace lockstep::backend_cuda {
namespace {

struct Functions {
  cuda::DeviceGet* device_get = nullptr;
  cuda::PrimaryContextRetain* retain = nullptr;
  cuda::ContextSetCurrent* set_current = nullptr;
  cuda::ContextSynchronize* synchronize = nullptr;
  cuda::GetErrorText* error_text = nullptr;
  cuda::ModuleLoadData* load = nullptr;
  cuda::ModuleUnload* unload = nullptr;
  cuda::ModuleGetFunction* get_function = nullptr;
  cuda::FunctionGetAttribute* get_attribute = nullptr;
  cuda::FunctionSetAttribute* set_attribute = nullptr;
  cuda::MemoryAllocate* allocate = nullptr;
  cuda::MemoryFree* free = nullptr;
  cuda::CopyToDevice* to_device = nullptr;
  cuda::CopyToHost* to_host = nullptr;
  cuda::LaunchKernel* launch = nullptr;
  cuda::EventCreate* event_create = nullptr;
  cuda::EventRecord* event_record = nullptr;
  cuda::EventSynchronize* event_synchronize = nullptr;
  cuda::EventElapsedTime* event_elapsed = nullptr;
  cuda::EventDestroy* event_destroy = nullptr;
};

bool find_all(const SharedLibrary& library, Functions& f) {
  return library.find("cuDeviceGet", f.device_get) && library.find("cuDevicePrimaryCtxRetain", f.retain) &&
         library.find("cuCtxSetCurrent", f.set_current) && library.find("cuCtxSynchronize", f.synchronize) &&
         library.find("cuGetErrorString", f.error_text) && library.find("cuModuleLoadData", f.load) &&
         library.find("cuModuleUnload", f.unload) && library.find("cuModuleGetFunction", f.get_function) &&
         library.find("cuFuncGetAttribute", f.get_attribute) && library.find("cuFuncSetAttribute", f.set_attribute) &&
         library.find("cuMemAlloc_v2", f.allocate) && library.find("cuMemFree_v2", f.free) &&
         library.find("cuMemcpyHtoD_v2", f.to_device) && library.find("cuMemcpyDtoH_v2", f.to_host) &&
         library.find("cuLaunchKernel", f.launch) && library.find("cuEventCreate", f.event_create) &&
         library.find("cuEventRecord", f.event_record) && library.find("cuEventSynchronize", f.event_synchronize) &&
         library.find("cuEventElapsedTime", f.event_elapsed) && library.find("cuEventDestroy_v2", f.event_destroy);
}

struct Gpu {
  std::optional<SharedLibrary> library;
  Functions functions;
  DeviceFacts facts;
  std::optional<Status> problem;
};

Status refused(const Functions& functions, const std::string& step, cuda::Result result) {
  const char* text = nullptr;
  functions.error_text(result, &text);
  return {"LS3023", "the CUDA driver refuses to " + step + ": " + (text == nullptr ? std::to_string(result) : text),
          "after a fault of a kernel the process has lost its GPU: start it again"};
}

Gpu open_gpu() {
  Gpu gpu;
  const auto facts = query_driver();
  if (!facts) {
    gpu.problem = facts.error();
    return gpu;
  }
  gpu.facts = facts->devices.front();
  gpu.library = SharedLibrary::open({"libcuda.so.1"});
  if (!gpu.library || !find_all(*gpu.library, gpu.functions)) {
    gpu.problem = Status{"LS3021", "the CUDA driver does not start: a function is missing in " + facts->path,
                         "`nvidia-smi` says more; running on the CPU needs no driver"};
    return gpu;
  }
  cuda::Device device = 0;
  cuda::Context context = nullptr;
  cuda::Result result = gpu.functions.device_get(&device, 0);
  if (result == cuda::kSuccess) result = gpu.functions.retain(&context, device);
  if (result == cuda::kSuccess) result = gpu.functions.set_current(context);
  if (result != cuda::kSuccess) gpu.problem = refused(gpu.functions, "make a context", result);
  return gpu;
}

// Never closed: the driver does not survive being unloaded.
const Gpu& gpu() {
  static const auto* const opened = new Gpu(open_gpu());
  return *opened;
}

/// What one launch holds on the device; gives it back.
class Holdings {
 public:
  explicit Holdings(const Functions& functions) : f_(functions) {}
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
  const Functions& f_;
};

class Run {
 public:
  explicit Run(const GpuLaunch& launch) : launch_(launch), f_(gpu().functions), held_(f_) {}

  Expected<GpuReport, Status> run() {
    GpuReport report;
    report.device = gpu().facts;
    if (load(report) && copy_in() && start() && check("run the kernel", f_.synchronize()) && copy_out() &&
        measure(report)) {
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
    f_.get_attribute(&report.registers, cuda::kFunctionRegisters, held_.function);
    f_.get_attribute(&report.local_bytes, cuda::kFunctionLocalBytes, held_.function);
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

  bool start() {
    std::vector<std::vector<std::uint64_t>> values;
    for (const GpuArgument& argument : launch_.arguments) {
      const bool is_address = argument.buffer != GpuArgument::kNoBuffer;
      values.push_back({argument.value + (is_address ? held_.pointers[argument.buffer] : 0)});
      values.back().insert(values.back().end(), argument.rest.begin(), argument.rest.end());
    }
    std::vector<void*> arguments;
    for (std::vector<std::uint64_t>& value : values) arguments.push_back(value.data());
    const auto extent = [&](std::size_t i) { return static_cast<unsigned>(launch_.grid[i]); };
    return check("launch the kernel",
                 f_.launch(held_.function, extent(0), extent(1), extent(2), static_cast<unsigned>(launch_.threads), 1,
                           1, static_cast<unsigned>(launch_.shared_bytes), nullptr, arguments.data(), nullptr));
  }

  bool measure(GpuReport& report) {
    if (launch_.repeats <= 0) return true;
    held_.events.resize(2);
    for (cuda::Event& event : held_.events) {
      if (!check("make an event", f_.event_create(&event, 0))) return false;
    }
    std::vector<double> seconds;
    for (int i = 0; i < launch_.repeats; ++i) {
      float milliseconds = 0;
      f_.event_record(held_.events[0], nullptr);
      if (!start()) return false;
      f_.event_record(held_.events[1], nullptr);
      if (!check("run the kernel", f_.event_synchronize(held_.events[1]))) return false;
      f_.event_elapsed(&milliseconds, held_.events[0], held_.events[1]);
      seconds.push_back(static_cast<double>(milliseconds) / 1e3);
    }
    std::sort(seconds.begin(), seconds.end());
    report.best_seconds = seconds.front();
    report.median_seconds = seconds[seconds.size() / 2];
    return true;
  }

  const GpuLaunch& launch_;
  const Functions& f_;
  Holdings held_;
  Status problem_;
};

}  // namespace

Expected<DeviceFacts, Status> gpu_in_use() {
  if (gpu().problem) return Unexpected{*gpu().problem};
  return gpu().facts;
}

Expected<GpuReport, Status> launch_on_gpu(const GpuLaunch& launch) {
  if (gpu().problem) return Unexpected{*gpu().problem};
  return Run(launch).run();
}

}  // namespace lockstep::backend_cuda
