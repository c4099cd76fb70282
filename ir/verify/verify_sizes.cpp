// The size limits for tiles of Triton's own ops. Other dialects' ops take any tile, as in MLIR. Source: the messages of
// Triton 3.6's verifier.
#include "ir/text/printer.h"
#include "ir/verify/verifier.h"

namespace lockstep::ir {
namespace {

constexpr std::int64_t kMaxTileElements = 1 << 20;

bool is_power_of_two_or_zero(std::int64_t count) { return (count & (count - 1)) == 0; }

}  // namespace

bool VerifyContext::verify_tile_size(const Op& op, Type type) {
  if (!type.is_tensor()) return true;
  const std::int64_t count = type.element_count();
  const std::string found = "'" + std::string(op.spelling()) + "' has " + type.to_string();
  if (count > kMaxTileElements) {
    return error(op, "LS1115", "a tile has at most 1048576 elements, but " + found);
  }
  if (is_power_of_two_or_zero(count)) return true;
  return error(op, "LS1115",
               "the number of elements of a tile must be a power of two, but " + found + " (" + std::to_string(count) +
                   " elements)");
}

bool VerifyContext::verify_tile_sizes(const Op& op) {
  if (!op.spelling().starts_with("tt.")) return true;
  for (const Value* value : op.operands()) {
    if (!verify_tile_size(op, value->type())) return false;
  }
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    if (!verify_tile_size(op, op.result(i)->type())) return false;
  }
  return true;
}

}  // namespace lockstep::ir
