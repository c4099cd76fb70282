// Programs of a grid by their places: "0,960;1,0,2" (x first; what is missing is 0).
// Errors: LS2203 (syntax, a place outside of the grid, too many).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "support/diagnostics/status.h"
#include "support/result.h"

namespace lockstep::driver {

/// Their numbers (x fastest), rising, each once.
Expected<std::vector<std::uint64_t>, Status> parse_programs(std::string_view text,
                                                            const std::array<std::int64_t, 3>& grid);

}  // namespace lockstep::driver
