// Steps that several families of ops append: releasing, moving, jumping, ending.
#pragma once

#include "interpreter/launch/machine.h"

namespace lockstep::interpreter {

const Step* step_release(Machine& machine, const Step* step);
const Step* step_move(Machine& machine, const Step* step);
const Step* step_move_in_turn(Machine& machine, const Step* step);  // no move reads what an earlier one wrote
const Step* step_jump(Machine& machine, const Step* step);
const Step* step_end(Machine& machine, const Step* step);

}  // namespace lockstep::interpreter
