// Checks of a file's kernels without the types of their arguments: constructs that Triton does not compile, names of
// triton.language that do not exist, module-level names that kernels may not use or that need --global, calls that fit
// no signature, and unsupported constructs. Executes and lowers nothing. It checks a branch under a condition of
// module-level constants only if it is taken, and a branch that depends on a parameter always: an error there is one if
// a launch takes it. It never calls a kernel right.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/compile.h"
#include "support/diagnostics/diagnostic.h"

namespace lockstep::frontend {

struct LanguageRequest {
  std::string path;
  std::map<std::string, ConstantValue> globals;
  std::vector<std::string> search_path;
  std::string target = "sm_90";
};

/// A @triton.jit function. Fine without problems; not supported if all of them are Severity::unsupported.
struct CheckedFunction {
  std::string name;
  std::uint32_t line = 0;
  std::vector<Diagnostic> problems;
};

/// The functions of the file in their order. nullopt: the file is unreadable or does not parse (diagnosed).
std::optional<std::vector<CheckedFunction>> check_language(const LanguageRequest& request, DiagnosticSink& sink);

}  // namespace lockstep::frontend
