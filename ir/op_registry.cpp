#include "ir/op_registry.h"

#include <cstddef>
#include <string>

#include "ir/opcode.h"
#include "support/check.h"

namespace lockstep::ir {

OpRegistry::OpRegistry(std::span<const OpDef* const> rows) : rows_(rows) {
  LOCKSTEP_CHECK(rows.size() == kOpCount, "a registry has a row for each opcode");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    LOCKSTEP_CHECK(static_cast<std::size_t>(rows[i]->opcode) == i, "rows stand in the order of opcodes");
    by_spelling_.emplace(rows[i]->spelling, rows[i]);
  }
}

const OpDef* OpRegistry::find(std::string_view spelling) const {
  const auto found = by_spelling_.find(spelling);
  return found == by_spelling_.end() ? nullptr : found->second;
}

const OpDef& OpRegistry::row(std::string_view spelling) const {
  const OpDef* def = find(spelling);
  LOCKSTEP_CHECK(def != nullptr, "no row for op '" + std::string(spelling) + "'");
  return *def;
}

}  // namespace lockstep::ir
