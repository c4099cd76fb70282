#include "cli/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "cli/commands/command_tree.h"
#include "cli/option_texts.h"
#include "driver/options/launch_words.h"
#include "ir/text/nearest_name.h"
#include "support/log.h"

namespace lockstep::cli {
namespace {

void add_diff(CLI::App& main, DiffOptions& diff) {
  CLI::App& app = *main.add_subcommand("diff", "run a kernel on the GPU and say whether every result is a legal one");
  app.footer(kDiffFooter);
  driver::add_launch(app, diff.run);
  driver::add_repeated(app, "--against", diff.run.expect, "a result recorded before (.npy, or .npz:key): no GPU is needed",
               "NAME=@FILE");
  app.add_flag("--spread-sums", diff.spreads_sums,
               "not any order of sums, but those of tiles spread evenly over 32 threads or more");
  app.add_option("--gpu-kernel", diff.gpu_kernel, "what the GPU runs instead: a changed text of the kernel")
      ->type_name("FILE.ttir[::NAME]");
  app.add_flag("--stand-in", diff.stands_in, "the interpreter plays the GPU: to compare two kernels without one");
  driver::add_tolerance(app, diff.run, "a comparison with the interpreter's results instead of what is legal");
  const auto add_of_verdicts = [&](const char* name, bool& value, const char* help) {
    app.add_flag(name, value, help)->excludes("--rtol")->excludes("--atol")->excludes("--ulp");
  };
  add_of_verdicts("--json", diff.as_json, "the same for programs");
  add_of_verdicts("--bisect", diff.bisects,
                  "where something is outside: run its program again and name the op that did it");
  app.add_option("--repeats", diff.repeats, "further launches on the GPU, timed")
      ->check(CLI::Range(0, 100000))
      ->type_name("N");
  driver::add_limits(app, diff.run);
  driver::add_rounding(app, diff.run);
  driver::let_capsules_decide(app, diff.run);
}

void add_replay(CLI::App& main, ReplayOptions& replay) {
  CLI::App& app = *main.add_subcommand("replay", "run recorded launches on the CPU and judge what was recorded");
  app.footer(kReplayFooter);
  app.add_option("capsule", replay.capsules, "FILE.capsule ... (-: names from standard input)")
      ->required()
      ->type_name("");
  app.add_flag("--check-only", replay.checks_only, "read and check all of it, run nothing");
  app.add_flag("--debug", replay.debugs, "step through it: `lockstep debug FILE.capsule`");
  app.add_flag("--list", replay.lists, "what is recorded: kernel, grid, arguments, versions; run nothing");
  app.add_option("--extract", replay.extract,
                 "write TTIR, sources and arguments as files, and the command that runs them")
      ->type_name("FOLDER");
  app.add_flag("--json", replay.as_json, "the same for programs: one line for each capsule");
  app.add_flag("--spread-sums", replay.spreads_sums,
               "not any order of sums, but those of tiles spread evenly over 32 threads or more");
  driver::add_limits(app, replay.run);
  app.add_option("--timeout", replay.run.timeout_seconds, "stop each launch after so many seconds")
      ->check(driver::timeout_problem)
      ->type_name("S");
  app.add_option("--bounds", replay.run.bounds,
                 "what a pointer may reach: all of its tensor's storage (default), or the tensor")
      ->check(CLI::IsMember({"view", "storage"}))
      ->type_name("storage|view");
}

void add_run(CLI::App& main, driver::LaunchSpec& run) {
  CLI::App& app = *main.add_subcommand("run", "run a kernel over a grid on the CPU and report what it did");
  app.footer(kRunFooter);
  driver::add_launch(app, run);
  driver::add_repeated(app, "--save", run.save, "write a tensor afterwards", "NAME=@FILE.npy");
  driver::add_repeated(app, "--print", run.print, "print a tensor afterwards", "NAME");
  driver::add_repeated(app, "--expect", run.expect,
               "compare a tensor with a reference (.npy, or .npz:key; NAME=recorded: what a capsule has)",
               "NAME=@FILE");
  driver::add_tolerance(app, run, "--expect");
  app.add_option("--fail-on", run.fail_on, "lowest tier of finding that makes exit code 1")
      ->check(CLI::IsMember({"error", "warning", "info", "none"}))
      ->type_name("TIER")
      ->capture_default_str();
  app.add_option("--timeout", run.timeout_seconds, "stop after so many seconds")
      ->check(driver::timeout_problem)
      ->type_name("S");
  driver::add_checkers(app, run);
  driver::add_repeated(app, "--report", run.reports,
               "findings for other programs: json, sarif, junit, github, baseline; without FILE on standard output",
               "FORMAT[=FILE]");
  app.add_option("--baseline", run.baseline, "findings that do not count, as --report baseline=FILE wrote them")
      ->type_name("FILE");
  driver::add_schedules(app, run);
  driver::add_limits(app, run);
  app.add_flag("--profile", run.profile, "time by source line and by op afterwards; changes no result");
  app.add_flag("--cover", run.cover, "lines, ways of branches and sides of masks that the launch has not shown");
  app.add_option("--trace", run.trace, "write where the time went as trace events, for Perfetto or chrome://tracing")
      ->type_name("FILE.json");
  driver::add_rounding(app, run);
  driver::let_capsules_decide(app, run);
}

void add_enclose(CLI::App& main, EncloseOptions& enclose) {
  CLI::App& app = *main.add_subcommand("enclose", "bounds of every result that a GPU may legally give");
  app.footer(kEncloseFooter);
  driver::LaunchSpec& run = enclose.run;
  app.add_option("kernel", run.target, "FILE.py[::KERNEL], FILE.ttir[::NAME] or FILE.capsule")
      ->required()
      ->type_name("");
  app.add_option("arguments", run.arguments, "NAME=VALUE for each parameter, as for `lockstep run`")->type_name("");
  app.add_option("--grid,-g", run.grid, "programs: X[,Y[,Z]], numbers or expressions")->required()->type_name("X,Y,Z");
  app.add_option("--seed", run.seed, "seed of random tensors")->type_name("N")->capture_default_str();
  driver::add_repeated(app, "--against", run.expect, "a GPU's result (.npy, or .npz:key): does it lie within?", "NAME=@FILE");
  app.add_option("--max-memory", run.max_memory, "stop above this, for example 500MB or 2GiB")->type_name("SIZE");
  app.add_flag("--json", enclose.as_json, "the same for programs");
  app.add_flag("--spread-sums", enclose.spreads_sums,
               "not any order of sums, but those of tiles spread evenly over 32 threads or more");
  app.add_flag("--check", enclose.checks_itself, "hold every value of the interpreter against its bounds, too");
  driver::add_compilation(app, run.target_gpu, run.num_warps, run.num_stages, run.config, run.globals, run.search_path);
  driver::let_capsules_decide(app, run);
}

void add_debug(CLI::App& main, DebugOptions& debug) {
  CLI::App& app = *main.add_subcommand("debug", "step through a launch, forwards and backwards");
  app.footer(kDebugFooter);
  driver::add_debugged(app, debug.run);
  driver::add_repeated(app, "-x,--script", debug.scripts, "commands from a file, first", "FILE");
  driver::add_repeated(app, "--command", debug.commands, "a command, after the scripts", "TEXT");
  app.add_flag("--batch", debug.is_batch, "end after them, with exit code 2 at the first that cannot be done");
  app.add_option("--history", debug.history, "memory for going backwards")->type_name("SIZE")->capture_default_str();
  app.add_option("--color", debug.color, "whether the text is coloured")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("auto|always|never")
      ->capture_default_str();
  app.add_option("--listen", debug.listen, "wait there for an editor that attaches; 0: any free port")
      ->type_name("[HOST:]PORT")
      ->excludes("--script", "--command", "--batch");
}

void add_dap(CLI::App& main, DapOptions& dap) {
  CLI::App& app = *main.add_subcommand("dap", "the debugger for editors: the Debug Adapter Protocol");
  app.footer(kDapFooter);
  auto* listen = app.add_option("--listen", dap.listen,
                                "wait for clients by TCP, on this machine unless a host is given; 0: any free port")
                     ->type_name("[HOST:]PORT");
  app.add_flag("--once", dap.is_once, "end with the first client")->needs(listen);
}

void add_serve(CLI::App& main, ServeOptions& serve) {
  CLI::App& app = *main.add_subcommand("serve", "the debugger as a page for a browser on this machine");
  app.footer(kServeFooter);
  app.add_option("--listen", serve.listen, "where, on this machine unless a host is given; 0: any free port")
      ->type_name("[HOST:]PORT")
      ->capture_default_str();
  app.fallthrough(false)->prefix_command();  // what is launched is read by parse_debug_words, the page's launches too
}

void add_trace(CLI::App& main, TraceOptions& trace) {
  CLI::App& app = *main.add_subcommand("trace", "record a launch as a page to open without a server");
  app.footer(kTraceFooter);
  driver::add_debugged(app, trace.run);
  app.add_option("--html", trace.html, "the file to write")->required()->type_name("FILE.html");
  app.add_option("--limit", trace.limit, "of the file's size; the page says what is missing")->type_name("SIZE");
}

void add_emit(CLI::App& main, EmitOptions& emit) {
  CLI::App& app = *main.add_subcommand("emit", "print a kernel's IR");
  app.footer(kEmitFooter);
  app.add_option("kernel", emit.target, "FILE.py[::KERNEL], or FILE.ttir to print again")->required()->type_name("");
  app.add_option("constants", emit.constants, "NAME=VALUE for each constexpr parameter")->type_name("");
  app.add_option("--sig", emit.signature, "types of the other parameters")->type_name("x=*fp32,n=i32");
  app.add_option("--attr", emit.attributes, "divisibility of parameters")->type_name("x=16,n=16");
  app.add_option("--to", emit.format, "form of the output")
      ->check(CLI::IsMember({"ttir", "cuda", "ptx", "cubin"}))
      ->type_name("FORM")
      ->capture_default_str();
  app.add_option("--stage", emit.stage, "raw: as lowered; ttir: inlined and cleaned up")
      ->check(CLI::IsMember({"raw", "ttir"}))
      ->type_name("STAGE")
      ->capture_default_str();
  app.add_option("--probe", emit.probe, "with --to cuda, ptx, cubin: this program writes out what its ops make")
      ->type_name("X,Y,Z");
  app.add_flag("--debug", emit.debug, "keep asserts and overflow checks, as under triton.jit(debug=True)");
  app.add_flag("--locations", emit.with_locations, "print loc(...)");
  app.add_flag("--list", emit.lists, "the file's kernels, with what their decorators set; emit nothing");
  app.add_flag("--generic", emit.is_generic, "print every op in the generic form");
  driver::add_compilation(app, emit.target_gpu, emit.num_warps, emit.num_stages, emit.config, emit.globals, emit.search_path);
  for (const char* name : {"--num-warps", "--num-stages"})
    app.get_option(name)->each([&emit, name](const std::string&) { emit.given.insert(name); });
}

void add_check_language(CLI::App& main, CheckLanguageOptions& check) {
  CLI::App& app = *main.add_subcommand("check-language", "what is wrong with kernels, without types and without a run");
  app.footer(kCheckLanguageFooter);
  app.add_option("target", check.targets, "FILE.py, a folder, or a package on --path")->required()->type_name("");
  app.add_flag("--json", check.as_json, "the same for programs");
  app.add_option("--as", check.target_gpu, "GPU whose rules apply")->type_name("sm_90")->capture_default_str();
  driver::add_repeated(app, "--global", check.globals, "value of a module-level name", "NAME=VALUE");
  driver::add_repeated(app, "--path", check.search_path, "folder where imports are looked for, after the file's own", "FOLDER");
}

void add_ops(CLI::App& main, OpsOptions& ops) {
  CLI::App& app = *main.add_subcommand("ops", "the ops of TTIR: text, types, exactness, sources");
  app.add_option("op", ops.name, "one op, such as tt.load; none: the list")->type_name("");
  auto* missing =
      app.add_flag("--missing", ops.lists_missing, "list only what cannot run, with the reason (exit code 4)");
  app.add_option("--triton", ops.version, "with --missing: the version whose ops count (default: 3.6 and later)")
      ->needs(missing)
      ->check(CLI::IsMember({"3.3", "3.4", "3.5", "3.6", "3.7", "3.8", "3.9"}))
      ->type_name("3.6");
  auto* json = app.add_flag("--json", ops.as_json, "every column of every row")->excludes(missing);
  app.add_flag("--markdown", ops.as_markdown, "docs/ops.md")->excludes(missing)->excludes(json);
}

struct Parsed {
  driver::LaunchSpec run;
  DiffOptions diff;
  ReplayOptions replay;
  EncloseOptions enclose;
  DebugOptions debug;
  DapOptions dap;
  ServeOptions serve;
  TraceOptions trace;
  EmitOptions emit;
  CheckLanguageOptions check_language;
  ExplainOptions explain;
  OpsOptions ops;
  DoctorOptions doctor;
  CompletionsOptions completions;
  bool wants_version = false;
  std::string log_level;
};

// Its words, --help too, are read by the Python package.
void add_campaign(CLI::App& main) {
  CLI::App& app = *main.add_subcommand("campaign", "run many cases in worker processes, over axes; needs Python");
  app.set_help_flag();
  app.fallthrough(false)->prefix_command();
}

void declare(CLI::App& app, Parsed& parsed) {
  app.name("lockstep");
  app.description("Runs unmodified Triton kernels on the CPU and says what they did.");
  app.footer(kMainFooter);
  app.fallthrough();
  app.require_subcommand(0, 1);
  app.add_flag("--version", parsed.wants_version, "print version, compiler, build type and instruction set");
  app.add_option("--log-level", parsed.log_level, "what the log says (default: warn)")
      ->check(CLI::IsMember({"trace", "debug", "info", "warn", "error", "off"}))
      ->type_name("LEVEL");
  add_run(app, parsed.run);
  add_diff(app, parsed.diff);
  add_replay(app, parsed.replay);
  add_enclose(app, parsed.enclose);
  add_debug(app, parsed.debug);
  add_dap(app, parsed.dap);
  add_serve(app, parsed.serve);
  add_trace(app, parsed.trace);
  add_emit(app, parsed.emit);
  add_check_language(app, parsed.check_language);
  app.add_subcommand("explain", "what a code means, with a wrong and a right kernel")
      ->add_option("code", parsed.explain.code, "LS101, LS1203, ...; none: the list")
      ->type_name("");
  add_ops(app, parsed.ops);
  add_campaign(app);
  app.add_subcommand("doctor", "what this machine has and what each thing enables")
      ->add_flag("--clear-cache", parsed.doctor.clears_cache,
                 "remove compiled kernels from the disk, and nothing else");
  app.add_subcommand("version", "same as --version");
  // For installation: packaging/share has what they print. Without a group the help does not list them.
  app.add_subcommand("completions", "print completions for a shell")
      ->group("")
      ->add_option("shell", parsed.completions.shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}))
      ->type_name("");
  app.add_subcommand("man", "print the manual page")->group("");
}

