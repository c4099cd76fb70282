#include "backend_cuda/device/shared_library.h"

#include <dlfcn.h>
#if !defined(__APPLE__)
#include <link.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

namespace lockstep::backend_cuda {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

void add_folder(std::vector<std::string>& folders, const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return;
  if (std::find(folders.begin(), folders.end(), path.string()) == folders.end()) folders.push_back(path.string());
}

/// The folders that the folder's .pth files add to Python's search path, as `site` does. Lines that Python would execute
/// are left out.
void add_listed(std::vector<std::string>& folders, const fs::path& packages) {
  std::error_code error;
  std::vector<fs::path> lists;
  for (const auto& entry : fs::directory_iterator(packages, error)) {
    if (entry.path().extension() == ".pth" && entry.is_regular_file(error)) lists.push_back(entry.path());
  }
  std::sort(lists.begin(), lists.end());
  for (const fs::path& list : lists) {
    std::ifstream file(list);
    std::string line;
    while (std::getline(file, line)) {
      line.erase(line.find_last_not_of(" \t\r") + 1);
      const bool is_code = line.starts_with("import ") || line.starts_with("import\t");
      if (!line.empty() && line.front() != '#' && !is_code) add_folder(folders, (packages / line).lexically_normal());
    }
  }
}

void add_packages(std::vector<std::string>& folders, const fs::path& packages) {
  add_folder(folders, packages);
  add_listed(folders, packages);
}

// PREFIX/lib/python3.N/{site,dist}-packages for every N there is.
void add_prefix(std::vector<std::string>& folders, const fs::path& prefix) {
  std::error_code error;
  std::vector<fs::path> versions;
  for (const auto& entry : fs::directory_iterator(prefix / "lib", error)) {
    if (entry.path().filename().string().rfind("python3", 0) == 0) versions.push_back(entry.path());
  }
  std::sort(versions.begin(), versions.end());
  for (const fs::path& version : versions) {
    add_packages(folders, version / "site-packages");
    add_packages(folders, version / "dist-packages");
  }
}

}  // namespace

bool is_hidden(std::string_view thing) {
  const std::vector<std::string> hidden = split(environment("LOCKSTEP_HIDE"), ',');
  return std::find(hidden.begin(), hidden.end(), thing) != hidden.end();
}

SharedLibrary::~SharedLibrary() {
  if (handle_ != nullptr) dlclose(handle_);
}
SharedLibrary::SharedLibrary(SharedLibrary&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)), path_(std::move(other.path_)) {}
SharedLibrary& SharedLibrary::operator=(SharedLibrary&& other) noexcept {
  std::swap(handle_, other.handle_);
  std::swap(path_, other.path_);
  return *this;
}

std::optional<SharedLibrary> SharedLibrary::open(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    SharedLibrary library;
    library.handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library.handle_ == nullptr) continue;
    library.path_ = name;
#if !defined(__APPLE__)
    struct link_map* map = nullptr;
    if (dlinfo(library.handle_, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr && *map->l_name != '\0') {
      library.path_ = map->l_name;
    }
#endif
    return library;
  }
  return std::nullopt;
}

void* SharedLibrary::address(const char* symbol) const { return handle_ == nullptr ? nullptr : dlsym(handle_, symbol); }

std::vector<std::string> site_packages() {
  std::vector<std::string> folders;
  const std::string active = environment("VIRTUAL_ENV");
  if (!active.empty()) add_prefix(folders, active);
  for (const std::string& folder : split(environment("PATH"), ':')) {
    std::error_code error;
    if (!fs::exists(fs::path(folder) / "python3", error)) continue;
    add_prefix(folders, fs::path(folder).parent_path());
    break;
  }
  const std::string home = environment("HOME");
  if (!home.empty()) add_prefix(folders, fs::path(home) / ".local");
  add_prefix(folders, "/usr/local");
  add_prefix(folders, "/usr");
  return folders;
}

}  // namespace lockstep::backend_cuda
