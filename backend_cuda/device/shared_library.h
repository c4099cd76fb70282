// A library opened at run time by dlopen, never linked: Lockstep starts and runs without it. Also the folders where
// Python packages keep theirs. LOCKSTEP_HIDE=driver,nvrtc,toolkit makes this room behave as if the named things were
// absent (tests).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::backend_cuda {

/// True if LOCKSTEP_HIDE names `thing`.
bool is_hidden(std::string_view thing);

class SharedLibrary {
 public:
  SharedLibrary() = default;
  ~SharedLibrary();
  SharedLibrary(SharedLibrary&& other) noexcept;
  SharedLibrary& operator=(SharedLibrary&& other) noexcept;
  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;

  /// Opens the first of `names` (file names for the loader's own search, or whole paths) that can be opened.
  static std::optional<SharedLibrary> open(const std::vector<std::string>& names);
  /// The library's path from the loader, or the requested name if the loader has none.
  const std::string& path() const { return path_; }
  /// Sets `function` to the symbol's address; false if there is no such symbol.
  template <typename Function>
  bool find(const char* symbol, Function*& function) const {
    function = reinterpret_cast<Function*>(address(symbol));
    return function != nullptr;
  }

 private:
  void* address(const char* symbol) const;
  void* handle_ = nullptr;
  std::string path_;
};

/// Folders where Python packages may be installed: VIRTUAL_ENV, the prefix of `python3` on PATH, the user's and the
/// system's, each with the folders that its .pth files add. Existing folders only, in that order; Lockstep runs no Python.
std::vector<std::string> site_packages();

}  // namespace lockstep::backend_cuda
