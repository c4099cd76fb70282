// tt.dot: B goes to shared memory, A too unless it comes from the accumulators of another dot; the tensor core (wgmma,
// mma.sync) multiplies where it has an instruction, otherwise fused multiply-adds do. The dot uses tiles in place if a
// software pipeline (pipeline.h) has put them into shared memory.
#include <algorithm>

#include "backend_cuda/emit/emit.h"
#include "backend_cuda/emit/emit_context.h"
#include "backend_cuda/emit/emit_dot.h"
#include "backend_cuda/layout/dot_shape.h"
#include "ir/analysis/nesting.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::backend_cuda {
namespace {

/// `types`: of A and B in PTX. `step`: K of the instruction. f8 is read along K only, and there are no flags.
std::string wgmma_text(const std::string& name, const std::string& types, int step, std::int64_t columns,
                       bool a_in_registers, bool a_transposed, bool b_transposed) {
  const std::int64_t count = columns / 2;
  std::string outputs, list;
  for (std::int64_t i = 0; i < count; ++i) {
    list += (i == 0 ? "%" : ", %") + number(i);
    outputs += (i == 0 ? "\"+f\"(d[" : ", \"+f\"(d[") + number(i) + "])";
  }
  const auto slot = [&](std::int64_t i) { return "%" + number(count + i); };
  const std::string operand_a =
      a_in_registers ? "{" + slot(0) + ", " + slot(1) + ", " + slot(2) + ", " + slot(3) + "}" : slot(0);
  const std::string flags = (a_in_registers || step != 16 ? "" : a_transposed ? ", 1" : ", 0") +
                            std::string(step != 16 ? "" : b_transposed ? ", 1" : ", 0");
  const std::string inputs =
      a_in_registers ? "\"r\"(a[0]), \"r\"(a[1]), \"r\"(a[2]), \"r\"(a[3]), \"l\"(b)" : "\"l\"(a), \"l\"(b)";
  return "LS_FN void " + name + "(float* d, " + (a_in_registers ? "const unsigned* a" : "unsigned long long a") +
         ", unsigned long long b) {\n" + "  asm volatile(\"wgmma.mma_async.sync.aligned.m64n" + number(columns) +
         "k" + number(step) + ".f32." + types + " {" + list + "}, " + operand_a + ", " + slot(a_in_registers ? 4 : 1) +
         ", 1, 1, 1" + flags + ";\"\n      : " + outputs + "\n      : " + inputs + ");\n}\n";
}

std::string ptx_type(const ir::Value* value) {
  const std::string type = cpp_type(value->type());
  return type.substr(type.rfind("f8", 0) == 0 ? 2 : 0);
}

/// Name of a device function that multiplies 64 rows by `columns` columns, 32 bytes deep, by wgmma.
std::string wgmma_function(CudaWriter& writer, const ir::Op& op, int step, std::int64_t columns, bool a_in_registers,
                           bool a_transposed, bool b_transposed) {
  const std::string type_a = ptx_type(op.operand(0)), type_b = ptx_type(op.operand(1));
  const std::string name = "wgmma_" + type_a + (type_a == type_b ? "" : "_" + type_b) + "_n" + number(columns) +
                           (a_in_registers ? "_r"
                            : a_transposed ? "_t"
                                           : "_s") +
                           (b_transposed ? "_t" : "_s");
  writer.declare_function(name, wgmma_text(name, type_a + "." + type_b, step, columns, a_in_registers, a_transposed, b_transposed));
  return name;
}

int bytes_of(const ir::Value* value) { return size_bytes(*value->type().element().scalar_kind()); }

std::int64_t tile_bytes(const ir::Value* value) {
  return (value->type().element_count() * bytes_of(value) + 1023) / 1024 * 1024;  // wgmma's panels begin at 1024
}

/// An operand in shared memory. `is_transposed`: column by column.
struct Place {
  std::string base;
  bool is_transposed = false;
};

std::optional<Place> shared_place(EmitContext& context, const ir::Value* value) {
  if (const SharedTile* tile = context.shared(value)) return Place{tile->base, tile->is_transposed};
  const ir::Op* made = value->defining_op();
  if (made == nullptr || !ir::moves_as(*made, ir::Movement::transpose)) return std::nullopt;
  const SharedTile* tile = context.shared(made->operand(0));
  return tile == nullptr ? std::nullopt : std::optional(Place{tile->base, !tile->is_transposed});
}

/// Where a pipeline put an operand, through a transposition, as the dot reads it.
std::optional<Place> pipelined(EmitContext& context, const ir::Op& op, std::size_t operand) {
  const std::optional<Place> place = shared_place(context, op.operand(operand));
  const bool is_read = place && reads_as_stored(op, operand, place->is_transposed, context.target());
  return is_read ? place : std::nullopt;
}

/// Writes operand `operand` of a dot from registers, along the direction in which threads hold runs, or along K where
/// the instruction reads no other.
Place write_shared(EmitContext& context, const Variable& tile, const std::string& base, const ir::Op& op,
                   std::size_t operand) {
  const ir::Type type = op.operand(operand)->type();
  const auto& shape = type.shape();
  const std::size_t rank = shape.size();
  const std::vector<int> along_rows = bits_in_order(shape, {static_cast<int>(rank - 1)});
  const std::vector<int> along_columns = bits_in_order(shape, {static_cast<int>(rank - 2)});
  const Layout layout = tile.is_tile ? context.layout(tile.layout) : Layout{};
  int row_run = layout.contiguous_bits(along_rows), column_run = layout.contiguous_bits(along_columns);
  if (reads_along_k(op, context.target())) (operand == 0 ? column_run : row_run) = -1;
  Place place{base, rank == 2 && column_run > row_run};
  const int bytes = size_bytes(*type.element().scalar_kind());
  const int width = std::min(1 << std::max({row_run, column_run, 0}), 16 / bytes);
  const std::int64_t rows = type.element_count() / shape[rank - 1];
  const std::string at = "Stored<" + tile.type + ", " + number(rows) + ", " + number(shape[rank - 1]) + ", " +
                         (place.is_transposed ? "true" : "false") + ">::at(" + base + ", " +
                         context.index_text(tile.layout) + ")";
  const std::string owner = context.layout(tile.layout).owner_text();
  if (!owner.empty()) context.open("if (" + owner + ")");
  context.line("LS_EACH_BY(" + number(context.layout(tile.layout).registers()) + ", " + number(width) + ") store<" +
               number(width) + ", Shared>(&" + at + ", " + (tile.is_tile ? tile.name + " + r" : tile.name) + ");");
  if (!owner.empty()) context.close();
  return place;
}

class DotEmitter {
 public:
  DotEmitter(EmitContext& context, const ir::Op& op)
      : context_(context), op_(op), shape_(dot_shape(op, context.target())), warps_(context.target().warps) {}

