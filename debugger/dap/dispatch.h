// Dispatch: which function answers which request, and its preconditions.
#pragma once

#include <cstdint>
#include <string_view>

#include "debugger/dap/state.h"

namespace lockstep::debugger::dap {

enum class Need : std::uint8_t {
  nothing,
  launch,    // a launch has been made; it may be under way
  standing,  // it does not run at the moment
};

struct Handler {
  std::string_view command;
  Need need;
  Answer (*answer)(State& state, Arguments& in);
};

/// Null: unknown.
const Handler* find_handler(std::string_view command);
/// The request ends a running run: restart, terminate, disconnect.
bool leaves_run(const Request& request);
/// Answers one request (which Control expects) and settles it; even in the middle of a run.
void answer(State& state, const Request& request);

// ---- the handlers, by file ----
// requests_start.cpp
Answer initialize(State& state, Arguments& in);
Answer launch(State& state, Arguments& in);
Answer attach(State& state, Arguments& in);
Answer configuration_done(State& state, Arguments& in);
Answer restart(State& state, Arguments& in);
Answer terminate(State& state, Arguments& in);
Answer disconnect(State& state, Arguments& in);
// requests_stops.cpp
Answer set_breakpoints(State& state, Arguments& in);
Answer set_function_breakpoints(State& state, Arguments& in);
Answer set_instruction_breakpoints(State& state, Arguments& in);
Answer set_exception_breakpoints(State& state, Arguments& in);
Answer set_data_breakpoints(State& state, Arguments& in);
Answer data_breakpoint_info(State& state, Arguments& in);
Answer breakpoint_locations(State& state, Arguments& in);
Answer exception_info(State& state, Arguments& in);
// requests_runs.cpp
Answer continue_run(State& state, Arguments& in);
Answer reverse_continue(State& state, Arguments& in);
Answer next(State& state, Arguments& in);
Answer step_in(State& state, Arguments& in);
Answer step_out(State& state, Arguments& in);
Answer step_back(State& state, Arguments& in);
Answer goto_targets(State& state, Arguments& in);
Answer go_to(State& state, Arguments& in);
Answer restart_frame(State& state, Arguments& in);
// requests_step_in.cpp
Answer step_in_targets(State& state, Arguments& in);
// requests_stack.cpp
Answer threads(State& state, Arguments& in);
Answer stack_trace(State& state, Arguments& in);
Answer scopes(State& state, Arguments& in);
// requests_variables.cpp
Answer variables(State& state, Arguments& in);
Answer set_variable(State& state, Arguments& in);
Answer set_expression(State& state, Arguments& in);
// requests_console.cpp
Answer evaluate_request(State& state, Arguments& in);
Answer completions(State& state, Arguments& in);
// requests_memory.cpp
Answer read_memory(State& state, Arguments& in);
Answer write_memory(State& state, Arguments& in);
Answer disassemble(State& state, Arguments& in);
// requests_sources.cpp
Answer modules(State& state, Arguments& in);
Answer loaded_sources(State& state, Arguments& in);
Answer source(State& state, Arguments& in);
Answer locations(State& state, Arguments& in);
// requests_lockstep.cpp
Answer lockstep_grid(State& state, Arguments& in);
Answer lockstep_tile(State& state, Arguments& in);
Answer lockstep_report(State& state, Arguments& in);
Answer lockstep_check(State& state, Arguments& in);
// requests_questions.cpp
Answer lockstep_who(State& state, Arguments& in);
Answer lockstep_why(State& state, Arguments& in);
Answer lockstep_diff(State& state, Arguments& in);
Answer lockstep_bisect(State& state, Arguments& in);
// requests_past.cpp
/// {argument, firstRow?, rows?, cells?, holes?}: which elements were written, how often, by whom.
Answer lockstep_coverage(State& state, Arguments& in);
/// {first?, count?}: the turns, and what ordered programs.
Answer lockstep_timeline(State& state, Arguments& in);
Answer lockstep_pipeline(State& state, Arguments& in);
// requests_map.cpp
Answer lockstep_access_map(State& state, Arguments& in);
// requests_page.cpp
Answer lockstep_lines(State& state, Arguments& in);
Answer lockstep_lanes(State& state, Arguments& in);
/// {expression, index?, frameId?}: where a tile's elements are on the GPU.
Answer lockstep_layout(State& state, Arguments& in);
// requests_pictures.cpp
Answer lockstep_picture(State& state, Arguments& in);
// requests_cost.cpp
Answer lockstep_cost(State& state, Arguments& in);
Answer lockstep_prove(State& state, Arguments& in);
// requests_finding.cpp
Answer lockstep_finding(State& state, Arguments& in);

}  // namespace lockstep::debugger::dap
