// What this machine has and what each thing enables. The only command that opens GPU libraries without a launch.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
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

constexpr const char* kPackageEnables = "`import lockstep`, `python -m lockstep`, `pytest --lockstep`, campaigns";

enum class Mark : std::uint8_t { works, missing, optional };

bool speaks_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view text(value);
    return text.find("UTF-8") != std::string_view::npos || text.find("utf8") != std::string_view::npos ||
           text.find("UTF8") != std::string_view::npos || text.find("utf-8") != std::string_view::npos;
  }
  return false;
}

/// The mark of a thing that works, that is wrong, or that is missing and optional.
std::string mark_text(Mark mark) {
  static const bool is_utf8 = speaks_utf8(), has_color = use_color(STDOUT_FILENO);
  const std::string text = mark == Mark::works     ? (is_utf8 ? "\u2713" : "+")
                           : mark == Mark::missing ? (is_utf8 ? "\u2717" : "x")
                                                   : "-";
  const char* color = mark == Mark::works ? "32" : mark == Mark::missing ? "31" : "2";
  return has_color ? std::string("\033[") + color + "m" + text + "\033[0m" : text;
}

void print_heading(const char* text) {
  std::printf(use_color(STDOUT_FILENO) ? "\033[1m%s\033[0m\n" : "%s\n", text);
}

void print_row(Mark mark, const char* what, const std::string& found, const std::string& enables) {
  std::printf("%s %-14s %s\n", mark_text(mark).c_str(), what, found.c_str());
  if (!enables.empty()) std::printf("  %-14s   %s\n", "", enables.c_str());
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
  print_row(Mark::works, "processor", processor_name() + ", " + cores + " threads",
            std::string("kernels run with the vector loops '") + interpreter::kernels::isa_name() +
                "' (LOCKSTEP_ISA chooses others)");
}

void print_memory() {
  const double bytes = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GiB", bytes / (1024.0 * 1024.0 * 1024.0));
  print_row(Mark::works, "memory", text, "tensors and tiles; `run --max-memory` sets a bound");
}

void print_toolkit() {
  const bool is_there = had_cuda_headers() && !backend_cuda::is_hidden("toolkit");
  print_row(is_there ? Mark::works : Mark::optional, "CUDA headers",
            is_there ? std::string(build_cuda_version()) + ", when Lockstep was built" : "none when Lockstep was built",
            is_there ? "Lockstep's CUDA declarations were compared with cuda.h"
                     : "nothing is missing: Lockstep uses its own declarations");
}

void print_nvrtc() {
  const auto nvrtc = backend_cuda::query_nvrtc();
  if (!nvrtc) return print_row(Mark::optional, "NVRTC", nvrtc.error().text(), nvrtc.error().hint);
  print_row(Mark::works, "NVRTC", std::to_string(nvrtc->major) + "." + std::to_string(nvrtc->minor) + "  " + nvrtc->path,
            "`emit --to ptx|cubin` and `diff` compile CUDA C++ with it");
}

void print_driver() {
  const auto driver = backend_cuda::open_driver();
  if (!driver)
    return print_row(Mark::optional, "GPU driver", driver.error().text(), driver.error().hint);
  const backend_cuda::DriverFacts& facts = (*driver)->facts;
  std::string text = "CUDA " + std::to_string(facts.version / 1000) + "." + std::to_string(facts.version % 1000 / 10);
  for (const backend_cuda::DeviceFacts& device : facts.devices) {
    text += ", " + device.name + " (sm_" + std::to_string(device.major) + std::to_string(device.minor) + ")";
  }
  print_row(Mark::works, "GPU driver", text, "`lockstep diff` uses the first of them");
}

