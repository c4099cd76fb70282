// The table of finding codes (codes.def): tier and title of each. Nothing else knows what tier a code has unless it
// says why.
#pragma once

#include <string_view>

#include "findings/finding.h"

namespace lockstep {

struct FindingCode {
  std::string_view code;
  Tier tier = Tier::error;
  std::string_view title;
};

/// Null: no such code in the table.
const FindingCode* finding_code(std::string_view code);

}  // namespace lockstep
