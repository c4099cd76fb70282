#include "debugger/engine/steps.h"

#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::debugger {

namespace {

/// A group of warps of a program, followed by a step.
struct Followed {
  const Engine& engine;
  std::uint64_t program;
  std::uint32_t group;

  Followed(const Engine& of, std::uint32_t wanted)
      : engine(of),
        program(of.program()),
        group(wanted == kThisGroup ? of.programs().current().group : wanted) {}
  bool stands() const { return engine.program() == program && engine.programs().current().group == group; }
  /// The program, or the group, is over, or has not begun.
  bool is_gone() const {
    if (!engine.programs().has_live(program)) return true;
    return engine.program() == program && !engine.programs().has_live_group(group);
  }
};

}  // namespace

Stop step_op(Engine& engine, Direction direction, std::uint32_t group) {
  if (engine.point() == nullptr) return engine.go(direction, [] { return true; });
  const Followed followed(engine, group);
  if (direction == Direction::backward && engine.programs().current().steps == 0)
    return engine.go(direction, [] { return true; });
  return engine.go(direction, [followed] { return followed.stands() || followed.is_gone(); });
}

Stop step_line(Engine& engine, Direction direction, bool over, std::uint32_t group) {
  if (engine.point() == nullptr)
    return engine.go(direction, [&engine] { return engine.programs().current().is_statement_start(); });
  const Followed followed(engine, group);
  const bool is_limited = over && followed.stands();
  const std::size_t depth = engine.point()->frames.size();
  const auto begins = [&engine, depth, is_limited] {
    const LiveProgram& program = engine.programs().current();
    return program.is_statement_start() && (!is_limited || program.new_level < depth);
  };
  if (direction == Direction::forward)
    return engine.go(direction, [=] { return followed.is_gone() || (followed.stands() && begins()); });
  if (engine.programs().current().steps == 0)
    return engine.go(direction, [&engine] { return engine.programs().current().is_statement_start(); });
  return engine.go(direction, [=, &engine] {
    if (engine.program() != followed.program) return false;
    if (followed.is_gone()) return engine.programs().current().is_statement_start();
    return (followed.stands() && begins()) || engine.programs().current().steps == 0;
  });
}

Stop step_out(Engine& engine, Direction direction) {
  if (engine.point() == nullptr) return step_op(engine, direction);
  const Followed followed(engine, kThisGroup);
  const std::uint64_t number = followed.program;
  const std::size_t depth = engine.point()->frames.size();
  const bool is_outermost = depth <= 1;
  if (direction == Direction::backward) {
    return engine.go(direction, [=, &engine] {
      if (engine.program() != number) return engine.programs().find(number) == nullptr;
      if (is_outermost) return engine.programs().current().steps == 0;
      return followed.stands() && engine.point()->frames.size() < depth;
    });
  }
  return engine.go(direction, [=, &engine] {
    if (!engine.programs().has_live(number)) return true;
    if (engine.program() != number) return false;
    if (!is_outermost) return followed.is_gone() || (followed.stands() && engine.point()->frames.size() < depth);
    if (followed.group != 0) return followed.is_gone();
    return engine.point()->activation == 0 && ir::is_return(*engine.point()->op);
  });
}

}  // namespace lockstep::debugger
