// The answer of `lockstep prove` as JSON, for programs: every field is what the text says. Expressions are Python's, too;
// `owned("x")` stands for the elements that an argument owns.
#pragma once

#include <string>

#include "driver/launch/launch_spec.h"
#include "driver/proving/asked.h"
#include "driver/proving/trials.h"
#include "support/json.h"

namespace lockstep::driver {

/// "holds", "fails", "not decided" or "defect".
const char* answer_text(const prove::Statement& statement, const Tried& tried);
/// Of a statement that has nothing undecided: why it says nothing.
std::string impossible_text(const Asked& asked, const prove::Statement& statement, const Tried& tried);
const char* property_text(prove::Property property);
Json report_json(const LaunchSpec& options, const Asked& asked, const prove::Statement& statement, const Tried& tried);

}  // namespace lockstep::driver
