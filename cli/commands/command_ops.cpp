// Prints the rows: the meaning of each op of TTIR, and how exactly Lockstep computes it.
#include <unistd.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands/command.h"
#include "cli/listings/language_ops.h"
#include "cli/listings/ops_listing.h"
#include "dialects/registry.h"
#include "ir/text/nearest_name.h"

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

std::string with_color(const char* code, const std::string& text) {
  return use_color(STDOUT_FILENO) ? std::string("\033[") + code + "m" + text + "\033[0m" : text;
}

/// "tt.load  result[i] = ..."
std::string line_of(const ir::OpDef& def) {
  const std::string name(def.spelling);
  return "  " + with_color("1", name) + std::string(name.size() < 26 ? 26 - name.size() : 1, ' ') +
         std::string(def.summary) + "\n";
}

/// tl.load, load: the ops for this name of triton.language.
bool print_of_language(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  const auto ops = ops_of_language(dot == std::string::npos ? name : name.substr(dot + 1));
  if (ops.empty()) return false;
  std::string text = with_color("1", "tl." + name.substr(dot == std::string::npos ? 0 : dot + 1)) + " becomes\n\n";
  for (const ir::OpDef* def : ops) text += line_of(*def);
  const std::string first(ops.front()->spelling);
  return print(text + "\n`lockstep ops " + first + "` prints its types, rounding and sources.\n"), true;
}

/// The ops whose name or summary contains the word.
std::string ops_about(const std::string& word) {
  std::string text;
  for (const ir::OpDef* def : dialects::registry().rows()) {
    const bool fits = def->spelling.find(word) != std::string_view::npos || def->summary.find(word) != std::string_view::npos;
    if (fits) text += line_of(*def);
  }
  return text;
}

/// tl.lod.
Status no_such_name(const std::string& name) {
  const std::string near = nearest_of_language(std::string_view(name).substr(name.rfind('.') + 1));
  return {"LS2211", "no function of triton.language is known as '" + name + "'",
          near.empty() ? "`lockstep ops WORD` looks for a word in the ops' names and meanings" : "did you mean 'tl." + near + "'?"};
}

ExitCode print_page(const std::string& name) {
  if (const ir::OpDef* def = dialects::registry().find(name)) {
    const std::string page = op_page(*def);
    const std::size_t end = page.find('\n');
    return print(with_color("1", page.substr(0, end)) + page.substr(end));
  }
  const bool is_of_ir = name.find('.') != std::string::npos && !name.starts_with("tl.") && !name.starts_with("triton.");
  if (!is_of_ir && print_of_language(name)) return ExitCode::clean;
  if (name.starts_with("tl.") || name.starts_with("triton.")) return report(no_such_name(name));
  if (const std::string about = is_of_ir ? "" : ops_about(name); !about.empty()) return print(about);
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
  options.word("op", ops.name, "a name of triton.language (tl.load), an op (tt.load) or a word; none: the list");
  options.flag("--missing", ops.lists_missing, "list only what cannot run, with the reason (exit code 4)");
  options.text("--triton", ops.version, "3.6", "with --missing: the version whose ops count (default: 3.6 and later)",
               {.choices = {"3.3", "3.4", "3.5", "3.6", "3.7", "3.8", "3.9"}, .needs = {"--missing"}});
  options.flag("--json", ops.as_json, "every column of every row", {.excludes = {"--missing"}});
  options.flag("--markdown", ops.as_markdown, "docs/ops.md", {.excludes = {"--missing", "--json"}});
}

}  // namespace

extern const CommandRow kOpsCommand{
    .name = "ops",
    .summary = "show the ops of Triton's IR: types, rounding, sources",
    .make = make_command<OpsOptions, declare_ops, run_ops>,
};

}  // namespace lockstep::cli
