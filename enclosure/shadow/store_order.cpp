#include "enclosure/shadow/store_order.h"

#include <algorithm>

#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"

namespace lockstep::enclosure {

namespace {

int stores_in(const ir::Op& op) {
  int count = ir::is_tile_store(op) ? 1 : 0;
  for (const auto& region : op.regions()) {
    for (const auto& block : region->blocks()) {
      for (const auto& inner : block->ops()) count += stores_in(*inner);
    }
  }
  return count;
}

}  // namespace

bool may_store_twice(const ir::Module& module) {
  int all = 0, plain = 0;  // plain: in the only block of a function, outside of loops
  for (const ir::Op* function : module.functions()) {
    all += stores_in(*function);
    if (module.functions().size() != 1 || function->regions().empty()) continue;
    const ir::Region& body = function->region();
    if (body.blocks().size() != 1) continue;
    for (const auto& op : body.front().ops()) plain += ir::is_tile_store(*op) ? 1 : 0;
  }
  return all > 1 || all != plain;
}

std::pair<StoreOrder::Cell*, StoreOrder::Cell*> StoreOrder::cells_of(std::uint64_t address, std::uint64_t bytes) {
  Page& page = pages_[address / kPageBytes];
  if (page.cells.empty()) {
    page.unit = bytes;
    page.cells.resize(kPageBytes / bytes);
  } else if (bytes < page.unit) {
    std::vector<Cell> finer;
    for (const Cell& cell : page.cells) finer.insert(finer.end(), page.unit / bytes, cell);
    page.cells = std::move(finer);
    page.unit = bytes;
  }
  // An element off its own multiple reaches into one more cell, at most to the page's end.
  const std::uint64_t at = address % kPageBytes, end = std::min(at + bytes, kPageBytes);
  Cell* cells = page.cells.data();
  return {cells + at / page.unit, cells + (end + page.unit - 1) / page.unit};
}

std::vector<bool> StoreOrder::note(const Shape& shape, int bytes, const std::vector<std::uint64_t>& addresses,
                                   const std::vector<bool>& is_on) {
  const auto known = std::find(shapes_.begin(), shapes_.end(), shape);
  const auto id = static_cast<std::int32_t>(known - shapes_.begin());
  if (known == shapes_.end()) shapes_.push_back(shape);
  const auto size = static_cast<std::uint64_t>(bytes);
  const auto is_other = [id](const Cell& cell, std::size_t i) {
    return cell.shape >= 0 && (cell.shape != id || cell.lane != static_cast<std::int32_t>(i));
  };
  std::vector<bool> found(addresses.size(), false);
  has_stored_again_ = false;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    if (!is_on[i]) continue;
    const auto [first, last] = cells_of(addresses[i], size);
    found[i] = std::any_of(first, last, [&](const Cell& cell) { return is_other(cell, i); });
    has_stored_again_ = has_stored_again_ || std::any_of(first, last, [](const Cell& cell) { return cell.shape >= 0; });
  }
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    if (!is_on[i]) continue;
    const auto [first, last] = cells_of(addresses[i], size);
    for (Cell* cell = first; cell != last; ++cell)
      *cell = {id, is_other(*cell, i) ? kSeveral : static_cast<std::int32_t>(i)};
  }
  return found;
}

}  // namespace lockstep::enclosure
