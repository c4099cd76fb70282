#include "backend_cuda/layout/persistent.h"

#include <algorithm>
#include <array>
#include <set>

#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"

namespace lockstep::backend_cuda {
namespace {

bool is_plain(const ir::Op& op) {
  return op.regions().empty() && op.def().effects == ir::Effects::pure && !ir::is_matrix_product(op);
}

/// Of a scalar, a row or a column: few registers.
bool is_small_load(const ir::Op& op) {
  return ir::is_pointer_load(op) && op.integer_attribute("isVolatile", 0) == 0 &&
         (!op.result()->type().is_tensor() || op.result()->type().shape().size() < 2);
}

bool only_multiplies(const ir::Op& loop) {
  if (loop.regions().size() != 1 || loop.region().blocks().size() != 1) return false;
  const ir::Block& body = loop.region().front();
  int products = 0;
  for (const auto& op : body.ops()) {
    if (op.get() == body.terminator() || is_plain(*op) || ir::is_pointer_load(*op)) continue;
    if (!ir::is_matrix_product(*op)) return false;
    ++products;
  }
  return products == 1;
}

}  // namespace

bool may_persist(const ir::Op& function) {
  if (function.region().blocks().size() != 1) return false;
  const ir::Block& body = function.region().front();
  int loops = 0;
  for (const auto& op : body.ops()) {
    if (op.get() == body.terminator() || is_plain(*op) || is_small_load(*op) || ir::is_pointer_store(*op)) continue;
    if (!ir::is_counted_loop(*op) || !only_multiplies(*op)) return false;
    ++loops;
  }
  return loops == 1;
}

std::optional<std::vector<const ir::Op*>> scalar_slice(const ir::Block& block, std::vector<const ir::Value*> values) {
  std::set<const ir::Op*> needed;
  while (!values.empty()) {
    const ir::Value* value = values.back();
    values.pop_back();
    const ir::Op* made = value->defining_op();
    if (made == nullptr || !needed.insert(made).second) continue;
    if (made->block() != &block || !is_plain(*made) || value->type().is_tensor()) return std::nullopt;
    values.insert(values.end(), made->operands().begin(), made->operands().end());
  }
  std::vector<const ir::Op*> ordered;
  for (const auto& op : block.ops()) {
    if (needed.count(op.get()) != 0) ordered.push_back(op.get());
  }
  return ordered;
}

std::string program_text(std::size_t axis) {
  constexpr std::array<const char*, 3> kTexts = {"(int)(ls_program %% ls_grid_x)", "(int)(ls_program / ls_grid_x %% ls_grid_y)",
                                                 "(int)(ls_program / ls_grid_x / ls_grid_y)"};
  return kTexts[axis];
}

std::string program_count_text(std::size_t axis) {
  constexpr std::array<const char*, 3> kTexts = {"(int)ls_grid_x", "(int)ls_grid_y", "(int)ls_grid_z"};
  return kTexts[axis];
}

}  // namespace lockstep::backend_cuda
