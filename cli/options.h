// The command line as data. Only options.cpp and command_tree.cpp include CLI11; nothing here has a meaning yet beyond
// its type: commands check what the texts say.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "driver/launch/launch_spec.h"

namespace lockstep::cli {

/// A launch made on the GPU and in the interpreter.
struct DiffOptions {
  driver::LaunchSpec run;   // --against is its `expect`
  int repeats = 0;  // further launches on the GPU, timed
  bool as_json = false, spreads_sums = false;
  bool bisects = false;    // which op made what lies outside
  std::string gpu_kernel;  // FILE.ttir[::NAME] that the GPU runs instead; empty: the same kernel
  bool stands_in = false;  // the interpreter plays the GPU
};

/// Capsules, each replayed on its own.
struct ReplayOptions {
  driver::LaunchSpec run;  // without target
  std::vector<std::string> capsules;
  bool checks_only = false, lists = false, as_json = false, spreads_sums = false, debugs = false;
  std::string extract;  // a folder; empty: none
};

/// A launch under the debugger, in a terminal.
struct DebugOptions {
  driver::LaunchSpec run;
  std::vector<std::string> scripts, commands;
  bool is_batch = false;
  std::string history = "512MiB";
  std::string color = "auto";  // auto|always|never
  std::string listen;          // [HOST:]PORT; waits there for an editor instead of commands
};

/// The debugger for editors.
struct ServeOptions {
  std::string listen = "0";        // [HOST:]PORT; 0: any free port
  std::vector<std::string> words;  // the launch, as `lockstep debug` takes it
};
struct DapOptions {
  std::string listen;    // [HOST:]PORT; empty: standard input and output
  bool is_once = false;  // one client only
};

/// A run written down as a page.
struct TraceOptions {
  driver::LaunchSpec run;
  std::string html;  // the file
  std::string limit = "2MiB";
  std::string history = "512MiB";
};

struct EncloseOptions {
  driver::LaunchSpec run;  // --against is its `expect`
  bool as_json = false;
  bool checks_itself = false, spreads_sums = false;
};

struct EmitOptions {
  std::string target;
  std::string signature, attributes;   // "x=*fp32,n=i32", "x=16"
  std::vector<std::string> constants;  // NAME=VALUE
  std::string target_gpu = "sm_90";
  int num_warps = 4;
  int num_stages = 3;
  std::string format = "ttir";
  std::string stage = "ttir";  // raw|ttir
  std::string probe;           // X,Y,Z: the values of this program are written out, as `diff --bisect` has it
  bool with_locations = false;
  bool debug = false;       // asserts and overflow checks stay, as under triton.jit(debug=True)
  bool is_generic = false;  // every op in MLIR's generic form
  bool lists = false;       // the file's kernels instead
  std::optional<std::size_t> config;
  std::set<std::string> given;  // of --num-warps, --num-stages
  std::vector<std::string> globals;
  std::vector<std::string> search_path;
};

/// What is wrong with kernels as far as it can be said without types.
struct CheckLanguageOptions {
  std::vector<std::string> targets;  // FILE.py, a folder or a package, each
  std::string target_gpu = "sm_90";
  std::vector<std::string> globals;  // NAME=VALUE
  std::vector<std::string> search_path;
  bool as_json = false;
};

struct ExplainOptions {
  std::string code;  // empty: list all
};
struct OpsOptions {
  std::string name;     // one op; empty: all
  std::string version;  // of Triton, for lists_missing; empty: 3.6 and later
  bool lists_missing = false, as_json = false, as_markdown = false;
};
/// What the Python package's command reads.
struct CampaignOptions {
  std::vector<std::string> words;
};
struct DoctorOptions {
  bool clears_cache = false;
};
struct VersionOptions {};
/// For installation; not in the help.
struct CompletionsOptions {
  std::string shell;  // bash|zsh|fish
};
struct ManOptions {};

using Command = std::variant<driver::LaunchSpec, DiffOptions, ReplayOptions, EncloseOptions, DebugOptions, DapOptions,
                             ServeOptions, TraceOptions, EmitOptions, CheckLanguageOptions, ExplainOptions, OpsOptions,
                             CampaignOptions, DoctorOptions, VersionOptions, CompletionsOptions, ManOptions>;

/// Parses the command line and sets the log level. An int: help was printed (0) or the usage is wrong (2, said on
/// standard error).
std::variant<Command, int> parse_command_line(int argc, const char* const* argv);

}  // namespace lockstep::cli
