// Block pointers and tensor descriptors. Both are structs (prelude: block.cuh); a descriptor's block at given indices
// is a block pointer whose dimensions are all checked. Accesses are ordinary ones, vectors where the address allows it
// at run time; the unit that moves blocks asynchronously is not used.
#include <array>
#include <optional>

#include "backend_cuda/emit/emit.h"
#include "backend_cuda/emit/emit_atomic.h"
#include "backend_cuda/emit/emit_context.h"
#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::backend_cuda {
namespace {

using ir::Opcode;

std::string braces(EmitContext& context, const std::vector<ir::Value*>& values) {
  std::string text;
  for (const ir::Value* value : values) text += (text.empty() ? "" : ", ") + context.variable(value, kScalar).name;
  return "{" + text + "}";
}

/// Coordinates of register `r`'s element in a block.
std::string coordinates(EmitContext& context, const std::vector<std::int64_t>& block) {
  std::string text;
  for (std::size_t d = 0; d < block.size(); ++d) {
    text += (d == 0 ? "" : ", ") + context.coordinate_text(context.variant(), block, d);
  }
  return "{" + text + "}";
}

struct TileRun {
  int width = 1, dimension = 0;
};

/// Registers that follow each other along one dimension.
TileRun run_of(EmitContext& context, const std::vector<std::int64_t>& block, int element_bytes) {
  TileRun run{1, static_cast<int>(block.size()) - 1};
  for (int d = 0; d < static_cast<int>(block.size()); ++d) {
    const int held = context.layout(context.variant()).contiguous_bits(bits_in_order(block, {d}));
    if ((1 << held) > run.width) run = {1 << held, d};
  }
  while (run.width * element_bytes > 16) run.width /= 2;
  return run;
}

/// A block in memory and how it is accessed.
struct Access {
  std::string name;  // of a block_pointer
  std::vector<std::int64_t> shape;
  unsigned checked = 0;
  std::string pads = "false";
};

int element_bytes(ir::Type tile) { return size_bytes(*tile.element().scalar_kind()); }

std::string each_run(EmitContext& context, int width, const std::string& statement) {
  return "LS_EACH_BY(" + number(context.layout(context.variant()).registers()) + ", " + number(width) + ") " +
         statement;
}

std::string template_text(const TileRun& run, unsigned checked) {
  return "<" + number(run.width) + ", " + number(checked) + ", " + number(run.dimension) + ">";
}

void write_load(EmitContext& context, const Access& access, const Variable& result, ir::Type tile) {
  const TileRun run = run_of(context, access.shape, element_bytes(tile));
  context.line(each_run(context, run.width,
                        "load_block" + template_text(run, access.checked) + "(" + result.name + " + r, " + access.name +
                            ", " + coordinates(context, access.shape) + ", " + access.pads + ");"));
}

void open_tile_owner(EmitContext& context) {
  const std::string owner = context.layout(context.variant()).owner_text();
  context.open(owner.empty() ? "" : "if (" + owner + ")");
}

void write_store(EmitContext& context, const Access& access, const Variable& value, ir::Type tile) {
  const TileRun run = run_of(context, access.shape, element_bytes(tile));
  open_tile_owner(context);
  if (!value.is_tile) {  // the same everywhere
    context.line(value.type + " same[" + number(run.width) + "];");
    context.line("LS_EACH_FROM(i, 0, " + number(run.width) + ") same[i] = " + value.name + ";");
  }
  context.line(each_run(context, run.width,
                        "store_block" + template_text(run, access.checked) + "(" + access.name + ", " +
                            coordinates(context, access.shape) + ", " + (value.is_tile ? value.name + " + r" : "same") +
                            ");"));
  context.close();
}

unsigned checked_dimensions(const ir::Op& op) {
  const ir::Attribute check = op.attribute("boundaryCheck");
  unsigned checked = 0;
  if (!check) return checked;
  for (const std::int64_t d : check->values) checked |= d >= 0 && d < 32 ? 1u << d : 0;
  return checked;
}

/// Writes the block of a descriptor at the indices as a block pointer.
Access write_block(EmitContext& context, const ir::Op& op, const std::vector<ir::Value*>& indices) {
  const ir::Type tile = op.operand(0)->type().pointee();
  const Variable source = context.variable(op.operand(0), kScalar);
  Access access{context.fresh("block"), tile.shape(), (1u << tile.shape().size()) - 1,
                source.name + ".pads_with_nan != 0"};
  context.line("const block_pointer<" + cpp_type(tile) + ", " + number(static_cast<std::int64_t>(tile.shape().size())) +
               "> " + access.name + " = " + source.name + ".block(" + braces(context, indices) + ");");
  return access;
}

bool is_rows(const ir::Op& op) {
  return op.def().access.place == ir::MemoryAccess::Place::rows;
}

/// The rows of a gather or scatter: row i of the tile is row x_offsets[i] of the tensor. Their numbers go through
/// scratch.
Access write_rows(EmitContext& context, const ir::Op& op, const std::vector<std::int64_t>& tile) {
  const Variable offsets = context.operand(op, 1), source = context.variable(op.operand(0), kScalar);
  const std::string scratch = context.memory().exchange(op.operand(1)->type().element_count() * 8);
  if (offsets.is_tile) {
    const std::string owner = context.layout(offsets.layout).owner_text();
    context.open(owner.empty() ? "" : "if (" + owner + ")");
    context.each(offsets, "reinterpret_cast<long long*>(" + scratch + ")[" + context.index_text(offsets.layout) +
                              "] = " + offsets.at() + ";");
    context.close();
  }
  context.memory().exchanged();
  const std::string row = context.coordinate_text(context.variant(), tile, 0);
  const std::string row_number =
      offsets.is_tile ? "reinterpret_cast<long long*>(" + scratch + ")[" + row + "]" : "(long long)" + offsets.name;
  const std::string column = context.variable(op.operand(2), kScalar).name;
  Access access{source.name + ".block({" + row_number + ", (long long)" + column + "})", tile, 3,
                source.name + ".pads_with_nan != 0"};
  return access;
}

/// The coordinates of a row's block start at its row.
std::string row_coordinates(EmitContext& context, const std::vector<std::int64_t>& tile) {
  return "{0, " + context.coordinate_text(context.variant(), tile, 1) + "}";
}

bool emit_rows(EmitContext& context, const ir::Op& op, bool is_load) {
  const ir::Type type = is_load ? op.result()->type() : op.operand(3)->type();
  if (type.shape().size() != 2) return context.unsupported(op, "rows of a tile that is not two-dimensional");
  std::optional<Variable> result;
  if (is_load) result = context.declare(op.result());
  const Access access = write_rows(context, op, type.shape());
  TileRun run = run_of(context, type.shape(), element_bytes(type));
  if (run.dimension != 1) run = {1, 1};
  const std::string head = template_text(run, access.checked), at = row_coordinates(context, type.shape());
  if (is_load) {
    context.line(each_run(
        context, run.width,
        "load_block" + head + "(" + result->name + " + r, " + access.name + ", " + at + ", " + access.pads + ");"));
    return true;
  }
  const Variable value = context.operand(op, 3);
  open_tile_owner(context);
  if (!value.is_tile) {
    context.line(value.type + " same[" + number(run.width) + "];");
    context.line("LS_EACH_FROM(i, 0, " + number(run.width) + ") same[i] = " + value.name + ";");
  }
  context.line(each_run(context, run.width,
                        "store_block" + head + "(" + access.name + ", " + at + ", " +
                            (value.is_tile ? value.name + " + r" : "same") + ");"));
  context.close();
  return true;
}

/// The name for write_update, by the signs of the descriptor's elements.
std::string update_of(const ir::Op& op, ScalarKind kind) {
  constexpr std::array<const char*, 9> kNames = {"", "add", "min", "max", "inc", "dec", "and", "or", "xor"};
  const std::int64_t value = op.integer_attribute("kind", 0);
  if (value < 1 || value >= static_cast<std::int64_t>(kNames.size())) return "";
  const std::string name = kNames[static_cast<std::size_t>(value)];
  if (name == "add" && is_float(kind)) return "fadd";
  if (name != "min" && name != "max") return name;
  if (is_float(kind)) return "f" + name;
  return op.operand(0)->type().signedness() == ir::Signedness::is_signed ? name : "u" + name;
}

}  // namespace

