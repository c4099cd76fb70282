#include <algorithm>
#include <cctype>
#include <cstdio>
#include <string>

#include "cli/commands/command.h"
#include "cli/listings/error_pages.h"
#include "support/target_profile.h"

namespace lockstep::cli {
namespace {

struct ExplainOptions {
  std::string code;  // empty: list all
};

// "ls101" and "101" are as good as "LS101".
std::string normalised(const std::string& code) {
  std::string text;
  for (const char c : code) text += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text.rfind("LS", 0) == 0 ? text : "LS" + text;
}

std::string title(const ErrorPage& page) {
  const std::string_view first = page.text.substr(0, page.text.find('\n'));
  return std::string(first.substr(std::min<std::size_t>(first.size(), 2)));
}

// "sm_90": what --as decides.
bool explain_target(const std::string& name) {
  if (name.rfind("sm_", 0) != 0) return false;
  const auto profile = TargetProfile::parse(name);
  if (!profile) return false;
  std::printf("# %s: what --as decides about numbers (docs/semantics.md, S-70 to S-78)\n\n", profile->name().c_str());
  for (const ProfileFact& fact : profile->facts()) {
    std::printf("%s: %s (%s)\n", std::string(fact.topic).c_str(), std::string(fact.text).c_str(),
                fact.is_measured ? "measured on an H200" : "not measured");
  }
  return true;
}

ExitCode run_explain(const ExplainOptions& options) {
  if (explain_target(options.code)) return ExitCode::clean;
  if (options.code.empty()) {
    for (const ErrorPage& page : error_pages()) std::printf("%s\n", title(page).c_str());
    return ExitCode::clean;
  }
  const std::string code = normalised(options.code);
  for (const ErrorPage& page : error_pages()) {
    if (page.code != code) continue;
    std::fwrite(page.text.data(), 1, page.text.size(), stdout);
    return ExitCode::clean;
  }
  return report(Status{"LS2208", "there is no code '" + options.code + "'", "`lockstep explain` lists all codes"});
}

void declare_explain(OptionList& options, ExplainOptions& explain) {
  options.word("code", explain.code, "LS101, LS1203, ...; none: the list");
}

}  // namespace

extern const CommandRow kExplainCommand{
    .name = "explain",
    .summary = "what a code means, with a wrong and a right kernel",
    .make = make_command<ExplainOptions, declare_explain, run_explain>,
};

}  // namespace lockstep::cli
