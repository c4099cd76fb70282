// Which definitions reach which uses: dominator trees of block graphs, order within blocks, nesting of regions; and a
// text why a definition does not reach. Results are cached: make a new object after changing the IR. Source: Cooper,
// Harvey, Kennedy, "A Simple, Fast Dominance Algorithm"; MLIR LangRef "SSA dominance".
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/op.h"

namespace lockstep::ir {

class Dominance {
 public:
  /// True if `value` is defined whenever `user` runs. Uses in unreachable blocks are always dominated.
  bool reaches(const Value& value, const Op& user);
  /// "it is defined later in the same block", for a value that does not reach.
  std::string explain(const Value& value, const Op& user);
  /// The usual way to make it reach, if there is one: "carry it out of the loop with iter_args and scf.yield"; else
  /// empty.
  std::string advise(const Value& value, const Op& user) const;
  bool is_reachable(const Block& block);
  /// Every path from the entry of their region to `block` goes through `dominator` (reflexive).
  bool dominates(const Block& dominator, const Block& block);

 private:
  struct Graph {
    std::vector<const Block*> order;  // reachable blocks in reverse postorder
    std::unordered_map<const Block*, std::uint32_t> number;
    std::vector<std::uint32_t> idom;
    std::vector<std::uint32_t> depth;  // in the dominator tree
  };
  const Graph& graph_of(const Region& region);
  std::uint32_t position_of(const Op& op);
  std::string explain_blocks(const Block& definition, const Block& use);

  std::unordered_map<const Region*, Graph> graphs_;
  std::unordered_map<const Op*, std::uint32_t> positions_;
};

/// The op that holds `op` (or `op` itself) and stands directly in `region`; null if there is none.
const Op* ancestor_in(const Region& region, const Op& op);

}  // namespace lockstep::ir
