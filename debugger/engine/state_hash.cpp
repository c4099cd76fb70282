// Engine::state_hash: for tests that a state was reached again, and for nothing else.
#include <cstring>
#include <map>
#include <string_view>
#include <utility>

#include "debugger/engine/engine.h"
#include "interpreter/shared_memory/block_view.h"
#include "interpreter/shared_memory/block_words.h"
#include "interpreter/tile/dense.h"

namespace lockstep::debugger {

namespace {

class Hash {
 public:
  void add(std::uint64_t word) { value_ = (value_ ^ word) * 0x9e3779b97f4a7c15u ^ (value_ >> 29); }
  void add(const char* bytes, std::size_t count) {
    for (; count >= 8; bytes += 8, count -= 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes, 8);
      add(word);
    }
    std::uint64_t rest = count;
    for (std::size_t i = 0; i < count; ++i) rest = rest << 8 | static_cast<unsigned char>(bytes[i]);
    add(rest);
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

/// Elements, whatever form the tile has. An unused slot has a hash of its own. A dense tile without a buffer was given
/// away, or is a part of memory, which is hashed itself.
void add_slot(Hash& hash, interpreter::Machine& machine, const interpreter::Tile& tile,
              const interpreter::TileType& type) {
  if (tile.form == interpreter::Form::dense && tile.buffer == nullptr) return;
  const interpreter::Temporary packed(machine, interpreter::make_contiguous(machine, tile, type));
  hash.add(packed->data(), static_cast<std::size_t>(type.bytes()));
  if (type.kind == ScalarKind::pointer) hash.add(static_cast<std::uint64_t>(tile.provenance));
}

}  // namespace

std::uint64_t Engine::state_hash() const {
  Hash hash;
  interpreter::Machine& machine = this->machine();
  const interpreter::Slot block = interpreter::find_block(launch_->plan());
  for (const auto& [number, live] : programs_->live()) {
    hash.add(number);
    hash.add(live->steps);
    hash.add(static_cast<std::uint64_t>(live->state.next - launch_->plan().steps.data()));
    if (const interpreter::BlockState* state = programs_->block(*live)) {
      for (const std::uint64_t word : interpreter::state_words(*state, launch_->plan())) hash.add(word);
    }
    for (std::size_t slot = 0; slot < live->state.slots.size(); ++slot) {
      if (slot != block) add_slot(hash, machine, live->state.slots[slot], *launch_->plan().slot_types[slot]);
    }
  }
  if (point() != nullptr) hash.add(program() * 2 + 1);
  for (const memory_model::StorageId id : launch_->written()) {
    const memory_model::Extent extent = memory().storage(id).extent;
    hash.add(interpreter::bytes_at(extent.begin), extent.bytes());
  }
  // By sums: the hashes of programs that ran ahead are already merged.
  std::map<std::pair<std::string_view, std::string_view>, std::uint64_t> times;
  for (const auto& [mark, finding] : log_.all()) {
    if (log_.announced() && mark >= *log_.announced()) break;  // what is to come is no part of the state
    times[{spelling(finding.code), finding.op}] += finding.count;
  }
  for (const auto& [key, count] : times) {
    for (const std::string_view text : {key.first, key.second}) hash.add(text.data(), text.size());
    hash.add(count);
  }
  return hash.value();
}

}  // namespace lockstep::debugger