void print_cache() {
  const auto cache = backend_cuda::KernelCache::from_environment();
  if (!cache) return print_row(Mark::optional, "kernel cache", "off", "Lockstep compiles every kernel again (LOCKSTEP_CACHE_DIR)");
  const backend_cuda::CacheFacts facts = cache->facts();
  print_row(Mark::works, "kernel cache",
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

std::string joined(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& one : all) text += (text.empty() ? "" : ", ") + one;
  return text;
}

void print_package(Mark absent, const char* label, const std::string& package, const std::string& enables,
                   const std::string& remedy) {
  const std::vector<std::string> folders = backend_cuda::site_packages();
  for (const std::string& folder : folders) {
    const std::string version = package_version(folder, package);
    if (!version.empty()) return print_row(Mark::works, label, version + "  " + folder, enables);
  }
  print_row(absent, label, "not found in " + (folders.empty() ? "any folder of packages" : joined(folders)), remedy);
}

std::string program_path() {
  std::error_code error;
  const fs::path path = fs::read_symlink("/proc/self/exe", error);
  return error ? "lockstep" : path.string();
}

/// Where the Python package is: on PYTHONPATH, else installed.
void print_python_package() {
  const char* given = std::getenv("PYTHONPATH");
  std::string_view rest = given == nullptr ? "" : given;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const fs::path folder(rest.substr(0, end));
    std::error_code error;
    if (fs::exists(folder / "lockstep" / "__init__.py", error))
      return print_row(Mark::works, "package", "on PYTHONPATH  " + folder.string(), kPackageEnables);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  print_package(Mark::missing, "package", "triton_lockstep", kPackageEnables,
                "only `import lockstep`, pytest and campaigns need it; an activated environment comes first");
}

std::string found_on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const fs::path file = fs::path(rest.substr(0, end)) / program;
    if (access(file.c_str(), X_OK) == 0) return file.string();
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return "";
}

/// Whether the extension of VS Code, or of an editor built from it, is installed.
bool has_extension() {
  const char* home = std::getenv("HOME");
  if (home == nullptr) return false;
  for (const char* folder : {".vscode", ".vscode-server", ".vscode-oss", ".cursor"}) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(fs::path(home) / folder / "extensions", error)) {
      if (entry.path().filename().string().find("lockstep") != std::string::npos) return true;
    }
  }
  return false;
}

void print_editors() {
  std::vector<std::string> found;
  for (const char* program : {"code", "codium", "cursor", "nvim", "emacs"}) {
    if (const std::string path = found_on_path(program); !path.empty()) found.push_back(path);
  }
  if (has_extension()) found.emplace_back("the VS Code extension");
  print_row(found.empty() ? Mark::optional : Mark::works, "editors",
            found.empty() ? "no VS Code, Neovim or Emacs on PATH" : joined(found),
            found.empty() ? "`lockstep serve` opens the debugger in a browser instead"
                          : "they debug by `lockstep dap` (docs/editors.md)");
}

ExitCode run_doctor(const DoctorOptions& options) {
  if (options.clears_cache) {
    clear_cache();
    return ExitCode::clean;
  }
  print_heading("Lockstep");
  print_row(Mark::works, "command", std::string(build_version()) + "  " + program_path(),
            "runs, checks and debugs kernels; needs nothing below");
  print_python_package();
  print_package(Mark::optional, "pytest", "pytest", "`pytest --lockstep` runs tests of kernels, with the package",
                "`pytest --lockstep` needs it");
  print_package(Mark::optional, "Triton", "triton", "scripts and tests run unchanged, with the package",
                "Triton is optional: files with kernels run without it");
  print_package(Mark::optional, "torch", "torch", "kernels take its CPU tensors; `python -m lockstep` runs its CUDA scripts",
                "torch is optional: kernels take NumPy arrays, too");
  print_editors();
  print_heading("GPU (optional)");
  print_driver();
  print_nvrtc();
  print_toolkit();
  print_cache();
  print_heading("Machine");
  print_processor();
  print_memory();
  const TargetProfile profile;
  print_row(Mark::works, "target", profile.name() + " (--as chooses another)",
            "`lockstep explain " + profile.name() + "` prints its rules for numbers");
  return ExitCode::clean;
}

void declare_doctor(OptionList& options, DoctorOptions& doctor) {
  options.flag("--clear-cache", doctor.clears_cache, "only remove compiled kernels from the disk");
}

}  // namespace

extern const CommandRow kDoctorCommand{
    .name = "doctor",
    .summary = "check what works on this machine, and list where it searched",
    .make = make_command<DoctorOptions, declare_doctor, run_doctor>,
};

}  // namespace lockstep::cli
