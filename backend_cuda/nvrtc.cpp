#include "backend_cuda/nvrtc.h"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

#include "backend_cuda/declarations.h"
#include "backend_cuda/shared_library.h"

namespace lockstep::backend_cuda {
namespace {

constexpr const char* kNames[] = {"libnvrtc.so.13", "libnvrtc.so.12"};
// Below a site-packages folder: the packages nvidia-cuda-nvrtc (13) and nvidia-cuda-nvrtc-cu12.
constexpr const char* kPackageFolders[] = {"nvidia/cu13/lib", "nvidia/cuda_nvrtc/lib"};
constexpr const char* kSystemFolders[] = {"/usr/local/cuda/lib64", "/usr/local/cuda/targets/x86_64-linux/lib",
                                          "/usr/local/cuda/targets/sbsa-linux/lib"};

void add_existing(std::vector<std::string>& found, const std::filesystem::path& folder) {
  for (const char* name : kNames) {
    std::error_code error;
    if (std::filesystem::exists(folder / name, error)) found.push_back((folder / name).string());
  }
}

Status not_found() {
  return {"LS3025", "NVRTC (libnvrtc.so.13 or .12) was not found",
          "running on the CPU needs none; `pip install nvidia-cuda-nvrtc`, or set LOCKSTEP_NVRTC to the library"};
}

}  // namespace

std::vector<std::string> nvrtc_candidates() {
  const char* chosen = std::getenv("LOCKSTEP_NVRTC");
  if (chosen != nullptr && *chosen != '\0') return {chosen};
  std::vector<std::string> found(std::begin(kNames), std::end(kNames));
  for (const char* folder : kSystemFolders) add_existing(found, folder);
  for (const std::string& packages : site_packages()) {
    for (const char* folder : kPackageFolders) add_existing(found, std::filesystem::path(packages) / folder);
  }
  return found;
}

Expected<NvrtcFacts, Status> query_nvrtc() {
  if (is_hidden("nvrtc")) return Unexpected{not_found()};
  const std::optional<SharedLibrary> library = SharedLibrary::open(nvrtc_candidates());
  if (!library) return Unexpected{not_found()};
  cuda::NvrtcVersion* version = nullptr;
  NvrtcFacts facts;
  facts.path = library->path();
  if (!library->find("nvrtcVersion", version) || version(&facts.major, &facts.minor) != cuda::kSuccess) {
    return Unexpected{Status{"LS3026", "the library " + facts.path + " does not answer as NVRTC does",
                             "set LOCKSTEP_NVRTC to another one"}};
  }
  return facts;
}

}  // namespace lockstep::backend_cuda
