// The kernel of a command: FILE.py::KERNEL, FILE.ttir::NAME, the file alone when it has exactly one, or FILE.capsule.
// Errors: LS2201 no such kernel or several, LS2202 another kind of file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "frontend/compile.h"
#include "ir/module.h"
#include "support/diagnostics/report_status.h"
#include "support/diagnostics/status.h"
#include "support/result.h"

namespace lockstep::driver {

struct KernelTarget {
  enum class Kind : std::uint8_t { python, ttir, capsule } kind = Kind::python;
  std::string path;
  std::string kernel;  // empty: the file's only one
};

Expected<KernelTarget, Status> parse_target(const std::string& text);

/// The kernel that `target` names among those of its Python file. nullopt: diagnosed.
std::optional<frontend::KernelInfo> choose_kernel(const KernelTarget& target, DiagnosticSink& sink);

/// Reads, parses and verifies a .ttir file. nullopt: diagnosed.
std::optional<ir::Module> load_ttir(const std::string& path, DiagnosticSink& sink);
/// The same for a text in memory.
std::optional<ir::Module> parse_ttir(const SourceFilePtr& file, DiagnosticSink& sink);
/// The kernel that `target` names in a module read by load_ttir(). Null: diagnosed.
const ir::Op* choose_function(const KernelTarget& target, const ir::Module& module, DiagnosticSink& sink);

}  // namespace lockstep::driver
