#include "debugger/questions/hand_overs.h"

#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::debugger {

using ir::Opcode;

namespace {

class Finder {
 public:
  Finder(const DebugKernel& kernel, const Point& point) : kernel_(kernel), point_(point), op_(*point.op) {}

  void yields() {
    const ir::Op& around = *op_.parent_op();
    for (std::size_t i = 0; i < op_.operand_count(); ++i) {
      const ir::Value& from = *op_.operand(i);
      if (ir::is_counted_loop(around)) {
        add(from, *around.region().front().argument(i + 1));
        add(from, *around.result(i));
      } else if (ir::is_open_loop(around)) {
        add(from, *around.region(0).front().argument(i));
      } else if (i < around.result_count()) {
        add(from, *around.result(i));
      }
    }
  }
  void begins_for() {
    for (std::size_t i = 0; i < op_.result_count(); ++i) {
      add(*op_.operand(3 + i), *op_.region().front().argument(i + 1));
      add(*op_.operand(3 + i), *op_.result(i));
    }
  }
  void begins_while() {
    for (std::size_t i = 0; i < op_.operand_count(); ++i) add(*op_.operand(i), *op_.region(0).front().argument(i));
  }
  void decides_while() {
    const ir::Op& loop = *op_.parent_op();
    for (std::size_t i = 0; i + 1 < op_.operand_count(); ++i) {
      add(*op_.operand(i + 1), *loop.result(i));
      add(*op_.operand(i + 1), *loop.region(1).front().argument(i));
    }
  }
  void calls() {
    const auto& activations = kernel_.activations();
    for (std::uint32_t a = 1; a < activations.size(); ++a) {
      if (activations[a].call_point != point_.number ||
          activations[a].caller != static_cast<std::int32_t>(point_.activation))
        continue;
      const ir::Block& entry = activations[a].function->region().front();
      for (std::size_t i = 0; i < op_.operand_count(); ++i) add(*op_.operand(i), *entry.argument(i), a);
    }
  }
  void returns() {
    const Activation& running = kernel_.activations()[point_.activation];
    if (running.caller < 0) return;
    const ir::Op& call = *kernel_.points()[running.call_point].op;
    for (std::size_t i = 0; i < op_.operand_count(); ++i)
      add(*op_.operand(i), *call.result(i), static_cast<std::uint32_t>(running.caller));
  }
  void branches(const Point* next) {
    for (std::size_t s = 0; s < op_.successors().size(); ++s) {
      const ir::Block* block = op_.successors()[s].block;
      if (next == nullptr || next->op->block() != block) continue;
      const auto arguments = op_.successor_arguments(s);
      for (std::size_t i = 0; i < arguments.size(); ++i) add(*arguments[i], *block->argument(i));
      return;
    }
  }
  std::vector<HandOver> take() { return std::move(found_); }

 private:
  void add(const ir::Value& from, const ir::Value& to) { add(from, to, point_.activation); }
  void add(const ir::Value& from, const ir::Value& to, std::uint32_t activation) {
    found_.push_back({&from, &to, point_.activation, activation});
  }

  const DebugKernel& kernel_;
  const Point& point_;
  const ir::Op& op_;
  std::vector<HandOver> found_;
};

}  // namespace

std::vector<HandOver> hand_overs(const DebugKernel& kernel, const Point& point, const Point* next) {
  Finder finder(kernel, point);
  switch (point.op->def().opcode) {
    case Opcode::scf_yield: finder.yields(); break;
    case Opcode::scf_condition: finder.decides_while(); break;
    case Opcode::scf_for: finder.begins_for(); break;
    case Opcode::scf_while: finder.begins_while(); break;
    case Opcode::tt_call: finder.calls(); break;
    case Opcode::tt_return: finder.returns(); break;
    case Opcode::cf_br:
    case Opcode::cf_cond_br: finder.branches(next); break;
    default: break;
  }
  return finder.take();
}

}  // namespace lockstep::debugger
