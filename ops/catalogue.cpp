// The table of all rows, and the lookups of ir/op_def.h.
#include <array>
#include <string>
#include <unordered_map>

#include "ops/rows.h"
#include "support/check.h"

namespace lockstep::ir {
namespace {

constexpr std::array<const OpDef*, kOpCount> kRows = {
#define LOCKSTEP_OP(identifier, spelling) &ops::identifier,
#include "ops/op_list.def"
#undef LOCKSTEP_OP
};

constexpr bool list_is_sorted() {
  for (std::size_t i = 1; i < kOpCount; ++i) {
    if (!(kOpSpellings[i - 1] < kOpSpellings[i])) return false;
  }
  return true;
}
static_assert(list_is_sorted(), "ops/op_list.def must be sorted and without duplicates");

const std::unordered_map<std::string_view, const OpDef*>& rows_by_spelling() {
  static const auto table = [] {
    std::unordered_map<std::string_view, const OpDef*> result;
    for (const OpDef* def : kRows) result.emplace(def->spelling, def);
    return result;
  }();
  return table;
}

}  // namespace

const OpDef* find_op(std::string_view spelling) {
  const auto& table = rows_by_spelling();
  const auto found = table.find(spelling);
  return found == table.end() ? nullptr : found->second;
}

std::span<const OpDef* const> all_ops() { return kRows; }

const OpDef& op_row(std::string_view spelling) {
  const OpDef* def = find_op(spelling);
  LOCKSTEP_CHECK(def != nullptr, "no row for op '" + std::string(spelling) + "'");
  return *def;
}

}  // namespace lockstep::ir
