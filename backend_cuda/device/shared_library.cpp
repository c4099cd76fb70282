#include "backend_cuda/device/shared_library.h"

#include <dlfcn.h>
#if !defined(__APPLE__)
#include <link.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <filesystem>
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

// PREFIX/lib/python3.N/{site,dist}-packages for every N there is.
void add_prefix(std::vector<std::string>& folders, const fs::path& prefix) {
  std::error_code error;
  std::vector<fs::path> versions;
  for (const auto& entry : fs::directory_iterator(prefix / "lib", error)) {
    if (entry.path().filename().string().rfind("python3", 0) == 0) versions.push_back(entry.path());
  }
  std::sort(versions.begin(), versions.end());
  for (const fs::path& version : versions) {
    add_folder(folders, version / "site-packages");
    add_folder(folders, version / "dist-packages");
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
