// What was true when this program was built: version, compiler, build type, toolkit. What is true of the machine it
// runs on is command_doctor.cpp's business.
#pragma once

#include <string>

namespace lockstep::cli {

const char* build_version();
const char* build_type();
std::string build_compiler();
/// Whether our CUDA declarations were checked against cuda.h at build time (LOCKSTEP_CUDA=AUTO|ON|OFF).
bool had_cuda_headers();
const char* build_cuda_version();
/// Where the documents are served, ".../", by whoever built this (LOCKSTEP_DOCUMENTS); "": nobody has said.
const char* documents_address();

}  // namespace lockstep::cli
