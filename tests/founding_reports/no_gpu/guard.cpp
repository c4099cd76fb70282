// A preloaded library that hides GPU software: dlopen of a CUDA library and open of a GPU device fail and are recorded,
// one line each, in the file named by GUARD_LOG. It guards nothing that is linked at build time; hidden.sh looks at
// those with ldd.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace {

bool is_gpu_name(const char* name) {
  if (name == nullptr) {
    return false;
  }
  for (const char* part : {"libcuda", "libnvrtc", "libnvidia", "libcudart", "libhip", "/dev/nvidia"}) {
    if (std::strstr(name, part) != nullptr) {
      return true;
    }
  }
  return false;
}

void record(const char* name) {
  using Open = int (*)(const char*, int, ...);
  static const Open real_open = reinterpret_cast<Open>(dlsym(RTLD_NEXT, "open"));
  const char* log = std::getenv("GUARD_LOG");
  const int file = log == nullptr ? -1 : real_open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (file >= 0 && (write(file, name, std::strlen(name)) < 0 || write(file, "\n", 1) < 0)) {
    std::abort();
  }
  close(file);
}

int guarded_open(const char* symbol, const char* path, int flags, mode_t mode) {
  if (is_gpu_name(path)) {
    record(path);
    errno = ENOENT;
    return -1;
  }
  using Open = int (*)(const char*, int, ...);
  return reinterpret_cast<Open>(dlsym(RTLD_NEXT, symbol))(path, flags, mode);
}

}  // namespace

extern "C" {

void* dlopen(const char* name, int flags) {
  if (is_gpu_name(name)) {
    record(name);
    return nullptr;
  }
  using Dlopen = void* (*)(const char*, int);
  return reinterpret_cast<Dlopen>(dlsym(RTLD_NEXT, "dlopen"))(name, flags);
}

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return guarded_open("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return guarded_open("open64", path, flags, mode);
}

}  // extern "C"
