// Commands that the Python package answers: `lockstep campaign`, `lockstep judge`, `lockstep mcp`, `lockstep model`, `lockstep stages`.
// The process becomes a Python that has the package; LOCKSTEP_PYTHON names it.
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

namespace fs = std::filesystem;

// Ends with 3 and the reason where this Python cannot import the package, its extension included.
constexpr const char* kBootstrap = R"(
import importlib
import sys
module, what = sys.argv[1:3]
try:
    from lockstep import _native
    main = importlib.import_module(module).main
except ImportError as error:
    sys.stderr.write(f"error: {sys.executable} has no Python package `lockstep` to run {what} with: {error} [LS3030]\n"
                     "hint: pip install triton-lockstep there, or name another Python with LOCKSTEP_PYTHON\n")
    sys.exit(3)
sys.exit(main(sys.argv[3:]))
)";

/// The package that a build stages next to the command comes first, so that both are from one build, and the package
/// finds this command.
void use_staged_package() {
  std::error_code error;
  const fs::path command = fs::read_symlink("/proc/self/exe", error);
  if (error) return;
  setenv("LOCKSTEP_COMMAND", command.c_str(), 0);
  const fs::path staged = command.parent_path() / "python";
  if (!fs::exists(staged / "lockstep" / "campaign" / "__main__.py", error)) return;
  const char* given = std::getenv("PYTHONPATH");
  const std::string path = staged.string() + (given != nullptr && *given != '\0' ? ":" + std::string(given) : "");
  setenv("PYTHONPATH", path.c_str(), 1);
}

/// Calls main(words) of a module of the package. `what` runs in Python, for the error of a Python without the package.
/// Returns only if that Python cannot be started.
ExitCode run_in_package(const std::string& module, const std::string& what, const std::vector<std::string>& words) {
  const char* chosen = std::getenv("LOCKSTEP_PYTHON");
  std::string python = chosen != nullptr && *chosen != '\0' ? chosen : "python3";
  use_staged_package();
  std::vector<std::string> all{python, "-c", kBootstrap, module, what};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> pointers;
  for (std::string& word : all) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execvp(python.c_str(), pointers.data());
  return report(Status{"LS3030", what + " run in Python, and '" + python + "' cannot be started: " + std::strerror(errno),
                       "install Python with the package triton-lockstep, or name one with LOCKSTEP_PYTHON"});
}

struct WordOptions {
  std::vector<std::string> words;
};

void declare_words(OptionList&, WordOptions&) {}

ExitCode run_campaign(const WordOptions& options) {
  return run_in_package("lockstep.campaign.__main__", "campaigns", options.words);
}

ExitCode run_judge(const WordOptions& options) {
  return run_in_package("lockstep.judging.__main__", "judgements", options.words);
}

ExitCode run_mcp(const WordOptions& options) {
  return run_in_package("lockstep.mcp.__main__", "servers for agents", options.words);
}

ExitCode run_model(const WordOptions& options) {
  return run_in_package("lockstep.models.command", "compiled models", options.words);
}

ExitCode run_stages(const WordOptions& options) {
  return run_in_package("lockstep.pipeline.command", "stages", options.words);
}

}  // namespace

extern const CommandRow kCampaignCommand{
    .name = "campaign",
    .summary = "run many cases in worker processes, over axes; needs Python",
    .make = make_command<WordOptions, declare_words, run_campaign>,
    .usage = " COMMAND ...",
    .words = Words::all,
};

extern const CommandRow kJudgeCommand{
    .name = "judge",
    .summary = "decide whether a program computes what a reference computes; needs Python",
    .make = make_command<WordOptions, declare_words, run_judge>,
    .usage = " REF.py CANDIDATE.py ...",
    .words = Words::all,
};

extern const CommandRow kMcpCommand{
    .name = "mcp",
    .summary = "serve agents over the Model Context Protocol; needs Python",
    .make = make_command<WordOptions, declare_words, run_mcp>,
    .usage = " [--http PORT]",
    .words = Words::all,
};

extern const CommandRow kModelCommand{
    .name = "model",
    .summary = "judge every kernel that torch.compile writes for a model; needs Python",
    .make = make_command<WordOptions, declare_words, run_model>,
    .usage = " NAME ...",
    .words = Words::all,
};

extern const CommandRow kStagesCommand{
    .name = "stages",
    .summary = "execute what each pass of Triton makes; needs Python",
    .make = make_command<WordOptions, declare_words, run_stages>,
    .words = Words::all,
};

}  // namespace lockstep::cli
