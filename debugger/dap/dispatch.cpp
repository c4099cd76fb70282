#include "debugger/dap/dispatch.h"

#include <algorithm>
#include <array>


namespace lockstep::debugger::dap {

namespace {

constexpr auto kHandlers = std::to_array<Handler>({
    {"initialize", Need::nothing, initialize},
    {"launch", Need::nothing, launch},
    {"attach", Need::nothing, attach},
    {"configurationDone", Need::launch, configuration_done},
    {"restart", Need::launch, restart},
    {"terminate", Need::nothing, terminate},
    {"disconnect", Need::nothing, disconnect},
    {"setBreakpoints", Need::launch, set_breakpoints},
    {"setFunctionBreakpoints", Need::launch, set_function_breakpoints},
    {"setInstructionBreakpoints", Need::launch, set_instruction_breakpoints},
    {"setExceptionBreakpoints", Need::launch, set_exception_breakpoints},
    {"setDataBreakpoints", Need::launch, set_data_breakpoints},
    {"dataBreakpointInfo", Need::standing, data_breakpoint_info},
    {"breakpointLocations", Need::launch, breakpoint_locations},
    {"exceptionInfo", Need::standing, exception_info},
    {"continue", Need::standing, continue_run},
    {"reverseContinue", Need::standing, reverse_continue},
    {"next", Need::standing, next},
    {"stepIn", Need::standing, step_in},
    {"stepInTargets", Need::standing, step_in_targets},
    {"stepOut", Need::standing, step_out},
    {"stepBack", Need::standing, step_back},
    {"gotoTargets", Need::standing, goto_targets},
    {"goto", Need::standing, go_to},
    {"restartFrame", Need::standing, restart_frame},
    {"threads", Need::launch, threads},
    {"stackTrace", Need::standing, stack_trace},
    {"scopes", Need::standing, scopes},
    {"variables", Need::standing, variables},
    {"setVariable", Need::standing, set_variable},
    {"evaluate", Need::standing, evaluate_request},
    {"setExpression", Need::standing, set_expression},
    {"completions", Need::standing, completions},
    {"readMemory", Need::standing, read_memory},
    {"writeMemory", Need::standing, write_memory},
    {"disassemble", Need::launch, disassemble},
    {"modules", Need::launch, modules},
    {"loadedSources", Need::launch, loaded_sources},
    {"source", Need::launch, source},
    {"locations", Need::launch, locations},
    {"lockstep/grid", Need::launch, lockstep_grid},
    {"lockstep/tile", Need::standing, lockstep_tile},
    {"lockstep/report", Need::launch, lockstep_report},
    {"lockstep/check", Need::standing, lockstep_check},
    {"lockstep/who", Need::standing, lockstep_who},
    {"lockstep/why", Need::standing, lockstep_why},
    {"lockstep/diff", Need::standing, lockstep_diff},
    {"lockstep/accessMap", Need::standing, lockstep_access_map},
    {"lockstep/lines", Need::standing, lockstep_lines},
    {"lockstep/lanes", Need::standing, lockstep_lanes},
    {"lockstep/layout", Need::standing, lockstep_layout},
    {"lockstep/coverage", Need::standing, lockstep_coverage},
    {"lockstep/timeline", Need::standing, lockstep_timeline},
    {"lockstep/pipeline", Need::standing, lockstep_pipeline},
    {"lockstep/picture", Need::standing, lockstep_picture},
    {"lockstep/cost", Need::standing, lockstep_cost},
    {"lockstep/prove", Need::standing, lockstep_prove},
    {"lockstep/finding", Need::standing, lockstep_finding},
    {"lockstep/bisect", Need::standing, lockstep_bisect},
});

/// Protocol requests of capabilities that are not claimed.
Answer unknown(const Request& request) {
  return refuse("the request '" + request.command + "' is unknown to Lockstep");
}

Answer answer_of(State& state, const Request& request) {
  const Handler* handler = find_handler(request.command);
  if (handler == nullptr) return unknown(request);
  const bool is_first = handler->answer == initialize || handler->answer == disconnect;
  if (!state.is_initialized && !is_first) return refuse("'initialize' comes first");
  if (handler->need != Need::nothing && !state.launched) return refuse("nothing has been launched yet");
  if (handler->need == Need::standing && state.is_running) {
    return {Json(), "the launch runs", "notStopped", {}};
  }
  Arguments in(request.arguments);
  return handler->answer(state, in);
}

}  // namespace

const Handler* find_handler(std::string_view command) {
  const auto found =
      std::find_if(kHandlers.begin(), kHandlers.end(), [&](const Handler& one) { return one.command == command; });
  return found == kHandlers.end() ? nullptr : &*found;
}

bool leaves_run(const Request& request) {
  const Handler* handler = find_handler(request.command);
  return handler != nullptr &&
         (handler->answer == restart || handler->answer == terminate || handler->answer == disconnect);
}

void answer(State& state, const Request& request) {
  state.request = request.seq;
  const Answer answered = answer_of(state, request);
  if (!answered.after)
    state.control.settle();  // before anybody can know: a pause that follows finds nothing to wait for
  if (answered.problem.empty()) {
    state.channel.respond(request, answered.body);
  } else {
    state.channel.fail(request, answered.problem, answered.kind);
  }
  if (!answered.after) return;
  answered.after();
  state.control.settle();
}

}  // namespace lockstep::debugger::dap
