#include "backend_cuda/emit/emit_combine.h"

#include <algorithm>

#include "backend_cuda/emit/emit_ops.h"
#include "ir/op_def.h"

namespace lockstep::backend_cuda {
namespace {

std::vector<int> positions(const std::vector<int>& bits, int first, int count) {
  std::vector<int> found;
  for (int bit = first; bit < first + count; ++bit) {
    const auto place = std::find(bits.begin(), bits.end(), bit);
    if (place != bits.end()) found.push_back(static_cast<int>(place - bits.begin()));
  }
  return found;
}

int type_bytes(const ir::Value* value) {
  const auto kind = value->type().element().scalar_kind();
  return kind ? size_bytes(*kind) : 8;
}

}  // namespace

std::string join(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

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
  const bool is_complete = emit_region(context, op.region(), names, [&](const std::vector<std::string>& ends) {
    context.open("");
    for (std::size_t i = 0; i < parts.size(); ++i) {
      context.line("const " + parts[i].type + " c" + number(static_cast<std::int64_t>(i)) + " = " + ends[i] + ";");
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      context.line(names[i] + " = c" + number(static_cast<std::int64_t>(i)) + ";");
    }
    context.line("return;");
    context.close();
  });
  if (!is_complete) return "";
  context.close(";");
  return name;
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

Variables copy_sources(EmitContext& context, const ir::Op& op) {
  Variables parts;
  for (std::size_t i = 0; i < op.operand_count(); ++i) {
    const Variable source = context.operand(op, i);
    parts.push_back(context.temporary("part", source.type, source.layout));
    context.each(parts.back(), parts.back().at() + " = " + source.at() + ";");
  }
  return parts;
}

std::string WarpTable::at(std::size_t i, const std::string& row) const {
  return "reinterpret_cast<" + types[i] + "*>(" + scratch + " + " + number(starts[i]) + ")[(" + row + ") * " +
         number(columns) + " + " + column + "]";
}

WarpTable warp_table(EmitContext& context, const ir::Op& op, const Variables& parts, const Axis& axis) {
  const std::int64_t rows = std::int64_t{1} << axis.warp.size();
  WarpTable table;
  table.columns = std::int64_t{1} << context.layout(parts[0].layout).without(axis.first, axis.count).bits();
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    table.types.push_back(parts[i].type);
    table.starts.push_back(bytes);
    bytes += (rows * table.columns * type_bytes(op.operand(i)) + 15) / 16 * 16;
  }
  table.scratch = context.memory().exchange(bytes);
  // The element's place apart from the axis: its index without the axis' bits.
  const std::string index = context.index_text(parts[0].layout);
  const std::string low = "(" + index + " & " + number((1 << axis.first) - 1) + ")";
  const std::string high = "((" + index + " >> " + number(axis.first + axis.count) + ") << " + number(axis.first) + ")";
  table.column = "(" + low + " | " + high + ")";
  return table;
}

}  // namespace lockstep::backend_cuda
