#include "sanitizer/lanes/lane_updates.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <tuple>

#include "ir/interfaces/lane_movement.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "sanitizer/core/texts.h"
#include "sanitizer/lanes/update_kernel.h"

namespace lockstep::sanitizer {

using interpreter::TouchKind;

namespace {

/// How many interleaved programs are remembered.
constexpr std::size_t kMostPrograms = 64;
/// For how many elements of one execution of a store the ops may run again. If an element has more lanes than fit, only
/// the first lanes are applied in turn.
constexpr std::size_t kMaxApplied = std::size_t{1} << 22;

std::vector<char> elements_of(Execution& run, const ir::Value& value) {
  const auto size = static_cast<std::size_t>(size_bytes(run.kind(value)));
  std::vector<char> made(static_cast<std::size_t>(run.count(value)) * size);
  if (run.tile(value).form == interpreter::Form::uniform) {
    const std::uint64_t bits = run.bits(value, 0);
    for (std::size_t i = 0; i < made.size(); i += size) std::memcpy(made.data() + i, &bits, size);
  } else {
    std::memcpy(made.data(), run.elements(value), made.size());
  }
  return made;
}

std::uint64_t element_bits(const std::vector<char>& elements, std::int64_t lane, std::size_t bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, elements.data() + static_cast<std::size_t>(lane) * bytes, bytes);
  return bits;
}

/// The lane of the load that a lane of the value comes from; -1: none.
std::int64_t loaded_lane(const LaneUpdate& update, const ir::Value& value, std::int64_t lane) {
  const ir::Op& op = *value.defining_op();
  if (&op == update.load) return lane;
  if (ir::moves_lanes(op)) {
    const ir::LaneSource source = ir::lane_source(op, value.index(), lane);
    const ir::Value* from = op.operand(source.operand);
    return update.made.contains(from) ? loaded_lane(update, *from, source.lane) : -1;
  }
  for (const ir::Value* operand : op.operands()) {
    if (update.made.contains(operand)) return loaded_lane(update, *operand, lane);
  }
  return -1;
}

/// The value is the load's result through casts and copies alone.
bool is_loaded(const LaneUpdate& update, const ir::Value& value) {
  const ir::Op* op = value.defining_op();
  while (op != nullptr && op != update.load && op->operand_count() == 1) op = op->operand(0)->defining_op();
  return op == update.load;
}

/// The operand of a cast, a copy, or a choice between it and the loaded number; null: the op does more.
const ir::Value* value_behind(const LaneUpdate& update, const ir::Op& op) {
  if (&op == update.load) return nullptr;
  if (op.operand_count() == 1 && update.made.contains(op.operand(0))) return op.operand(0);
  if (!ir::is_selection(op) || update.made.contains(op.operand(0))) return nullptr;
  for (const std::size_t i : {1U, 2U}) {
    const ir::Value &one = *op.operand(i), &other = *op.operand(3 - i);
    if (is_loaded(update, other) && update.made.contains(&one)) return &one;
  }
  return nullptr;
}

/// The atomic that has the same effect on memory as the load and the store; "": none.
std::string_view atomic_for(const LaneUpdate& update) {
  struct Named {
    std::string_view op, atomic;
    bool is_ordered = false;  // the loaded number comes first
  };
  static constexpr std::array kAtomics{
      Named{"arith.addi", "tl.atomic_add"},    Named{"arith.addf", "tl.atomic_add"},
      Named{"arith.subi", "tl.atomic_add", true}, Named{"arith.subf", "tl.atomic_add", true},
      Named{"arith.maxsi", "tl.atomic_max"},   Named{"arith.maxui", "tl.atomic_max"},
      Named{"arith.maxnumf", "tl.atomic_max"}, Named{"arith.maximumf", "tl.atomic_max"},
      Named{"arith.minsi", "tl.atomic_min"},   Named{"arith.minui", "tl.atomic_min"},
      Named{"arith.minnumf", "tl.atomic_min"}, Named{"arith.minimumf", "tl.atomic_min"},
      Named{"arith.andi", "tl.atomic_and"},    Named{"arith.ori", "tl.atomic_or"},
      Named{"arith.xori", "tl.atomic_xor"}};
  const ir::Op* last = interpreter::moved_value(*update.store).defining_op();
  while (const ir::Value* behind = value_behind(update, *last)) last = behind->defining_op();
  if (last->operand_count() != 2) return {};
  const ir::Value &left = *last->operand(0), &right = *last->operand(1);
  const bool is_left = update.made.contains(&left);
  if (is_left == update.made.contains(&right) || !is_loaded(update, is_left ? left : right)) return {};
  for (const Named& one : kAtomics) {
    if (last->spelling() == one.op && (is_left || !one.is_ordered)) return one.atomic;
  }
  return {};
}

}  // namespace

