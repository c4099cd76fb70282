// tt.reduce and tt.scan: first within a thread's registers, then between lanes by shuffles, then between warps through
// shared memory. The region is one device lambda that combines two sets of elements into the first.
#include <algorithm>

#include "backend_cuda/emit.h"
#include "backend_cuda/emit_context.h"
#include "ir/op_def.h"

namespace lockstep::backend_cuda {
namespace {

using Variables = std::vector<Variable>;

std::string number(std::int64_t value) { return std::to_string(value); }

std::string join(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

/// Writes `auto combine = [&](T& a0, ..., T b0, ...) {...}`; the first set is also the result.
std::string write_combiner(EmitContext& context, const ir::Op& op, const Variables& parts) {
  const std::string name = context.fresh("combine");
  std::vector<std::string> heads, names;
  for (const char* side : {"a", "b"}) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      names.push_back(context.fresh(side + number(static_cast<std::int64_t>(i))));
      heads.push_back(parts[i].type + (*side == 'a' ? "& " : " ") + names.back());
    }
  }
  context.open("auto " + name + " = [&](" + join(heads) + ")");
  const auto ends = context.emit_region(op.region(), names);
  if (!ends) return "";
  for (std::size_t i = 0; i < parts.size(); ++i) {
    context.line("const " + parts[i].type + " c" + number(static_cast<std::int64_t>(i)) + " = " + (*ends)[i] + ";");
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    context.line(names[i] + " = c" + number(static_cast<std::int64_t>(i)) + ";");
  }
  context.close();
  context.line(";");
  return name;
}

struct Axis {
  int first = 0, count = 0;          // index bits
  std::vector<int> reg, lane, warp;  // positions in the layout, by index bit, lowest first
};

std::vector<int> positions(const std::vector<int>& bits, int first, int count) {
  std::vector<int> found;
  for (int bit = first; bit < first + count; ++bit) {
    const auto place = std::find(bits.begin(), bits.end(), bit);
    if (place != bits.end()) found.push_back(static_cast<int>(place - bits.begin()));
  }
  return found;
}

Axis axis_of(const ir::Op& op, const Layout& layout) {
  const auto& shape = op.operand(0)->type().shape();
  const auto axis = static_cast<std::size_t>(op.integer_attribute("axis", 0));
  Axis found;
  for (std::size_t d = axis + 1; d < shape.size(); ++d) found.first += bits_of(shape[d]);
  found.count = bits_of(shape[axis]);
  found.reg = positions(layout.reg, found.first, found.count);
  found.lane = positions(layout.lane, found.first, found.count);
  found.warp = positions(layout.warp, found.first, found.count);
  return found;
}

int mask_of(const std::vector<int>& positions) {
  int mask = 0;
  for (const int position : positions) mask |= 1 << position;
  return mask;
}

std::string elements(const Variables& parts, const std::string& index) {
  std::vector<std::string> texts;
  for (const Variable& part : parts) texts.push_back(part.at(index));
  return join(texts);
}

std::string condition_of(const std::vector<int>& registers) {
  return registers.empty() ? "" : "if ((r & " + number(mask_of(registers)) + ") == 0) ";
}

/// Copies of the sources, to be combined in place.
Variables copy_sources(EmitContext& context, const ir::Op& op) {
  Variables parts;
  for (std::size_t i = 0; i < op.operand_count(); ++i) {
    const Variable source = context.operand(op, i);
    parts.push_back(context.temporary("part", source.type, source.layout));
    context.each(parts.back(), parts.back().at() + " = " + source.at() + ";");
  }
  return parts;
}

void reduce_registers(EmitContext& context, const Variables& parts, const std::string& combine, const Axis& axis) {
  std::vector<int> done;
  for (std::size_t i = axis.reg.size(); i-- > 0;) {
    done.push_back(axis.reg[i]);
    context.each(parts[0], condition_of(done) + combine + "(" + elements(parts, "r") + ", " +
                               elements(parts, "r | " + number(1 << axis.reg[i])) + ");");
  }
}

void reduce_lanes(EmitContext& context, const Variables& parts, const std::string& combine, const Axis& axis) {
  for (std::size_t i = axis.lane.size(); i-- > 0;) {
    std::vector<std::string> others;
    for (const Variable& part : parts) {
      others.push_back("shuffle_xor(" + part.at() + ", " + number(1 << axis.lane[i]) + ")");
    }
    context.each(parts[0], condition_of(axis.reg) + combine + "(" + elements(parts, "r") + ", " + join(others) + ");");
  }
}

int type_bytes(const ir::Value* value) {
  const auto kind = value->type().element().scalar_kind();
  return kind ? size_bytes(*kind) : 8;
}

/// Every warp writes what it has; then each thread combines its elements of all warps of its row.
void reduce_warps(EmitContext& context, const ir::Op& op, const Variables& parts, const std::string& combine,
                  const Axis& axis, const Layout& sliced) {
  const std::int64_t count = std::int64_t{1} << axis.warp.size();
  const std::int64_t kept = std::int64_t{1} << sliced.bits();
  std::int64_t bytes = 0;
  std::vector<std::int64_t> starts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    starts.push_back(bytes);
    bytes += (count * kept * type_bytes(op.operand(i)) + 15) / 16 * 16;
  }
  const std::string scratch = context.exchange(bytes);
  std::vector<int> along(16, kReplicated);
  for (std::size_t i = 0; i < axis.warp.size(); ++i)
    along[static_cast<std::size_t>(axis.warp[i])] = static_cast<int>(i);
  // The element's place in the result: its index with the axis' bits taken out.
  const std::string index = context.index_text(parts[0].layout);
  const std::string low = "(" + index + " & " + number((1 << axis.first) - 1) + ")";
  const std::string high = "((" + index + " >> " + number(axis.first + axis.count) + ") << " + number(axis.first) + ")";
  const auto place = [&](std::size_t i, const std::string& row) {
    return "reinterpret_cast<" + parts[i].type + "*>(" + scratch + " + " + number(starts[i]) + ")[(" + row + ") * " +
           number(kept) + " + (" + low + " | " + high + ")]";
  };
  Layout writers = context.layout(parts[0].layout);
  for (const int lane : axis.lane) writers.lane[static_cast<std::size_t>(lane)] = kReplicated;
  const std::string owner = writers.owner_text();
  if (!owner.empty()) context.open("if (" + owner + ")");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    context.each(parts[i],
                 condition_of(axis.reg) + place(i, move_bits_text("warp", along)) + " = " + parts[i].at() + ";");
  }
  if (!owner.empty()) context.close();
  context.exchanged();
  std::vector<std::string> others;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    context.each(parts[i], condition_of(axis.reg) + parts[i].at() + " = " + place(i, "0") + ";");
    others.push_back(place(i, "w"));
  }
  context.open("LS_EACH_FROM(w, 1, " + number(count) + ")");
  context.each(parts[0], condition_of(axis.reg) + combine + "(" + elements(parts, "r") + ", " + join(others) + ");");
  context.close();
}

