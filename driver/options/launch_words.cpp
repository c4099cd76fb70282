#include "driver/options/launch_words.h"

#include <CLI/CLI.hpp>

namespace lockstep::driver {
namespace {

// CLI11's own check lets NaN pass.
std::string tolerance_problem(const std::string& text) {
  double value = 0;
  return CLI::detail::lexical_cast(text, value) && value >= 0 ? "" : "'" + text + "' is not a number from 0 on";
}

void add_bounds(CLI::App& app, LaunchSpec& run) {
  app.add_option("--bounds", run.bounds,
                 "what a pointer may reach: its tensor (default), or all of the tensor's storage")
      ->check(CLI::IsMember({"view", "storage"}))
      ->type_name("view|storage");
}

/// The order in which programs run that may see each other.
CLI::Option* add_schedule(CLI::App& app, LaunchSpec& run) {
  app.add_option("--resident", run.resident, "programs that have room at once, in grid order (default: any number)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 31))
      ->type_name("N");
  app.add_option("--schedule-seed", run.schedule_seed, "what orders of programs are drawn from")->type_name("S");
  return app
      .add_option("--schedule", run.schedule, "run in this order, which a finding of --schedules named; 0: grid order")
      ->type_name("K");
}

}  // namespace

std::string timeout_problem(const std::string& text) {
  double value = 0;
  return CLI::detail::lexical_cast(text, value) && value > 0 && value < 1e9
             ? ""
             : "'" + text + "' is not a number of seconds";
}

void add_repeated(CLI::App& app, const std::string& name, std::vector<std::string>& values, const std::string& help,
                  const std::string& type_name) {
  app.add_option(name, values, help)->allow_extra_args(false)->type_name(type_name);
}

void add_compilation(CLI::App& app, std::string& target_gpu, int& num_warps, int& num_stages,
                     std::optional<std::size_t>& config, std::vector<std::string>& globals,
                     std::vector<std::string>& search_path) {
  app.add_option("--as", target_gpu, "GPU whose rules apply")->type_name("sm_90")->capture_default_str();
  app.add_option("--num-warps", num_warps, "num_warps of the launch")
      ->check(CLI::Range(1, 64))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--num-stages", num_stages, "num_stages of the launch")
      ->check(CLI::Range(0, 32))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--config", config, "configuration of @triton.autotune, counted from 0 (default: the first)")
      ->type_name("N");
  add_repeated(app, "--global", globals, "value of a module-level name", "NAME=VALUE");
  add_repeated(app, "--path", search_path, "folder where imports are looked for, after the file's own", "FOLDER");
}

void let_capsules_decide(CLI::App& app, LaunchSpec& run) {
  CLI::Option* grid = app.get_option_no_throw("--grid");
  app.get_option("kernel")->each([grid](const std::string& target) {
    if (grid != nullptr && target.ends_with(".capsule")) grid->required(false);
  });
  for (const char* name : {"--as", "--num-warps", "--num-stages"})
    app.get_option(name)->each([&run, name](const std::string&) { run.given.insert(name); });
  add_bounds(app, run);
}

void add_launch(CLI::App& app, LaunchSpec& run) {
  app.add_option("kernel", run.target, "FILE.py[::KERNEL], FILE.ttir[::NAME] or FILE.capsule")
      ->required()
      ->type_name("");
  app.add_option("arguments", run.arguments, "NAME=VALUE for each parameter")->type_name("");
  app.add_option("--grid,-g", run.grid, "programs: X[,Y[,Z]], numbers or expressions")->required()->type_name("X,Y,Z");
  app.add_option("--seed", run.seed, "seed of random tensors")->type_name("N")->capture_default_str();
}

void add_tolerance(CLI::App& app, LaunchSpec& run, const std::string& of) {
  app.add_option("--rtol", run.rtol, "relative tolerance of " + of)->check(tolerance_problem)->type_name("R");
  app.add_option("--atol", run.atol, "absolute tolerance of " + of)->check(tolerance_problem)->type_name("A");
  app.add_option("--ulp", run.ulp, "tolerance of " + of + " in units in the last place")
      ->check(CLI::NonNegativeNumber)
      ->excludes("--rtol")
      ->excludes("--atol")
      ->type_name("N");
}

void add_checkers(CLI::App& app, LaunchSpec& run) {
  app.add_option("--check", run.check,
                 "what to look for: default (all, where that is cheap), all, quick, none, or names with commas "
                 "(docs/checking.md)")
      ->type_name("LIST")
      ->capture_default_str();
  app.add_option("--memory-model", run.memory_model, "how lanes of a program see each other's stores")
      ->check(CLI::IsMember({"sequential", "tile", "strict"}))
      ->type_name("sequential|tile|strict")
      ->capture_default_str();
  app.add_option("--lane-order", run.lane_order, "show what another order of lanes that meet would have made")
      ->check(CLI::IsMember({"forward", "reverse", "random", "late-store"}))
      ->type_name("forward|reverse|random|late-store")
      ->capture_default_str();
  app.add_option("--triton", run.triton, "version of Triton whose barriers count")
      ->check(CLI::IsMember({"3.4", "3.5", "3.6", "3.7", "3.8", "3.9"}))
      ->type_name("3.4|3.5|3.6|3.7|3.8|3.9")
      ->capture_default_str();
}

void add_schedules(CLI::App& app, LaunchSpec& run) {
  auto* schedules =
      app.add_option("--schedules", run.schedules, "orders of programs to try where they may see each other")
          ->check(CLI::Range(1, 1 << 20))
          ->type_name("N")
          ->capture_default_str();
  add_schedule(app, run)->excludes(schedules);
}

void add_limits(CLI::App& app, LaunchSpec& run) {
  app.add_option("--max-memory", run.max_memory, "stop above this, for example 500MB or 2GiB")->type_name("SIZE");
  app.add_option("--threads", run.threads, "threads (default: all cores); never changes a byte of the result")
      ->check(CLI::Range(1, 4096))
      ->type_name("N");
}

void add_rounding(CLI::App& app, LaunchSpec& run) {
  app.add_option("--fp-fusion", run.fp_fusion, "on: x*y+z rounds once, as a default build of Triton has it")
      ->check(CLI::IsMember({"on", "off"}))
      ->type_name("on|off")
      ->capture_default_str();
  app.add_flag("--debug", run.debug, "integer overflow is asserted too, as under triton.jit(debug=True)");
  add_compilation(app, run.target_gpu, run.num_warps, run.num_stages, run.config, run.globals, run.search_path);
}

void add_debugged(CLI::App& app, LaunchSpec& run) {
  add_launch(app, run);
  add_repeated(app, "--expect", run.expect, "what ref(\"NAME\") is (.npy, or .npz:key)", "NAME=@FILE");
  add_checkers(app, run);
  add_schedules(app, run);
  add_limits(app, run);
  add_rounding(app, run);
  let_capsules_decide(app, run);
}

Expected<LaunchSpec, std::string> parse_debug_words(const std::vector<std::string>& words) {
  LaunchSpec run;
  CLI::App app;
  app.set_help_flag();
  add_debugged(app, run);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& error) {
    const std::vector<std::string> unknown = app.remaining();
    if (!unknown.empty()) return Unexpected{"unexpected argument '" + unknown.front() + "'"};
    return Unexpected{std::string(error.what())};
  }
  return run;
}

}  // namespace lockstep::driver
