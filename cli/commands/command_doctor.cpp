// What is on this machine and what each thing enables. The only command that opens GPU libraries on its own account.
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "backend_cuda/device/cache.h"
#include "backend_cuda/device/driver.h"
#include "backend_cuda/device/nvrtc.h"
#include "backend_cuda/device/shared_library.h"
#include "cli/commands/command.h"
#include "cli/listings/build_facts.h"
#include "driver/words/quantities.h"
#include "interpreter/kernels/dispatch.h"
#include "support/target_profile.h"

namespace lockstep::cli {
namespace {

struct DoctorOptions {
  bool clears_cache = false;
};

namespace fs = std::filesystem;

void print_row(const char* what, const std::string& found, const std::string& enables) {
  std::printf("%-14s %s\n%-14s   %s\n", what, found.c_str(), "", enables.c_str());
}

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    const std::size_t colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

void print_processor() {
  const std::string cores = std::to_string(std::thread::hardware_concurrency());
  print_row("processor", processor_name() + ", " + cores + " threads",
            std::string("kernels run with the vector loops '") + interpreter::kernels::isa_name() +
                "' (LOCKSTEP_ISA chooses others)");
}

void print_memory() {
  const double bytes = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GiB", bytes / (1024.0 * 1024.0 * 1024.0));
  print_row("memory", text, "tensors and tiles; `run --max-memory` sets a bound");
}

void print_toolkit() {
  const bool is_there = had_cuda_headers() && !backend_cuda::is_hidden("toolkit");
  print_row("CUDA headers",
            is_there ? std::string(build_cuda_version()) + ", when Lockstep was built" : "none when Lockstep was built",
            is_there ? "Lockstep's CUDA declarations were compared with cuda.h"
                     : "nothing is missing: Lockstep uses its own declarations");
}

void print_nvrtc() {
  const auto nvrtc = backend_cuda::query_nvrtc();
  if (!nvrtc) return print_row("NVRTC", nvrtc.error().text(), nvrtc.error().hint);
  print_row("NVRTC", std::to_string(nvrtc->major) + "." + std::to_string(nvrtc->minor) + "  " + nvrtc->path,
            "`emit --to ptx|cubin` and `diff` compile CUDA C++ with it");
}

void print_driver() {
  const auto driver = backend_cuda::open_driver();
  if (!driver)
    return print_row("GPU driver", driver.error().text(), driver.error().hint);
  const backend_cuda::DriverFacts& facts = (*driver)->facts;
  std::string text = "CUDA " + std::to_string(facts.version / 1000) + "." + std::to_string(facts.version % 1000 / 10);
  for (const backend_cuda::DeviceFacts& device : facts.devices) {
    text += ", " + device.name + " (sm_" + std::to_string(device.major) + std::to_string(device.minor) + ")";
  }
  print_row("GPU driver", text, "`lockstep diff` launches on the first of them");
}

void print_cache() {
  const auto cache = backend_cuda::KernelCache::from_environment();
  if (!cache) return print_row("kernel cache", "off", "every kernel is compiled again (LOCKSTEP_CACHE_DIR)");
  const backend_cuda::CacheFacts facts = cache->facts();
  print_row("kernel cache",
            driver::format_count(facts.entries, "kernel") + ", " + driver::format_bytes(facts.bytes) + " of " +
                driver::format_bytes(cache->limit()) + "  " + cache->folder().string(),
            "compiled GPU code is kept there (LOCKSTEP_CACHE_DIR, LOCKSTEP_CACHE_BYTES); `doctor --clear-cache`");
}

void clear_cache() {
  const auto cache = backend_cuda::KernelCache::from_environment();
  const auto removed = cache ? cache->clear() : backend_cuda::CacheFacts{};
  std::printf("removed %s (%s)%s\n", driver::format_count(removed.entries, "compiled kernel").c_str(),
              driver::format_bytes(removed.bytes).c_str(), cache ? (" from " + cache->folder().string()).c_str() : "");
}

// Version of an installed Python package by the name of its metadata folder ("triton-3.6.0.dist-info"); empty if
// absent.
std::string package_version(const std::string& folder, const std::string& package) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const std::size_t end = name.rfind(".dist-info");
    if (end == std::string::npos || name.rfind(package + "-", 0) != 0) continue;
    return name.substr(package.size() + 1, end - package.size() - 1);
  }
  return "";
}

void print_package(const char* label, const std::string& package, const std::string& enables) {
  for (const std::string& folder : backend_cuda::site_packages()) {
    const std::string version = package_version(folder, package);
    if (!version.empty()) return print_row(label, version + "  " + folder, enables);
  }
  print_row(label, "not found", "Lockstep runs without it; only the tests compare with it");
}

// What --as changes. The profile is the default one; the others are in docs/semantics.md.
void print_profile() {
  const TargetProfile profile;
  print_row("target", profile.name() + " (--as chooses another)", "numbers follow these rules:");
  for (const ProfileFact& fact : profile.facts()) {
    std::printf("%-14s   %s: %s (%s)\n", "", std::string(fact.topic).c_str(), std::string(fact.text).c_str(),
                fact.is_measured ? "measured on an H200" : "not measured");
  }
}

ExitCode run_doctor(const DoctorOptions& options) {
  if (options.clears_cache) {
    clear_cache();
    return ExitCode::clean;
  }
  print_processor();
  print_memory();
  print_profile();
  print_toolkit();
  print_nvrtc();
  print_driver();
  print_cache();
  print_package("Triton", "triton", "the tests compare with it; `lockstep` itself never loads it");
  print_package("torch", "torch", "the tests take references from it; `lockstep` itself never loads it");
  return ExitCode::clean;
}

void declare_doctor(OptionList& options, DoctorOptions& doctor) {
  options.flag("--clear-cache", doctor.clears_cache, "remove compiled kernels from the disk, and nothing else");
}

}  // namespace

extern const CommandRow kDoctorCommand{
    .name = "doctor",
    .summary = "what this machine has and what each thing enables",
    .make = make_command<DoctorOptions, declare_doctor, run_doctor>,
};

}  // namespace lockstep::cli