  bool emit() {
    if (unsupported_kind()) return context_.unsupported(op_, "a dot of these types");
    const Variable c = context_.operand(op_, 2);
    const auto& in_flight = context_.pipelined().in_flight;
    if (const auto found = in_flight.find(&op_); found != in_flight.end()) {  // the variable that the loop carries
      d_ = context_.variable(found->second, c.layout);
      context_.bind(op_.result(), c.layout, d_);
    } else {
      d_ = context_.declare(op_.result());
    }
    if (d_.name != c.name) context_.each(d_, d_.at() + " = " + c.at() + ";");
    place_operands();
    if (shape_.kind == DotKind::wgmma) {
      emit_wgmma();
    } else if (shape_.kind == DotKind::mma) {
      emit_mma();
    } else {
      emit_scalar();
    }
    return true;
  }

 private:
  bool unsupported_kind() const {
    const auto kind = op_.result()->type().element().scalar_kind();
    return kind == ScalarKind::i16;
  }

  void place_operands() {
    const ir::Value *a = op_.operand(0), *b = op_.operand(1);
    const auto a_home = context_.plan().operand_layout(op_, 0, context_.variant());
    const std::optional<Place> a_there = pipelined(context_, op_, 0), b_there = pipelined(context_, op_, 1);
    a_in_registers_ = !a_there && keeps_a_in_registers(op_, shape_, context_.layout(a_home), warps_) &&
                      context_.operand(op_, 0).is_tile;
    const std::int64_t a_bytes = a_there || a_in_registers_ ? 0 : tile_bytes(a);
    const std::int64_t total = a_bytes + (b_there ? 0 : tile_bytes(b));
    const std::string scratch = total == 0 ? "" : context_.memory().exchange(total);
    if (a_there) a_ = *a_there;
    if (b_there) b_ = *b_there;
    if (!a_there && !a_in_registers_) a_ = write_shared(context_, context_.operand(op_, 0), scratch, op_, 0);
    if (!b_there) {
      b_ = write_shared(context_, context_.operand(op_, 1), scratch + " + " + number(a_bytes), op_, 1);
    }
    if (total == 0) return;
    if (shape_.kind == DotKind::wgmma) context_.line("publish_shared();");
    context_.memory().exchanged();
  }

