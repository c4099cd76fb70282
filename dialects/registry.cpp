#include "dialects/registry.h"

#include <array>
#include <cstddef>

#include "dialects/rows.h"

namespace lockstep::dialects {
namespace {

constexpr std::array<const OpDef*, ir::kOpCount> kRows = {
#define LOCKSTEP_OP(identifier, spelling) &identifier,
#include "ir/op_list.def"
#undef LOCKSTEP_OP
};

constexpr bool list_is_sorted() {
  for (std::size_t i = 1; i < ir::kOpCount; ++i) {
    if (!(ir::kOpSpellings[i - 1] < ir::kOpSpellings[i])) return false;
  }
  return true;
}
static_assert(list_is_sorted(), "ir/op_list.def must be sorted and without duplicates");

}  // namespace

const ir::OpRegistry& registry() {
  static const ir::OpRegistry all(kRows);
  return all;
}

}  // namespace lockstep::dialects