// Two letters changed over are the likeliest slip, and in a short name too far for nearest_name.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates) {
  for (const std::string& one : candidates) {
    if (one.size() == name.size() && std::is_permutation(one.begin(), one.end(), name.begin())) return one;
  }
  return ir::nearest_name(name, {candidates.begin(), candidates.end()});
}

int usage_error(const std::string& message, const std::string& hint) {
  std::fputs(("error: " + message + "\nhint: " + hint + "\n").c_str(), stderr);
  return 2;
}

int unknown_option(const CLI::App& command, const std::string& option) {
  std::vector<std::string> names;
  for (const CLI::App* app = &command; app != nullptr; app = app->get_parent()) {
    for (const CLI::Option* one : app->get_options()) {
      for (const std::string& name : one->get_lnames()) names.push_back("--" + name);
    }
  }
  const std::string near = did_you_mean(option, names);
  const std::string help = command.get_parent() == nullptr ? "" : command.get_name() + " ";
  return usage_error("unknown option '" + option + "'",
                     near.empty() ? "`lockstep " + help + "--help` lists the options" : "did you mean '" + near + "'?");
}

int unknown_command(const CLI::App& app, const std::string& command) {
  std::vector<std::string> names;
  std::string all;
  for (const CLI::App* one : app.get_subcommands([](const CLI::App* any) { return !any->get_group().empty(); })) {
    names.push_back(one->get_name());
    all += (all.empty() ? "" : ", ") + one->get_name();
  }
  const std::string near = did_you_mean(command, names);
  return usage_error("unknown command '" + command + "'",
                     near.empty() ? "the commands are " + all : "did you mean '" + near + "'?");
}

