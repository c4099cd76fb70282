// What the ops of TTIR are and how exactly each is computed: the rows, printed.
#include <cstdio>
#include <vector>

#include "cli/commands/command.h"
#include "cli/listings/ops_listing.h"
#include "ir/text/nearest_name.h"
#include "dialects/registry.h"

namespace lockstep::cli {
namespace {

struct OpsOptions {
  std::string name;     // one op; empty: all
  std::string version;  // of Triton, for lists_missing; empty: 3.6 and later
  bool lists_missing = false, as_json = false, as_markdown = false;
};

ExitCode print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  return ExitCode::clean;
}

ExitCode print_missing(const OpsOptions& options) {
  const std::string text = ops_missing(options.version);
  print(text);
  return text.empty() ? ExitCode::clean : ExitCode::unsupported;
}

ExitCode print_page(const std::string& name) {
  if (const ir::OpDef* def = dialects::registry().find(name)) return print(op_page(*def));
  std::vector<std::string_view> names;
  for (const ir::OpDef* def : dialects::registry().rows()) names.push_back(def->spelling);
  const std::string near = ir::nearest_name(name, names);
  return report(Status{"LS2211", "there is no op '" + name + "'",
                       near.empty() ? "`lockstep ops` lists all ops" : "did you mean '" + near + "'?"});
}

ExitCode run_ops(const OpsOptions& options) {
  if (options.lists_missing) return print_missing(options);
  if (options.as_json) return print(ops_json());
  if (options.as_markdown) return print(ops_markdown());
  return options.name.empty() ? print(ops_table()) : print_page(options.name);
}

void declare_ops(OptionList& options, OpsOptions& ops) {
  options.word("op", ops.name, "one op, such as tt.load; none: the list");
  options.flag("--missing", ops.lists_missing, "list only what cannot run, with the reason (exit code 4)");
  options.text("--triton", ops.version, "3.6", "with --missing: the version whose ops count (default: 3.6 and later)",
               {.choices = {"3.3", "3.4", "3.5", "3.6", "3.7", "3.8", "3.9"}, .needs = {"--missing"}});
  options.flag("--json", ops.as_json, "every column of every row", {.excludes = {"--missing"}});
  options.flag("--markdown", ops.as_markdown, "docs/ops.md", {.excludes = {"--missing", "--json"}});
}

}  // namespace

extern const CommandRow kOpsCommand{
    .name = "ops",
    .summary = "the ops of TTIR: text, types, exactness, sources",
    .make = make_command<OpsOptions, declare_ops, run_ops>,
};

}  // namespace lockstep::cli
