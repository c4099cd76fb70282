// What the text of a kernel says of its parameters, without types and without a run: which are pointers and what their
// accesses look like, which numbers bound an index, which are strides, what a grid's axes count. Invariant: it is a
// guess, made from names and the shape of expressions; nothing is computed with it, and who shows it says so.
#pragma once

#include <optional>
#include <string>

#include "frontend/compile.h"
#include "frontend/kernel_facts.h"

namespace lockstep::frontend {

/// nullopt: the file cannot be read as Python.
std::optional<KernelReading> read_kernel_text(const std::string& path, const KernelInfo& kernel);

}  // namespace lockstep::frontend
