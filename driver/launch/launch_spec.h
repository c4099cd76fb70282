// LaunchSpec: a launch and its options, as given texts and numbers. Nothing here has a meaning beyond its type:
// PreparedLaunch reports errors. Which options set which field: driver/options/launch_options.cpp. Not here: options of
// a single command (cli/commands).
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sanitizer/core/check_options.h"
#include "support/diagnostics/diagnostic.h"

namespace lockstep::driver {

struct LaunchSpec {
  std::string target;  // FILE.py[::KERNEL], FILE.ttir[::NAME] or FILE.capsule
  std::string grid;
  std::string only;                    // X,Y,Z;...; empty: all programs
  std::string bounds;                  // storage|view; empty: storage for a capsule, else view
  std::set<std::string> given;         // of --as, --num-warps, --num-stages: what a capsule does not decide
  std::vector<std::string> arguments;  // NAME=VALUE
  std::uint64_t seed = 0;
  std::vector<std::string> save, expect;  // NAME=@PATH
  std::vector<std::string> print;         // NAME
  std::optional<double> rtol, atol;
  std::optional<std::int64_t> ulp;
  std::string fail_on = "error";     // error|warning|info|none
  std::vector<std::string> reports;  // FORMAT[=FILE]
  std::string baseline;              // FILE; empty: none
  std::string check = "default";     // of sanitizer/core/registry.cpp
  sanitizer::CheckOptions checks;    // what options set of it; the rest is checks_of()'s
  std::string memory_model = "tile", triton = "3.6";
  std::uint64_t resident = 0;             // programs that have room at once; 0: any number
  double timeout_seconds = 0;  // 0: none
  std::string max_memory;      // "2GiB"; empty: none
  unsigned threads = 0;        // 0: all cores
  bool profile = false;        // time by source line and op
  bool cover = false;          // which lines, branch outcomes and mask outcomes were seen
  bool real = false;           // what the results would be without rounding
  std::vector<std::string> depends;  // NAME[INDEX]: which elements of arguments this one is made of
  std::string trace;           // FILE.json; empty: none
  std::string target_gpu = "sm_90";
  std::string fp_fusion = "off";  // on|off
  bool bits = false;              // the GPU's own, with contraction
  bool debug = false;             // overflow checks of integers
  int num_warps = 4;
  int num_stages = 3;
  int num_ctas = 1;  // blocks of a cluster, of Gluon kernels
  std::optional<std::size_t> config;  // of @triton.autotune; none: the first, for what is not given
  std::vector<std::string> globals;   // NAME=VALUE
  std::vector<std::string> search_path;
};

/// The checks of a launch. `checkers`: --check's words. nullopt: diagnosed (LS1911, LS1912).
std::optional<sanitizer::CheckOptions> checks_of(const LaunchSpec& spec, std::string_view checkers,
                                                 DiagnosticSink& sink);

}  // namespace lockstep::driver
