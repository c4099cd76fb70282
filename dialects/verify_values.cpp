// Rules about widths, constants, memory and descriptors.
#include <algorithm>

#include "dialects/verify_hooks.h"
#include "ir/text/print_locations.h"
#include "ir/text/printer.h"
#include "ir/verify/verifier.h"

namespace lockstep::dialects {
namespace {

using ir::Op;
using ir::Type;
using ir::VerifyContext;


/// Bits of an element; pointers have 64.
std::uint32_t width_of(Type type) {
  const Type element = type.element();
  if (element.is_integer()) return element.integer_width();
  const auto kind = element.scalar_kind();
  return kind ? static_cast<std::uint32_t>(bit_width(*kind)) : 0;
}

bool width_error(VerifyContext& context, const Op& op, std::string_view rule) {
  return context.error(op, kBrokenOp,
                       "'" + std::string(op.spelling()) + "' " + std::string(rule) + ", not from " +
                           op.operand(0)->type().to_string() + " to " + op.result()->type().to_string());
}

std::size_t rank_of_block(Type pointer_or_descriptor) { return pointer_or_descriptor.pointee().shape().size(); }

bool expect_count(VerifyContext& context, const Op& op, std::string_view what, std::size_t count,
                  std::size_t expected) {
  if (count == expected) return true;
  return context.error(op, kBrokenOp,
                       "'" + std::string(op.spelling()) + "' needs " + std::to_string(expected) + " " +
                           std::string(what) + ", one per axis of the block, not " + std::to_string(count));
}

bool is_block_pointer(Type type) { return type.is_pointer() && type.pointee().is_tensor(); }

}  // namespace

bool verify_same_width(VerifyContext& context, const Op& op) {
  return width_of(op.operand(0)->type()) == width_of(op.result()->type()) ||
         width_error(context, op, "keeps the width");
}

bool verify_widening(VerifyContext& context, const Op& op) {
  return width_of(op.operand(0)->type()) < width_of(op.result()->type()) ||
         width_error(context, op, "goes to a wider type");
}

bool verify_narrowing(VerifyContext& context, const Op& op) {
  return width_of(op.operand(0)->type()) > width_of(op.result()->type()) ||
         width_error(context, op, "goes to a narrower type");
}

bool verify_fp_to_fp(VerifyContext& context, const Op& op) {
  if (width_of(op.operand(0)->type()) <= width_of(op.result()->type()) || op.attribute("rounding")) return true;
  return context.error(op, "LS1104", "'tt.fp_to_fp' to a narrower type needs a rounding",
                       "write rounding = rtne or rounding = rtz");
}

bool verify_constant(VerifyContext& context, const Op& op) {
  const ir::Attribute value = op.attribute("value");
  if (value->type == op.result()->type()) return true;
  return context.error(op, "LS1114",
                       "the constant " + ir::print_attribute(value) + " does not have the type of its result, " +
                           op.result()->type().to_string());
}

bool verify_select(VerifyContext& context, const Op& op) {
  const Type condition = op.operand(0)->type();
  if (!condition.is_tensor() || condition.shape() == op.result()->type().shape()) return true;
  return context.error(op, kBrokenOp,
                       "the condition of 'arith.select' is " + condition.to_string() + ", its values are " +
                           op.result()->type().to_string());
}

bool verify_block_access(VerifyContext& context, const Op& op) {
  const Type pointer = op.operand(0)->type();
  const ir::Attribute checked = op.attribute("boundaryCheck");
  const std::size_t mask = op.spelling() == "tt.load" ? 1 : 2;
  if (!is_block_pointer(pointer)) {
    if (!checked || checked->values.empty()) {
      if (op.spelling() == "tt.load" && op.operand_or_null(2) != nullptr && op.operand_or_null(1) == nullptr) {
        return context.error(op, kBrokenOp, "'tt.load' has other without mask");
      }
      return true;
    }
    return context.error(op, kBrokenOp, "boundaryCheck is only for block pointers, not for " + pointer.to_string());
  }
  if (op.operand_or_null(mask) != nullptr)
    return context.error(op, kBrokenOp, "a block pointer takes no mask: it has boundaryCheck");
  if (!checked) return true;
  for (const std::int64_t axis : checked->values) {
    if (axis >= 0 && axis < static_cast<std::int64_t>(rank_of_block(pointer))) continue;
    return context.error(op, kBrokenOp,
                         "boundaryCheck names axis " + std::to_string(axis) + ", which the block does not have");
  }
  return true;
}

bool verify_make_tensor_ptr(VerifyContext& context, const Op& op) {
  const Type type = op.result()->type();
  if (!is_block_pointer(type)) return context.error(op, kBrokenOp, "'tt.make_tensor_ptr' gives a pointer to a tile");
  const std::size_t rank = rank_of_block(type);
  return expect_count(context, op, "extents", op.operand_group(1).size(), rank) &&
         expect_count(context, op, "strides", op.operand_group(2).size(), rank) &&
         expect_count(context, op, "offsets", op.operand_group(3).size(), rank) &&
         expect_count(context, op, "entries in order", op.attribute("order")->values.size(), rank);
}

bool verify_advance(VerifyContext& context, const Op& op) {
  const Type type = op.result()->type();
  if (!is_block_pointer(type)) return context.error(op, kBrokenOp, "'tt.advance' moves a pointer to a tile");
  return expect_count(context, op, "offsets", op.operand_group(1).size(), rank_of_block(type));
}

bool verify_atomic(VerifyContext& context, const Op& op) {
  const Type value = op.operand(1)->type().element();
  const std::int64_t kind = op.integer_attribute("atomic_rmw_op", 0);
  constexpr std::int64_t kFirstFloat = 5;
  constexpr std::int64_t kExchange = 10;
  const bool fits = kind == kExchange     ? value.is_integer() || value.is_float() || value.is_pointer()
                    : kind == kFirstFloat ? value.is_float()
                                          : value.is_integer();
  if (fits) return true;
  return context.error(op, kBrokenOp, "this atomic operation does not exist for " + value.to_string());
}

bool verify_make_tensor_descriptor(VerifyContext& context, const Op& op) {
  const Type type = op.result()->type();
  if (!type.pointee().is_tensor() || op.operand(0)->type().pointee() != type.pointee().element()) {
    return context.error(op, kBrokenOp,
                         "the base of 'tt.make_tensor_descriptor' points to " +
                             op.operand(0)->type().pointee().to_string() + ", but its blocks are " +
                             type.pointee().to_string());
  }
  const std::size_t rank = rank_of_block(type);
  return expect_count(context, op, "extents", op.operand_group(1).size(), rank) &&
         expect_count(context, op, "strides", op.operand_group(2).size(), rank);
}

bool verify_descriptor_access(VerifyContext& context, const Op& op) {
  const Type block = op.operand(0)->type().pointee();
  const bool is_load = op.result_count() != 0;
  const Type tile = is_load ? op.result()->type() : op.operand(1)->type();
  if (!expect_count(context, op, "indices", op.operand_group(is_load ? 1 : 2).size(), block.shape().size()))
    return false;
  if (tile.element_count() == block.element_count()) return true;
  return context.error(op, kBrokenOp,
                       "a block of the descriptor is " + block.to_string() + ", but the tile is " + tile.to_string());
}

namespace {

/// The limits of the TMA unit: Triton's own limits for gather and scatter.
bool verify_row_sizes(VerifyContext& context, const Op& op, Type rows, Type tile) {
  constexpr std::int64_t kMinRows = 8, kMinColumnBits = 256;
  const std::uint32_t width = width_of(tile);
  const std::string name = "'" + std::string(op.spelling()) + "'";
  if (width > 32)
    return context.error(op, kBrokenOp, name + " takes elements of at most 32 bits, not " + tile.element().to_string());
  if (!rows.element().is_integer(32)) return context.error(op, kBrokenOp, "the offsets of " + name + " are i32");
  if (tile.shape()[0] < kMinRows)
    return context.error(op, kBrokenOp, name + " takes at least 8 rows, not " + std::to_string(tile.shape()[0]));
  if (tile.shape()[1] * std::max<std::int64_t>(width, 8) >= kMinColumnBits) return true;
  return context.error(op, kBrokenOp,
                       name + " of " + tile.element().to_string() + " takes at least " +
                           std::to_string(kMinColumnBits / std::max<std::int64_t>(width, 8)) + " columns, not " +
                           std::to_string(tile.shape()[1]));
}

}  // namespace

bool verify_descriptor_rows(VerifyContext& context, const Op& op) {
  const Type block = op.operand(0)->type().pointee();
  const Type rows = op.operand(1)->type();
  const Type tile = op.result_count() != 0 ? op.result()->type() : op.operand(3)->type();
  const bool fits = block.shape().size() == 2 && block.shape()[0] == 1 && rows.shape().size() == 1 &&
                    tile.shape().size() == 2 && tile.shape()[0] == rows.shape()[0] &&
                    tile.shape()[1] == block.shape()[1];
  if (!fits) {
    return context.error(
        op, kBrokenOp, "'" + std::string(op.spelling()) + "' takes blocks of one row, and a tile with one row per offset");
  }
  return verify_row_sizes(context, op, rows, tile);
}

}  // namespace lockstep::dialects
