// `lockstep campaign`: runs the Python package's command, in a Python that has the package. The process becomes that
// Python.
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "cli/commands/command.h"

namespace lockstep::cli {
namespace {

struct CampaignOptions {
  std::vector<std::string> words;
};

namespace fs = std::filesystem;

// Ends with 3 and the reason where this Python cannot import the package, its extension included.
constexpr const char* kBootstrap = R"(
import sys
try:
    from lockstep import _native
    from lockstep.campaign.__main__ import main
except ImportError as error:
    sys.stderr.write(f"error: {sys.executable} has no Python package `lockstep` to run campaigns with: {error} [LS3030]\n"
                     "hint: pip install triton-lockstep there, or name another Python with LOCKSTEP_PYTHON\n")
    sys.exit(3)
sys.exit(main(sys.argv[1:]))
)";

/// The package that a build stages next to the command comes first, so that both are from one build.
void use_staged_package() {
  std::error_code error;
  const fs::path staged = fs::read_symlink("/proc/self/exe", error).parent_path() / "python";
  if (error || !fs::exists(staged / "lockstep" / "campaign" / "__main__.py", error)) return;
  const char* given = std::getenv("PYTHONPATH");
  const std::string path = staged.string() + (given != nullptr && *given != '\0' ? ":" + std::string(given) : "");
  setenv("PYTHONPATH", path.c_str(), 1);
}

ExitCode run_campaign(const CampaignOptions& options) {
  const char* chosen = std::getenv("LOCKSTEP_PYTHON");
  std::string python = chosen != nullptr && *chosen != '\0' ? chosen : "python3";
  use_staged_package();
  std::vector<std::string> words{python, "-c", kBootstrap};
  words.insert(words.end(), options.words.begin(), options.words.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execvp(python.c_str(), pointers.data());
  return report(Status{"LS3030",
                       "campaigns run in Python, and '" + python + "' cannot be started: " + std::strerror(errno),
                       "install Python with the package triton-lockstep, or name one with LOCKSTEP_PYTHON"});
}

void declare_campaign(OptionList&, CampaignOptions&) {}

}  // namespace

extern const CommandRow kCampaignCommand{
    .name = "campaign",
    .summary = "run many cases in worker processes, over axes; needs Python",
    .make = make_command<CampaignOptions, declare_campaign, run_campaign>,
    .usage = " COMMAND ...",
    .words = Words::all,  // its words, --help too, are read by the Python package
};

}  // namespace lockstep::cli
