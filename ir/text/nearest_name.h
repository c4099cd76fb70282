// The name most like a misspelt one, for hints ("did you mean ...").
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::ir {

/// The candidate with the smallest edit distance, "" if none is near (more edits than a third of the name, or than 3).
std::string nearest_name(std::string_view name, const std::vector<std::string_view>& candidates);

}  // namespace lockstep::ir