bool emit_block_pointer(EmitContext& context, const ir::Op& op) {
  const Variable result = context.declare(op.result());
  context.line(result.name + " = " + result.type + "{" + context.variable(op.operand(0), kScalar).name + ", " +
               braces(context, op.operand_group(1)) + ", " + braces(context, op.operand_group(2)) + ", " +
               braces(context, op.operand_group(3)) + "};");
  return true;
}

bool emit_advance(EmitContext& context, const ir::Op& op) {
  const Variable result = context.declare(op.result());
  context.line(result.name + " = " + context.variable(op.operand(0), kScalar).name + ".advanced(" +
               braces(context, op.operand_group(1)) + ");");
  return true;
}

bool emit_block_load(EmitContext& context, const ir::Op& op) {
  constexpr std::int64_t kNan = 2;
  const ir::Type tile = op.operand(0)->type().pointee();
  const Variable result = context.declare(op.result());
  const Access access{context.variable(op.operand(0), kScalar).name, tile.shape(), checked_dimensions(op),
                      op.integer_attribute("padding", 0) == kNan ? "true" : "false"};
  write_load(context, access, result, tile);
  return true;
}

bool emit_block_store(EmitContext& context, const ir::Op& op) {
  const ir::Type tile = op.operand(0)->type().pointee();
  const Access access{context.variable(op.operand(0), kScalar).name, tile.shape(), checked_dimensions(op)};
  write_store(context, access, context.operand(op, 1), tile);
  return true;
}

