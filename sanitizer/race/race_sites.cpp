#include "sanitizer/race/race_sites.h"

#include "interpreter/batching/effects.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"

namespace lockstep::sanitizer {

namespace {

enum : std::int64_t { kRelaxed = 1, kAcquire, kRelease, kBoth };  // "sem"
constexpr std::int64_t kScopeCta = 2;                             // "scope"
constexpr std::int64_t kExchange = 10;                            // "atomic_rmw_op"

bool is_used(const ir::Op& op) { return op.result_count() > 0 && op.result(0)->has_uses(); }

void set_atomic(const ir::Op& op, RaceAccessKind& kind) {
  const std::int64_t sem = op.integer_attribute("sem", kRelaxed);
  kind.is_atomic = true;
  kind.is_observed = is_used(op);
  kind.releases = kind.writes && (sem == kRelease || sem == kBoth);
  kind.is_cta = op.integer_attribute("scope", 1) == kScopeCta;
  // No op uses the result, so no program can depend on what it acquired: either order is possible.
  kind.acquires = kind.is_observed && (sem == kAcquire || sem == kBoth);
}

}  // namespace

RaceAccessKind race_access_kind(const ir::Op& op) {
  RaceAccessKind kind;
  kind.may_spin = interpreter::is_in_open_loop(op);
  using Atomic = ir::MemoryAccess::Atomic;
  const ir::MemoryAccess& access = op.def().access;
  kind.reads = op.def().effects == ir::Effects::read || op.def().effects == ir::Effects::read_write;
  kind.writes = !kind.reads || op.def().effects == ir::Effects::read_write;
  if (access.is_plain_load()) kind.is_atomic = kind.is_observed = interpreter::is_volatile_load(op);
  if (access.atomic == Atomic::none) return kind;
  kind.compares = access.atomic == Atomic::exchange_if_equal;
  kind.swaps = kind.compares || op.integer_attribute("atomic_rmw_op", 0) == kExchange;
  kind.continues = kind.reads && kind.writes;
  kind.may_spin |= access.atomic == Atomic::poll;
  set_atomic(op, kind);
  return kind;
}

std::uint32_t RaceSites::number_of(const ir::Op& op, const Location& location, std::uint32_t bytes) {
  std::vector<std::uint32_t>& known = by_op_[&op];
  for (const std::uint32_t number : known) {
    if (sites_[number].location == location) return number;
  }
  sites_.push_back({&op, location, race_access_kind(op), bytes});
  known.push_back(static_cast<std::uint32_t>(sites_.size() - 1));
  return known.back();
}

}  // namespace lockstep::sanitizer
