// A guess about a kernel's parameters from its text, without types and without a run: which are pointers and how they
// are accessed, which numbers bound an index, which are strides, what a grid's axes count. Invariant: only a guess,
// from names and the form of expressions; no result depends on it, and every text that shows it calls it one.
#pragma once

#include <optional>
#include <string>

#include "frontend/compile.h"
#include "frontend/kernel_facts.h"

namespace lockstep::frontend {

/// nullopt: the file cannot be read as Python.
std::optional<KernelReading> read_kernel_text(const std::string& path, const KernelInfo& kernel);

}  // namespace lockstep::frontend
