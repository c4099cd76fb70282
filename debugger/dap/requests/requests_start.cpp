// How a conversation begins and ends: initialize, launch, attach, configurationDone, restart, terminate, disconnect.
#include <utility>

#include "debugger/dap/capabilities.h"
#include "debugger/dap/dispatch.h"
#include "debugger/dap/runs.h"
#include "driver/options/launch_options.h"

namespace lockstep::debugger::dap {

namespace {

constexpr std::int64_t kMostThreads = 1000;

bool is_list(const Json& arguments, const char* key) {
  const Json* found = arguments.find(key);
  return found != nullptr && found->array() != nullptr;
}

LaunchOptions read_options(Arguments& in, const Json& raw, bool stops_on_entry) {
  LaunchOptions options;
  options.stops_on_entry = in.boolean_or("stopOnEntry", stops_on_entry);
  options.stops_at_end = in.boolean_or("stopAtEnd", true);
  options.most_threads = static_cast<std::size_t>(in.integer_or("maxThreads", 1, kMostThreads, 16));
  if (is_list(raw, "program")) options.first_program = in.integers_or_empty("program", 0, INT32_MAX);
  if (!options.first_program.empty() && options.first_program.size() != 3) in.fail("'program' is not [x, y, z]");
  return options;
}

/// Where the launch's lines go.
LaunchWish empty_wish(State& state) {
  LaunchWish wish;
  wish.print = [&state](const std::string& line) {
    state.channel.event("output", Json::record({{"category", "stdout"}, {"output", line}}));
  };
  wish.log = [&state](const std::string& line) {
    state.channel.event("output", Json::record({{"category", "console"}, {"output", line}}));
  };
  return wish;
}

/// An option that has a key of its own, as a word that `lockstep debug` takes.
void read_option(Arguments& in, const char* key, const driver::LaunchOption& option, std::vector<std::string>& words) {
  if (!in.has(key)) return;
  const std::string value = option.is_number() ? std::to_string(in.integer(key, 0, INT64_MAX)) : in.text(key);
  words.push_back(std::string(option.flag()) + "=" + value);
}

LaunchWish read_wish(State& state, Arguments& in, const Json& raw) {
  LaunchWish wish = empty_wish(state);
  if (in.has("target")) wish.words.push_back(in.text("target"));
  if (!in.has("target") && in.has("program") && !is_list(raw, "program")) wish.words.push_back(in.text("program"));
  for (const driver::LaunchOption& option : driver::launch_options()) {
    for (const std::string& key : option.dap_keys()) read_option(in, key.c_str(), option, wish.words);
  }
  for (const std::string& word : in.texts_or_empty("args")) wish.words.push_back(word);
  for (const Json& one : in.list_or_empty("sources")) {
    Arguments source(one, "sources.");
    wish.sources.push_back({source.text("path"), source.text("text")});
    if (!source.is_good()) in.fail(source.problem());
  }
  wish.folder = in.text_or("cwd", "");
  wish.history = in.text_or("history", "");
  if (wish.words.empty()) in.fail("'program' (FILE.py::KERNEL) is missing, and 'args' is empty");
  return wish;
}

/// Empty: the launch is at its first point, or at that of the requested program.
std::string go_to_first(State& state) {
  const auto& wanted = state.options.first_program;
  if (wanted.empty() || state.engine().point() == nullptr) return "";
  const ProgramId id{static_cast<std::int32_t>(wanted[0]), static_cast<std::int32_t>(wanted[1]),
                     static_cast<std::int32_t>(wanted[2])};
  const auto number = state.engine().number_of(id);
  if (!number) return "'program' lies outside the grid";
  if (*number != 0) state.session().go_to_program(*number);
  return "";
}

/// At the beginning: stops on entry, or continues.
void begin(State& state) {
  const std::string problem = go_to_first(state);
  if (!problem.empty()) say(state, problem, "important");
  const bool stops = state.options.stops_on_entry || !state.options.first_program.empty();
  if (stops && state.engine().point() != nullptr) return report_stop(state, state.session().stop_event(), "entry");
  Session& session = state.session();
  const bool is_fresh = state.engine().mark() == Mark{};
  const auto move = [&session, is_first = is_fresh]() mutable -> const StopEvent& {
    return std::exchange(is_first, false) ? session.run() : session.go(Direction::forward);
  };
  run(state, {move, "step", true, "running the launch"});
}

void forget_launch(State& state) {
  state.references.clear();
  state.stops = StopTable();
  state.console = nullptr;
  state.announced_threads.clear();
  state.goto_targets.clear();
  state.step_targets.clear();
  state.seen_picture = nullptr;
  state.launched = nullptr;
}

Answer taken(State& state, Expected<std::unique_ptr<Launched>, std::string> launched, const LaunchOptions& options) {
  if (!launched) return refuse(launched.error());
  state.launched = std::move(*launched);
  state.options = options;
  return then(done(), [&state] { state.channel.event("initialized"); });
}

}  // namespace

Answer initialize(State& state, Arguments& in) {
  if (state.is_initialized) return refuse("'initialize' was answered before");
  in.text_or("clientID", "");
  Client client;
  client.first_line = in.boolean_or("linesStartAt1", true) ? 1 : 0;
  client.first_column = in.boolean_or("columnsStartAt1", true) ? 1 : 0;
  const bool has_progress = in.boolean_or("supportsProgressReporting", false);
  client.has_memory_events = in.boolean_or("supportsMemoryEvent", false);
  client.has_invalidated = in.boolean_or("supportsInvalidatedEvent", false);
  client.has_ansi = in.boolean_or("supportsANSIStyling", false);
  if (in.text_or("pathFormat", "path") != "path") in.fail("'pathFormat' can only be path");
  if (!in.is_good()) return refuse(in.problem());
  state.client = client;
  if (has_progress) state.progress.enable();
  state.is_initialized = true;
  return done(capabilities());
}

Answer launch(State& state, Arguments& in) {
  if (state.launched) return refuse("there is a launch already: 'restart' runs it again");
  if (!state.offer.launch) return refuse("there is a launch already: send 'attach' to this server");
  const LaunchOptions options = read_options(in, in.raw(), false);
  const LaunchWish wish = read_wish(state, in, in.raw());
  if (!in.is_good()) return refuse(in.problem());
  state.progress.begin("making the launch", false, true);
  auto launched = state.offer.launch(wish);
  state.progress.end();
  return taken(state, std::move(launched), options);
}

/// A waiting process wants to be debugged: it stops at once, unless the client asks otherwise.
Answer attach(State& state, Arguments& in) {
  if (state.launched) return refuse("'attach' was answered before");
  if (!state.offer.attach)
    return refuse("there is nothing to attach to: this server makes the launch that 'launch' names");
  const LaunchOptions options = read_options(in, in.raw(), true);
  if (!in.is_good()) return refuse(in.problem());
  return taken(state, state.offer.attach(empty_wish(state)), options);
}

Answer configuration_done(State& state, Arguments&) {
  if (state.is_configured) return refuse("'configurationDone' was answered before");
  state.is_configured = true;
  return then(done(), [&state] { begin(state); });
}

Answer restart(State& state, Arguments&) {
  if (!state.is_configured) return refuse("'configurationDone' comes first");
  return then(done(), [&state] {
    state.is_terminated = false;
    state.session().restart();
    begin(state);
  });
}

Answer terminate(State& state, Arguments& in) {
  in.boolean_or("restart", false);
  if (!in.is_good()) return refuse(in.problem());
  if (!state.launched) return refuse("nothing has been launched yet");
  state.launched->terminate();
  return then(done(), [&state] { report_end(state); });
}

Answer disconnect(State& state, Arguments& in) {
  const bool terminates = in.boolean_or("terminateDebuggee", false);
  if (state.launched && in.is_good() && terminates) state.launched->terminate();
  state.has_ended = true;
  return then(done(), [&state] { forget_launch(state); });
}

}  // namespace lockstep::debugger::dap
