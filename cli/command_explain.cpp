#include <algorithm>
#include <cctype>
#include <cstdio>
#include <string>

#include "cli/commands.h"
#include "cli/error_pages.h"

namespace lockstep::cli {
namespace {

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

}  // namespace

ExitCode run_command(const ExplainOptions& options) {
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

}  // namespace lockstep::cli
