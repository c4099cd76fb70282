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

namespace {

int place_in(const std::vector<int>& bits, int bit) {
  return static_cast<int>(std::find(bits.begin(), bits.end(), bit) - bits.begin());
}

/// An exchange through scratch, which may happen in parts: those of the elements whose indices agree in the bits `split`.
class Exchange {
 public:
  Exchange(EmitContext& context, const ir::Value& value) : context_(context) {
    const auto kind = value.type().element().scalar_kind();
    bytes_ = kind ? size_bytes(*kind) : 8;
    const auto& shape = value.type().shape();
    total_ = value.type().element_count() * bytes_;
    gap_ = shape.size() > 1 ? std::max<std::int64_t>(shape.back() * bytes_, 128) : 128;
    std::vector<int> order(shape.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(order.size() - 1 - i);
    row_major_ = bits_in_order(shape, order);
  }

  /// Splits until a part needs no more than `room` bytes, by bits that are registers on both sides.
  void split(const Variable& from, const Variable& to, std::int64_t room) {
    const Layout source = context_.layout(from.layout), target = context_.layout(to.layout);
    const auto is_wide = [&](const Variable& tile, int place) { return (std::int64_t{1} << place) < width(tile); };
    for (std::size_t i = 0; i < source.reg.size() && part_bytes() > room; ++i) {
      const int bit = source.reg[i], other = place_in(target.reg, bit);
      const bool is_shared = bit != kReplicated && other != static_cast<int>(target.reg.size());
      if (is_shared && !is_wide(from, static_cast<int>(i)) && !is_wide(to, other)) split_.push_back(bit);
    }
  }

  void write(const Variable& from, const Variable& to) {
    const Layout source = context_.layout(from.layout);
    const std::string owner = source.owner_text();
    const bool stays = context_.target().is_persistent && source.warp == context_.layout(to.layout).warp &&
                       std::count(source.warp.begin(), source.warp.end(), kReplicated) == 0;
    const std::string parts = stays ? parts_text(source) : "";
    SharedMemory& memory = context_.memory();
    for (int part = 0; part < 1 << split_.size(); ++part) {
      const std::string scratch = stays ? memory.exchange_in_warps(part_bytes(), parts) : memory.exchange(part_bytes());
      if (!owner.empty()) context_.open("if (" + owner + ")");
      move(from, scratch, part, true);
      if (!owner.empty()) context_.close();
      stays ? memory.exchanged_in_warps(parts) : memory.exchanged();
      move(to, scratch, part, false);
    }
  }

 private:
  /// Which bytes of scratch belong to which warp.
  std::string parts_text(const Layout& layout) const {
    std::string text = number(total_) + " " + number(bytes_) + " " + number(gap_);
    for (const int bit : split_) text += " " + number(bit);
    text += ":";
    for (const int bit : layout.warp) text += " " + number(bit);
    return text;
  }

  std::int64_t part_bytes() const { return ((total_ + total_ / gap_ * 16) >> split_.size()) + 16; }

  std::int64_t width(const Variable& tile) const {
    return std::min<std::int64_t>(std::int64_t{1} << context_.layout(tile.layout).contiguous_bits(row_major_), 16 / bytes_);
  }

  void move(const Variable& tile, const std::string& scratch, int part, bool gives) {
    const std::string step = number(width(tile)), registers = tile.name + " + r";
    std::string condition, index = context_.index_text(tile.layout);
    if (!split_.empty()) {
      std::int64_t set = 0, mask = 0, chosen = 0;
      for (std::size_t i = 0; i < split_.size(); ++i) {
        const std::int64_t place = std::int64_t{1} << place_in(context_.layout(tile.layout).reg, split_[i]);
        set |= std::int64_t{1} << split_[i], mask |= place;
        if ((part >> i & 1) != 0) chosen |= place;
      }
      condition = "if ((r & " + number(mask) + ") == " + number(chosen) + ") ";
      index = "without_bits<" + number(set) + ">(" + context_.index_parts(tile.layout) + ")";
    }
    const std::string place = scratch + ", " + index;
    context_.line("LS_EACH_BY(" + number(tile.registers) + ", " + step + ") " + condition + (gives ? "give<" : "take<") + step +
                  ", " + number(gap_) + ">(" + (gives ? place + ", " + registers : registers + ", " + place) + ");");
  }

  EmitContext& context_;
  std::int64_t bytes_ = 0, total_ = 0, gap_ = 0;
  std::vector<int> row_major_, split_;
};

}  // namespace

void convert_layout(EmitContext& context, const ir::Value& value, const Variable& from, const Variable& to) {
  const Layout source = context.layout(from.layout), target = context.layout(to.layout);
  if (source.lane == target.lane && source.warp == target.warp) {
    context.each(to, to.at() + " = " + from.at(register_map(target, same_bits(target), source)) + ";");
    return;
  }
  Exchange exchange(context, value);
  // The buffers of a persistent kernel are being filled.
  if (context.target().is_persistent) exchange.split(from, to, context.memory().room(context.target().shared_limit()));
  exchange.write(from, to);
}

}  // namespace lockstep::backend_cuda
