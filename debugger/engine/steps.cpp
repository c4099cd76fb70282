#include "debugger/engine/steps.h"

#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::debugger {

Stop step_op(Engine& engine, Direction direction) {
  if (engine.point() == nullptr) return engine.go(direction, [] { return true; });
  const std::uint64_t number = engine.program();
  if (direction == Direction::forward) {
    return engine.go(direction,
                     [&engine, number] { return engine.program() == number || !engine.programs().has_live(number); });
  }
  if (engine.programs().current().steps == 0) return engine.go(direction, [] { return true; });
  return engine.go(direction, [&engine, number] { return engine.program() == number; });
}

Stop step_line(Engine& engine, Direction direction, bool over) {
  if (engine.point() == nullptr)
    return engine.go(direction, [&engine] { return engine.programs().current().is_statement_start(); });
  const std::uint64_t number = engine.program();
  const std::size_t depth = engine.point()->frames.size();
  const auto begins = [&engine, depth, over] {
    const LiveProgram& program = engine.programs().current();
    return program.is_statement_start() && (!over || program.new_level < depth);
  };
  if (direction == Direction::forward) {
    return engine.go(direction, [=, &engine] {
      if (!engine.programs().has_live(number)) return true;
      return engine.program() == number && begins();
    });
  }
  if (engine.programs().current().steps == 0)
    return engine.go(direction, [&engine] { return engine.programs().current().is_statement_start(); });
  return engine.go(direction, [=, &engine] {
    return engine.program() == number && (begins() || engine.programs().current().steps == 0);
  });
}

Stop step_out(Engine& engine, Direction direction) {
  if (engine.point() == nullptr) return step_op(engine, direction);
  const std::uint64_t number = engine.program();
  const std::size_t depth = engine.point()->frames.size();
  const bool is_outermost = depth <= 1;
  if (direction == Direction::backward) {
    return engine.go(direction, [=, &engine] {
      if (engine.program() != number) return engine.programs().find(number) == nullptr;
      return is_outermost ? engine.programs().current().steps == 0 : engine.point()->frames.size() < depth;
    });
  }
  return engine.go(direction, [=, &engine] {
    if (!engine.programs().has_live(number)) return true;
    if (engine.program() != number) return false;
    if (!is_outermost) return engine.point()->frames.size() < depth;
    return engine.point()->activation == 0 && ir::is_return(*engine.point()->op);
  });
}

}  // namespace lockstep::debugger
