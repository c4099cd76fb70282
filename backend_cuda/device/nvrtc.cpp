#include "backend_cuda/device/nvrtc.h"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>

#include "backend_cuda/device/cache.h"
#include "backend_cuda/device/declarations.h"
#include "backend_cuda/device/occupancy.h"
#include "backend_cuda/device/shared_library.h"
#include "support/sha256.h"

namespace lockstep::backend_cuda {
namespace {

constexpr const char* kLibraryNames[] = {"libnvrtc.so.13", "libnvrtc.so.12"};
// Below a site-packages folder: the packages nvidia-cuda-nvrtc (13) and nvidia-cuda-nvrtc-cu12.
constexpr const char* kPackageFolders[] = {"nvidia/cu13/lib", "nvidia/cuda_nvrtc/lib"};
constexpr const char* kSystemFolders[] = {"/usr/local/cuda/lib64", "/usr/local/cuda/targets/x86_64-linux/lib",
                                          "/usr/local/cuda/targets/sbsa-linux/lib"};

void add_existing(std::vector<std::string>& found, const std::filesystem::path& folder) {
  for (const char* name : kLibraryNames) {
    std::error_code error;
    if (std::filesystem::exists(folder / name, error)) found.push_back((folder / name).string());
  }
}

Status not_found() {
  return {"LS3025", "NVRTC (libnvrtc.so.13 or .12) was not found",
          "running on the CPU does not need it; `pip install nvidia-cuda-nvrtc`, or set LOCKSTEP_NVRTC to the library"};
}

}  // namespace

std::vector<std::string> nvrtc_candidates() {
  const char* chosen = std::getenv("LOCKSTEP_NVRTC");
  if (chosen != nullptr && *chosen != '\0') return {chosen};
  std::vector<std::string> found(std::begin(kLibraryNames), std::end(kLibraryNames));
  for (const char* folder : kSystemFolders) add_existing(found, folder);
  for (const std::string& packages : site_packages()) {
    for (const char* folder : kPackageFolders) add_existing(found, std::filesystem::path(packages) / folder);
  }
  return found;
}

namespace {

struct Functions {
  cuda::NvrtcVersion* version = nullptr;
  cuda::NvrtcErrorString* error_string = nullptr;
  cuda::NvrtcCreateProgram* create = nullptr;
  cuda::NvrtcCompileProgram* compile = nullptr;
  cuda::NvrtcDestroyProgram* destroy = nullptr;
  cuda::NvrtcSize *log_size = nullptr, *cubin_size = nullptr, *ptx_size = nullptr;
  cuda::NvrtcText *log = nullptr, *cubin = nullptr, *ptx = nullptr;
};

bool find_all(const SharedLibrary& library, Functions& f) {
  return library.find("nvrtcVersion", f.version) && library.find("nvrtcGetErrorString", f.error_string) &&
         library.find("nvrtcCreateProgram", f.create) && library.find("nvrtcCompileProgram", f.compile) &&
         library.find("nvrtcDestroyProgram", f.destroy) && library.find("nvrtcGetProgramLogSize", f.log_size) &&
         library.find("nvrtcGetCUBINSize", f.cubin_size) && library.find("nvrtcGetPTXSize", f.ptx_size) &&
         library.find("nvrtcGetProgramLog", f.log) && library.find("nvrtcGetCUBIN", f.cubin) &&
         library.find("nvrtcGetPTX", f.ptx);
}

struct Nvrtc {
  std::optional<SharedLibrary> library;
  Functions functions;
  NvrtcFacts facts;
  std::optional<Status> problem;
};

Nvrtc open_nvrtc() {
  Nvrtc nvrtc;
  nvrtc.library = SharedLibrary::open(nvrtc_candidates());
  if (!nvrtc.library) {
    nvrtc.problem = not_found();
    return nvrtc;
  }
  nvrtc.facts.path = nvrtc.library->path();
  std::error_code error;
  if (const auto bytes = std::filesystem::file_size(nvrtc.facts.path, error); !error) nvrtc.facts.bytes = bytes;
  if (!find_all(*nvrtc.library, nvrtc.functions) ||
      nvrtc.functions.version(&nvrtc.facts.major, &nvrtc.facts.minor) != cuda::kSuccess) {
    nvrtc.problem = Status{"LS3026", "the library " + nvrtc.facts.path + " does not answer as NVRTC does",
                           "set LOCKSTEP_NVRTC to another library"};
  }
  return nvrtc;
}

// Opened once for each LOCKSTEP_NVRTC. Never closed: NVRTC keeps threads and memory of its own.
const Nvrtc& nvrtc() {
  static std::mutex mutex;
  static auto* const opened = new std::map<std::string, std::unique_ptr<const Nvrtc>>();
  const char* chosen = std::getenv("LOCKSTEP_NVRTC");
  const std::scoped_lock lock(mutex);
  std::unique_ptr<const Nvrtc>& found = (*opened)[chosen == nullptr ? "" : chosen];
  if (found == nullptr) found = std::make_unique<const Nvrtc>(open_nvrtc());
  return *found;
}

class Program {
 public:
  Program(const Functions& functions, const CompileRequest& request) : functions_(functions) {
    created_ = functions.create(&program_, request.text.c_str(), (request.name + ".cu").c_str(), 0, nullptr, nullptr);
  }
  ~Program() {
    if (created_ == cuda::kSuccess) functions_.destroy(&program_);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  cuda::Result created() const { return created_; }
  cuda::Result compile(const std::vector<std::string>& options) {
    std::vector<const char*> pointers;
    for (const std::string& option : options) pointers.push_back(option.c_str());
    return functions_.compile(program_, static_cast<int>(pointers.size()), pointers.data());
  }
  std::string text(cuda::NvrtcSize* size, cuda::NvrtcText* get) const {
    std::size_t bytes = 0;
    if (size(program_, &bytes) != cuda::kSuccess) return "";
    std::string text(bytes, '\0');
    if (get(program_, text.data()) != cuda::kSuccess) return "";
    return text;
  }

 private:
  const Functions& functions_;
  cuda::Program program_ = nullptr;
  cuda::Result created_ = -1;
};

std::vector<std::string> options_of(const CompileRequest& request) {
  const std::string architecture = request.wants_ptx
                                       ? "compute" + request.architecture.substr(request.architecture.find('_'))
                                       : request.architecture;
  std::vector<std::string> options = {
      "--gpu-architecture=" + architecture,  "--std=c++17",
      "--device-as-default-execution-space", std::string("--fmad=") + (request.contracts ? "true" : "false"),
      "--extra-device-vectorization",        "--disable-warnings"};
  if (request.threads != 0 && !request.wants_ptx) options.emplace_back("--ptxas-options=-v");
  return options;
}

Status refusal(const Functions& functions, const CompileRequest& request, const Program& program, cuda::Result result) {
  const std::string log = program.created() == cuda::kSuccess ? program.text(functions.log_size, functions.log) : "";
  return {
      "LS3027",
      "NVRTC refuses the CUDA text of '" + request.name + "' (" + functions.error_string(result) + "):\n" + log.c_str(),
      "this is a defect of Lockstep; `lockstep emit --to cuda` prints the text"};
}

struct Compiled {
  std::string code;
  std::optional<KernelCost> cost;
};

Expected<Compiled, Status> compile_with(const Functions& functions, const CompileRequest& request,
                                        const std::vector<std::string>& options) {
  Program program(functions, request);
  if (program.created() != cuda::kSuccess) {
    return Unexpected{refusal(functions, request, program, program.created())};
  }
  const cuda::Result compiled = program.compile(options);
  if (compiled != cuda::kSuccess) return Unexpected{refusal(functions, request, program, compiled)};
  std::string result = request.wants_ptx ? program.text(functions.ptx_size, functions.ptx)
                                         : program.text(functions.cubin_size, functions.cubin);
  if (result.empty()) {
    return Unexpected{Status{"LS3026", "NVRTC compiled '" + request.name + "' and gave no code",
                             "set LOCKSTEP_NVRTC to another version"}};
  }
  if (request.wants_ptx) result.pop_back();  // its final zero
  return Compiled{std::move(result), read_cost(program.text(functions.log_size, functions.log))};
}

/// The same kernel, `blocks` of which shall fit on a multiprocessor.
CompileRequest with_blocks(CompileRequest request, int blocks) {
  const std::string bound = "__launch_bounds__(" + std::to_string(request.threads);
  const std::size_t at = request.text.find(bound + ")");
  if (at != std::string::npos) request.text.insert(at + bound.size(), ", " + std::to_string(blocks));
  return request;
}

// Once more with fewer registers where one more block fits for it and no more is spilled.
Expected<std::string, Status> compile(const Functions& functions, const CompileRequest& request) {
  const std::vector<std::string> options = options_of(request);
  auto first = compile_with(functions, request, options);
  if (!first) return Unexpected{first.error()};
  if (request.threads == 0 || !first->cost) return std::move(first->code);
  const int blocks = blocks_with_one_more(first->cost->registers, request.threads, request.shared_bytes,
                                          request.shared_of_processor);
  if (blocks == 0) return std::move(first->code);
  auto second = compile_with(functions, with_blocks(request, blocks), options);
  const bool is_better = second && second->cost && second->cost->spilled <= first->cost->spilled;
  return is_better ? std::move(second->code) : std::move(first->code);
}

// Everything that the compiled bytes depend on.
std::string key_of(const CompileRequest& request, const NvrtcFacts& compiler) {
  std::string options;
  for (const std::string& option : options_of(request)) options += option + "\n";
  const std::string version = std::to_string(compiler.major) + "." + std::to_string(compiler.minor) + " of " +
                              std::to_string(compiler.bytes) + " bytes";
  const std::string block = std::to_string(request.threads) + " " + std::to_string(request.shared_bytes) + " " +
                            std::to_string(request.shared_of_processor);
  return sha256_of_parts({request.wants_ptx ? "ptx" : "cubin", request.name, options, version, block, request.text});
}

}  // namespace

Expected<NvrtcFacts, Status> query_nvrtc() {
  if (is_hidden("nvrtc")) return Unexpected{not_found()};
  if (nvrtc().problem) return Unexpected{*nvrtc().problem};
  return nvrtc().facts;
}

Expected<std::string, Status> compile_cuda(const CompileRequest& request) {
  const auto compiler = query_nvrtc();
  if (!compiler) return Unexpected{compiler.error()};
  const auto cache = request.uses_cache ? KernelCache::from_environment() : std::nullopt;
  if (!cache) return compile(nvrtc().functions, request);
  const std::string key = key_of(request, *compiler);
  if (auto kept = cache->find(key)) return std::move(*kept);
  auto compiled = compile(nvrtc().functions, request);
  if (compiled) cache->keep(key, *compiled);
  return compiled;
}

}  // namespace lockstep::backend_cuda
