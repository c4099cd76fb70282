#include "backend_cuda/emit/convert_layout.h"

#include <algorithm>

namespace lockstep::backend_cuda {

std::string register_map(const Layout& from, const BitMap& bits, const Layout& to) {
  std::vector<int> targets(from.reg.size(), kReplicated);
  for (std::size_t i = 0; i < from.reg.size(); ++i) {
    const int bit = bits[static_cast<std::size_t>(from.reg[i])];
    if (bit == kReplicated) continue;
    for (std::size_t k = 0; k < to.reg.size(); ++k) {
      if (to.reg[k] == bit) targets[i] = static_cast<int>(k);
    }
  }
  return move_bits_text("r", targets);
}

BitMap same_bits(const Layout& layout) {
  BitMap map(static_cast<std::size_t>(std::max(layout.bits(), 1)));
  for (std::size_t i = 0; i < map.size(); ++i) map[i] = static_cast<int>(i);
  return map;
}

void convert_layout(EmitContext& context, const ir::Value& value, const Variable& from, const Variable& to) {
  const Layout source = context.layout(from.layout), target = context.layout(to.layout);
  if (source.lane == target.lane && source.warp == target.warp) {
    context.each(to, to.at() + " = " + from.at(register_map(target, same_bits(target), source)) + ";");
    return;
  }
  const auto kind = value.type().element().scalar_kind();
  const std::int64_t bytes = kind ? size_bytes(*kind) : 8;
  const auto& shape = value.type().shape();
  const std::int64_t total = value.type().element_count() * bytes, row = shape.back() * bytes;
  const std::int64_t gap = shape.size() > 1 ? std::max<std::int64_t>(row, 128) : 128;
  const std::string scratch = context.memory().exchange(total + total / gap * 16 + 16);
  std::vector<int> order(shape.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(order.size() - 1 - i);
  const std::vector<int> row_major = bits_in_order(shape, order);
  const auto move = [&](const Variable& tile, bool gives) {
    const std::int64_t run = std::int64_t{1} << context.layout(tile.layout).contiguous_bits(row_major);
    const std::string width = std::to_string(std::min<std::int64_t>(run, 16 / bytes));
    const std::string place = scratch + ", " + context.index_text(tile.layout), part = tile.name + " + r";
    context.line("LS_EACH_BY(" + std::to_string(tile.registers) + ", " + width + ") " + (gives ? "give<" : "take<") + width +
         ", " + std::to_string(gap) + ">(" + (gives ? place + ", " + part : part + ", " + place) + ");");
  };
  const std::string owner = source.owner_text();
  if (!owner.empty()) context.open("if (" + owner + ")");
  move(from, true);
  if (!owner.empty()) context.close();
  context.memory().exchanged();
  move(to, false);
}

}  // namespace lockstep::backend_cuda
