// OpRegistry: the ops that modules may hold, by opcode and by spelling. A Context gets one at its construction, so that
// ir/ can read, print and verify rows without the rows themselves. Not here: the rows (dialects/registry.h).
#pragma once

#include <span>
#include <string_view>
#include <unordered_map>

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::ir {

class OpRegistry {
 public:
  /// One row for each Opcode, in its order; both the span and the rows outlive the registry.
  explicit OpRegistry(std::span<const OpDef* const> rows);

  std::span<const OpDef* const> rows() const { return rows_; }
  /// Null if there is none.
  const OpDef* find(std::string_view spelling) const;
  /// A row that must exist: a missing one is a defect of Lockstep.
  const OpDef& row(std::string_view spelling) const;

 private:
  std::span<const OpDef* const> rows_;
  std::unordered_map<std::string_view, const OpDef*> by_spelling_;
};

}  // namespace lockstep::ir
