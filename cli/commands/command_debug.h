// The options of `lockstep debug`, for commands that end in it.
#pragma once

#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "driver/launch/launch_spec.h"

namespace lockstep::cli {

struct DebugOptions {
  driver::LaunchSpec run;
  std::vector<std::string> scripts, commands;
  bool is_batch = false;
  std::string history = "512MiB";
  std::string color = "auto";  // auto|always|never
  std::string listen;          // [HOST:]PORT; waits there for an editor instead of commands
};

ExitCode run_debug(const DebugOptions& options);

}  // namespace lockstep::cli
