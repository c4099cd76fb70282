#include <cstdio>
#include <string>

#include "cli/commands/command.h"
#include "cli/listings/build_facts.h"
#include "driver/proving/isl.h"
#include "interpreter/kernels/dispatch.h"

namespace lockstep::cli {

namespace {

ExitCode run_version(const NoOptions&) {
  const std::string isl = driver::linked_isl();
  std::printf("lockstep %s\ncompiler: %s\nbuild: %s\ninstruction set: %s\nCUDA headers at build time: %s\nisl: %s\n",
              build_version(), build_compiler().c_str(), build_type(), interpreter::kernels::isa_name(),
              had_cuda_headers() ? build_cuda_version() : "none", isl.empty() ? "none" : isl.c_str());
  return ExitCode::clean;
}

}  // namespace

extern const CommandRow kVersionCommand{
    .name = "version",
    .summary = "same as --version",
    .make = make_command<NoOptions, declare_nothing, run_version>,
};

}  // namespace lockstep::cli
