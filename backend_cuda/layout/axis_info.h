// AxisInfo: what is known about the integers and addresses of a tile along each dimension: how long runs of consecutive
// elements are (contiguity), what a run's first element is divisible by (divisibility; bytes for pointers), how long
// runs of equal elements are (constancy). All are powers of two, at least 1, and bounds that always hold, as long as no
// signed sum or product of the kernel overflows. From them follow vectorised and coalesced accesses. Source of the
// seeds: tt.divisibility and its like on arguments and ops. Not here: values.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ir/op.h"

namespace lockstep::backend_cuda {

struct AxisInfo {
  std::vector<std::int64_t> contiguity, divisibility, constancy;  // per dimension; one entry for a scalar
  std::optional<std::int64_t> constant;
  bool is_not_negative = false;
  friend bool operator==(const AxisInfo&, const AxisInfo&) = default;
};

class AxisAnalysis {
 public:
  /// Analyses all values of a function.
  explicit AxisAnalysis(const ir::Op& function);
  const AxisInfo& of(const ir::Value* value) const;
  /// Dimensions of a pointer tile, the one with the longest runs of consecutive addresses first; ties: last first.
  std::vector<int> order_of(const ir::Value* pointers) const;
  /// How many elements along the first dimension of `order` are adjacent and aligned in memory for an access of at most
  /// 16 bytes with elements of `bytes`; `mask` may be null.
  std::int64_t vector_length(const ir::Value* pointers, const ir::Value* mask, int dimension, int bytes) const;

 private:
  bool visit_block(const ir::Block& block);
  bool visit_op(const ir::Op& op);
  bool visit_region_op(const ir::Op& op);
  bool meet(const ir::Value* value, const AxisInfo& info);
  bool set(const ir::Value* value, AxisInfo info);

  std::unordered_map<const ir::Value*, AxisInfo> info_;
};

}  // namespace lockstep::backend_cuda