LaneUpdates::LaneUpdates(const LaunchContext& context, const std::vector<LaneUpdate>& updates)
    : context_(context), updates_(updates), kernels_(updates.size()) {
  for (std::size_t i = 0; i < updates.size(); ++i) {
    by_op_[updates[i].load].push_back(i);
    for (const ir::Op* op : updates[i].ops) by_op_[op].push_back(i);
    by_op_[updates[i].store].push_back(i);
  }
}
LaneUpdates::~LaneUpdates() = default;

bool LaneUpdates::is_watched(const std::vector<LaneUpdate>& updates, const ir::Op& op) {
  return std::any_of(updates.begin(), updates.end(), [&](const LaneUpdate& one) {
    return &op == one.load || &op == one.store || std::find(one.ops.begin(), one.ops.end(), &op) != one.ops.end();
  });
}

LaneUpdates::Seen& LaneUpdates::seen(const Execution& run, std::size_t update) {
  std::vector<Seen>& known = seen_[run.program()];
  if (known.empty()) known.resize(updates_.size());
  while (seen_.size() > kMostPrograms) {
    const auto first = seen_.begin();
    seen_.erase(first->first == run.program() ? std::next(first) : first);
  }
  return seen_[run.program()][update];
}

void LaneUpdates::begin_load(Execution& run, const LaneUpdate& update, Seen& seen) const {
  interpreter::AccessLanes& lanes = run.lanes();
  const auto count = static_cast<std::size_t>(lanes.count());
  seen.addresses.resize(count);
  seen.on.resize(count);
  seen.leaves.clear();
  seen.location = run.location();
  std::unordered_set<std::uint64_t> different;
  std::size_t active = 0;
  for (std::size_t i = 0; i < count; ++i) {
    seen.on[i] = lanes.is_on(static_cast<std::int64_t>(i)) ? 1 : 0;
    if (seen.on[i] == 0) continue;
    seen.addresses[i] = lanes.address(static_cast<std::int64_t>(i));
    different.insert(seen.addresses[i]);
    ++active;
  }
  seen.is_open = active != 0 && (update.is_spread || different.size() < active);
}

const ir::Op* LaneUpdates::before(Execution& run) {
  const auto numbers = by_op_.find(&run.op());
  if (numbers == by_op_.end()) return nullptr;
  const ir::Op* harmless = nullptr;
  for (const std::size_t number : numbers->second) {
    const LaneUpdate& update = updates_[number];
    Seen& seen = this->seen(run, number);
    if (update.load == &run.op()) {
      begin_load(run, update, seen);
    } else if (update.store == &run.op()) {
      const Verdict verdict = seen.is_open ? judge(run, number, seen) : Verdict::open;
      if (verdict == Verdict::lost) break;
      if (verdict == Verdict::harmless) harmless = update.load;
    } else if (seen.is_open) {
      for (const ir::Value* operand : run.op().operands()) {
        if (!update.made.contains(operand)) seen.leaves[operand] = elements_of(run, *operand);
      }
    }
  }
  return harmless;
}

void LaneUpdates::after(Execution& run) {
  const auto numbers = by_op_.find(&run.op());
  if (numbers == by_op_.end()) return;
  for (const std::size_t number : numbers->second) {
    Seen& seen = this->seen(run, number);
    if (updates_[number].load == &run.op() && seen.is_open) seen.loaded = elements_of(run, *run.op().result(0));
  }
}

LaneUpdates::Shared LaneUpdates::find_shared(Execution& run, const LaneUpdate& update, const Seen& seen) {
  interpreter::AccessLanes& lanes = run.lanes();
  const ir::Value& value = interpreter::moved_value(*update.store);
  const Bytes stored = elements_of(run, value);
  const auto bytes = static_cast<std::size_t>(lanes.bytes());
  Shared shared;
  std::set<std::tuple<std::uint64_t, std::int64_t, std::uint64_t>> known;
  for (std::int64_t i = 0; i < lanes.count(); ++i) {
    if (!lanes.is_on(i)) continue;
    const std::int64_t from = loaded_lane(update, value, i);
    if (from < 0 || static_cast<std::size_t>(from) >= seen.on.size()) continue;
    const auto at = static_cast<std::size_t>(from);
    if (seen.on[at] == 0 || seen.addresses[at] != lanes.address(i)) continue;
    // A number that was loaded once and that many lanes store is one update.
    if (!known.emplace(lanes.address(i), from, element_bits(stored, i, bytes)).second) continue;
    std::vector<std::int64_t>& here = shared.lanes[lanes.address(i)];
    here.push_back(i);
    shared.most = std::max(shared.most, here.size());
    shared.loaded_by[i] = from;
  }
  std::erase_if(shared.lanes, [](const auto& one) { return one.second.size() < 2; });
  return shared;
}

