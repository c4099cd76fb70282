#include "cli/listings/build_facts.h"

#include "generated_build_facts.h"

namespace lockstep::cli {

const char* build_version() { return LOCKSTEP_BUILD_VERSION; }
const char* build_type() { return LOCKSTEP_BUILD_TYPE; }
std::string build_compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#elif defined(__GNUC__)
  return "g++ " __VERSION__;
#else
  return "unknown";
#endif
}
bool had_cuda_headers() { return LOCKSTEP_BUILD_CUDA_HEADERS != 0; }
const char* build_cuda_version() { return LOCKSTEP_BUILD_CUDA_VERSION; }
const char* documents_address() { return LOCKSTEP_BUILD_DOCUMENTS; }

}  // namespace lockstep::cli
