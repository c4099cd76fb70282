// What Triton refuses to build as an encoding. Everything that any version from 3.6 to 3.9 accepts is accepted, but for
// sizes that no tensor has (a layout of more than 2^31 elements).
// Source: the `verify` functions of Dialect.cpp (TritonGPU, TritonNvidiaGPU) of Triton 3.6 and 3.9.
#pragma once

#include <optional>
#include <string>

#include "ir/layouts/encoding.h"

namespace lockstep::ir {

struct EncodingFault {
  std::string message;
  std::string hint;
};

/// What is wrong with it (LS1131), nullopt: nothing. Parents are taken to be right.
std::optional<EncodingFault> find_encoding_fault(const EncodingParameters& parameters);

}  // namespace lockstep::ir