bool emit_descriptor(EmitContext& context, const ir::Op& op) {
  constexpr std::int64_t kNan = 2;
  const Variable result = context.declare(op.result());
  context.line(result.name + " = " + result.type + "{" + context.variable(op.operand(0), kScalar).name + ", " +
               braces(context, op.operand_group(1)) + ", " + braces(context, op.operand_group(2)) + ", " +
               (op.integer_attribute("padding", 1) == kNan ? "1" : "0") + "};");
  return true;
}

bool emit_descriptor_load(EmitContext& context, const ir::Op& op) {
  if (is_rows(op)) return emit_rows(context, op, true);
  const Variable result = context.declare(op.result());
  const Access access = write_block(context, op, op.operand_group(1));
  write_load(context, access, result, op.result()->type());
  return true;
}

bool emit_descriptor_store(EmitContext& context, const ir::Op& op) {
  if (is_rows(op)) return emit_rows(context, op, false);
  const Access access = write_block(context, op, op.operand_group(2));
  write_store(context, access, context.operand(op, 1), op.operand(1)->type());
  return true;
}

bool emit_descriptor_reduce(EmitContext& context, const ir::Op& op) {
  const ScalarKind kind = *op.operand(1)->type().element().scalar_kind();
  const std::string update = write_update(context, update_of(op, kind), kind, {"relaxed", "gpu"});
  if (update.empty()) return context.unsupported(op, "this update of this type");
  const Variable value = context.operand(op, 1);
  const Access access = write_block(context, op, op.operand_group(2));
  const std::string at = coordinates(context, access.shape);
  open_tile_owner(context);
  context.line("LS_EACH(" + number(context.layout(context.variant()).registers()) + ") if (" + access.name +
               ".template is_inside<" + number(access.checked) + ">(" + at + ")) " + update + "(" + access.name +
               ".address(" + at + "), " + value.at() + ");");
  context.close();
  return true;
}

}  // namespace lockstep::backend_cuda
