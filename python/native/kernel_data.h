// A module and a kernel of it as the Python objects share them: immutable once made, kept alive by everything that
// still names their locations (reports, diagnostics). Kernels may be launched from several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ir/module.h"
#include "python/native/parameters.h"
#include "sanitizer/core/checked_kernel.h"
#include "support/target_profile.h"

namespace lockstep::python {

struct ModuleData {
  ir::Module module;
  TargetProfile profile;
  bool is_debug = true;               // compiled with debug: a failed assertion is an error, else a warning
  int num_warps = 4, num_stages = 3;  // that it was compiled for
};

/// A parameter that the IR no longer has; monostate: None.
using KernelConstant = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

struct KernelData {
  std::shared_ptr<const ModuleData> module;
  std::string name;
  std::vector<Parameter> parameters;
  std::unique_ptr<const sanitizer::CheckedKernel> prepared;
  std::vector<bool> may_write;  // by parameter
  bool needs_all_storages = false;
  bool has_breakpoints = false;                                  // breakpoint() in it
  std::vector<std::pair<std::string, KernelConstant>> constants;  // for a debugger
};

/// One launch's report and the objects that its findings point into.
struct ReportData {
  interpreter::LaunchReport report;
  sanitizer::NotLookedFor missed;
  std::optional<CodeCoverage> code;  // nullopt: nobody asked
  std::string real;                  // JSON of enclosure/real_launch.h; empty: nobody asked, or it could not be made
  std::map<std::size_t, std::vector<FindingNote>> notes;  // that Python added, by the finding's number
  std::deque<LocationNode> places;                        // of these notes
  Report silenced;                   // findings that a comment or a baseline says are known; not among the report's
  std::array<std::int64_t, 3> grid{1, 1, 1};
  std::shared_ptr<const KernelData> kernel;
};

}  // namespace lockstep::python
