// Operands of dots in the form for the matrix kernels, kept by one worker during its launch: tiles of matrices come
// back in other programs and in other iterations. Invariant: an operand is found only where its bytes are those it was
// prepared from. They cannot have changed, because memory that the launch never writes does not change, and the cache
// holds a tile's buffer, so that nothing updates it in place. It never grows above its budget, and keeps nothing in a
// launch with a memory limit, whose outcome must not depend on it. Not thread-safe: one per worker.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "interpreter/kernels/dot.h"
#include "interpreter/launch/machine.h"

namespace lockstep::interpreter {

/// How often the operands of a step came back; tells whether keeping them is worth the memory.
struct Reuse {
  std::uint32_t found = 0, missed = 0, pause = 0;

  /// Called once per possible lookup; false: not now.
  bool is_promising();
  void note(bool was_found) { ++(was_found ? found : missed); }
};

/// Products of a loop that wait to be added to the tile it carries, in one run.
struct OpenSum {
  struct Part {
    kernels::DotFactors factors;
    Buffer *left = nullptr, *right = nullptr;  // their memory, counted
  };
  Slot slot = kNoSlot;  // of the tile
  const kernels::DotRecipe* recipe = nullptr;
  std::vector<Part> parts;
};

class OperandCache {
 public:
  /// The source and the purpose of a prepared operand. Equal keys have equal prepared bytes.
  struct Key {
    const void* data = nullptr;
    const Buffer* buffer = nullptr;  // null: memory that the launch does not write
    std::int64_t row_stride = 0, column_stride = 0, rows = 0, columns = 0;
    ScalarKind kind = ScalarKind::f32, wide = ScalarKind::f32;
    kernels::DotPrecision precision = kernels::DotPrecision::ieee;
    kernels::Side side = kernels::Side::left;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Entry {
    Key key;
    kernels::PreparedOperand operand;
    Buffer* prepared = nullptr;  // null: the entry is free
    Buffer* source = nullptr;    // held; null for memory that nobody writes
    std::int64_t bytes = 0;      // of both
  };

  explicit OperandCache(std::int64_t budget_bytes) : budget_(budget_bytes) {}
  ~OperandCache();
  OperandCache(const OperandCache&) = delete;
  OperandCache& operator=(const OperandCache&) = delete;

  /// For the operand of a step that `record` represents; some may share one.
  Reuse& reuse(const void* record) { return reuse_[(reinterpret_cast<std::uintptr_t>(record) >> 4) % reuse_.size()]; }
  /// Null: missing. The next insert() may remove the entry: hold its buffer.
  const Entry* find(const Key& key);
  /// Takes in an operand if its bytes (prepared and held) fit the budget; takes over the count of `prepared`, and
  /// counts the tile's buffer if it has one.
  void insert(Machine& machine, const Key& key, const kernels::PreparedOperand& operand, Buffer* prepared,
              Buffer* source, std::int64_t bytes);
  /// That of a loop's slot.
  OpenSum& open_sum(Slot slot);
  std::int64_t bytes() const { return bytes_; }
  std::int64_t budget() const { return budget_; }

 private:
  static constexpr std::size_t kWays = 4, kSets = 64;
  static std::size_t set_of(const Key& key);
  void drop(Machine& machine, Entry& entry);

  std::vector<Entry> entries_ = std::vector<Entry>(kWays * kSets);
  std::int64_t budget_, bytes_ = 0;
  std::size_t victim_ = 0;  // where the search for something to drop goes on
  std::array<Reuse, 64> reuse_{};
  std::deque<OpenSum> sums_;  // few
  std::uint64_t found_ = 0, kept_ = 0;
};

/// The machine's, made at its first dot.
OperandCache& operand_cache_of(Machine& machine);

/// Operands found and taken in by all caches of this process whose launches have ended. For tests and benchmarks.
struct OperandCounts {
  std::uint64_t found = 0, kept = 0;
};
OperandCounts operand_counts();

}  // namespace lockstep::interpreter