/// Computes every element, one lane after the other, and compares it with what the lanes store.
std::unique_ptr<LaneUpdates::Lost> LaneUpdates::apply_in_turn(Execution& run, std::size_t number, const Seen& seen,
                                                              const Shared& shared) {
  const LaneUpdate& update = updates_[number];
  if (kernels_[number] == nullptr) kernels_[number] = UpdateKernel::make(context_, update);
  UpdateKernel* kernel = kernels_[number].get();
  const Bytes stored = elements_of(run, interpreter::moved_value(*update.store));
  const auto bytes = static_cast<std::size_t>(run.lanes().bytes());
  // The ops must reproduce the launch: from the loaded values they make the stored ones.
  if (kernel == nullptr || kernel->run(seen.loaded, seen.leaves) != stored) return nullptr;
  const std::size_t lanes = std::max<std::size_t>(stored.size() / bytes, 1);
  const std::size_t turns = std::min(shared.most, std::max<std::size_t>(kMaxApplied / lanes, 2));
  Bytes loaded = seen.loaded;
  std::map<std::uint64_t, std::uint64_t> now;  // what each element is
  for (std::size_t turn = 0; turn < turns; ++turn) {
    const Bytes made = kernel->run(loaded, seen.leaves);
    if (made.size() != stored.size()) return nullptr;
    for (const auto& [address, here] : shared.lanes) {
      if (turn >= here.size()) continue;
      now[address] = element_bits(made, here[turn], bytes);
      if (turn + 1 >= here.size()) continue;
      const auto next = static_cast<std::size_t>(shared.loaded_by.at(here[turn + 1]));
      std::memcpy(loaded.data() + next * bytes, &now[address], bytes);
    }
  }
  auto lost = std::make_unique<Lost>();
  for (const auto& [address, here] : shared.lanes) {
    const std::size_t applied = std::min(turns, here.size());
    const std::uint64_t last = now[address];
    const bool differs = std::any_of(here.begin(), here.begin() + static_cast<std::ptrdiff_t>(applied),
                                     [&](std::int64_t lane) { return element_bits(stored, lane, bytes) != last; });
    // Lanes that store what they loaded update nothing, but may come last.
    const auto changes = [&](std::int64_t lane) {
      return element_bits(stored, lane, bytes) != element_bits(seen.loaded, shared.loaded_by.at(lane), bytes);
    };
    const auto changing = static_cast<std::uint64_t>(std::count_if(here.begin(), here.end(), changes));
    const std::uint64_t gone = changing - (changes(here.back()) ? 1 : 0);
    if (!differs || gone == 0) continue;
    if (lost->lane < 0 || here.front() < lost->lane) {
      lost->lane = here.front();
      lost->address = address;
      lost->right = now[address];
      for (std::size_t i = 0; i < applied; ++i) {  // the last lane's, if it is wrong, as it stays here
        const std::uint64_t left = element_bits(stored, here[i], bytes);
        if (left != lost->right) lost->left = left, lost->wrong = here[i];
      }
    }
    lost->lanes += changing;
    lost->gone += gone;
    ++lost->elements;
  }
  return lost;
}

