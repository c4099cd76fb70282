// Chooses the instruction set of the vector kernels once per process: the widest of x86-64-v4, v3, v2 that the
// processor has, or the one named by the environment variable LOCKSTEP_ISA (v2, v3, v4, auto). A named one that the
// processor lacks, or an unknown name, gives a warning and the widest possible one. Not here: what the kernels compute.
#pragma once

#include <string_view>

#include "interpreter/kernels/ops.h"

namespace lockstep::interpreter::kernels {

/// The table in use.
const Table& table();
/// "v4", "v3", "v2" ("base" on other processors).
const char* isa_name();
/// The table of one instruction set; null when it is not built in or this processor cannot run it. For tests and
/// benchmarks.
const Table* table_of(std::string_view name);

}  // namespace lockstep::interpreter::kernels