  static std::string operand_type(const ir::Value* value) {
    const std::string type = cpp_type(value->type());
    return type == "float" ? "tf32" : type;
  }
  static std::string flag(bool value) { return value ? "true" : "false"; }
  std::string extents() const {
    return number(shape_.rows) + ", " + number(shape_.columns) + ", " + number(shape_.depth);
  }

  void emit_mma() {
    const std::string head = operand_type(op_.operand(0)) + ", " + operand_type(op_.operand(1)) + ", " + extents() +
                             ", " + number(shape_.warp_rows) + ", " + number(warps_);
    if (a_in_registers_) {
      context_.line("dot_mma_registers<" + head + ", " + flag(b_.is_transposed) + ">(" + d_.name + ", " +
                    context_.operand(op_, 0).name + ", " + b_.base + ", lane, warp);");
    } else {
      context_.line("dot_mma<" + head + ", " + flag(a_.is_transposed) + ", " + flag(b_.is_transposed) + ">(" + d_.name +
                    ", " + a_.base + ", " + b_.base + ", lane, warp);");
    }
  }

  void emit_scalar() {
    const std::string type_a = cpp_type(op_.operand(0)->type()), type_b = cpp_type(op_.operand(1)->type());
    context_.each(d_, d_.at() + " = dot_scalar<" + type_a + ", " + type_b + ", " + number(shape_.batch) + ", " +
                          extents() + ", " + flag(a_.is_transposed) + ", " + flag(b_.is_transposed) + ">(" + d_.at() +
                          ", " + a_.base + ", " + b_.base + ", " + context_.index_text(d_.layout) + ");");
  }

  /// Panels of an operand as it is stored.
  static std::string panels(const std::string& type, std::int64_t rows, std::int64_t columns, bool is_transposed) {
    return "Panels<" + type + ", " + number(is_transposed ? columns : rows) + ", " +
           number(is_transposed ? rows : columns) + ">";
  }