/// Whatever lane comes first, and whatever it loads, each element ends as what every lane stores to it.
bool LaneUpdates::is_settled(Execution& run, std::size_t number, const Seen& seen, const Shared& shared) {
  const LaneUpdate& update = updates_[number];
  const auto loading = static_cast<std::size_t>(std::count(seen.on.begin(), seen.on.end(), 1));
  if (!update.is_used_here_alone || update.is_spread || shared.loaded_by.size() != loading) return false;
  const Bytes stored = elements_of(run, interpreter::moved_value(*update.store));
  const auto bytes = static_cast<std::size_t>(run.lanes().bytes());
  Bytes loaded = seen.loaded;
  for (const auto& [lane, from] : shared.loaded_by) {
    const std::uint64_t value = element_bits(stored, lane, bytes);
    std::memcpy(loaded.data() + static_cast<std::size_t>(from) * bytes, &value, bytes);
  }
  const Bytes again = kernels_[number]->run(loaded, seen.leaves);
  if (again.size() != stored.size()) return false;
  return std::all_of(shared.lanes.begin(), shared.lanes.end(), [&](const auto& one) {
    const std::uint64_t value = element_bits(stored, one.second.front(), bytes);
    return std::all_of(one.second.begin(), one.second.end(), [&](std::int64_t lane) {
      return element_bits(stored, lane, bytes) == value && element_bits(again, lane, bytes) == value;
    });
  });
}

LaneUpdates::Verdict LaneUpdates::judge(Execution& run, std::size_t number, const Seen& seen) {
  const LaneUpdate& update = updates_[number];
  if (run.kind(interpreter::moved_value(*update.store)) != *update.load->result(0)->type().element().scalar_kind())
    return Verdict::open;
  const Shared shared = find_shared(run, update, seen);
  if (shared.lanes.empty()) return Verdict::open;
  const auto lost = apply_in_turn(run, number, seen, shared);
  if (lost == nullptr) return Verdict::open;
  if (lost->elements == 0) return is_settled(run, number, seen, shared) ? Verdict::harmless : Verdict::open;
  report(run, update, seen, *lost);
  return Verdict::lost;
}

void LaneUpdates::report(Execution& run, const LaneUpdate& update, const Seen& seen, const Lost& lost) const {
  const std::int32_t view = run.lanes().provenance();
  const ElementName name = element_of(run.memory(), view, lost.address);
  const ScalarKind kind = run.kind(interpreter::moved_value(*update.store));
  const std::uint64_t gone = lost.gone;
  const bool is_one = lost.elements == 1;
  Finding finding = run.finding(
      FindingCode::LS407, std::to_string(lost.lanes) + " lanes update " + std::to_string(lost.elements) +
                   (is_one ? " element" : " elements") + (name.argument.empty() ? "" : " of '" + name.argument + "'") +
                   " in one store, and all of them load before any stores; " + std::to_string(gone) +
                   (gone == 1 ? " update is" : " updates are") + " lost: lane " +
                   lane_text(lost.wrong, run.lanes().shape()) + " stores " + value_text(kind, lost.left) + " to " +
                   place_text(run.memory(), view, lost.address) + ", where one lane after the other would leave " +
                   value_text(kind, lost.right));
  finding.notes.push_back({"loaded here, by all of these lanes at once", seen.location});
  finding.argument = name.argument;
  finding.element = name.element;
  finding.lane = position_of(lost.lane, run.lanes().shape());
  finding.count = gone;
  const std::string_view atomic = atomic_for(update);
  finding.hint = atomic.empty()
                     ? "no barrier helps: combine the lanes' values for each element before the store, or use "
                       "tl.atomic_cas"
                     : "use " + std::string(atomic) + "; no barrier helps, as the lanes load before any of them stores";
  if (update.is_clamped) {
    finding.tier = Tier::warning;
    finding.hint = "if the lanes at the end are there to fill the tile only: mask them off; else " + finding.hint;
  }
  run.report(std::move(finding));
}

void LaneUpdates::give_way(Report& findings) {
  struct Place {
    Location store, load;
  };
  std::vector<Place> lost;
  for (const Finding& one : findings.findings()) {
    if (one.code == FindingCode::LS407 && !one.notes.empty()) lost.push_back({one.location, one.notes[0].location});
  }
  if (lost.empty()) return;
  const auto is_hazard = [](const Finding& one) {
    return one.code == FindingCode::LS401 || one.code == FindingCode::LS402 || one.code == FindingCode::LS403 || one.code == FindingCode::LS404 ||
           one.code == FindingCode::LS405;
  };
  Report kept;
  for (const Finding& one : findings.findings()) {
    const Location other = one.notes.empty() ? Location() : one.notes[0].location;
    const bool is_same = is_hazard(one) && std::any_of(lost.begin(), lost.end(), [&](const Place& place) {
      const bool is_store = one.location == place.store;
      return (is_store && (one.code == FindingCode::LS404 || other == place.load || other == place.store)) ||
             (one.location == place.load && other == place.store);
    });
    if (!is_same) kept.add(one);
  }
  findings = std::move(kept);
}

}  // namespace lockstep::sanitizer