int missing_required(const CLI::App& command) {
  std::string missing;
  for (const CLI::Option* one : command.get_options()) {
    if (!one->get_required() || one->count() > 0) continue;
    missing += (missing.empty() ? "" : " and ") + (one->get_positional() ? "a " + one->get_name() : one->get_name());
  }
  const std::string& name = command.get_name();
  const char* usage = name == "emit"             ? kEmitUsage
                      : name == "replay"         ? kReplayUsage
                      : name == "check-language" ? " FILE.py ..."
                      : name == "completions"    ? " bash|zsh|fish"
                                                 : kLaunchUsage;
  return usage_error(name + " needs " + missing, "usage: lockstep " + name + usage);
}

// What CLI11 says about a missing option hides the misspelt one, and it lists unexpected words from last to first.
int explain_usage(const CLI::App& app, const CLI::ParseError& error) {
  const bool is_missing = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  if (!is_missing && dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr) return app.exit(error) == 0 ? 0 : 2;
  const std::vector<CLI::App*> commands = app.get_subcommands();
  const CLI::App& command = commands.empty() ? app : *commands.front();
  const std::vector<std::string> words = app.remaining(true);
  for (const std::string& word : words) {
    if (word.size() > 1 && word[0] == '-') return unknown_option(command, word.substr(0, word.find('=')));
    if (commands.empty()) return unknown_command(app, word);
  }
  if (is_missing) return missing_required(command);
  return usage_error("unexpected argument '" + (words.empty() ? "" : words.front()) + "'",
                     "`lockstep " + command.get_name() + " --help` tells more");
}

