#include "fuzz/walk.h"

#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::fuzz {
namespace {

/// Not recursive over regions: a stack of ops to enter.
template <typename Visit>
void walk(const ir::Op& root, Visit&& visit) {
  std::vector<const ir::Op*> open{&root};
  while (!open.empty()) {
    const ir::Op* op = open.back();
    open.pop_back();
    for (const auto& region : op->regions()) {
      for (const auto& block : region->blocks()) {
        visit(block.get(), nullptr);
        for (const auto& child : block->ops()) {
          visit(block.get(), child.get());
          open.push_back(child.get());
        }
      }
    }
  }
}

}  // namespace

void append_values(const ir::Op& root, std::vector<ir::Value*>& values) {
  walk(root, [&values](ir::Block* block, ir::Op* op) {
    if (op == nullptr) {
      for (const auto& argument : block->arguments()) values.push_back(argument.get());
      return;
    }
    for (std::size_t i = 0; i < op->result_count(); ++i) values.push_back(op->result(i));
  });
}

std::vector<ir::Op*> ops_of(const ir::Module& module) {
  std::vector<ir::Op*> ops;
  walk(module.op(), [&ops](ir::Block*, ir::Op* op) {
    if (op != nullptr && !ir::is_function(*op)) ops.push_back(op);
  });
  return ops;
}

std::vector<ir::Value*> values_around(const ir::Op& op) {
  const ir::Op* function = &op;
  while (function->parent_op() != nullptr && !ir::is_function(*function))
    function = function->parent_op();
  std::vector<ir::Value*> values;
  append_values(*function, values);
  return values;
}

std::vector<ir::Value*> values_of(const ir::Module& module) {
  std::vector<ir::Value*> values;
  append_values(module.op(), values);
  return values;
}

}  // namespace lockstep::fuzz
