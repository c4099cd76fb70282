#include "interpreter/plan/shared_steps.h"

#include <array>

namespace lockstep::interpreter {

const Step* step_release(Machine& machine, const Step* step) { return machine.finish(step); }

const Step* step_jump(Machine&, const Step* step) { return step->target; }

const Step* step_end(Machine& machine, const Step*) {
  machine.status = Status::done;
  return nullptr;
}

namespace {
/// The tile that a move takes from its slot, with a count of its own.
Tile take(Machine& machine, const Move& move) {
  Tile& from = machine.slots[move.from];
  const Tile taken = from;
  if (move.dies) {
    from.buffer = nullptr;
  } else {
    BufferPool::retain(from);
  }
  return taken;
}
}  // namespace

const Step* step_move_in_turn(Machine& machine, const Step* step) {
  for (const Move& move : *static_cast<const std::vector<Move>*>(step->record))
    machine.set(move.to, take(machine, move));
  return step + 1;
}

const Step* step_move(Machine& machine, const Step* step) {
  const auto& moves = *static_cast<const std::vector<Move>*>(step->record);
  constexpr std::size_t kInline = 16;
  std::array<Tile, kInline> few;
  std::vector<Tile> many;
  Tile* taken = few.data();
  if (moves.size() > kInline) {
    many.resize(moves.size());
    taken = many.data();
  }
  for (std::size_t i = 0; i < moves.size(); ++i) taken[i] = take(machine, moves[i]);
  for (std::size_t i = 0; i < moves.size(); ++i) machine.set(moves[i].to, taken[i]);
  return step + 1;
}

}  // namespace lockstep::interpreter
