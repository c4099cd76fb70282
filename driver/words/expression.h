// Integer expressions of grids and shapes: + - * / // % ( ) min max cdiv next_power_of_2, names, x.shape[i], x.numel.
// // and % round down as in Python; / must give a whole number. All arithmetic is checked: nothing wraps. Recursion is
// bounded. Errors: LS2020 (syntax), LS2021 (unknown name), LS2022 (arithmetic).
#pragma once

#include <cstdint>
#include <optional>

#include "driver/arguments/arguments.h"
#include "driver/words/cursor.h"

namespace lockstep::driver {

/// Takes one expression; stops before the first other text. nullopt: diagnosed.
std::optional<std::int64_t> take_expression(Cursor& cursor, const GridNames& names);

}  // namespace lockstep::driver
