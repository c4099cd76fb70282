// What the ops of TTIR are and how exactly each is computed: the rows, printed.
#include <cstdio>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/listings/ops_listing.h"
#include "ir/text/nearest_name.h"
#include "dialects/registry.h"

namespace lockstep::cli {
namespace {

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

}  // namespace

ExitCode run_command(const OpsOptions& options) {
  if (options.lists_missing) return print_missing(options);
  if (options.as_json) return print(ops_json());
  if (options.as_markdown) return print(ops_markdown());
  return options.name.empty() ? print(ops_table()) : print_page(options.name);
}

}  // namespace lockstep::cli
