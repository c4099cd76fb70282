// Findings in the form of the protocol's own requests (docs/editors.md).
#pragma once

#include "findings/finding.h"
#include "support/json.h"

namespace lockstep::debugger::dap {

Json finding_json(const Finding& finding);
Json findings_json(const Report& report);

}  // namespace lockstep::debugger::dap
