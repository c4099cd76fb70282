// In the static `lockstep` instead of the C library's: a program without a loader opens no library, so no GPU and no NVRTC is found.
// glibc's own would bring a second C library into the process.
#include <dlfcn.h>
#include <link.h>

extern "C" {

void* dlopen(const char* /*file*/, int /*mode*/) { return nullptr; }
void* dlsym(void* /*handle*/, const char* /*name*/) { return nullptr; }
int dlclose(void* /*handle*/) { return -1; }
int dlinfo(void* /*handle*/, int /*request*/, void* /*info*/) { return -1; }

}  // extern "C"
