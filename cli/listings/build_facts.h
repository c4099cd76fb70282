// Facts of this build: version, compiler, build type, toolkit. Not here: facts of the machine that it runs on
// (command_doctor.cpp).
#pragma once

#include <string>

namespace lockstep::cli {

const char* build_version();
const char* build_type();
std::string build_compiler();
/// Whether the build compared our CUDA declarations with cuda.h (LOCKSTEP_CUDA=AUTO|ON|OFF).
bool had_cuda_headers();
const char* build_cuda_version();
/// The address of the documents, ".../", set by the build (LOCKSTEP_DOCUMENTS); "": not set.
const char* documents_address();

}  // namespace lockstep::cli