  void emit_wgmma() {
    const std::string type = cpp_type(op_.operand(0)->type()), type_b = cpp_type(op_.operand(1)->type());
    const std::int64_t columns = shape_.warp_columns(warps_);
    const std::string function = wgmma_function(context_, op_, shape_.step, columns, a_in_registers_, a_.is_transposed, !b_.is_transposed);
    const std::string tile_a = panels(type, shape_.rows, shape_.depth, a_.is_transposed);
    const std::string tile_b = panels(type_b, shape_.depth, shape_.columns, b_.is_transposed);
    const std::int64_t blocks = std::max<std::int64_t>(shape_.rows / (16 * shape_.warp_rows), 1);
    const std::string group_row = "(warp & ~3) % " + number(shape_.warp_rows) + " * 16";
    const std::string group_column =
        "warp / " + number(shape_.warp_rows) + " % " + number(shape_.columns / columns) + " * " + number(columns);
    const std::string words = a_in_registers_ ? context_.fresh("words") : "";
    if (a_in_registers_) {
      const Variable a = context_.operand(op_, 0);
      context_.line("unsigned " + words + "[" + number(a.registers / 2) + "];");
      context_.line("pack_pairs<" + number(a.registers) + ">(" + words + ", " + a.name + ");");
    }
    const std::string start_b = context_.fresh("start"), start_a = a_in_registers_ ? "" : context_.fresh("start");
    const auto start = [&](const std::string& name, const std::string& tile, const Place& place, const std::string& at) {
      context_.line("const unsigned " + name + " = tile_start<" + tile + ">(" + place.base + ", " + at + ");");
    };
    // Rows are a multiple of a panel's columns: block i lies a constant number of bytes behind the first.
    const auto along = [](const std::string& tile, const std::string& elements, bool across_panels) {
      return across_panels ? elements + " / " + tile + "::kColumns * " + tile + "::kPanel"
                           : elements + " * " + tile + "::kPitch";
    };
    start(start_b, tile_b, b_, along(tile_b, "(" + group_column + ")", !b_.is_transposed));
    if (!a_in_registers_) start(start_a, tile_a, a_, along(tile_a, "(" + group_row + ")", a_.is_transposed));
    const auto step = [&](const std::string& tile, bool along_rows) {  // both operands have elements of one size
      return "byte_of_step<" + tile + ", " + type + ", " + flag(along_rows) + ">(" + number(shape_.step) + " * k)";
    };
    const auto found_around = context_.pipelined().around.find(&op_);
    const PipelinedOps::Around around =
        found_around == context_.pipelined().around.end() ? PipelinedOps::Around{} : found_around->second;
    context_.append(around.before);
    context_.line("begin_products();");
    context_.open("LS_EACH_FROM(i, 0, " + number(blocks) + ") LS_EACH_FROM(k, 0, " + number(shape_.depth / shape_.step) + ")");
    const std::string b_text = "tile_descriptor<" + tile_b + ">(" + start_b + ", " + step(tile_b, !b_.is_transposed) + ")";
    const std::string d_text = d_.name + " + i * " + number(columns / 2);
    if (a_in_registers_) {
      context_.line(function + "(" + d_text + ", " + words + " + 4 * (i * " + number(shape_.depth / 16) + " + k), " +
                    b_text + ");");
    } else {
      const std::string block = along(tile_a, "i * " + number(16 * shape_.warp_rows), a_.is_transposed);
      context_.line(function + "(" + d_text + ", tile_descriptor<" + tile_a + ">(" + start_a + ", " + block + " + " +
                    step(tile_a, a_.is_transposed) + "), " + b_text + ");");
    }
    context_.close();
    context_.line("commit_products();");
    context_.append(around.committed);
    const auto& ends_with = context_.pipelined().ends_with;
    if (!ends_with.contains(&op_)) context_.write_deferred();
    if (context_.pipelined().in_flight.contains(&op_)) return;
    context_.line("wait_products<0>();");
    if (const auto found = ends_with.find(&op_); found != ends_with.end()) {
      const ir::Value* sum = context_.pipelined().in_flight.at(found->second);
      const LayoutId id = context_.plan().working_layout(*found->second);
      context_.line("settle_products(" + context_.variable(sum, id).name + ");");
    }
    context_.append(around.ended);
  }

  EmitContext& context_;
  const ir::Op& op_;
  DotShape shape_;
  int warps_;
  Variable d_;
  Place a_, b_;
  bool a_in_registers_ = false;
};

}  // namespace

std::vector<const ir::Value*> place_resident_operands(EmitContext& context, const ir::Op& loop) {
  const ir::Block& body = loop.region().front();
  const Target& target = context.target();
  std::vector<const ir::Value*> placed;
  for (const auto& op : body.ops()) {
    if (!ir::is_matrix_product(*op) || is_converted_dot(*op, target)) continue;
    const DotShape shape = dot_shape(*op, target);
    if (shape.kind == DotKind::scalar) continue;
    for (std::size_t i = 0; i < 2; ++i) {
      const ir::Value* value = op->operand(i);
      if (ir::block_of(*value) == &body || context.shared(value) != nullptr) continue;
      const LayoutId id = context.plan().operand_layout(*op, i, context.plan().working_layout(*op));
      if (i == 0 && keeps_a_in_registers(*op, shape, context.layout(id), target.warps)) continue;
      if (placed.empty()) context.memory().barrier();  // the buffers may be those of a loop before, or scratch
      const std::string base = "(ls_buffers + " + number(context.memory().reserve_buffers(tile_bytes(value))) + ")";
      const Place place = write_shared(context, context.variable(value, id), base, *op, i);
      context.bind_shared(value, {place.base, place.is_transposed});
      placed.push_back(value);
    }
  }
  if (!placed.empty()) {
    context.line("publish_shared();");
    context.memory().barrier();
  }
  return placed;
}

bool emit_dot(EmitContext& context, const ir::Op& op) {
  if (is_converted_dot(op, context.target())) return emit_converted_dot(context, op);
  return DotEmitter(context, op).emit();
}

}  // namespace lockstep::backend_cuda
