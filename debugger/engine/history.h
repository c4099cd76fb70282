// History: the copies that bring a launch back to an earlier point: of its programs at checkpoints, of the bytes
// overwritten between them, and of the memory before the launch. Invariant: back_to() leaves programs and memory
// exactly as they were at the moment that it returns. After programs ran ahead, or logs were dropped for room, the way
// back starts at the beginning. Not here: running forward again.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "debugger/engine/programs.h"
#include "interpreter/access/storage_copy.h"

namespace lockstep::debugger {

/// Bytes before they were overwritten, in the order of writing.
class MemoryLog {
 public:
  void keep(std::uint64_t address, std::int64_t bytes);
  void put_back() const;
  /// Copies its bytes of [address, address + bytes) into `out`: memory before the first entry.
  void read_before(std::uint64_t address, std::size_t bytes, char* out) const;
  /// Appends what a later log kept.
  void append(const MemoryLog& later);
  /// Keeps the current bytes at the places of another log.
  void keep_places_of(const MemoryLog& other);
  std::uint64_t bytes() const { return saved_.capacity() + entries_.capacity() * sizeof(Entry); }

 private:
  struct Entry {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
  };
  std::vector<Entry> entries_;
  std::vector<char> saved_;
};

class History {
 public:
  History(interpreter::SteppedLaunch& launch, Programs& programs, std::uint64_t limit_bytes, std::uint64_t distance);

  /// Copies what the kernel may write. False: there is no room for it.
  bool begin(const memory_model::AddressSpace& memory);

  /// The op is about to write there.
  void note_write(interpreter::AccessLanes& lanes);
  void note_write(std::uint64_t address, std::int64_t bytes) { open_log().keep(address, bytes); }
  /// A write without a log is about to happen.
  void note_unlogged() { checkpoints_.back().is_logged = false; }
  /// The present becomes a checkpoint, if one is due.
  void keep_present();
  void add_checkpoint();

  /// Restores the latest checkpoint at or before `mark` whose memory can be restored, or the start of the launch
  /// (before any program is at a point).
  void back_to(Mark mark);
  /// A checkpoint in [from, to) can be put back.
  bool reaches(Mark from, Mark to) const;
  void back_to_start();

  /// A copy of the present, to come back whatever the launch does meanwhile: of what the kernel may write, and the
  /// checkpoints. Null: there is no room for it.
  struct Present;
  std::unique_ptr<Present> keep_all(const memory_model::AddressSpace& memory);
  void put_back(std::unique_ptr<Present> present);
  void drop(std::unique_ptr<Present> present);

  /// Bytes before the launch, of a storage that the kernel may write. False: of no such storage.
  bool read_before(std::uint64_t address, std::size_t bytes, char* out) const {
    return base_.read(address, bytes, out);
  }
  /// Restores those bytes in all such storages, without a log.
  void put_base() const { base_.restore(); }
  std::size_t checkpoint_count() const { return checkpoints_.size(); }
  /// Bytes held by copies, without the launch's scratch.
  std::uint64_t bytes() const { return base_bytes_ + kept_bytes_ + held_bytes_ + log_bytes(); }
  std::uint64_t limit_bytes() const { return limit_; }
  std::uint64_t most_bytes() const { return most_bytes_; }

 private:
  struct Checkpoint {
    Programs::Saved programs;
    std::shared_ptr<MemoryLog> log;  // of what was written after it, up to the next one; may be a Present's, too
    bool is_logged = true;           // all of it
  };
  static MemoryLog& own(std::shared_ptr<MemoryLog>& log);
  MemoryLog& open_log() { return own(checkpoints_.back().log); }
  std::size_t first_reachable() const;
  std::uint64_t log_bytes() const;
  std::uint64_t count_held() const;
  void thin_out();
  void make_room();

  interpreter::SteppedLaunch& launch_;
  Programs& programs_;
  std::uint64_t limit_, fixed_distance_, distance_;
  std::uint64_t since_ = 0;  // visits since the last checkpoint
  interpreter::MemoryBudget budget_;
  interpreter::StorageCopy base_;
  std::uint64_t base_bytes_ = 0, kept_bytes_ = 0, held_bytes_ = 0, most_bytes_ = 0, old_log_bytes_ = 0;
  Programs::Saved start_;
  std::vector<Checkpoint> checkpoints_;
};

struct History::Present {
  Programs::Saved programs;
  std::vector<Checkpoint> checkpoints;
  std::uint64_t distance = 0, since = 0, held_bytes = 0, old_log_bytes = 0;
  interpreter::MemoryBudget budget;
  interpreter::StorageCopy memory{budget};
};

}  // namespace lockstep::debugger