std::variant<Command, int> chosen(const CLI::App& app, const Parsed& parsed) {
  if (parsed.wants_version || app.got_subcommand("version")) return Command(VersionOptions{});
  if (app.got_subcommand("run")) return Command(parsed.run);
  if (app.got_subcommand("diff")) return Command(parsed.diff);
  if (app.got_subcommand("replay")) return Command(parsed.replay);
  if (app.got_subcommand("enclose")) return Command(parsed.enclose);
  if (app.got_subcommand("debug")) return Command(parsed.debug);
  if (app.got_subcommand("dap")) return Command(parsed.dap);
  if (app.got_subcommand("serve")) {
    ServeOptions serve = parsed.serve;
    serve.words = app.get_subcommand("serve")->remaining();
    return Command(std::move(serve));
  }
  if (app.got_subcommand("trace")) return Command(parsed.trace);
  if (app.got_subcommand("emit")) return Command(parsed.emit);
  if (app.got_subcommand("check-language")) return Command(parsed.check_language);
  if (app.got_subcommand("explain")) return Command(parsed.explain);
  if (app.got_subcommand("ops")) return Command(parsed.ops);
  if (app.got_subcommand("campaign")) return Command(CampaignOptions{app.get_subcommand("campaign")->remaining()});
  if (app.got_subcommand("doctor")) return Command(parsed.doctor);
  if (app.got_subcommand("completions")) return Command(parsed.completions);
  if (app.got_subcommand("man")) return Command(ManOptions{});
  std::fputs(app.help().c_str(), stderr);
  return 2;
}

}  // namespace

std::variant<Command, int> parse_command_line(int argc, const char* const* argv) {
  Parsed parsed;
  CLI::App app;
  declare(app, parsed);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return explain_usage(app, error);
  }
  log::initialise_from_environment();
  if (!parsed.log_level.empty()) log::set_level(parsed.log_level);
  return chosen(app, parsed);
}

CommandTree command_tree() {
  Parsed parsed;
  CLI::App app;
  declare(app, parsed);
  return describe(app);
}

}  // namespace lockstep::cli