/// The registers that are left, in the result's order.
void write_results(EmitContext& context, const ir::Op& op, const Variables& parts, const Axis& axis) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const ir::Value* value = op.result(i);
    const Variable result = context.declare(value, value->type().is_tensor() ? *context.plan().home(value) : kScalar);
    std::vector<int> spread;
    for (std::size_t k = 0; k < context.layout(parts[i].layout).reg.size(); ++k) {
      if (std::find(axis.reg.begin(), axis.reg.end(), static_cast<int>(k)) == axis.reg.end()) {
        spread.push_back(static_cast<int>(k));
      }
    }
    context.each(result, result.at() + " = " + parts[i].at(result.is_tile ? move_bits_text("r", spread) : "0") + ";");
  }
}

}  // namespace

bool emit_reduce(EmitContext& context, const ir::Op& op) {
  const Layout layout = context.layout(context.version());
  const Axis axis = axis_of(op, layout);
  const Variables parts = copy_sources(context, op);
  const std::string combine = write_combiner(context, op, parts);
  if (combine.empty()) return false;
  reduce_registers(context, parts, combine, axis);
  reduce_lanes(context, parts, combine, axis);
  if (!axis.warp.empty()) {
    reduce_warps(context, op, parts, combine, axis, layout.without(axis.first, axis.count));
  }
  write_results(context, op, parts, axis);
  return true;
}

}  // namespace lockstep::backend_cuda
