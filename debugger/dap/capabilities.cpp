#include "debugger/dap/capabilities.h"

#include "debugger/session/catches.h"

namespace lockstep::debugger::dap {

namespace {

constexpr const char* kSupported[] = {
    "supportsConfigurationDoneRequest",
    "supportsFunctionBreakpoints",
    "supportsConditionalBreakpoints",
    "supportsHitConditionalBreakpoints",
    "supportsLogPoints",
    "supportsEvaluateForHovers",
    "supportsStepBack",
    "supportsSetVariable",
    "supportsSetExpression",
    "supportsRestartFrame",
    "supportsGotoTargetsRequest",
    "supportsStepInTargetsRequest",
    "supportsCompletionsRequest",
    "supportsModulesRequest",
    "supportsRestartRequest",
    "supportsExceptionInfoRequest",
    "supportsExceptionFilterOptions",
    "supportTerminateDebuggee",
    "supportsDelayedStackTraceLoading",
    "supportsLoadedSourcesRequest",
    "supportsTerminateRequest",
    "supportsDataBreakpoints",
    "supportsDataBreakpointBytes",
    "supportsReadMemoryRequest",
    "supportsWriteMemoryRequest",
    "supportsDisassembleRequest",
    "supportsCancelRequest",
    "supportsBreakpointLocationsRequest",
    "supportsClipboardContext",
    "supportsSteppingGranularity",
    "supportsInstructionBreakpoints",
    "supportsSingleThreadExecutionRequests",
    "supportsANSIStyling",
};

Json filter(const CatchFilter& of) {
  return Json::record({{"filter", of.name},
                       {"label", of.title},
                       {"default", of.is_default},
                       {"supportsCondition", true},
                       {"conditionDescription", "a condition, evaluated where the finding appears: pid[0] < 4"}});
}

}  // namespace

Json capabilities() {
  Json body = Json::record();
  for (const char* name : kSupported) body.set(name, true);
  Json::Array filters;
  for (const CatchFilter& one : catch_filters()) filters.push_back(filter(one));
  body.set("exceptionBreakpointFilters", std::move(filters));
  body.set("completionTriggerCharacters", Json(Json::Array{"."}));
  return body;
}

}  // namespace lockstep::debugger::dap
