#include "interpreter/access/block_record.h"

#include <algorithm>
#include <cstring>

#include "interpreter/tile/dense.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"

namespace lockstep::interpreter {

namespace {

constexpr std::size_t kHeaderWords = 2;

std::size_t rank_of_record(const TileType& type) { return (static_cast<std::size_t>(type.count) - kHeaderWords) / 3; }

void write_words(const BlockRecord& record, std::int64_t* words) {
  const auto rank = static_cast<std::size_t>(record.rank);
  *words++ = static_cast<std::int64_t>(record.base);
  *words++ = (record.pads_nan ? 1 : 0) | static_cast<std::int64_t>(record.faults) << 1;
  words = std::copy_n(record.shape.begin(), rank, words);
  words = std::copy_n(record.stride.begin(), rank, words);
  std::copy_n(record.offset.begin(), rank, words);
}

}  // namespace

std::int64_t record_length(std::size_t rank) { return static_cast<std::int64_t>(kHeaderWords + 3 * rank); }

bool is_block_type(ir::Type type) { return type.is_descriptor() || (type.is_pointer() && type.pointee().is_tensor()); }

bool handles_blocks(const ir::Op& op) {
  const auto is_block = [](const auto& value) { return is_block_type(value->type()); };
  const bool takes_block = std::any_of(op.operands().begin(), op.operands().end(), is_block);
  bool has_block = takes_block;
  for (std::size_t i = 0; i < op.result_count(); ++i) has_block = has_block || is_block(op.result(i));
  if (!has_block) return true;
  const ir::OpDef& def = op.def();
  const bool copies = std::any_of(op.operands().begin(), op.operands().end(),
                                  [](const ir::Value* value) { return value->type().is_memdesc(); });
  const bool makes_descriptor = !takes_block && op.result_count() == 1 && op.result()->type().is_descriptor();
  if (copies || makes_descriptor || def.isolates_later_regions) return true;
  using Atomic = ir::MemoryAccess::Atomic;
  if (def.access.is_access()) return def.access.atomic == Atomic::none || def.access.atomic == Atomic::reduce;
  const bool makes_block = def.provenance == ir::Provenance::first_operand && def.movement == ir::Movement::none &&
                           def.arithmetic == ir::Arithmetic::none;
  return makes_block || ir::is_control_flow(op) || ir::is_selection(op) || def.origin == ir::Origin::poison;
}

std::vector<std::int64_t> record_words(const TileType& type, const BlockRecord& record) {
  std::vector<std::int64_t> words(static_cast<std::size_t>(type.count));
  write_words(record, words.data());
  return words;
}

Tile write_record(Machine& machine, const TileType& type, const BlockRecord& record) {
  Tile made = machine.allocate(type);
  made.provenance = record.provenance;
  write_words(record, reinterpret_cast<std::int64_t*>(made.data()));
  return made;
}

BlockRecord read_record(Machine& machine, const Tile& tile, const TileType& type) {
  BlockRecord record;
  const std::size_t rank = rank_of_record(type);
  record.rank = static_cast<int>(rank);
  record.provenance = tile.provenance;
  const Temporary packed(machine, make_contiguous(machine, tile, type));
  std::array<std::int64_t, kHeaderWords + 3 * std::size_t{kMaxStridedRank}> words{};
  std::memcpy(words.data(), packed->data(), static_cast<std::size_t>(type.bytes()));
  record.base = static_cast<std::uint64_t>(words[0]);
  record.pads_nan = (words[1] & 1) != 0;
  record.faults = static_cast<std::uint32_t>(words[1] >> 1);
  std::copy_n(words.begin() + kHeaderWords, rank, record.shape.begin());
  std::copy_n(words.begin() + kHeaderWords + rank, rank, record.stride.begin());
  std::copy_n(words.begin() + kHeaderWords + 2 * rank, rank, record.offset.begin());
  return record;
}

}  // namespace lockstep::interpreter
