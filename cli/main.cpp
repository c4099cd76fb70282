// The `lockstep` command. The only place where exceptions end: a defect of Lockstep is exit code 70, no memory is 5.
#include <cstdio>
#include <exception>
#include <new>
#include <variant>

#include "cli/command_line.h"

namespace {

using lockstep::cli::ExitCode;

int run(int argc, const char* const* argv) {
  const auto parsed = lockstep::cli::parse_command_line(argc, argv);
  if (const int* code = std::get_if<int>(&parsed)) return *code;
  const ExitCode code = std::get<std::unique_ptr<lockstep::cli::Command>>(parsed)->run();
  return std::fflush(stdout) == 0 ? static_cast<int>(code) : static_cast<int>(ExitCode::environment);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("lockstep: stopped: out of memory\n", stderr);
    return static_cast<int>(ExitCode::stopped);
  } catch (const std::exception& error) {
    std::fprintf(stderr,
                 "lockstep: a defect of Lockstep, not of your kernel: %s\n"
                 "Please report it with the command line, the kernel and `lockstep --version`.\n",
                 error.what());
    return static_cast<int>(ExitCode::defect);
  }
}
